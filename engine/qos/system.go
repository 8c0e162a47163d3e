package qos

import (
	"context"
	"errors"
	"slices"

	"berth/engine/cluster"
	"berth/engine/input/workload"
	"berth/engine/sim"
)

// scheduler runs a policy. The system notifies it of every change.
type scheduler interface {
	enqueue(r Ref)           // r starts to wait
	started(r Ref)           // r got a host
	stopped(r Ref, host int) // r left its host
	hostChanged(host int)    // the host went up or down
	pass()
}

type event = sim.Event[sim.Milliseconds]

// Values of event.Kind for the due events of the queue.
const (
	completion uint32 = iota
	running           // an instance of a StatefulSet begins to run
	hostEvent
	controllerStart
)

// Each purpose has its own stream of random numbers, so that draws for one do not affect another.
const (
	overheadStream = iota + 1
	hostStream
	tieStream
	relaxedStream
)

// system is a running simulation.
type system struct {
	State
	config     *Config
	scheduler  scheduler
	recorder   *recorder
	events     sim.Agenda[sim.Milliseconds]
	crowded    int              // length of the event queue from which a sweep for stale events pays off
	watchdogAt sim.Milliseconds // never: not set
	free       []Ref            // slots of finished requests
	ran        []hostSet        // by slot: hosts on which the request has run, if hot and cold overheads differ
	arrivals   arrivals
	hostList   []cluster.Host
	sets       map[string]uint16
	hostEvents []workload.HostEvent
	hostIndex  map[string]int
	rest       cluster.Room      // scratch memory: a host without some of its instances
	capacity   cluster.Resources // of all hosts

	freshList  []Ref // admitted since the last pass
	overheads  *sim.Random
	tieKey     uint64
	active     int // admitted and unfinished requests
	placed     int // active requests that have a host
	result     *Result
	operations int64
	victims    []uint32
	outcome    Outcome // outcome passed to callbacks, reused
}

const never = workload.MaxTime + 1

// Input is the infrastructure and the workload of a run.
type Input struct {
	Hosts      []cluster.Host
	Requests   workload.Stream
	InAll      int // total number of requests, for progress; 0 if unknown
	HostEvents []workload.HostEvent
	// Controllers submit instances in addition to the requests.
	Controllers []Controller
}

// Run simulates. If the context is cancelled, Run returns the result so far, with
// Result.Partial set and without an error.
func Run(ctx context.Context, input Input, config Config) (*Result, error) {
	s, err := newSystem(input, config)
	if err != nil {
		return nil, err
	}
	s.result.availability, s.result.class = make([]uint32, 0, input.InAll), make([]uint8, 0, input.InAll)
	if err := s.run(ctx, input.InAll); err != nil {
		return nil, err
	}
	s.finishAll()
	if config.Policy.Own != nil {
		s.result.Own.Add(config.Policy.Own())
	}
	return s.result, nil
}

const maxHosts = 1 << 20

func newSystem(input Input, config Config) (*system, error) {
	if err := config.check(); err != nil {
		return nil, err
	}
	if len(input.Hosts)+len(input.HostEvents) == 0 {
		return nil, errors.New("there are no hosts")
	}
	s := &system{
		config: &config, watchdogAt: never, arrivals: arrivals{source: input.Requests},
		sets: map[string]uint16{}, hostIndex: map[string]int{},
		overheads: sim.NewRandom(config.Seed, overheadStream),
		tieKey:    sim.NewRandom(config.Seed, tieStream).Uint64(),
		result:    newResult(&config),
	}
	numbers := importances(config.Classes)
	s.levels = len(numbers)
	for i := range config.Classes {
		c := &config.Classes[i]
		s.constants = append(s.constants, newConstants(c, 1+slices.Index(numbers, c.Importance)))
	}
	alpha := config.Alpha
	if alpha < 0 {
		alpha = config.meanOverhead()
	}
	s.scoreOf = config.Policy.Score
	s.alpha, s.noLimit, s.allowed = toQ(alpha), config.NoLimit, [][]bool{nil}
	if err := s.addHosts(input); err != nil {
		return nil, err
	}
	// Decisions may depend on the Q of a whole controller, which the index does not support.
	together := slices.ContainsFunc(input.Controllers, func(c Controller) bool { return c.Measure > Independent || c.Kind >= Job })
	switch {
	case config.Savings != (Savings{}):
		s.scheduler = newSaving(s, config.Savings)
	case config.Literal || config.Policy.Order == nil || together && config.Policy.Order.ByValue && !config.Policy.Order.ByQ:
		s.scheduler = &literal{s: s}
	case together:
		s.scheduler = newGrouped(s)
	default:
		s.scheduler = newFast(s)
	}
	s.recorder = newRecorder(s)
	for _, c := range input.Controllers {
		s.addReplicas(c, c.Template.Submit)
	}
	return s, nil
}

