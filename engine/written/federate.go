package written

import (
	"errors"
	"fmt"
	"math"
	"strconv"

	"go.starlark.net/starlark"

	"berth/engine/cluster"
	"berth/engine/federate"
	"berth/engine/federate/central"
	"berth/engine/input/workload"
	"berth/engine/parameter"
	"berth/engine/policy"
	"berth/engine/script"
)

var federateLaboratory = Laboratory{
	Kind: "federate",
	Functions: []Function{
		{"pick", []string{"task", "workers"}, "The number of the worker that the first task of one central queue starts on, out of those that have room for it. With `None` it waits, and so do all tasks behind it. A text has either this function or the others."},
		{"on_submit", []string{"job", "c"}, "A job has arrived, with its tasks."},
		{"on_message", []string{"message", "c"}, "A message that `c.send` has sent arrives."},
		{"on_end", []string{"task", "worker", "c"}, "A task has ended on its worker."},
	},
	Types: []TypeReference{
		referenceOf(taskType), referenceOf(workersType), referenceOf(jobOfTasksType), referenceOf(messageType), referenceOf(centreType),
	},
}

func federatePlugin(t policy.Text) (federate.Plugin, error) {
	program, err := federateLaboratory.compile(t)
	if err != nil {
		return federate.Plugin{}, err
	}
	p := federate.Plugin{
		Name: t.Name, Title: t.Name, Description: "a policy that is written as text",
		Facts: federate.Facts{Memory: messagesMemory},
		New:   func(m *federate.Model) federate.Scheduler { return newMessages(program, m) },
	}
	events := program.Defines("on_submit") || program.Defines("on_message") || program.Defines("on_end")
	switch {
	case program.Defines("pick") && events:
		return p, program.Wrong("pick", pickAndMessages)
	case program.Defines("pick"):
		p.New = func(m *federate.Model) federate.Scheduler { return newPicker(program, m) }
		p.Facts.Memory = func(c *federate.Config, _ parameter.Values, load *workload.Tasks) float64 {
			return federate.PoolMemory(c, load) + federate.BytesGrown[int32](len(load.Durations))
		}
	case !program.Defines("on_submit"):
		return p, program.Wrong("", noSubmit)
	}
	return p, nil
}

// model is a run of a text. Both kinds of schedulers use it.
type model struct {
	*federate.Model
	call *script.Call
	err  error // error on starting the run
}

// Failed implements [federate.Failing].
func (m *model) Failed() error {
	if m.err != nil {
		return m.err
	}
	return m.call.Err()
}

// taskOf is a task as the text of a policy sees it.
type taskOf struct {
	*model
	task int32
}

func (m *model) task(task int32) starlark.Value { return taskType.Object(m.call, taskOf{m, task}) }

func inSeconds(t federate.Time) (starlark.Value, error) { return float(float64(t) / 1e9) }

var taskType = script.NewType("task", "A task of a job.",
	script.ObjectAttribute[taskOf]{Name: "id", Help: "its number, from 0, for c.task and c.start", Of: func(t taskOf) (starlark.Value, error) { return whole(int(t.task)) }},
	script.ObjectAttribute[taskOf]{Name: "job", Help: "the number of its job, from 0", Of: func(t taskOf) (starlark.Value, error) { return whole(int(t.Job(t.task))) }},
	script.ObjectAttribute[taskOf]{Name: "user", Help: "the number of its user, from 0", Of: func(t taskOf) (starlark.Value, error) { return whole(int(t.User(t.task))) }},
	script.ObjectAttribute[taskOf]{Name: "duration", Unit: "s", Help: "how long it is estimated to run; the run itself may differ", Of: func(t taskOf) (starlark.Value, error) { return inSeconds(t.Estimate(t.task)) }},
	script.ObjectAttribute[taskOf]{Name: "request", Help: "what it asks for, by resource as in the trace: (cpu, memory); without resources (1,)", Of: func(t taskOf) (starlark.Value, error) { return amounts(t.Kind(t.task).Request), nil }},
	script.ObjectAttribute[taskOf]{Name: "constraints", Help: "the set of constraints that its worker has to satisfy, as a number; 0 for none", Of: func(t taskOf) (starlark.Value, error) {
		return starlark.MakeUint64(t.Kind(t.task).Constraints), nil
	}},
)

