package federate

import (
	"context"
	"math"

	"berth/engine/cluster"
	"berth/engine/input/workload"
	"berth/engine/parameter"
	"berth/engine/plugin"
	"berth/engine/sim"
)

// Component is a part of the allocation time (equation 2).
type Component uint8

// The components of the allocation time.
const (
	Queueing      Component = iota // tasks wait in a queue of a master, or in a message
	Processing                     // a GM or an LM works on the task
	WorkerQueue                    // the task waits in the queue of its worker
	Communication                  // messages are under way
	Parts         = 4
)

// Kinds of the model's own events.
const (
	arrivalEvent uint32 = iota
	endEvent
	outageEvent
	overEvent
	heldEvent
	changeEvent
	releaseEvent
)

type taskState uint8

const (
	taskWaiting taskState = iota
	taskRunning
	taskHeld // on a worker that has failed
	taskDone
)

// task is the state of one task.
type task struct {
	since   Time // end of the time that its parts account for
	waiting Time // when its current wait began: its arrival, or its last stop
	left    Time // remaining running time
	began   Time // start of the current run
	ends    Time // end of the current run
	worker  int32
	job     int32
	mark    uint32 // of the current run: an event with an older mark is stale
	state   taskState
}

// Counters counts the events of a run by kind.
type Counters struct {
	Events             int64 `json:"-"`                  // arrivals, messages, starts, ends and failures; see [Measured]
	Inconsistencies    int64 `json:"inconsistencies"`    // requests that an LM refused
	Repartitions       int64 `json:"repartitions"`       // launches in a partition of another GM
	PreemptionAttempts int64 `json:"preemptionAttempts"` // tasks that a GM asked an LM to preempt
	Preemptions        int64 `json:"preemptions"`        // tasks that an LM did preempt
	Messages           int64 `json:"messages"`
}

// Model is the part of a simulation that all schedulers share: the workers, the tasks, the clock
// and the event queue. Once the queue has grown, an event allocates no memory.
type Model struct {
	Config   *Config
	Center   *Center
	Load     *workload.Tasks
	Random   *sim.Random
	Counters Counters
	Own      plugin.Own // counters and notes of the scheduler that have no field in Counters
	// Parameters of the scheduler, by name; see [Plugin].
	Parameters parameter.Values

	ctx            context.Context
	scheduler      Scheduler
	queue          sim.Agenda[Time]
	now            Time
	origin         Time // zero of the clock: the first arrival
	tasks          []task
	waited         []Time        // by task: its allocation time
	parts          [][Parts]Time // by task
	jobs           []jobState
	users          int
	arrived        int              // jobs that have arrived
	outOfTime      bool             // the clock has passed [workload.MaxClock]
	done           int              // number of ended tasks
	lastEnd        Time             // the end of the last task
	preemptedAtEnd int64            // Counters.Preemptions at lastEnd
	used           []cluster.Amount // by worker and resource: amount in use
	down           []bool
	timeline       timeline
	trace          func(Record)
	factors        []float64 // by job: factor of its estimates; nil: all 1
	movers         *movers   // nil: no worker comes or goes
	chain          *chain    // nil: no job waits for another
	gangs          *gangs    // nil until [Model.Together] is called
}

type jobState struct {
	left int32
	user int32
	end  Time
}

// Context returns the context of the run. It is cancelled when the run ends; cancelling its parent
// ends the run.
func (m *Model) Context() context.Context { return m.ctx }