func (s *system) run(ctx context.Context, inAll int) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	s.ctx = ctx
	start, err := s.firstArrival()
	if err != nil {
		return err
	}
	end := never - 1
	if start != never {
		s.result.Start = start
		if s.config.Horizon > 0 {
			end = min(end, start+s.config.Horizon)
		}
	}
	s.recorder.start(s.result.Start)
	monitor := sim.NewMonitor(ctx, s.config.Progress)
	for {
		t, err := s.nextTime()
		if err != nil {
			return err
		}
		if t > end || s.stuck() {
			break
		}
		s.recorder.until(t)
		before := s.operations
		err = s.step(t)
		stopped := err != nil && errors.Is(err, ctx.Err())
		if err != nil && !stopped {
			return err
		}
		if stopped || monitor.Due(1+int(s.operations-before)/4) && monitor.Check(s.progress(end, inAll)) {
			s.result.Partial = true
			end = s.now
			break
		}
	}
	if s.config.Horizon > 0 && !s.result.Partial {
		s.now = end
	}
	s.result.End = s.now
	s.recorder.until(s.now + 1)
	if s.config.Progress != nil && !s.result.Partial {
		s.config.Progress(s.progress(s.now, len(s.result.class)))
	}
	return nil
}

// firstArrival returns the time of the first request or controller, or never.
func (s *system) firstArrival() (sim.Milliseconds, error) {
	start := never
	if first, err := s.arrivals.peek(); err != nil {
		return start, err
	} else if first != nil {
		start = first.Submit
	}
	for _, r := range s.controllers {
		start = min(start, r.Template.Submit)
	}
	return start, nil
}

func (s *system) progress(end sim.Milliseconds, inAll int) Progress {
	if end == never-1 {
		end = 0
	}
	return Progress{
		Start: s.result.Start, Now: s.now, End: end,
		Requests: len(s.result.class), RequestsInAll: inAll, Events: s.result.Events,
	}
}

// nextTime returns the time of the next event, or never.
func (s *system) nextTime() (sim.Milliseconds, error) {
	next := s.watchdogAt
	r, err := s.arrivals.peek()
	if r != nil && r.Submit < next {
		next = max(r.Submit, s.arrivals.last) // pop reports requests out of order
	}
	for {
		e, ok := s.events.Next()
		if !ok || e.At >= next {
			return next, err
		}
		if !s.stale(&e) {
			return e.At, err
		}
		s.events.Pop()
	}
}

// stale reports whether the instance of an event has left its host since the event was scheduled.
func (s *system) stale(e *event) bool {
	return e.Kind <= running && s.instances[e.Ref].mark != e.Mark
}

// sweep removes the stale events from the queue, and sets the length at which the next sweep is
// due.
func (s *system) sweep() {
	s.events.DeleteFunc(func(e *event) bool { return s.stale(e) })
	s.crowded = 2*s.events.Len() + minCrowd
}

// minCrowd is the number of events below which a sweep does not pay.
const minCrowd = 1 << 10

// stuck reports whether only the watchdog remains. Requests that a pass over empty hosts did not
// place wait for ever.
func (s *system) stuck() bool {
	if s.config.Horizon > 0 || s.placed > 0 || !s.arrivals.ended {
		return false
	}
	s.sweep()
	return s.events.Len() == 0
}

// step handles all events and arrivals at time t, then makes one pass.
func (s *system) step(t sim.Milliseconds) error {
	s.now = t
	if s.watchdogAt <= t {
		s.result.Events++
	}
	for {
		e, ok := s.events.Next()
		if !ok || e.At > t {
			break
		}
		s.events.Pop()
		if s.stale(&e) {
			continue
		}
		s.result.Events++
		if err := s.happen(&e); err != nil {
			return err
		}
	}
	for {
		r, err := s.arrivals.peek()
		if err != nil {
			return err
		}
		if r == nil || r.Submit > t {
			break
		}
		if _, err := s.admit(r, 0); err != nil {
			return &RequestError{int(s.arrivals.count) + 1, r.ID, r.Line, r.Column, err}
		}
		if err := s.arrivals.pop(); err != nil {
			return err
		}
		s.result.Events++
	}
	s.pass()
	if s.config.Policy.Failed != nil {
		return s.config.Policy.Failed()
	}
	return nil
}

func (s *system) happen(e *event) error {
	switch e.Kind {
	case completion:
		return s.complete(Ref(e.Ref))
	case running:
		return s.controllerOf(&s.instances[e.Ref]).replicaRuns(s)
	case controllerStart:
		return s.controllers[e.Ref].begin(s)
	}
	s.changeHost(&s.hostEvents[e.Ref])
	return s.hostCame()
}

// pass makes a pass over the queue, if it is not empty, and sets the watchdog.
func (s *system) pass() {
	if n := s.waiting(); n > 0 {
		s.result.Passes++
		s.result.queued += int64(n)
		s.scheduler.pass()
		s.settleFresh()
		s.freshList = s.freshList[:0]
	}
	s.watchdogAt = never
	if s.config.Policy.Watchdog && s.waiting() > 0 {
		s.watchdogAt = s.now + s.config.Watchdog
	}
}

// waiting returns the length of the queue.
func (s *system) waiting() int { return s.active - s.placed }

// settleFresh ends the first pass of the new requests: their Q is no longer 0.
func (s *system) settleFresh() {
	for _, r := range s.freshList {
		s.instances[r].fresh = false
	}
}
