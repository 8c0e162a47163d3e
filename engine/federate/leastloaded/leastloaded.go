// Package leastloaded is a central scheduler that sends each task at once to the worker
// with the least work: the estimates of what waits and runs there. It knows what has ended
// where. With exact estimates a task starts when it would in one central queue, first come
// first served.
package leastloaded

import (
	"math"

	"berth/engine/federate"
	"berth/engine/parameter"
	"berth/engine/workload"
)

// The events of the scheduler.
const (
	masterEvent uint32 = federate.FirstKind + iota // a job reaches the master
	workerEvent                                    // a task reaches its worker
)

// A worker that has failed is as if it had that much more work.
const failed federate.Time = 1 << 61

const none = -1 // no task

type scheduler struct {
	*federate.Model
	leaves    int             // a power of two; node 1 is the root, and worker w is node leaves + w
	until     []federate.Time // of each node, when its first worker is expected to be idle; 0: now
	satisfies []uint64        // the constraints of the workers of a node; nil: all
	queued    []federate.Time // of each worker, the estimates of what waits there or is on its way
	tasks     []int32         // of each worker that run, wait or are on their way
	ends      []federate.Time // of each worker, when what it runs is expected to end
	busy      []bool
	head      []int32 // of the queue of each worker
	tail      []int32
	next      []int32 // of each task in a queue
}

// Plugin is what [federate.Register] takes.
var Plugin = federate.Plugin{
	Name: "least-loaded", Title: "Least loaded", Description: "each task to the worker with the least estimated work",
	Slots: true, Estimates: true, New: newScheduler,
	Memory: func(c *federate.Config, _ parameter.Values, load *workload.Tasks) float64 {
		return federate.Bytes[int32](len(load.Durations)) + federate.Bytes[[2]federate.Time](4*c.Workers) + federate.Bytes[[4]federate.Time](c.Workers)
	},
}

func newScheduler(m *federate.Model) federate.Scheduler {
	n := m.Center.Workers()
	s := &scheduler{
		Model: m, leaves: 1, queued: make([]federate.Time, n), tasks: make([]int32, n), ends: make([]federate.Time, n), busy: make([]bool, n),
		head: make([]int32, n), tail: make([]int32, n), next: make([]int32, len(m.Load.Durations)),
	}
	for s.leaves < n {
		s.leaves *= 2
	}
	s.until = make([]federate.Time, 2*s.leaves)
	for node := range s.until {
		s.until[node] = math.MaxInt64
	}
	if m.Center.Machines != nil {
		s.satisfies = make([]uint64, 2*s.leaves)
		copy(s.satisfies[s.leaves:], m.Center.Machines)
		for node := s.leaves - 1; node >= 1; node-- {
			s.satisfies[node] = s.satisfies[2*node] | s.satisfies[2*node+1]
		}
	}
	for w := range int32(n) {
		s.head[w] = none
		s.expect(w, 0)
	}
	return s
}

// expect notes when a worker is expected to be idle.
func (s *scheduler) expect(worker int32, until federate.Time) {
	if s.Down(worker) {
		until += failed
	}
	node := s.leaves + int(worker)
	s.until[node] = until
	for node /= 2; node >= 1; node /= 2 {
		s.until[node] = min(s.until[2*node], s.until[2*node+1])
	}
}

// least returns a worker below a node that satisfies constraints and is idle before best,
// the earliest that there is. Without constraints it is the first of equal ones.
func (s *scheduler) least(node int, constraints uint64, worker int32, best federate.Time) (int32, federate.Time) {
	if s.until[node] >= best || s.satisfies != nil && constraints&^s.satisfies[node] != 0 {
		return worker, best
	}
	if node >= s.leaves {
		return int32(node - s.leaves), s.until[node]
	}
	first, second := 2*node, 2*node+1
	if s.until[second] < s.until[first] {
		first, second = second, first
	}
	worker, best = s.least(first, constraints, worker, best)
	return s.least(second, constraints, worker, best)
}

// Submit implements [federate.Scheduler].
func (s *scheduler) Submit(job int32) {
	first, end := s.Tasks(job)
	for task := first; task < end; task++ {
		s.SpendNext(task, federate.Communication, s.Config.Delay)
	}
	s.Counters.Messages += int64(end - first)
	s.At(s.Now()+s.Config.Delay, masterEvent, uint32(job), 0)
}

// Handle implements [federate.Scheduler].
func (s *scheduler) Handle(e federate.Event) {
	if e.Kind == workerEvent {
		s.enqueue(int32(e.Ref), int32(e.Mark))
		return
	}
	first, end := s.Tasks(int32(e.Ref))
	for task := first; task < end; task++ {
		s.send(task)
	}
}

// send sends a task to the worker with the least work.
func (s *scheduler) send(task int32) {
	worker, until := s.least(1, s.Kind(task).Constraints, none, math.MaxInt64)
	at := s.Now() + s.Config.LaunchDelay
	if s.Down(worker) {
		until -= failed
	}
	s.tasks[worker]++
	s.queued[worker] += s.Estimate(task)
	s.expect(worker, max(until, at)+s.Estimate(task))
	s.SpendNext(task, federate.Communication, s.Config.LaunchDelay)
	s.Counters.Messages++
	s.At(at, workerEvent, uint32(task), uint32(worker))
}

// enqueue puts a task at the end of the queue of its worker.
func (s *scheduler) enqueue(task, worker int32) {
	s.next[task] = none
	if s.head[worker] == none {
		s.head[worker] = task
	} else {
		s.next[s.tail[worker]] = task
	}
	s.tail[worker] = task
	s.advance(worker)
}

// advance starts the first task of the queue of an idle worker.
func (s *scheduler) advance(worker int32) {
	task := s.head[worker]
	if s.busy[worker] || task == none {
		return
	}
	s.busy[worker] = true
	s.head[worker] = s.next[task]
	s.queued[worker] -= s.Estimate(task)
	s.ends[worker] = s.Now() + s.Estimate(task)
	s.Spend(task, federate.WorkerQueue)
	s.Start(task, worker)
}

// Ended implements [federate.Scheduler].
func (s *scheduler) Ended(_, worker int32) {
	s.busy[worker] = false
	s.tasks[worker]--
	until := s.until[s.leaves+int(worker)]
	switch early := s.ends[worker] - s.Now(); {
	case s.tasks[worker] == 0:
		until = 0
	case early > 0:
		until -= early
	default:
		until = max(until, s.Now()+s.queued[worker])
	}
	s.expect(worker, until)
	s.advance(worker)
}

// Outage implements [federate.Scheduler]: a worker keeps its queue.
func (s *scheduler) Outage(o federate.Outage, over bool) {
	if o.Subject != federate.WorkerOutage {
		return
	}
	worker := int32(o.Index)
	until := s.until[s.leaves+int(worker)]
	if over {
		until -= failed
	}
	s.expect(worker, until)
}