func amounts(all []cluster.Amount) starlark.Value {
	values := make(starlark.Tuple, len(all))
	for i, a := range all {
		values[i] = starlark.Float(a.Units())
	}
	return values
}

// picker is a central queue whose text chooses the workers.
type picker struct {
	*model
	*central.Master
	pick  *script.Function
	queue []int32 // waiting tasks in order of arrival
}

func newPicker(program *script.Program, m *federate.Model) federate.Scheduler {
	p := &picker{model: &model{Model: m}, Master: central.NewMaster(m)}
	call, f, err := federateLaboratory.begin(m.Context(), program)
	p.call, p.err, p.pick = call, err, f["pick"]
	return failingPicker{p.Follow(p), p.model}
}

// failingPicker adds the method Failed of a picker to its scheduler.
type failingPicker struct {
	federate.Scheduler
	*model
}

// Arrived implements [central.Planner].
func (p *picker) Arrived(job int32) {
	for task, end := p.Master.Tasks(job); task < end; task++ {
		p.queue = append(p.queue, task)
	}
}

// Decide implements [central.Planner].
func (p *picker) Decide() {
	for len(p.queue) > 0 && p.model.Failed() == nil {
		task := p.queue[0]
		if p.Pool.First(task) < 0 {
			return
		}
		c, of := p.pick.Begin(), numbered{"task", int(task)}
		v, _ := p.pick.Call(of, p.task(task), workersType.Object(c, workersOf{p, task}))
		p.Master.Own.Add(&c.Own)
		if v == starlark.None {
			return
		}
		worker, err := starlark.AsInt32(v)
		switch {
		case err != nil:
			p.pick.Wrong(of, notWorker, v.Type())
			return
		case worker < 0 || worker >= p.Master.Center.Workers() || !p.LaunchOn(task, int32(worker)):
			p.pick.Wrong(of, noRoom, worker)
			return
		}
		p.queue = p.queue[1:]
	}
}

// workersOf is the set of workers with room for a task.
type workersOf struct {
	*picker
	task int32
}

var workersType = script.NewType("workers", "The workers that have room for a task, and satisfy its constraints; at least one.",
	script.ObjectAttribute[workersOf]{Name: "first", Help: "the first of them", Of: func(w workersOf) (starlark.Value, error) {
		return whole(int(w.Pool.First(w.task)))
	}},
	script.ObjectAttribute[workersOf]{Name: "all", Help: "all of them, as numbers", Of: func(w workersOf) (starlark.Value, error) {
		var all starlark.Tuple
		n := w.Master.Center.Workers()
		w.call.Charge(n)
		for worker := range int32(n) {
			if w.Pool.Fits(w.task, worker) {
				all = append(all, starlark.MakeInt(int(worker)))
			}
		}
		return all, nil
	}},
)

// messages is a scheduler whose parts exchange messages.
type messages struct {
	*model
	onSubmit, onMessage, onEnd *script.Function
	arrived                    []bool // by job
	started                    []bool // by task
	free                       []cluster.Amount
	sent                       []sent
	unused                     []uint32 // free indexes of sent
	idle                       int      // number of messages since a task last started or ended
}

// sent is a message in transit.
type sent struct {
	to, kind, data starlark.Value
	at             federate.Time
}

const messageEvent uint32 = federate.FirstKind

// mostIdle is the maximum number of consecutive messages without a start or end of a
// task.
const mostIdle = 2_000_000

func messagesMemory(c *federate.Config, _ parameter.Values, load *workload.Tasks) float64 {
	return federate.Bytes[cluster.Amount](c.Workers*len(c.Capacity)) + float64(len(load.Jobs)+len(load.Durations)) + federate.BytesGrown[sent](len(load.Durations))
}

func newMessages(program *script.Program, m *federate.Model) federate.Scheduler {
	s := &messages{model: &model{Model: m}, arrived: make([]bool, len(m.Load.Jobs)), started: make([]bool, len(m.Load.Durations))}
	call, f, err := federateLaboratory.begin(m.Context(), program)
	s.call, s.err = call, err
	s.onSubmit, s.onMessage, s.onEnd = f["on_submit"], f["on_message"], f["on_end"]
	if err == nil && m.Center.Devices >= 0 {
		s.err = program.Wrong("on_submit", sharesAsked)
	}
	for worker := range int32(m.Center.Workers()) {
		s.free = append(s.free, m.Center.CapacityOf(worker)...)
	}
	return s
}

