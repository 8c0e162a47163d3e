// Package leastloaded is a central scheduler that sends each task at once to the worker with the
// least work: the sum of the estimates of the tasks that wait or run there. Workers report to it
// whenever a task ends. With exact estimates a task starts at the time at which a single central
// queue, first come first served, would start it. Each slot of a worker has its own queue.
package leastloaded

import (
	"slices"

	"berth/engine/federate"
	"berth/engine/federate/central"
	"berth/engine/input/workload"
	"berth/engine/parameter"
)

// The events of the scheduler.
const (
	masterEvent uint32 = federate.FirstKind + iota // a job reaches the master
	workerEvent                                    // a task reaches its worker
)

// failed is added to the work of a failed worker, so that it comes last.
const failed federate.Time = 1 << 61

type scheduler struct {
	*federate.Model
	until   *central.Least  // by slot: time at which it is expected to be idle; 0: it is idle
	workers []int32         // by slot: its worker; the slots of a worker are consecutive
	slots   []int32         // by task: the slot that it was sent to
	queued  []federate.Time // by slot: sum of the estimates of tasks that wait there or are on their way
	tasks   []int32         // by slot: tasks that run, wait or are on their way
	ends    []federate.Time // by slot: expected end of its running task
	busy    []bool
	waiting []federate.List // by slot: its queue
	next    []int32         // by task in a queue: the next one
}

// Plugin describes the scheduler for [federate.Register].
var Plugin = federate.Plugin{
	Name: "least-loaded", Title: "Least loaded", Description: "each task to the worker with the least estimated work",
	Facts: federate.Facts{
		Slots: true, Unlike: true, Estimates: true,
		Memory: func(c *federate.Config, _ parameter.Values, load *workload.Tasks) float64 {
			slots := len(slotsOf(federate.NewCenter(c, load), load))
			return federate.Bytes[[2]int32](len(load.Durations)) + central.LeastMemory(slots) + federate.Bytes[[5]federate.Time](slots)
		},
	},
	New: newScheduler,
}

func newScheduler(m *federate.Model) federate.Scheduler {
	workers := slotsOf(m.Center, m.Load)
	n := len(workers)
	s := &scheduler{
		Model: m, workers: workers, slots: make([]int32, len(m.Load.Durations)), queued: make([]federate.Time, n), tasks: make([]int32, n), ends: make([]federate.Time, n), busy: make([]bool, n),
		until:   central.NewLeast(m.Center, n, func(slot int32) int32 { return workers[slot] }),
		waiting: make([]federate.List, n), next: make([]int32, len(m.Load.Durations)),
	}
	for slot := range int32(n) {
		s.expect(slot, 0)
	}
	return s
}

func slotsOf(center *federate.Center, load *workload.Tasks) (workers []int32) {
	for w := int32(0); int(w) < center.Workers() && len(load.KindOf) > 0; w++ {
		for range center.Room(w, &load.Kinds[load.KindOf[0]]) {
			workers = append(workers, w)
		}
	}
	return workers
}

// expect sets the time at which a slot is expected to be idle.
func (s *scheduler) expect(slot int32, until federate.Time) {
	if s.Down(s.workers[slot]) {
		until += failed
	}
	s.until.Set(slot, until)
}

// Submit implements [federate.Scheduler].
func (s *scheduler) Submit(job int32) { s.SendJob(job, 1, s.Config.Delay, masterEvent) }

// Handle implements [federate.Scheduler].
func (s *scheduler) Handle(e federate.Event) {
	if e.Kind == workerEvent {
		slot := s.slots[e.Ref]
		s.waiting[slot].Push(s.next, int32(e.Ref))
		s.advance(slot)
		return
	}
	first, end := s.Tasks(int32(e.Ref))
	for task := first; task < end; task++ {
		s.send(task)
	}
}

// send sends a task to the slot that is expected to be idle first.
func (s *scheduler) send(task int32) {
	slot, until := s.until.Find(s.Kind(task).Constraints)
	at := s.Now() + s.Config.LaunchDelay
	if s.Down(s.workers[slot]) {
		until -= failed
	}
	s.slots[task] = slot
	s.tasks[slot]++
	s.queued[slot] = federate.Sum(s.queued[slot], s.estimate(task))
	s.expect(slot, federate.Sum(max(until, at), s.estimate(task)))
	s.SendTask(task, s.Config.LaunchDelay, workerEvent, 0)
}

func (s *scheduler) estimate(task int32) federate.Time {
	return s.EstimateOn(task, s.workers[s.slots[task]])
}

// advance starts the first task of an idle slot's queue.
func (s *scheduler) advance(slot int32) {
	task := s.waiting[slot].First()
	if s.busy[slot] || task == federate.None {
		return
	}
	s.busy[slot] = true
	s.waiting[slot].Pop(s.next)
	s.queued[slot] = max(0, s.queued[slot]-s.estimate(task))
	s.ends[slot] = s.Now() + s.estimate(task)
	s.Spend(task, federate.WorkerQueue)
	s.Start(task, s.workers[slot])
}

// Ended implements [federate.Scheduler].
func (s *scheduler) Ended(task, _ int32) {
	slot := s.slots[task]
	s.busy[slot] = false
	s.tasks[slot]--
	until := s.until.Of(slot)
	switch early := s.ends[slot] - s.Now(); {
	case s.tasks[slot] == 0:
		until = 0
	case early > 0:
		until -= early
	default:
		until = max(until, federate.Sum(s.Now(), s.queued[slot]))
	}
	s.expect(slot, until)
	s.advance(slot)
}

// Outage implements [federate.Scheduler]. A failed worker keeps its queues.
func (s *scheduler) Outage(o federate.Outage, over bool) {
	if o.Subject != federate.WorkerOutage {
		return
	}
	slot, _ := slices.BinarySearch(s.workers, int32(o.Index))
	for ; slot < len(s.workers) && s.workers[slot] == int32(o.Index); slot++ {
		until := s.until.Of(int32(slot))
		if over {
			until -= failed
		}
		s.expect(int32(slot), until)
	}
}