// newModel returns the model of a run whose clock starts at origin, a time of the workload.
func newModel(c *Config, load *workload.Tasks, origin Time, trace func(Record)) *Model {
	m := &Model{
		Config: c, Center: NewCenter(c, load), Load: load, Random: sim.NewRandom(c.Seed, 0), origin: origin, trace: trace,
		tasks: make([]task, len(load.Durations)), waited: make([]Time, len(load.Durations)), parts: make([][Parts]Time, len(load.Durations)), jobs: make([]jobState, len(load.Jobs)),
		used: make([]cluster.Amount, c.Workers*len(c.Capacity)), down: make([]bool, c.Workers),
		users: Users(c, load),
	}
	for j, job := range load.Jobs {
		m.jobs[j] = jobState{left: job.Count, user: UserOf(j, &job, m.users)}
		for t := job.First; t < job.First+job.Count; t++ {
			arrival := job.Arrival - m.origin
			m.tasks[t] = task{since: arrival, waiting: arrival, left: load.Durations[t], job: int32(j), worker: -1}
		}
	}
	m.chain = newChain(load)
	m.movers = m.newMovers()
	m.factors = drawFactors(c, len(load.Jobs))
	m.timeline = newTimeline(m.users, m.Center.Total)
	return m
}

// Users returns the number of user queues: one for each share if shares are given, else one for
// each user of the workload, else one for each GM.
func Users(c *Config, load *workload.Tasks) int {
	switch {
	case c.Shares != nil:
		return len(c.Shares)
	case len(load.Users) > 0:
		return len(load.Users)
	}
	return c.GMs
}

// firstArrival returns the time at which the clock of a run starts.
func firstArrival(load *workload.Tasks) Time {
	if len(load.Jobs) == 0 {
		return 0
	}
	return load.Jobs[0].Arrival
}

// UserOf returns the user of job k, in [0, users). In a workload without users it is k mod users.
func UserOf(k int, job *workload.TaskJob, users int) int32 {
	if job.User < 0 {
		return int32(k % users)
	}
	return job.User
}

// Now returns the time since the first arrival.
func (m *Model) Now() Time { return m.now }

// At queues an event of the scheduler. The lower half of kind must be at least [FirstKind].
func (m *Model) At(at Time, kind, ref, mark uint32) {
	m.queue.Push(Event{At: at, Kind: kind, Ref: ref, Mark: mark})
}

// AtEnd queues an event of the scheduler behind all other events of its time. Several of these are
// handled in the order of their kinds.
func (m *Model) AtEnd(at Time, kind, ref, mark uint32) {
	m.queue.PushLast(Event{At: at, Kind: kind, Ref: ref, Mark: mark})
}

// Users returns the number of user queues.
func (m *Model) Users() int { return m.users }

// User returns the user who owns a task.
func (m *Model) User(task int32) int32 { return m.jobs[m.tasks[task].job].user }

// Share returns a user's share of the data centre, between 0 and 1.
func (m *Model) Share(user int32) float64 {
	if m.Config.Shares == nil {
		return 1 / float64(m.users)
	}
	return m.Config.Shares[user]
}

// Kind returns the request and the constraints of a task.
func (m *Model) Kind(task int32) *workload.TaskKind { return &m.Load.Kinds[m.Load.KindOf[task]] }

// Tasks returns the first task of a job and the index behind its last.
func (m *Model) Tasks(job int32) (first, end int32) {
	j := &m.Load.Jobs[job]
	return j.First, j.First + j.Count
}

// Worker returns the worker of a started task; −1 before it starts, and if it runs outside of all
// workers.
func (m *Model) Worker(task int32) int32 { return m.tasks[task].worker }

// Job returns the job of a task.
func (m *Model) Job(task int32) int32 { return m.tasks[task].job }

// Spend books the time from the end of the task's booked parts until now as a component.
func (m *Model) Spend(task int32, part Component) {
	t := &m.tasks[task]
	m.parts[task][part] += m.now - t.since
	t.since = m.now
}

// SpendNext books a span as a component, from the end of the task's booked parts.
func (m *Model) SpendNext(task int32, part Component, span Time) {
	t := &m.tasks[task]
	m.parts[task][part] += span
	t.since += span
}

// SendTask books the transit of a message that carries a task, and queues the event of its arrival.
func (m *Model) SendTask(task int32, way Time, kind, mark uint32) {
	m.SpendNext(task, Communication, way)
	m.Counters.Messages++
	m.At(m.now+way, kind, uint32(task), mark)
}