// Submit implements [federate.Scheduler].
func (s *messages) Submit(job int32) {
	s.arrived[job] = true
	s.ask(s.onSubmit, numbered{"job", int(job)}, func() []starlark.Value { return []starlark.Value{jobOfTasksType.Object(s.call, jobOfTasks{s, job})} })
}

// Handle implements [federate.Scheduler].
func (s *messages) Handle(e federate.Event) {
	m := s.sent[e.Ref]
	s.sent[e.Ref] = sent{}
	s.unused = append(s.unused, e.Ref)
	s.idle++
	if s.idle > mostIdle {
		s.call.Fail("on_message", onlyTalk, mostIdle)
		return
	}
	s.ask(s.onMessage, messageName{m.kind, m.to}, func() []starlark.Value { return []starlark.Value{messageType.Object(s.call, m)} })
}

type messageName struct{ kind, to starlark.Value }

func (n messageName) String() string { return "a message " + n.kind.String() + " to " + n.to.String() }

// Ended implements [federate.Scheduler].
func (s *messages) Ended(task, worker int32) {
	s.idle = 0
	for r, amount := range s.Kind(task).Request {
		s.free[int(worker)*s.Center.Resources+r] += amount
	}
	s.ask(s.onEnd, numbered{"task", int(task)}, func() []starlark.Value { return []starlark.Value{s.task(task), starlark.MakeInt(int(worker))} })
}

// Outage implements [federate.Scheduler]. A failed worker keeps its tasks, and the
// model restarts them.
func (s *messages) Outage(federate.Outage, bool) {}

// ask calls a function if the text defines it.
func (s *messages) ask(f *script.Function, of fmt.Stringer, args func() []starlark.Value) {
	if f == nil || s.Failed() != nil {
		return
	}
	c := f.Begin()
	f.Call(of, append(args(), centreType.Object(c, s))...)
	s.Model.Own.Add(&c.Own)
}

// jobOfTasks is a job that has arrived, as the text of a policy sees it.
type jobOfTasks struct {
	*messages
	job int32
}

var jobOfTasksType = script.NewType("job", "A job that has arrived.",
	script.ObjectAttribute[jobOfTasks]{Name: "id", Help: "its number, from 0", Of: func(j jobOfTasks) (starlark.Value, error) { return whole(int(j.job)) }},
	script.ObjectAttribute[jobOfTasks]{Name: "user", Help: "the number of its user, from 0", Of: func(j jobOfTasks) (starlark.Value, error) {
		first, _ := j.Tasks(j.job)
		return whole(int(j.User(first)))
	}},
	script.ObjectAttribute[jobOfTasks]{Name: "work", Unit: "s", Help: "the sum of the estimates of its tasks", Of: func(j jobOfTasks) (starlark.Value, error) { return float(j.Work(j.job).Float() / 1e9) }},
	script.ObjectAttribute[jobOfTasks]{Name: "tasks", Help: "its tasks", Of: func(j jobOfTasks) (starlark.Value, error) {
		first, end := j.Tasks(j.job)
		j.call.Charge(int(end - first))
		all := make(starlark.Tuple, 0, end-first)
		for task := first; task < end; task++ {
			all = append(all, j.task(task))
		}
		return all, nil
	}},
)

var messageType = script.NewType("message", "A message that arrives.",
	script.ObjectAttribute[sent]{Name: "to", Help: "whom it was sent to: any value that the text has given", Of: func(m sent) (starlark.Value, error) { return m.to, nil }},
	script.ObjectAttribute[sent]{Name: "kind", Help: "what it is about: any value that the text has given", Of: func(m sent) (starlark.Value, error) { return m.kind, nil }},
	script.ObjectAttribute[sent]{Name: "data", Help: "what it brings: any value that the text has given", Of: func(m sent) (starlark.Value, error) { return m.data, nil }},
	script.ObjectAttribute[sent]{Name: "sent", Unit: "s", Help: "when it was sent", Of: func(m sent) (starlark.Value, error) { return inSeconds(m.at) }},
)

