package federate

import (
	"slices"

	"berth/engine/diag"
	"berth/engine/input/workload"
)

// Change is the arrival (There) or departure of a worker at a time of the workload's clock. A
// worker whose first change is an arrival is absent until then.
type Change struct {
	At     Time
	Worker int32
	There  bool
}

// Mover is a scheduler that supports workers that arrive and leave during a run.
type Mover interface {
	// Moved reports that a worker has arrived or left now. lost lists the tasks that ran there; the
	// model has stopped them as by [Model.Stop], and the scheduler has to start them again.
	Moved(worker int32, lost []int32)
}

func (c *Config) checkChanges() error {
	for i, change := range c.Changes {
		switch {
		case change.Worker < 0 || int(change.Worker) >= c.Workers:
			return diag.At("machines", changeOfNone, i, change.Worker, c.Workers-1)
		case change.At < 0 || change.At > workload.MaxClock:
			return diag.At("machines", changeTime, i, workload.Seconds(change.At), workload.Seconds(workload.MaxClock))
		case i > 0 && change.At < c.Changes[i-1].At:
			return diag.At("machines", changeEarlier, i, workload.Seconds(change.At))
		}
	}
	return nil
}

// movers tracks the present workers and the tasks on each of them.
type movers struct {
	gone []bool    // by worker
	next int       // index of the next change
	on   [][]int32 // by worker: tasks started there; some of them may have left
}

// newMovers returns the state at the origin of the clock; nil if no worker arrives or leaves.
func (m *Model) newMovers() *movers {
	c := m.Config
	if len(c.Changes) == 0 {
		return nil
	}
	x := &movers{gone: make([]bool, c.Workers), on: make([][]int32, c.Workers)}
	for _, change := range slices.Backward(c.Changes) {
		x.gone[change.Worker] = change.There // the state before the worker's first change
	}
	for x.next < len(c.Changes) && c.Changes[x.next].At <= m.origin {
		change := c.Changes[x.next]
		x.gone[change.Worker] = !change.There
		x.next++
	}
	return x
}

func (m *Model) scheduleChange() {
	if x := m.movers; x != nil && x.next < len(m.Config.Changes) {
		m.queue.Push(Event{At: m.Config.Changes[x.next].At - m.origin, Kind: changeEvent})
	}
}

// change makes the next change: a worker arrives or leaves.
func (m *Model) change() {
	x := m.movers
	change := m.Config.Changes[x.next]
	x.next++
	m.scheduleChange()
	if x.gone[change.Worker] == !change.There {
		return // the worker is already in that state
	}
	x.gone[change.Worker] = !change.There
	var lost []int32
	for _, task := range x.on[change.Worker] { // a task that started here twice is listed twice, but stopped only once
		if m.tasks[task].on(change.Worker) {
			m.Stop(task)
			lost = append(lost, task)
		}
	}
	x.on[change.Worker] = x.on[change.Worker][:0]
	m.scheduler.(Mover).Moved(change.Worker, lost)
}

// note records that a task was started on a worker. Before the list would grow, it drops the tasks
// that have left the worker, so the list stays short.
func (x *movers) note(m *Model, task, worker int32) {
	on := x.on[worker]
	if len(on) == cap(on) {
		on = slices.DeleteFunc(on, func(k int32) bool { return !m.tasks[k].on(worker) })
	}
	x.on[worker] = append(on, task)
}

// on reports whether a task runs on a worker or is held there by a failure.
func (t *task) on(worker int32) bool { return t.worker == worker && t.state != taskDone }
