// Package ideal starts every task as it arrives, outside of all workers: the lower bound
// of every other scheduler.
package ideal

import "berth/engine/federate"

type scheduler struct{ *federate.Model }

// Plugin is what [federate.Register] takes.
var Plugin = federate.Plugin{
	Name: "ideal", Title: "Ideal", Description: "every task starts when it arrives: the lower bound", Default: true, Unbounded: true, New: newScheduler,
}

func newScheduler(m *federate.Model) federate.Scheduler { return &scheduler{m} }

// Submit implements [federate.Scheduler].
func (s *scheduler) Submit(job int32) {
	first, end := s.Tasks(job)
	for task := first; task < end; task++ {
		s.Start(task, -1)
	}
}

// Handle implements [federate.Scheduler]: there are no events of its own.
func (s *scheduler) Handle(federate.Event) {}

// Ended implements [federate.Scheduler].
func (s *scheduler) Ended(task, worker int32) {}

// Outage implements [federate.Scheduler]: nothing that fails is in use.
func (s *scheduler) Outage(federate.Outage, bool) {}