// method describes a method of the data centre.
func method(name string, call func(*messages, starlark.Tuple, []starlark.Tuple) (starlark.Value, error), help string) script.ObjectAttribute[*messages] {
	return script.ObjectAttribute[*messages]{Name: name, Help: help, Of: func(s *messages) (starlark.Value, error) {
		return starlark.NewBuiltin(name, func(_ *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			return call(s, args, kwargs)
		}), nil
	}}
}

var centreType = script.NewType("centre", "The data centre, which the functions have as c.",
	script.ObjectAttribute[*messages]{Name: "now", Unit: "s", Help: "the time since the first arrival", Of: func(s *messages) (starlark.Value, error) { return inSeconds(s.Now()) }},
	script.ObjectAttribute[*messages]{Name: "workers", Help: "how many workers there are; they are numbered from 0", Of: func(s *messages) (starlark.Value, error) { return whole(s.Center.Workers()) }},
	script.ObjectAttribute[*messages]{Name: "gms", Help: "how many Global Masters the scenario has", Of: func(s *messages) (starlark.Value, error) { return whole(s.Center.GMs) }},
	script.ObjectAttribute[*messages]{Name: "lms", Help: "how many Local Masters the scenario has", Of: func(s *messages) (starlark.Value, error) { return whole(s.Center.LMs) }},
	script.ObjectAttribute[*messages]{Name: "users", Help: "how many users the trace has", Of: func(s *messages) (starlark.Value, error) { return whole(s.Users()) }},
	script.ObjectAttribute[*messages]{Name: "delay", Unit: "s", Help: "how long a message takes", Of: func(s *messages) (starlark.Value, error) { return inSeconds(s.Config.Delay) }},
	script.ObjectAttribute[*messages]{Name: "launch_delay", Unit: "s", Help: "how long the message takes that brings a task to its worker", Of: func(s *messages) (starlark.Value, error) { return inSeconds(s.Config.LaunchDelay) }},
	script.ObjectAttribute[*messages]{Name: "heartbeat", Unit: "s", Help: "the time between two heartbeats of a Local Master", Of: func(s *messages) (starlark.Value, error) { return inSeconds(s.Config.Heartbeat) }},
	method("send", (*messages).send, "`c.send(to, kind, data=None, after=c.delay)` sends a message, which on_message has after that time. Send ids of tasks: the tasks themselves are only known during a call."),
	method("start", (*messages).start, "`c.start(task, worker)` starts a task, given as it is or as its id, on a worker that has room for it."),
	method("random", (*messages).random, "`c.random()` is a random number from 0 up to 1, `c.random(n)` a random whole number from 0 up to n − 1. They are the same in each run with the same seed."),
	method("fits", (*messages).fits, "`c.fits(task, worker)`: whether the worker works, has room for the task, and satisfies its constraints."),
	method("satisfies", (*messages).satisfies, "`c.satisfies(task, worker)`: whether the worker satisfies the constraints of the task."),
	method("free", (*messages).freeOn, "`c.free(worker)`: what a worker has free, by resource: (cpu, memory); without resources (1,) or (0,)."),
	method("task", (*messages).taskNumbered, "`c.task(id)`: the task of a number."),
)

func (s *messages) send(args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	m := sent{data: starlark.None, at: s.Now()}
	var after starlark.Value = starlark.None
	if err := starlark.UnpackArgs("send", args, kwargs, "to", &m.to, "kind", &m.kind, "data?", &m.data, "after?", &after); err != nil {
		return nil, err
	}
	delay := s.Config.Delay
	if after != starlark.None {
		seconds, ok := starlark.AsFloat(after)
		if !ok || !(seconds >= 0 && seconds <= maxAfter) {
			return nil, fmt.Errorf("send: after is %s: expected seconds from 0 to %v", after.Type(), maxAfter)
		}
		delay = federate.Span(seconds)
	}
	ref := uint32(len(s.sent))
	if n := len(s.unused); n > 0 {
		ref, s.unused = s.unused[n-1], s.unused[:n-1]
	} else if len(s.sent) == maxSent {
		return nil, fmt.Errorf("send: %d messages are under way, which is all that there may be", maxSent)
	} else {
		s.sent = append(s.sent, sent{})
	}
	s.sent[ref] = m
	s.Counters.Messages++
	s.At(s.Now()+delay, messageEvent, ref, 0)
	return starlark.None, nil
}

