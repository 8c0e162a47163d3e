package qos

import (
	"math"

	"berth/engine/sim"
)

// Measure says how the availability of a controller, the requests of one job,
// is measured (thesis, 7.2.3). Its instances are requests of one class; a
// decision about one of them goes by the Q of all.
type Measure uint8

// The measures. Those of services count a request that waits for a new
// incarnation as the instance that it was; in a batch job the work of an
// instance that is preempted is lost.
const (
	PerRequest      Measure = iota // no controller: each request stands for itself
	Independent                    // the smallest availability of the instances
	Concurrent                     // only time in which all instances run counts
	Aggregated                     // all time that any instance runs counts
	BatchAggregated                // the same, without the work that was lost
)

// String names a measure as the text does; of batch jobs there is only one.
func (m Measure) String() string {
	return [...]string{"request", "independent", "concurrent", "aggregated", "aggregated"}[m]
}

// account is what a controller has had up to now, in milliseconds over all of
// its instances.
type account struct {
	useful           sim.Milliseconds // Σ that counts: e
	ran, waited      sim.Milliseconds // Σr and Σw
	running, waiting int              // instances: v^r and v^w
}

// availability returns A = e / (Σr + Σw) (Eq. 7.4, 7.7 and 7.10).
func (a *account) availability() float64 { return availability(a.useful, a.ran+a.waited-a.useful) }

// q returns Q of an instance that would wait from now on while contributing
// instances go on running: below the SLO its recoverability (Eq. 7.5, 7.8,
// 7.11), otherwise the time until the SLO is violated (7.6, 7.9, 7.12), which
// never comes if what goes on is enough.
func (a *account) q(slo float64, contributing int, alpha Q) Q {
	total := float64(a.ran + a.waited)
	if float64(a.useful) < float64(slo*total) {
		return toQ(max(float64(a.useful)/slo-total, -farAhead)) - alpha
	}
	rate := float64(float64(a.running+a.waiting)*slo) - float64(contributing)
	if rate <= 0 {
		return math.MaxInt64 / 4
	}
	left := (float64(a.useful) - float64(slo*total)) / rate
	if left > float64(never) {
		return math.MaxInt64 / 4
	}
	return toQ(left) - alpha
}

// farAhead bounds times that are summed up over many instances, so that the
// metric stays within 64 bits.
const farAhead = math.MaxInt64 / 4 / partsPerMillisecond

// controller is a set of requests whose service is measured together.
type controller struct {
	class       uint8
	measure     Measure
	instances   int
	preemptions int
	least       float64 // availability of those that have finished
	left        account // of the ones that have completed
	// together is Σ over the members of the time in which all ran, up to settled.
	together, settled sim.Milliseconds

	// Of the members, which are the instances that are active. What they have had
	// changes with time alone in between: sums tell it without a look at each.
	members, hosted     int
	admitted, run, lost sim.Milliseconds    // Σ of what instances have, of run without the run under way
	counted             int                 // hosted ones whose run time counts
	readySum, lastReady sim.Milliseconds    // of these: Σ of since when, and the last of them
	preparing           heap[start, *start] // hosted ones whose run time will count
	on                  map[int32]int32     // hosts with members, and how many
}

// start is when run time of a member counts from, unless its mark has changed:
// then it has left its host.
type start struct {
	ready sim.Milliseconds
	ref   Ref
	mark  uint32
}

func (s *start) before(t *start) bool { return s.ready < t.ready }

// advance counts the members whose run time counts by now.
func (s *State) advance(c *controller) {
	for len(c.preparing) > 0 && c.preparing[0].ready <= s.now {
		if first := c.preparing[0]; s.instances[first.ref].mark == first.mark {
			c.counted++
			c.readySum += first.ready
			c.lastReady = first.ready
		}
		c.preparing.drop()
	}
}

// gotHost and losesHost keep the sums of a controller when a member gets a host,
// and when it is about to lose it.
func (s *State) gotHost(c *controller, r Ref) {
	k := &s.instances[r]
	c.hosted++
	c.on[k.host]++
	c.preparing.push(start{k.ready, r, k.mark})
}

func (s *State) losesHost(c *controller, r Ref) {
	k := &s.instances[r]
	c.hosted--
	c.on[k.host]--
	if c.on[k.host] == 0 {
		delete(c.on, k.host)
	}
	c.run += s.Run(r) - k.run
	if k.ready <= s.now {
		c.counted--
		c.readySum -= k.ready
	}
}

// controllerOf returns the controller of an instance, nil if it has none.
func (s *State) controllerOf(k *instance) *controller {
	if len(s.controllers) == 0 || k.controller < 0 {
		return nil
	}
	return &s.controllers[k.controller]
}

// together returns the controller of an instance if the Q of the instance is
// that of all, nil if it is not.
func (s *State) together(r Ref) *controller {
	if c := s.controllerOf(&s.instances[r]); c != nil && c.measure > Independent {
		return c
	}
	return nil
}

