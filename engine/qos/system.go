package qos

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"berth/engine/cluster"
	"berth/engine/sim"
	"berth/engine/workload"
)

// scheduler carries a policy out. The system tells it what happens.
type scheduler interface {
	enqueue(r Ref)           // r waits from now on
	started(r Ref)           // r was put on a host
	stopped(r Ref, host int) // r left a host
	hostChanged(host int)    // the host came or went
	pass()
	queueLength() int
	waiting() []Ref
}

// The kinds of event in the queue.
const (
	completion uint32 = iota
	hostEvent
)

// The streams of random numbers: what draws from one cannot disturb another.
const (
	overheadStream = iota + 1
	hostStream
	tieStream
	relaxedStream
)

// system is a simulation under way.
type system struct {
	State
	config     *Config
	scheduler  scheduler
	recorder   *recorder
	events     sim.Queue
	watchdogAt sim.Time // never: MaxTime
	free       []Ref    // slots of finished requests
	arrivals   arrivals
	classify   *classify
	hostList   []cluster.Host
	sets       map[string]uint16
	hostEvents []workload.HostEvent
	hostIndex  map[string]int

	controllerOf map[int64]int32 // by job
	freshList    []Ref
	overheads    *sim.Random
	tieKey       uint64
	active       int // requests that have come and have not finished
	placed       int // of these, the ones on a host
	result       *Result
	operations   int64
	victims      []uint32
}

const never = workload.MaxTime + 1

// Input is what is simulated.
type Input struct {
	Hosts      []cluster.Host
	Requests   workload.Source
	InAll      int // how many requests there are, for progress; 0 if that is not known
	HostEvents []workload.HostEvent
}

// Run simulates. A run that the context stops returns what it has come to,
// with Result.Partial set and no error.
func Run(ctx context.Context, input Input, config Config) (*Result, error) {
	s, err := newSystem(input, config)
	if err != nil {
		return nil, err
	}
	if err := s.run(ctx, input.InAll); err != nil {
		return nil, err
	}
	s.finishAll()
	return s.result, nil
}

// maxHosts bounds the infrastructure.
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
		classify: newClassify(config.Classes), sets: map[string]uint16{}, hostIndex: map[string]int{},
		overheads: sim.NewRandom(config.Seed, overheadStream),
		tieKey:    sim.NewRandom(config.Seed, tieStream).Uint64(),
		result:    newResult(&config),
	}
	for i := range config.Classes {
		s.terms = append(s.terms, newTerms(&config.Classes[i]))
		s.levels = max(s.levels, config.Classes[i].Importance)
	}
	alpha := config.Alpha
	if alpha < 0 {
		alpha = config.meanOverhead()
	}
	s.alpha, s.noLimit, s.allowed = toQ(alpha), config.NoLimit, [][]bool{nil}
	s.measure, s.controllerOf = config.Measure, map[int64]int32{}
	if err := s.addHosts(input); err != nil {
		return nil, err
	}
	switch {
	case config.Savings != (Savings{}):
		s.scheduler = newSaving(s)
	case config.Literal || config.Measure != PerRequest:
		s.scheduler = &literal{system: s}
	default:
		s.scheduler = newFast(s)
	}
	s.recorder = newRecorder(s)
	return s, nil
}

// addHosts knows every host that there ever is from the start, so that none
// comes as a surprise to an index; those to come are down.
func (s *system) addHosts(input Input) error {
	for _, h := range input.Hosts {
		if _, again := s.hostIndex[h.Name]; again {
			return fmt.Errorf("the host %q is there twice", h.Name)
		}
		if err := s.addHost(h, true); err != nil {
			return err
		}
	}
	for i, e := range input.HostEvents {
		if _, known := s.hostIndex[e.Host]; !known {
			if !e.Up {
				return fmt.Errorf("host event %d takes %q away, which there is not", i+1, e.Host)
			}
			if err := s.addHost(cluster.Host{Name: e.Host, CPU: e.CPU, Memory: e.Memory}, false); err != nil {
				return err
			}
		}
		s.events.Push(sim.Event{At: e.At, Kind: hostEvent, Ref: uint32(i)})
	}
	s.hostEvents = input.HostEvents
	if len(s.hosts) > maxHosts {
		return fmt.Errorf("there are %d hosts; at most %d are allowed", len(s.hosts), maxHosts)
	}
	for rank, h := range sim.NewRandom(s.config.Seed, hostStream).Permutation(len(s.hosts)) {
		s.hosts[h].rank = int32(rank)
	}
	return nil
}

