package federate

import (
	"berth/engine/diag"
	"berth/engine/workload"
)

// Change is a worker that comes or goes, on the clock of the workload. One whose first
// change is to come is not there before.
type Change struct {
	At     Time
	Worker int32
	There  bool
}

// Mover is a scheduler that heeds workers that come and go.
type Mover interface {
	// Moved tells that a worker has come or gone now, and which tasks it has lost: they do
	// not run any more, as after [Model.Stop], and are to be started again.
	Moved(worker int32, lost []int32)
}

func (c *Config) checkChanges() error {
	for i, change := range c.Changes {
		switch {
		case change.Worker < 0 || int(change.Worker) >= c.Workers:
			return diag.At("machines", changeOfNone, i, change.Worker, c.Workers-1)
		case change.At < 0 || change.At > workload.MaxClock:
			return diag.At("machines", changeTime, i, seconds(change.At), seconds(workload.MaxClock))
		case i > 0 && change.At < c.Changes[i-1].At:
			return diag.At("machines", changeEarlier, i, seconds(change.At))
		}
	}
	return nil
}

// movers know which workers are there, and what runs on them.
type movers struct {
	gone []bool
	next int       // of the changes
	on   [][]int32 // by worker: the tasks that were started there
}

// newMovers returns the workers at the beginning, nil if none comes or goes.
func (m *Model) newMovers() *movers {
	c := m.Config
	if len(c.Changes) == 0 {
		return nil
	}
	x := &movers{gone: make([]bool, c.Workers), on: make([][]int32, c.Workers)}
	known := make([]bool, c.Workers)
	for _, change := range c.Changes {
		if !known[change.Worker] {
			known[change.Worker], x.gone[change.Worker] = true, change.There
		}
	}
	for x.next < len(c.Changes) && c.Changes[x.next].At <= m.origin {
		change := c.Changes[x.next]
		x.gone[change.Worker] = !change.There
		x.next++
	}
	return x
}

// scheduleChange puts the next change into the queue.
func (m *Model) scheduleChange() {
	if x := m.movers; x != nil && x.next < len(m.Config.Changes) {
		m.queue.Push(Event{At: m.Config.Changes[x.next].At - m.origin, Kind: changeEvent})
	}
}

// change has a worker come or go.
func (m *Model) change() {
	x := m.movers
	change := m.Config.Changes[x.next]
	x.next++
	m.scheduleChange()
	if x.gone[change.Worker] == !change.There {
		return // as it is
	}
	x.gone[change.Worker] = !change.There
	var lost []int32
	for _, task := range x.on[change.Worker] {
		if t := &m.tasks[task]; t.worker == change.Worker && t.state != taskDone {
			m.Stop(task)
			lost = append(lost, task)
		}
	}
	x.on[change.Worker] = x.on[change.Worker][:0]
	m.scheduler.(Mover).Moved(change.Worker, lost)
}

// note remembers what is started on a worker. What has ended there is forgotten from time
// to time.
func (x *movers) note(m *Model, task, worker int32) {
	on := x.on[worker]
	if len(on) == cap(on) {
		kept := on[:0]
		for _, k := range on {
			if t := &m.tasks[k]; t.worker == worker && t.state != taskDone {
				kept = append(kept, k)
			}
		}
		on = kept
	}
	x.on[worker] = append(on, task)
}
