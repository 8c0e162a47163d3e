// Package onequeue is a scheduler outside of package federate, for tests and as a template: one
// master with one queue that always knows which workers are idle.
package onequeue

import (
	"slices"

	"berth/engine/federate"
)

// Plugin describes the scheduler for [federate.Register]. Schedulers of Berth itself are listed in
// package schedulers.
var Plugin = federate.Plugin{
	Name: "one-queue", Description: "one master that always knows which workers are idle",
	Facts: federate.Facts{Slots: true},
	New: func(m *federate.Model) federate.Scheduler {
		return &scheduler{Model: m, idle: slices.Repeat([]bool{true}, m.Center.Workers())}
	},
}

// Events: a task reaches the master, or its worker.
const (
	toMaster = federate.FirstKind + iota
	toWorker
)

type scheduler struct {
	*federate.Model
	idle  []bool // by worker
	queue []int32
}

// Submit implements [federate.Scheduler].
func (s *scheduler) Submit(job int32) {
	for task, end := s.Tasks(job); task < end; task++ {
		s.SendTask(task, s.Config.Delay, toMaster, 0)
	}
}

// Handle implements [federate.Scheduler].
func (s *scheduler) Handle(e federate.Event) {
	task := int32(e.Ref)
	if e.Kind == toWorker {
		s.Start(task, int32(e.Mark))
		return
	}
	s.queue = append(s.queue, task)
	s.match()
}

// match sends the first tasks of the queue to idle workers that can run them. A task without such a
// worker blocks the tasks behind it.
func (s *scheduler) match() {
	for len(s.queue) > 0 {
		constraints := s.Kind(s.queue[0]).Constraints
		worker := 0
		for worker < len(s.idle) && !(s.idle[worker] && s.Center.Satisfies(int32(worker), constraints)) {
			worker++
		}
		if worker == len(s.idle) {
			s.Own.Count("waits for a worker", 1)
			s.Own.Note("a task that no idle worker can run keeps all behind it waiting")
			return
		}
		s.idle[worker] = false
		s.Spend(s.queue[0], federate.Queueing)
		s.SendTask(s.queue[0], s.Config.LaunchDelay, toWorker, uint32(worker))
		s.queue = s.queue[1:]
	}
}

// Ended implements [federate.Scheduler].
func (s *scheduler) Ended(_, worker int32) {
	s.idle[worker] = true
	s.match()
}

// Outage implements [federate.Scheduler]. A failed worker keeps its task.
func (s *scheduler) Outage(federate.Outage, bool) {}