func (s *system) addHost(h cluster.Host, up bool) error {
	if h.CPU <= 0 || h.Memory <= 0 || h.CPU > cluster.MaxAmount || h.Memory > cluster.MaxAmount {
		return fmt.Errorf("the host %q needs cpu and memory, above 0 and up to 1e9 each", h.Name)
	}
	s.hostIndex[h.Name] = len(s.hosts)
	s.hosts = append(s.hosts, host{cpu: h.CPU, memory: h.Memory, up: up})
	s.hostList = append(s.hostList, h)
	return nil
}

// arrivals reads a source in batches.
type arrivals struct {
	source workload.Source
	buffer [256]workload.Request
	batch  []workload.Request
	last   sim.Time
	count  uint32
	ended  bool
}

// peek returns the next request, nil at the end.
func (a *arrivals) peek() (*workload.Request, error) {
	if len(a.batch) > 0 {
		return &a.batch[0], nil
	}
	if a.ended {
		return nil, nil
	}
	n, err := a.source.Read(a.buffer[:])
	if errors.Is(err, io.EOF) {
		a.ended = true
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	a.batch = a.buffer[:n]
	return a.peek()
}

// ErrOrder says that a trace is not in order of submission.
var ErrOrder = errors.New("the requests are not in order of submission")

func (a *arrivals) pop() error {
	r := &a.batch[0]
	if r.Submit < a.last {
		return fmt.Errorf("%w: request %d comes at %d ms, after one at %d ms", ErrOrder, a.count+1, r.Submit, a.last)
	}
	a.last = r.Submit
	a.batch = a.batch[1:]
	a.count++
	return nil
}

func (s *system) run(ctx context.Context, inAll int) error {
	first, err := s.arrivals.peek()
	if err != nil {
		return err
	}
	end := never - 1
	if first != nil {
		s.result.Start = first.Submit
		if s.config.Horizon > 0 {
			end = min(end, first.Submit+s.config.Horizon)
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
		if err := s.step(t); err != nil {
			return err
		}
		if monitor.Due(1+int(s.operations-before)/4) && monitor.Check(s.progress(end, inAll)) {
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
		s.config.Progress(s.progress(s.now, int(s.arrivals.count)))
	}
	return nil
}

func (s *system) progress(end sim.Time, inAll int) sim.Progress {
	if end == never-1 {
		end = 0
	}
	return sim.Progress{
		Start: s.result.Start, Now: s.now, End: end,
		Requests: int(s.arrivals.count), RequestsInAll: inAll, Events: s.result.Events,
	}
}

// nextTime returns when something happens next, never if nothing does.
func (s *system) nextTime() (sim.Time, error) {
	next := s.watchdogAt
	for {
		e, ok := s.events.Next()
		if ok && s.stale(&e) {
			s.events.Pop()
			continue
		}
		if ok && e.At < next {
			next = e.At
		}
		break
	}
	r, err := s.arrivals.peek()
	if r != nil && r.Submit < next {
		next = max(r.Submit, s.arrivals.last) // out of order is found later
	}
	return next, err
}

// stale says that an instance has left its host before it was complete.
func (s *system) stale(e *sim.Event) bool {
	return e.Kind == completion && s.instances[e.Ref].mark != e.Mark
}

// stuck says that nothing but the watchdog will ever happen: what a pass over
// empty hosts has not placed waits for ever.
func (s *system) stuck() bool {
	return s.config.Horizon == 0 && s.placed == 0 && s.events.Len() == 0 && s.arrivals.ended
}

// step lets everything happen that happens at t, then makes one pass.
func (s *system) step(t sim.Time) error {
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
		if e.Kind == hostEvent {
			s.changeHost(&s.hostEvents[e.Ref])
		} else {
			s.complete(Ref(e.Ref))
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
		if err := s.admit(r); err != nil {
			return fmt.Errorf("request %d, %q: %w", s.arrivals.count+1, r.ID, err)
		}
		if err := s.arrivals.pop(); err != nil {
			return err
		}
		s.result.Events++
	}
	s.pass()
	return nil
}

// pass makes one pass over the queue and sets the watchdog.
func (s *system) pass() {
	if n := s.scheduler.queueLength(); n > 0 {
		s.result.Passes++
		s.result.queued += int64(n)
		s.scheduler.pass()
		for _, r := range s.freshList {
			s.instances[r].fresh = false
		}
		s.freshList = s.freshList[:0]
	}
	s.watchdogAt = never
	if s.config.Policy.Watchdog && s.scheduler.queueLength() > 0 {
		s.watchdogAt = s.now + s.config.Watchdog
	}
}

// admit takes a request in.
func (s *system) admit(r *workload.Request) error {
	class, err := s.classify.class(r)
	if err != nil {
		return err
	}
	constraints, err := s.constraintSet(r.Constraints)
	if err != nil {
		return err
	}
	ref := s.slot()
	k := &s.instances[ref]
	mark, ran := k.mark, k.ran[:0]
	*k = instance{
		admitted: r.Submit, duration: r.Duration, cpu: r.CPU, memory: r.Memory, job: r.Job, ran: ran,
		host: nowhere, index: s.arrivals.count, tie: s.tie(s.arrivals.count), mark: mark,
		constraints: constraints, class: class, antiAffinity: r.AntiAffinity, fresh: true,
	}
	s.active++
	demand := &s.recorder.demand[class]
	demand.RequestedCPU += r.CPU
	demand.RequestedMemory += r.Memory
	s.result.admitted(class)
	if !s.fitsSomewhere(k) {
		s.result.Hopeless++
	}
	if s.measure != PerRequest {
		s.join(ref)
	}
	s.freshList = append(s.freshList, ref)
	s.scheduler.enqueue(ref)
	return nil
}

// slot returns a place for a request.
func (s *system) slot() Ref {
	if n := len(s.free); n > 0 {
		r := s.free[n-1]
		s.free = s.free[:n-1]
		return r
	}
	s.instances = append(s.instances, instance{})
	return Ref(len(s.instances) - 1)
}

// tie returns a seeded number for a request: the finaliser of SplitMix64.
func (s *system) tie(index uint32) uint32 {
	z := s.tieKey + uint64(index)*0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return uint32(z >> 32)
}

// maxSets bounds the different sets of constraints of a run.
const maxSets = 1<<16 - 1

// constraintSet numbers a set of constraints and finds the hosts that meet it.
func (s *system) constraintSet(all []cluster.Constraint) (uint16, error) {
	if len(all) == 0 {
		return 0, nil
	}
	key := fmt.Sprintf("%q", all)
	if n, ok := s.sets[key]; ok {
		return n, nil
	}
	if len(s.allowed) > maxSets {
		return 0, fmt.Errorf("there are more than %d different sets of constraints", maxSets)
	}
	allowed := make([]bool, len(s.hostList))
	for h := range s.hostList {
		allowed[h] = cluster.Allows(all, &s.hostList[h])
	}
	n := uint16(len(s.allowed))
	s.allowed = append(s.allowed, allowed)
	s.sets[key] = n
	return n, nil
}

// fitsSomewhere says whether an empty host could take the request.
func (s *system) fitsSomewhere(k *instance) bool {
	for h := range s.hosts {
		if k.cpu <= s.hosts[h].cpu && k.memory <= s.hosts[h].memory &&
			(k.constraints == 0 || s.allowed[k.constraints][h]) {
			return true
		}
	}
	return false
}

// allocate carries a decision out.
func (s *system) allocate(j Ref, c *choice) {
	s.victims = s.victims[:0]
	for _, k := range c.victims {
		s.victims = append(s.victims, s.instances[k].index)
		s.instances[k].preemptions++
		s.result.preempted(s.instances[k].class)
		s.displace(k)
	}
	overhead := s.place(j, c.host)
	s.result.Decisions++
	if s.config.Decided != nil {
		s.config.Decided(&Decision{
			At: s.now, Request: s.instances[j].index, Host: c.host, Feasible: c.feasible,
			Overhead: overhead, Victims: s.victims, Cost: c.cost,
		})
	}
}

// place puts an instance on a host and draws the overhead.
func (s *system) place(j Ref, h int) (overhead sim.Time) {
	k, host := &s.instances[j], &s.hosts[h]
	set := s.config.ColdSet
	if slices.Contains(k.ran, int32(h)) {
		set = s.config.HotSet
	}
	overhead = set[s.overheads.IntN(len(set))]
	k.overhead, k.allocated = overhead, s.now
	k.ready = s.now + overhead
	if k.allocations == 0 && !s.config.FirstOverheadPending {
		k.ready = s.now
	}
	k.allocations++
	if k.host = int32(h); k.allocations > 1 && k.lastHost != int32(h) {
		k.migrations++
		s.result.migrated(k.class)
	}
	k.lastHost = int32(h)
	host.usedCPU += k.cpu
	host.usedMemory += k.memory
	demand := &s.recorder.demand[k.class]
	demand.AllocatedCPU += k.cpu
	demand.AllocatedMemory += k.memory
	host.instances = append(host.instances, j)
	s.placed++
	s.events.Push(sim.Event{At: min(k.ready+k.duration-k.run, never), Kind: completion, Ref: uint32(j), Mark: k.mark})
	s.result.overhead(k.class, overhead)
	s.scheduler.started(j)
	return overhead
}

// release takes an instance off its host.
func (s *system) release(r Ref) {
	k := &s.instances[r]
	h := int(k.host)
	host := &s.hosts[h]
	if s.measure != PerRequest {
		s.beforeRelease(r)
	}
	k.run = s.Run(r)
	k.unspent += max(0, k.ready-s.now)
	if s.now >= k.allocated+k.overhead && s.tracksHosts() && !slices.Contains(k.ran, k.host) {
		k.ran = append(k.ran, k.host)
	}
	k.overheads += k.overhead
	k.host = nowhere
	k.mark++
	host.usedCPU -= k.cpu
	host.usedMemory -= k.memory
	demand := &s.recorder.demand[k.class]
	demand.AllocatedCPU -= k.cpu
	demand.AllocatedMemory -= k.memory
	i := slices.Index(host.instances, r)
	last := len(host.instances) - 1
	host.instances[i] = host.instances[last]
	host.instances = host.instances[:last]
	s.placed--
	s.scheduler.stopped(r, h)
}

// tracksHosts says whether it matters where an instance has run.
func (s *system) tracksHosts() bool { return &s.config.HotSet[0] != &s.config.ColdSet[0] }

// displace sends an instance back to the queue.
func (s *system) displace(r Ref) {
	s.release(r)
	if s.measure == BatchAggregated {
		s.loseWork(r)
	}
	s.scheduler.enqueue(r)
}

func (s *system) complete(r Ref) {
	s.release(r)
	s.active--
	demand := &s.recorder.demand[s.instances[r].class]
	demand.RequestedCPU -= s.instances[r].cpu
	demand.RequestedMemory -= s.instances[r].memory
	s.finish(r, true)
	if s.measure != PerRequest {
		s.leave(r)
	}
	s.free = append(s.free, r)
}

func (s *system) finish(r Ref, completed bool) {
	k := &s.instances[r]
	run := s.Run(r)
	o := Outcome{
		Index: k.index, Class: int(k.class), Submit: k.admitted, Run: run, Pending: s.now - k.admitted - run - k.lost,
		Preemptions: int(k.preemptions), Completed: completed,
	}
	o.Availability = availability(o.Run, o.Pending)
	s.result.finished(&o, k)
	s.recorder.finished(&o)
	if s.config.Finished != nil {
		s.config.Finished(&o)
	}
}

// finishAll accounts for what is still there at the end, in order of arrival.
func (s *system) finishAll() {
	left := append([]Ref(nil), s.scheduler.waiting()...)
	for h := range s.hosts {
		left = append(left, s.hosts[h].instances...)
	}
	slices.SortFunc(left, func(a, b Ref) int { return int(s.instances[a].index) - int(s.instances[b].index) })
	for _, r := range left {
		s.finish(r, false)
	}
	s.finishControllers()
	s.result.Operations = s.operations
	s.result.Requests = int(s.arrivals.count)
}

// changeHost takes a host away or brings it (back).
func (s *system) changeHost(e *workload.HostEvent) {
	h := s.hostIndex[e.Host]
	host := &s.hosts[h]
	if host.up == e.Up {
		return
	}
	for len(host.instances) > 0 {
		s.displace(host.instances[len(host.instances)-1])
	}
	host.up = e.Up
	s.scheduler.hostChanged(h)
}
