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
	PerRequest      Measure = iota // no controllers: each request stands for itself
	Independent                    // the least of the availabilities of the instances
	Concurrent                     // only time in which all instances run counts
	Aggregated                     // all time that any instance runs counts
	BatchAggregated                // the same, without the work that was lost
)

// account is what a controller has had up to now, in milliseconds over all of
// its instances.
type account struct {
	useful           sim.Time // Σ that counts: e
	ran, waited      sim.Time // Σr and Σw
	running, waiting int      // instances: v^r and v^w
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
		return toQ(float64(a.useful)/slo-total) - alpha
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

// controller is a set of requests whose service is measured together.
type controller struct {
	class    uint8
	measure  Measure
	members  []Ref    // that are active
	left     account  // of the ones that have completed
	together sim.Time // time in which all have run, up to the last change
}

// account adds up what a controller has had. Without is an instance whose work
// would be lost if it had to wait; any other value leaves all in.
func (s *State) account(c *controller, without Ref) account {
	a := c.left
	for _, r := range c.members {
		k := &s.instances[r]
		run := s.Run(r)
		a.ran += run + k.lost
		a.waited += s.now - k.admitted - run - k.lost
		if k.host == nowhere {
			a.waiting++
		} else {
			a.running++
		}
		if r != without {
			a.useful += run
		}
	}
	if c.measure == Concurrent {
		a.useful = (c.together + s.togetherSince(c)) * sim.Time(len(c.members))
	}
	return a
}

// noRef is no request.
const noRef = math.MaxUint32

// togetherSince returns for how long all instances of a controller have been
// running, 0 if one waits or is being prepared.
func (s *State) togetherSince(c *controller) sim.Time {
	if len(c.members) == 0 {
		return 0
	}
	var since sim.Time
	for _, r := range c.members {
		k := &s.instances[r]
		if k.host == nowhere {
			return 0
		}
		since = max(since, k.ready)
	}
	return max(0, s.now-since)
}

// controllerQ returns Q of one instance of a controller.
func (s *State) controllerQ(r Ref) Q {
	k := &s.instances[r]
	c := &s.controllers[k.controller]
	slo := 1 / (float64(s.terms[k.class].perRun) / partsPerMillisecond)
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
	if s.measure != Concurrent {
		return false
	}
	c := &s.controllers[s.instances[r].controller]
	if c.measure != Concurrent {
		return false
	}
	for _, other := range c.members {
		if s.instances[other].host == nowhere {
			return true
		}
	}
	return false
}

// join makes a new request an instance of the controller of its job.
func (s *system) join(r Ref) {
	k := &s.instances[r]
	i, known := s.controllerOf[k.job]
	if !known {
		i = int32(len(s.controllers))
		s.controllerOf[k.job] = i
		c := controller{class: k.class, measure: s.measure}
		if k.kind() == Job {
			c.measure = BatchAggregated
		}
		s.controllers = append(s.controllers, c)
	}
	k.controller = i
	c := &s.controllers[i]
	c.together += s.togetherSince(c)
	c.members = append(c.members, r)
}

// beforeRelease keeps what would be forgotten when an instance loses its host.
func (s *system) beforeRelease(r Ref) {
	c := &s.controllers[s.instances[r].controller]
	c.together += s.togetherSince(c)
}

// loseWork throws away what an instance of a batch job has done.
func (s *system) loseWork(r Ref) {
	k := &s.instances[r]
	k.lost += k.run
	k.run = 0
}

// leave takes an instance that has completed out of its controller.
func (s *system) leave(r Ref) {
	k := &s.instances[r]
	c := &s.controllers[k.controller]
	c.left.useful += k.run
	c.left.ran += k.run + k.lost
	c.left.waited += s.now - k.admitted - k.run - k.lost
	for i, other := range c.members {
		if other == r {
			c.members = append(c.members[:i], c.members[i+1:]...)
			break
		}
	}
}

// ControllerResult is what became of a controller by the end.
type ControllerResult struct {
	Job          int64
	Name         string // of a Controller, empty of the requests of a job
	Class        int
	Availability float64
}

// finishControllers measures the controllers, in order of their first request.
func (s *system) finishControllers() {
	results := make([]ControllerResult, len(s.controllers))
	for job, i := range s.controllerOf {
		results[i].Job = job
		if n := job - firstJob; n >= 0 && n < int64(len(s.replicas)) {
			results[i].Name = s.replicas[n].Name
		}
	}
	for i := range s.controllers {
		c := &s.controllers[i]
		results[i].Class = int(c.class)
		a := s.account(c, noRef)
		results[i].Availability = a.availability()
		if c.measure == Independent {
			results[i].Availability = s.least(c)
		}
	}
	s.result.Controllers = results
}

// least returns the least availability among the instances (7.2.5).
func (s *system) least(c *controller) float64 {
	least := 1.0
	for _, r := range c.members {
		run := s.Run(r)
		least = min(least, availability(run, s.now-s.instances[r].admitted-run))
	}
	return least
}
