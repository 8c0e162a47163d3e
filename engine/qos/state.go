package qos

import (
	"context"

	"berth/engine/cluster"
	"berth/engine/sim"
)

// Ref names an active request and its instance; it is reused after the request
// has finished.
type Ref uint32

// nowhere is the host of an instance that waits.
const nowhere = -1

// instance is all that is kept of an active request. Without pointers, it is
// nothing to the garbage collector.
type instance struct {
	// What says who may preempt an instance comes first, in one line of the processor's
	// cache: it is looked at for all instances of all hosts.
	admitted     sim.Milliseconds
	run          sim.Milliseconds // e up to the allocation under way
	unspent      sim.Milliseconds // Σ of what was left of overheads when it was preempted during them
	ready        sim.Milliseconds // run time counts from here on in the allocation under way
	overheads    sim.Milliseconds // Σα of the allocations before it
	job          int64
	host         int32
	controller   int32 // in State.controllers; negative: none
	class        uint8
	antiAffinity bool
	fresh        bool // admitted since the last pass

	duration    sim.Milliseconds
	allocated   sim.Milliseconds // the allocation under way was decided at
	overhead    sim.Milliseconds // α of the allocation under way
	lost        sim.Milliseconds // work of a batch job that preemption threw away
	cpu, memory cluster.Amount
	gpus        cluster.Amount // of devices: a share of one, or whole ones
	device      int16          // the one of its host that it shares
	constraints uint16         // number of its set of constraints; 0 is none
	lastHost    int32
	place       int32  // in the list of its host
	index       uint32 // in order of arrival
	tie         uint32 // seeded, breaks ties among victims
	replicas    int32  // number of those that submitted it; 0: it is of the workload
	mark        uint32 // of the completion that is scheduled
	allocations uint32
	preemptions uint32
	migrations  uint32
}

// host is what changes about a host.
type host struct {
	cpu, memory         cluster.Amount
	usedCPU, usedMemory cluster.Amount
	instances           []Ref
	rank                int32 // in the seeded permutation
	gpus                cluster.Devices
	up                  bool
}

func (h *host) fits(j *instance) bool {
	return h.usedCPU+j.cpu <= h.cpu && h.usedMemory+j.memory <= h.memory && h.gpus.Fits(j.gpus)
}

// State is the system as a policy sees it at one moment.
type State struct {
	ctx       context.Context
	now       sim.Milliseconds
	constants []constants // by class
	levels    int         // of importance
	alpha     Q
	instances []instance
	hosts     []host
	allowed   [][]bool // by set of constraints and host; nil: all
	noLimit   bool
	scoreOf   func(cpu, memory, usedCPU, usedMemory cluster.Amount) float64 // of the policy

	controllers []controller
}

// Context ends with the run, or ends it.
func (s *State) Context() context.Context { return s.ctx }

// Now returns the current time.
func (s *State) Now() sim.Milliseconds { return s.now }

// Run returns e, the time that the request has run so far. During a
// re-allocation it stays what it was.
func (s *State) Run(r Ref) sim.Milliseconds {
	k := &s.instances[r]
	if k.host == nowhere || s.now <= k.ready {
		return k.run
	}
	return k.run + s.now - k.ready
}

// Q returns the metric of a pending or running instance, Q = e/SLO − (e+p) − α;
// that of a new request is 0 in its first pass (algorithm 1, line 3).
//
// Run time is counted from the end of the allocation, and in the published logs
// that makes e smaller before it: by what is left of the overhead, for good if
// the instance is preempted then. Q follows the logs; the run time that counts
// for availability and completion never falls.
func (s *State) Q(r Ref) Q {
	k := &s.instances[r]
	if k.fresh {
		return 0
	}
	if c := s.together(r); c != nil {
		return s.controllerQ(r, c)
	}
	return Q(s.Elapsed(r))*s.constants[k.class].perRun - timeToQ(s.now-k.admitted) - s.alpha
}

// Elapsed returns the run time that Q counts: that from the end of an allocation on.
// Before it, it is smaller than Run.
func (s *State) Elapsed(r Ref) sim.Milliseconds {
	k := &s.instances[r]
	if k.host == nowhere {
		return k.run - k.unspent
	}
	return k.run - k.unspent + s.now - k.ready
}

// Age returns the time since the request was admitted.
func (s *State) Age(r Ref) sim.Milliseconds { return s.now - s.instances[r].admitted }

// Class returns the number of the request's class.
func (s *State) Class(r Ref) int { return int(s.instances[r].class) }

// Demand returns what the request asks for.
func (s *State) Demand(r Ref) (cpu, memory cluster.Amount) {
	return s.instances[r].cpu, s.instances[r].memory
}

// Margin returns φ of the request's class.
func (s *State) Margin(r Ref) Q { return s.constants[s.instances[r].class].margin }

// Importance returns the level of the request's class, from 1, the most important,
// without gaps; see [Levels].
func (s *State) Importance(r Ref) int { return s.constants[s.instances[r].class].importance }

// Levels returns how many levels of importance there are.
func (s *State) Levels() int { return s.levels }

// AdmittedBefore orders requests by admission, then by arrival.
func (s *State) AdmittedBefore(a, b Ref) bool {
	x, y := &s.instances[a], &s.instances[b]
	if x.admitted != y.admitted {
		return x.admitted < y.admitted
	}
	return x.index < y.index
}

// TieBefore is a seeded order of all requests.
func (s *State) TieBefore(a, b Ref) bool {
	x, y := &s.instances[a], &s.instances[b]
	if x.tie != y.tie {
		return x.tie < y.tie
	}
	return x.index < y.index
}

// score returns the allocation score of a host as it is now: without the
// request, with victims and instances in allocation.
func (s *State) score(h int) float64 {
	host := &s.hosts[h]
	return s.scoreOf(host.cpu, host.memory, host.usedCPU, host.usedMemory)
}

// Protected says whether k is above its limit of preemption overhead,
// C = Σα / (run + Σα) over past allocations (Eq. 8).
func (s *State) Protected(k Ref) bool {
	if s.noLimit {
		return false
	}
	i := &s.instances[k]
	sum := i.overheads
	return sum*limitUnit > sim.Milliseconds(s.constants[i.class].limit)*(s.Run(k)+sum)
}

// meetsConstraints says whether the host may take the request at all.
func (s *State) meetsConstraints(j *instance, h int) bool {
	if j.constraints != 0 && !s.allowed[j.constraints][h] {
		return false
	}
	if j.antiAffinity {
		for _, k := range s.hosts[h].instances {
			if s.instances[k].job == j.job {
				return false
			}
		}
	}
	return true
}
