package federate

import "berth/engine/input/workload"

// Begin returns the model of a run that [Model.Step] advances event by event, so that tests can
// inspect it between events.
func Begin(c Config, load *workload.Tasks, scheduler func(*Model) Scheduler) *Model {
	m := newModel(&c, load, firstArrival(load), nil)
	m.scheduler = scheduler(m)
	m.schedule()
	return m
}

// Step handles the next event. It returns false if the queue is empty.
func (m *Model) Step() (ok bool) {
	if m.queue.Len() == 0 {
		return false
	}
	m.handle(m.queue.Pop())
	return true
}

// Done returns the number of tasks that have ended.
func (m *Model) Done() int { return m.done }

// Place returns the worker that runs a task or holds it after a failure. ok is false for other
// tasks.
func (m *Model) Place(task int32) (worker int32, ok bool) {
	t := &m.tasks[task]
	return t.worker, t.state == taskRunning || t.state == taskHeld
}
