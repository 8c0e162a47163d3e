package qos

import (
	"context"
	"slices"

	"berth/engine/cluster"
	"berth/engine/sim"
)

// Ref identifies an active request and its instance. It is reused after the request has finished.
type Ref uint32

// The values of instance.host without a host.
const (
	nowhere = -1 // waiting
	gone    = -2 // finished: the Ref is free
)

// instance is the state of an active request. It has no pointers, so the garbage
// collector need not scan it.
type instance struct {
	// The fields that decide about preemption come first and share a cache line, because they are
	// read for all instances of all hosts.
	admitted     sim.Milliseconds
	run          sim.Milliseconds // e without the current allocation
	unspent      sim.Milliseconds // total remaining overhead of the allocations that a preemption interrupted
	ready        sim.Milliseconds // end of the current allocation; run time counts after it
	overheads    sim.Milliseconds // Σα of past allocations
	job          int64
	host         int32
	controller   int32 // 1 + index in State.controllers; 0: request of the workload
	class        uint8
	antiAffinity bool
	fresh        bool // no pass has been completed since its admission

	duration    sim.Milliseconds
	allocated   sim.Milliseconds // time of the current allocation's decision
	overhead    sim.Milliseconds // α of the current allocation
	lost        sim.Milliseconds // run time of a batch job lost to preemption
	asks        cluster.Resources
	token       int16  // device token from cluster.Room.Take
	constraints uint16 // number of its constraint set; 0: none
	lastHost    int32
	place       int32  // index in host.instances
	index       uint32 // order of arrival
	tie         uint32 // seeded number that breaks ties among victims
	mark        uint32 // must equal the mark of a scheduled event, otherwise the event is stale
	allocations uint32
	preemptions uint32
	migrations  uint32
}

type host struct {
	cluster.Room
	instances []Ref
	jobs      []int64 // of the instances
	rank      int32   // position in the seeded permutation
	up        bool
}

// State is the state of the system that policies see.
type State struct {
	ctx       context.Context
	now       sim.Milliseconds
	constants []constants // by class
	levels    int         // number of levels of importance
	alpha     Q
	instances []instance
	hosts     []host
	allowed   [][]bool // by constraint set and host; nil: all hosts
	noLimit   bool
	scoreOf   func(cpu, memory, usedCPU, usedMemory cluster.Amount) float64 // Policy.Score

	controllers []*controller
}

// Context returns the context of the run. It ends with the run, and cancelling it stops
// the run.
func (s *State) Context() context.Context { return s.ctx }

// Now returns the current time.
func (s *State) Now() sim.Milliseconds { return s.now }

// Run returns e, the run time of the request so far. It does not advance during an
// allocation.
func (s *State) Run(r Ref) sim.Milliseconds {
	k := &s.instances[r]
	if k.host == nowhere || s.now <= k.ready {
		return k.run
	}
	return k.run + s.now - k.ready
}

// Q returns the metric of a waiting or running instance, Q = e/SLO − (e+p) − α; 0 for a new request
// in its first pass (algorithm 1, line 3).
//
// In the published logs, run time counts from the end of an allocation. Before that end, e is
// reduced by the remaining overhead, permanently if the instance is preempted in the meantime. Q
// follows the logs. The run time that determines availability and completion never decreases.
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

// Elapsed returns the run time that Q uses. During an allocation it is less than Run, and it stays
// less if the instance is preempted during the allocation.
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

// Margin returns φ of the request's class.
func (s *State) Margin(r Ref) Q { return s.constants[s.instances[r].class].margin }

// Importance returns the level of the request's class: consecutive numbers from 1,
// the most important.
func (s *State) Importance(r Ref) int { return s.constants[s.instances[r].class].importance }

// Levels returns the number of levels of importance.
func (s *State) Levels() int { return s.levels }

// AdmittedBefore orders requests by admission, then by arrival.
func (s *State) AdmittedBefore(a, b Ref) bool {
	x, y := &s.instances[a], &s.instances[b]
	if x.admitted != y.admitted {
		return x.admitted < y.admitted
	}
	return x.index < y.index
}

// TieBefore orders requests by a seeded number.
func (s *State) TieBefore(a, b Ref) bool {
	x, y := &s.instances[a], &s.instances[b]
	if x.tie != y.tie {
		return x.tie < y.tie
	}
	return x.index < y.index
}

// Score returns the current allocation score of a host. It ignores the request to be placed, but
// counts its victims and instances that are still being allocated.
func (s *State) Score(h int) float64 {
	all, free := &s.hosts[h].All, &s.hosts[h].Free
	return s.scoreOf(all.CPU, all.Memory, all.CPU-free.CPU, all.Memory-free.Memory)
}

// Protected reports whether the preemption overhead of k, C = Σα / (run + Σα) over
// past allocations (Eq. 8), is above its limit.
func (s *State) Protected(k Ref) bool {
	if s.noLimit {
		return false
	}
	i := &s.instances[k]
	sum := i.overheads
	return sum*limitUnit > sim.Milliseconds(s.constants[i.class].limit)*(s.Run(k)+sum)
}

// protectedUntil returns the first time at which Σα ≤ limit·(run + Σα), where k is no
// longer protected (Eq. 8).
func (s *State) protectedUntil(k *instance) sim.Milliseconds {
	if s.noLimit || k.overheads == 0 {
		return 0
	}
	limit := sim.Milliseconds(s.constants[k.class].limit)
	if limit == 0 {
		return never
	}
	need := (k.overheads*limitUnit+limit-1)/limit - k.overheads
	if k.run >= need {
		return 0
	}
	return k.ready + need - k.run
}

// meetsConstraints reports whether the host meets the placement constraints and the
// anti-affinity of the request.
func (s *State) meetsConstraints(j *instance, h int) bool {
	if j.constraints != 0 && !s.allowed[j.constraints][h] {
		return false
	}
	return !j.antiAffinity || !slices.Contains(s.hosts[h].jobs, j.job)
}