// SendJob books the transit of all tasks of a job and queues the event of their arrival. It counts
// the given number of messages for each task.
func (m *Model) SendJob(job int32, messages int64, way Time, kind uint32) {
	first, end := m.Tasks(job)
	for task := first; task < end; task++ {
		m.SpendNext(task, Communication, way)
	}
	m.Counters.Messages += messages * int64(end-first)
	m.At(m.now+way, kind, uint32(job), 0)
}

// Rebook moves a booked span from one component to another.
func (m *Model) Rebook(task int32, from, to Component, span Time) {
	m.parts[task][from] -= span
	m.parts[task][to] += span
}

// Start starts a task on a worker now, or on a failed worker once it works again. Worker −1 runs
// the task outside of all workers.
func (m *Model) Start(task, worker int32) {
	t := &m.tasks[task]
	t.worker = worker
	if m.movers != nil && worker >= 0 {
		m.movers.note(m, task, worker)
	}
	if worker >= 0 && m.down[worker] {
		t.state = taskHeld
		return
	}
	m.begin(task)
}

func (m *Model) begin(task int32) {
	t := &m.tasks[task]
	t.state = taskRunning
	m.waited[task] += m.now - t.waiting
	t.began, t.ends = m.now, m.now+m.stretched(t, m.Kind(task))
	m.use(task, t, 1)
	m.queue.Push(Event{At: t.ends, Kind: endEvent, Ref: uint32(task), Mark: t.mark})
	m.Tell(Started, task, t.worker, -1)
}

// stretched returns the running time of a task on its worker, which grows with the load of the
// tasks already running there. Outside of all workers the task runs at the speed of the fastest
// one.
func (m *Model) stretched(t *task, k *workload.TaskKind) Time {
	if t.worker < 0 {
		return m.scaled(t.left, m.Center.fastest)
	}
	if m.Config.Interference == 0 && m.Config.Classes == nil {
		return t.left
	}
	class := m.Center.class(t.worker)
	load := cluster.Dominant(cluster.Row(m.used, t.worker, len(k.Request)), class.Capacity)
	return Time(math.Round(float64(t.left) * (1 + float64(m.Config.Interference*load)) / class.Speed))
}

// Recall takes a task back from its worker, or cancels the launch message that is on its way.
func (m *Model) Recall(task int32) {
	t := &m.tasks[task]
	if t.state == taskRunning || t.state == taskHeld {
		m.Stop(task)
		return
	}
	m.parts[task][Communication] -= t.since - m.now
	t.since = m.now
}

// Stop removes a started task from its worker. Its next run starts over, unless the configuration
// keeps progress.
func (m *Model) Stop(task int32) {
	t := &m.tasks[task]
	if t.state == taskRunning {
		m.interrupt(task)
	}
	t.mark++
	m.Spend(task, WorkerQueue)
	t.state, t.worker = taskWaiting, -1
}

// interrupt ends the current run of a task early.
func (m *Model) interrupt(task int32) {
	t := &m.tasks[task]
	m.use(task, t, -1)
	if m.Config.KeepProgress && t.ends > t.began {
		t.left -= Time(float64(t.left) * (float64(m.now-t.began) / float64(t.ends-t.began)))
	}
	t.mark++
	t.since, t.waiting = m.now, m.now
	m.Tell(Stopped, task, t.worker, -1)
}

// Down reports whether a worker has failed and not recovered, or has left the data centre.
func (m *Model) Down(worker int32) bool {
	return m.down[worker] || m.movers != nil && m.movers.gone[worker]
}

// Watched reports whether the run is traced.
func (m *Model) Watched() bool { return m.trace != nil }

// Finished reports whether a task has ended. Its scheduler may not have been notified yet.
func (m *Model) Finished(task int32) bool { return m.tasks[task].state == taskDone }