const (
	maxAfter = 1e8      // seconds
	maxSent  = 10 << 20 // messages
)

func (s *messages) start(args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	task, worker, err := s.taskAndWorker("start", args, kwargs)
	switch {
	case err != nil:
		return nil, err
	case s.started[task]:
		return nil, fmt.Errorf("start: task %d has started already", task)
	case !s.Center.Satisfies(worker, s.Kind(task).Constraints):
		return nil, fmt.Errorf("start: worker %d does not satisfy the constraints of task %d", worker, task)
	case !s.room(task, worker):
		return nil, fmt.Errorf("start: worker %d has no room for task %d", worker, task)
	}
	s.started[task], s.idle = true, 0
	for r, amount := range s.Kind(task).Request {
		s.free[int(worker)*s.Center.Resources+r] -= amount
	}
	s.Spend(task, federate.Queueing)
	s.Start(task, worker)
	return starlark.None, nil
}

func (s *messages) room(task, worker int32) bool {
	for r, amount := range s.Kind(task).Request {
		if amount > s.free[int(worker)*s.Center.Resources+r] {
			return false
		}
	}
	return true
}

func (s *messages) fits(args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	task, worker, err := s.taskAndWorker("fits", args, kwargs)
	return starlark.Bool(err == nil && !s.Down(worker) && s.room(task, worker) && s.Center.Satisfies(worker, s.Kind(task).Constraints)), err
}

func (s *messages) satisfies(args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	task, worker, err := s.taskAndWorker("satisfies", args, kwargs)
	return starlark.Bool(err == nil && s.Center.Satisfies(worker, s.Kind(task).Constraints)), err
}

func (s *messages) freeOn(args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var v starlark.Value
	if err := starlark.UnpackPositionalArgs("free", args, kwargs, 1, &v); err != nil {
		return nil, err
	}
	worker, err := s.worker("free", v)
	if err != nil {
		return nil, err
	}
	n := s.Center.Resources
	return amounts(s.free[int(worker)*n : int(worker)*n+n]), nil
}

func (s *messages) taskNumbered(args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var v starlark.Value
	if err := starlark.UnpackPositionalArgs("task", args, kwargs, 1, &v); err != nil {
		return nil, err
	}
	task, err := s.known("task", v)
	if err != nil {
		return nil, err
	}
	return s.task(task), nil
}

func (s *messages) random(args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	n := 0
	if err := starlark.UnpackPositionalArgs("random", args, kwargs, 0, &n); err != nil {
		return nil, err
	}
	switch {
	case len(args) == 0:
		return starlark.Float(s.Random.Float64()), nil
	case n < 1 || n > math.MaxInt32:
		return nil, fmt.Errorf("random: found %d, expected a whole number from 1", n)
	}
	return starlark.MakeInt(s.Random.IntN(n)), nil
}

func (s *messages) taskAndWorker(name string, args starlark.Tuple, kwargs []starlark.Tuple) (task, worker int32, err error) {
	var t, w starlark.Value
	if err = starlark.UnpackPositionalArgs(name, args, kwargs, 2, &t, &w); err != nil {
		return 0, 0, err
	}
	if task, err = s.known(name, t); err != nil {
		return 0, 0, err
	}
	worker, err = s.worker(name, w)
	return task, worker, err
}

// known converts a task or a task's number; the task must have arrived.
func (s *messages) known(name string, v starlark.Value) (int32, error) {
	if o, ok := v.(*script.Object[taskOf]); ok {
		it, err := o.It()
		return it.task, err
	}
	n, err := starlark.AsInt32(v)
	if err != nil || n < 0 || n >= len(s.started) {
		return 0, fmt.Errorf("%s: %s is no task: expected a task or its id", name, v.Type())
	}
	if !s.arrived[s.Job(int32(n))] {
		return 0, fmt.Errorf("%s: task %d has not arrived yet", name, n)
	}
	return int32(n), nil
}

func (s *messages) worker(name string, v starlark.Value) (int32, error) {
	n, err := starlark.AsInt32(v)
	if err != nil || n < 0 || n >= s.Center.Workers() {
		return 0, errors.New(name + ": expected the number of a worker, from 0 to " + strconv.Itoa(s.Center.Workers()-1))
	}
	return int32(n), nil
}