// account returns what a controller has had. Without is an instance whose work
// would be lost if it had to wait; noRef leaves all in.
func (s *State) account(c *controller, without Ref) account {
	s.advance(c)
	run := c.run + s.now*sim.Milliseconds(c.counted) - c.readySum
	a := c.left
	a.useful += run
	a.ran += run + c.lost
	a.waited += s.now*sim.Milliseconds(c.members) - c.admitted - run - c.lost
	a.running, a.waiting = c.hosted, c.members-c.hosted
	if c.measure == Concurrent {
		a.useful = c.together + s.togetherSince(c)
	}
	if without != noRef {
		a.useful -= s.Run(without)
	}
	return a
}

// noRef is no request.
const noRef = math.MaxUint32

// togetherSince returns for how long all members of a controller have been
// running since it was last settled, times their number; 0 if one waits or is
// being prepared.
func (s *State) togetherSince(c *controller) sim.Milliseconds {
	s.advance(c)
	if c.counted < c.members {
		return 0
	}
	return (s.now - max(c.settled, c.lastReady)) * sim.Milliseconds(c.members)
}

// controllerQ returns Q of one instance of a controller.
func (s *State) controllerQ(r Ref, c *controller) Q {
	k := &s.instances[r]
	slo := 1 / (float64(s.constants[k.class].perRun) / partsPerMillisecond)
	if c.measure == Concurrent {
		a := s.account(c, noRef)
		return a.q(slo, 0, s.alpha) // if one waits, none contributes
	}
	without := Ref(noRef)
	if c.measure == BatchAggregated && k.host != nowhere {
		without = r
	}
	a := s.account(c, without)
	contributing := a.running
	if k.host != nowhere {
		contributing--
	}
	return a.q(slo, contributing, s.alpha)
}

// Idle says whether an instance runs without contributing to the service of its
// controller: another one waits, and only all of them together count.
func (s *State) Idle(r Ref) bool {
	c := s.controllerOf(&s.instances[r])
	return c != nil && c.measure == Concurrent && s.account(c, noRef).waiting > 0
}

// measureOf returns how the service of an instance is measured.
func (s *system) measureOf(k *instance) Measure {
	m := s.config.Measure
	if k.replicas > 0 && s.replicasOf(k).Measure != PerRequest {
		m = s.replicasOf(k).Measure
	}
	if m != PerRequest && s.kind(k) == Job {
		return BatchAggregated
	}
	return m
}

// join makes a new request an instance of the controller of its job, if its
// service is measured.
func (s *system) join(r Ref) {
	k := &s.instances[r]
	k.controller = -1
	if s.measureOf(k) == PerRequest {
		return
	}
	i, known := s.controllerOfJob[k.job]
	if !known {
		i = int32(len(s.controllers))
		s.controllerOfJob[k.job] = i
		s.controllers = append(s.controllers, controller{class: k.class, measure: s.measureOf(k), least: 1, on: map[int32]int32{}})
	}
	k.controller = i
	c := &s.controllers[i]
	s.settle(c)
	c.members++
	c.admitted += k.admitted
	c.instances++
}

// settle keeps what would be forgotten when a member comes, or gets or loses
// its host.
func (s *State) settle(c *controller) {
	c.together += s.togetherSince(c)
	c.settled = s.now
}

// loseWork throws away what an instance of a batch job has done.
func (s *system) loseWork(r Ref) {
	k := &s.instances[r]
	if c := s.controllerOf(k); c != nil {
		c.lost += k.run
		c.run -= k.run
	}
	k.lost += k.run
	k.run = 0
}

// leave takes an instance that has completed out of its controller.
func (s *system) leave(r Ref) {
	k := &s.instances[r]
	c := s.controllerOf(k)
	if c == nil {
		return
	}
	c.left.useful += k.run
	c.left.ran += k.run + k.lost
	c.left.waited += s.now - k.admitted - k.run - k.lost
	c.members--
	c.admitted -= k.admitted
	c.run -= k.run
	c.lost -= k.lost
}

// finishControllers measures the controllers, in order of their first request. Requests of a
// job are one without a name.
func (s *system) finishControllers() {
	if len(s.controllers) == 0 {
		return
	}
	results := make([]ControllerReport, len(s.controllers))
	for job, i := range s.controllerOfJob {
		var of Controller
		if n := job - firstJob; n >= 0 && n < int64(len(s.replicas)) {
			of.Name, of.Kind = s.replicas[n].Name, s.replicas[n].Kind
		}
		results[i].Name, results[i].Kind = of.Name, of.Kind.String()
	}
	for i := range s.controllers {
		c, r := &s.controllers[i], &results[i]
		class := &s.config.Classes[c.class]
		r.Class, r.SLO, r.Measure, r.Instances, r.Preemptions = class.Name, class.SLO, c.measure.String(), c.instances, c.preemptions
		a := s.account(c, noRef)
		switch {
		case c.measure == Independent:
			r.Availability = c.least
		case s.waitsForEver(a.waiting > 0, a.useful):
			r.Availability = 0
		default:
			r.Availability = a.availability()
		}
		r.Met = r.Availability >= class.SLO
	}
	s.result.Controllers = results
}
