package qos

import (
	"cmp"
	"math"
	"slices"

	"berth/engine/sim"
)

// Measure selects how the availability of a controller, a set of requests of one job and class, is
// computed from its instances (thesis, 7.2.3). If the measure is Concurrent or Aggregated,
// decisions about an instance use the Q of the controller.
type Measure uint8

// The measures. For a service, an instance that lost its host and waits for a new one
// is still the same instance. For a batch job, which is always Aggregated, the work of
// a preempted instance is lost.
const (
	Independent Measure = iota // the lowest availability of the instances
	Concurrent                 // only time in which all instances run counts
	Aggregated                 // the run time of every instance counts, without lost work
)

// String returns the thesis's name for the measure.
func (m Measure) String() string { return [...]string{"independent", "concurrent", "aggregated"}[m] }

// account sums the times of a controller so far over all of its instances, in
// milliseconds.
type account struct {
	useful           sim.Milliseconds // e: the time that counts as service
	ran, waited      sim.Milliseconds // Σr and Σw, time run and time waited
	running, waiting int              // v^r and v^w: current numbers of instances
}

// availability returns A = e / (Σr + Σw) (Eq. 7.4, 7.7 and 7.10).
func (a *account) availability() float64 { return availability(a.useful, a.ran+a.waited-a.useful) }

// q returns Q of an instance, assuming that it waits from now on while the given number of
// contributing instances keep running. Below the SLO, Q is the recoverability (Eq. 7.5, 7.8, 7.11).
// Otherwise it is the time until the SLO is violated (Eq. 7.6, 7.9, 7.12), infinite if the
// contributing instances alone sustain the SLO.
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

// farAhead caps times in ms that are summed over many instances, so that the
// resulting Q fits into 64 bits.
const farAhead = math.MaxInt64 / 4 / partsPerMillisecond

// controller is the state of a Controller during a run: the instances that it has submitted and the
// availability of its service.
type controller struct {
	Controller
	number  int
	first   uint32       // index of its first instance
	created int          // instances created so far
	runs    int          // Jobs created so far
	pending map[Ref]bool // StatefulSet: instances that have not run on their current host yet
	covered map[int]bool // hosts that already have their instance

	// The remaining fields measure its service.
	preemptions int
	least       float64 // lowest availability of the finished instances
	left        account // sums over the completed instances
	// together is the time in which all members ran, times the number of members, up
	// to settled.
	together, settled sim.Milliseconds

	// The members are the active instances. Their times grow between events; account
	// derives their totals from these sums in O(1), without visiting every member.
	members, hosted     int
	admitted, run, lost sim.Milliseconds    // sums over the members; run excludes their current allocations
	counted             int                 // hosted members whose run time counts already
	readySum, lastReady sim.Milliseconds    // sum and maximum of the counted members' ready times
	preparing           heap[start, *start] // hosted members whose allocation has not ended yet
	on                  map[int32]int32     // number of members by host, without zeros
}

// start is the time when the run time of a member begins to count. It is void if the member's mark
// has changed, because the member has left its host.
type start struct {
	ready sim.Milliseconds
	ref   Ref
	mark  uint32
}

func (s *start) before(t *start) bool { return s.ready < t.ready }

// advance moves the members whose allocation has ended from preparing to the counted
// ones.
func (c *controller) advance(s *State) {
	for len(c.preparing) > 0 && c.preparing[0].ready <= s.now {
		if first := c.preparing[0]; s.instances[first.ref].mark == first.mark {
			c.counted++
			c.readySum += first.ready
			c.lastReady = first.ready
		}
		c.preparing.drop()
	}
}

// gotHost updates the sums of a controller after a member got a host.
func (c *controller) gotHost(s *State, r Ref) {
	k := &s.instances[r]
	c.settle(s)
	c.hosted++
	c.on[k.host]++
	c.preparing.push(start{k.ready, r, k.mark})
}