func (m *Model) use(task int32, t *task, sign cluster.Amount) {
	request := m.Kind(task).Request
	if t.worker >= 0 {
		cluster.Add(cluster.Row(m.used, t.worker, len(request)), request, sign)
	}
	m.timeline.change(m.now, m.jobs[t.job].user, request, sign)
}

func (m *Model) end(task int32) {
	t := &m.tasks[task]
	m.use(task, t, -1)
	t.state = taskDone
	m.done++
	m.lastEnd, m.preemptedAtEnd = m.now, m.Counters.Preemptions
	j := &m.jobs[t.job]
	j.left--
	j.end = m.now
	m.Tell(Ended, task, t.worker, -1)
	m.scheduler.Ended(task, t.worker)
	if j.left == 0 && m.chain != nil {
		m.free(t.job)
	}
}

// arrive submits the next job and schedules the arrival of the one after it.
func (m *Model) arrive() {
	job := int32(m.arrived)
	m.arrived++
	m.scheduleArrival()
	if m.chain != nil {
		if m.chain.left[job]--; m.chain.left[job] == 0 {
			m.release(job)
		}
		return
	}
	m.submit(job)
}

func (m *Model) submit(job int32) {
	m.Tell(Arrived, m.Load.Jobs[job].First, -1, -1)
	m.scheduler.Submit(job)
}

func (m *Model) scheduleArrival() {
	if m.arrived < len(m.Load.Jobs) {
		m.queue.Push(Event{At: m.Load.Jobs[m.arrived].Arrival - m.origin, Kind: arrivalEvent})
	}
}

func (m *Model) outage(index uint32, over bool) {
	o := m.Config.Outages[index]
	m.tellOutage(o, over)
	if o.Subject == WorkerOutage {
		if over {
			m.bringBack(int32(o.Index))
		} else {
			m.takeDown(int32(o.Index))
		}
	}
	if !over {
		m.queue.Push(Event{At: m.now + o.Duration, Kind: overEvent, Ref: index})
	}
	m.scheduler.Outage(o, over)
}

// takeDown interrupts the tasks of a worker, which holds them until it is back.
func (m *Model) takeDown(worker int32) {
	m.down[worker] = true
	for task := range m.tasks {
		if t := &m.tasks[task]; t.worker == worker && t.state == taskRunning {
			m.interrupt(int32(task))
			t.state = taskHeld
		}
	}
}

// bringBack relaunches the tasks that a failed worker held.
func (m *Model) bringBack(worker int32) {
	m.down[worker] = false
	for task := range m.tasks {
		if t := &m.tasks[task]; t.worker == worker && t.state == taskHeld {
			m.Spend(int32(task), WorkerQueue)
			m.Counters.Messages++
			m.queue.Push(Event{At: m.now + m.Config.LaunchDelay, Kind: heldEvent, Ref: uint32(task), Mark: t.mark})
		}
	}
}

// relaunch starts a held task, unless its worker has failed again or a scheduler has recalled the
// task.
func (m *Model) relaunch(task int32, mark uint32) {
	t := &m.tasks[task]
	if t.state != taskHeld || t.mark != mark || m.down[t.worker] {
		return
	}
	m.Spend(task, Communication)
	m.begin(task)
}

// handle advances the clock to an event and handles it.
func (m *Model) handle(e Event) {
	m.now = e.At
	m.Counters.Events++
	switch e.Kind {
	case arrivalEvent:
		m.arrive()
	case endEvent:
		if t := &m.tasks[e.Ref]; t.state == taskRunning && t.mark == e.Mark {
			m.end(int32(e.Ref))
		}
	case outageEvent, overEvent:
		m.outage(e.Ref, e.Kind == overEvent)
	case changeEvent:
		m.change()
	case releaseEvent:
		m.release(int32(e.Ref))
	case heldEvent:
		m.relaunch(int32(e.Ref), e.Mark)
	default:
		m.scheduler.Handle(e)
	}
}
