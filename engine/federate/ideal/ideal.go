// Package ideal starts every task when it arrives, outside of all workers. It is a lower bound for
// every other scheduler.
package ideal

import "berth/engine/federate"

type scheduler struct{ *federate.Model }

// Plugin describes the scheduler for [federate.Register].
var Plugin = federate.Plugin{
	Name: "ideal", Title: "Ideal", Description: "every task starts when it arrives: the lower bound", Default: true,
	Facts: federate.Facts{Unlike: true, Pooled: true, Moves: true, Unbounded: true},
	New:   func(m *federate.Model) federate.Scheduler { return &scheduler{m} },
}

// Submit implements [federate.Scheduler].
func (s *scheduler) Submit(job int32) {
	first, end := s.Tasks(job)
	for task := first; task < end; task++ {
		s.Start(task, -1)
	}
}

// Handle implements [federate.Scheduler]. The scheduler queues no events.
func (s *scheduler) Handle(federate.Event) {}

// Ended implements [federate.Scheduler].
func (s *scheduler) Ended(task, worker int32) {}

// Outage implements [federate.Scheduler]. The scheduler uses nothing that can fail.
func (s *scheduler) Outage(federate.Outage, bool) {}
