package federate

// ideal starts every task as it arrives, outside of all workers: the lower
// bound of every other scheduler.
type ideal struct{ *Model }

var idealPlugin = Plugin{
	Name: "ideal", Title: "Ideal", Description: "every task starts when it arrives: the lower bound", Default: true, Unbounded: true, New: newIdeal,
}

func newIdeal(m *Model) Scheduler { return &ideal{m} }

// Submit implements [Scheduler].
func (s *ideal) Submit(job int32) {
	first, end := s.Tasks(job)
	for task := first; task < end; task++ {
		s.Start(task, -1)
	}
}

// Handle implements [Scheduler]: there are no events of its own.
func (s *ideal) Handle(Event) {}

// Ended implements [Scheduler].
func (s *ideal) Ended(task, worker int32) {}

// Outage implements [Scheduler]: nothing that fails is in use.
func (s *ideal) Outage(Outage, bool) {}
