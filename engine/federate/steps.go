package federate

import "berth/engine/workload"

// Begin returns the model of a run that goes on event by event: with [Model.Step] a
// scheduler's tests look at it between two of them.
func Begin(c Config, load *workload.Tasks, scheduler func(*Model) Scheduler) *Model {
	m := newModel(&c, load, firstArrival(load), nil)
	m.scheduler = scheduler(m)
	m.schedule()
	return m
}

// Step takes the next event; ok is false if there is none.
func (m *Model) Step() (ok bool) {
	if m.queue.Len() == 0 {
		return false
	}
	m.handle(m.queue.Pop())
	return true
}

// Done returns how many tasks have ended.
func (m *Model) Done() int { return m.done }

// Place returns the worker that a task runs on, or waits on until it works again.
func (m *Model) Place(task int32) (worker int32, ok bool) {
	t := &m.tasks[task]
	return t.worker, t.state == taskRunning || t.state == taskHeld
}