// losesHost updates the sums of a controller before a member loses its host.
func (c *controller) losesHost(s *State, r Ref) {
	k := &s.instances[r]
	c.settle(s)
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

// controllerOf returns the controller that submitted an instance; nil for a request of the workload.
func (s *State) controllerOf(k *instance) *controller {
	if k.controller == 0 {
		return nil
	}
	return s.controllers[k.controller-1]
}

// together returns the controller of an instance if decisions use the controller's Q
// for it; otherwise nil.
func (s *State) together(r Ref) *controller {
	if c := s.controllerOf(&s.instances[r]); c != nil && c.Measure > Independent {
		return c
	}
	return nil
}

// account returns the sums of a controller up to now. It excludes the work that instance without
// would lose by waiting; noRef includes all instances.
func (c *controller) account(s *State, without Ref) account {
	c.advance(s)
	run := c.run + s.now*sim.Milliseconds(c.counted) - c.readySum
	a := c.left
	a.useful += run
	a.ran += run + c.lost
	a.waited += s.now*sim.Milliseconds(c.members) - c.admitted - run - c.lost
	a.running, a.waiting = c.hosted, c.members-c.hosted
	if c.Measure == Concurrent {
		a.useful = c.together + c.togetherSince(s)
	}
	if without != noRef {
		a.useful -= s.Run(without)
	}
	return a
}

// noRef is an invalid Ref.
const noRef = math.MaxUint32

// togetherSince returns the time in which all members have run since the last call of
// settle, times the number of members; 0 while any member waits or is being
// allocated.
func (c *controller) togetherSince(s *State) sim.Milliseconds {
	c.advance(s)
	if c.counted < c.members {
		return 0
	}
	return (s.now - max(c.settled, c.lastReady)) * sim.Milliseconds(c.members)
}

// controllerQ returns Q of an instance of a controller that is measured as a whole.
func (s *State) controllerQ(r Ref, c *controller) Q {
	k := &s.instances[r]
	slo := 1 / (float64(s.constants[k.class].perRun) / partsPerMillisecond)
	if c.Measure == Concurrent {
		a := c.account(s, noRef)
		return a.q(slo, 0, s.alpha) // while any instance waits, no instance contributes
	}
	without := Ref(noRef)
	if c.Kind == Job && k.host != nowhere {
		without = r
	}
	a := c.account(s, without)
	contributing := a.running
	if k.host != nowhere {
		contributing--
	}
	return a.q(slo, contributing, s.alpha)
}

// Idle reports whether an instance runs without contributing to the service of its
// controller: the measure is Concurrent and another instance waits.
func (s *State) Idle(r Ref) bool {
	c := s.controllerOf(&s.instances[r])
	return c != nil && c.Measure == Concurrent && c.account(s, noRef).waiting > 0
}

// join adds a new instance to the account of its controller.
func (c *controller) join(s *State, k *instance) {
	c.settle(s)
	c.members++
	c.admitted += k.admitted
}

// settle adds the time that the members have run together to the controller's sum. Call it before
// each change of the members or their hosts.
func (c *controller) settle(s *State) {
	c.together += c.togetherSince(s)
	c.settled = s.now
}

// loseWork discards the work of an instance of a batch job.
func (c *controller) loseWork(k *instance) {
	c.lost += k.run
	c.run -= k.run
	k.lost += k.run
	k.run = 0
}

// leave removes a completed instance from its controller and adds its times to the
// sums of completed instances.
func (c *controller) leave(s *State, k *instance) {
	c.left.useful += k.run
	c.left.ran += k.run + k.lost
	c.left.waited += s.now - k.admitted - k.run - k.lost
	c.members--
	c.admitted -= k.admitted
	c.run -= k.run
	c.lost -= k.lost
}

// finishControllers measures the controllers, in order of their first request.
func (s *system) finishControllers() {
	all := slices.DeleteFunc(slices.Clone(s.controllers), func(c *controller) bool { return c.created == 0 })
	slices.SortFunc(all, func(c, d *controller) int { return cmp.Compare(c.first, d.first) })
	for _, c := range all {
		number, _ := s.config.class(&c.Template) // checked
		class := &s.config.Classes[number]
		r := ControllerReport{
			Name: c.Name, Kind: c.Kind.String(), Class: class.Name, SLO: class.SLO, Measure: c.Measure.String(),
			Instances: c.created, Preemptions: c.preemptions,
		}
		a := c.account(&s.State, noRef)
		switch {
		case c.Measure == Independent:
			r.Availability = c.least
		case s.waitsForEver(a.waiting > 0, a.useful):
			r.Availability = 0
		default:
			r.Availability = a.availability()
		}
		r.Met = r.Availability >= class.SLO
		s.result.Controllers = append(s.result.Controllers, r)
	}
}
