package qos

import (
	"math"

	"berth/engine/cluster"
	"berth/engine/sim"
)

// preemptor is a request that looks for a host, with what the comparisons need.
type preemptor struct {
	ref         Ref
	q, margin   Q
	rank        Q // Q + now, at its least: that of a new request falls after its first pass
	importance  int
	cpu, memory cluster.Amount
	gpus        int16
	reach       []reach // by class
}

// preemptorOf returns what the comparisons need of a request, valid until the next call.
func (f *fast) preemptorOf(r Ref) preemptor {
	k := &f.instances[r]
	t := &f.terms[k.class]
	j := preemptor{
		ref: r, q: f.Q(r), margin: t.margin, importance: t.importance, cpu: k.cpu, memory: k.memory, gpus: k.gpus,
		reach: f.reaching,
	}
	for c := range j.reach {
		j.reach[c] = f.reach(&j, &f.terms[c])
	}
	if !f.mode.byQ {
		return j
	}
	j.rank = j.q + timeToQ(f.now)
	if k.fresh {
		j.rank = min(j.rank, timeToQ(k.admitted)-f.alpha)
	}
	return j
}

// reach says which instances of a class a request may preempt now, in terms of their
// bases: those above floor, except those from above up to equal.
type reach struct {
	floor  Q
	above  Q    // where Q_k reaches φ_k
	equal  Q    // where Q_k reaches Q_j
	gained Q    // Q_k less its base
	more   bool // more important than they are: their protection does not count
}

// reach finds out for a class (see mayPreemptByQ and mayPreemptByPriority).
func (f *fast) reach(j *preemptor, t *terms) reach {
	more := j.importance < t.importance
	gained := f.gained(t)
	switch r := (reach{noBase, t.margin - gained, j.q - gained, gained, more}); {
	case !f.mode.byQ && more:
		r.above, r.equal = math.MaxInt64, noBase
		return r
	case !f.mode.byQ:
		r.floor = math.MaxInt64
		return r
	case j.q < j.margin && more:
		return r
	case j.q < j.margin && j.importance == t.importance:
		r.floor = r.equal
		return r
	default:
		r.floor = max(r.equal, r.above-1)
		return r
	}
}

// takes says whether k, whose base is above the floor, may be preempted.
func (r *reach) takes(k *resident, now sim.Milliseconds) bool {
	return (k.base > r.equal || k.base < r.above) && (r.more || now >= k.until)
}

// reaches says whether j may preempt anybody on host h at all, protection aside.
func (f *fast) reaches(h int, j *preemptor) bool {
	for c := range f.bases {
		if f.bases[c][h] > j.reach[c].floor {
			return true
		}
	}
	return false
}

// reached returns a bitmap of the hosts that j reaches, valid until the next call.
func (f *fast) reached(j *preemptor) []uint64 {
	clear(f.reachable)
	for c, bases := range f.bases {
		floor := j.reach[c].floor
		for i := range f.reachable {
			word := uint64(0)
			for _, base := range bases[i*64:][:64] {
				above := uint64(0) // no branches on what cannot be foretold
				if base > floor {
					above = 1 << 63
				}
				word = word>>1 | above
			}
			f.reachable[i] |= word
		}
	}
	return f.reachable
}

// nearest returns the largest base of a class that is not above the floor.
func nearest(bases []Q, floor Q) Q {
	largest := Q(noBase)
	for _, base := range bases {
		if base > floor {
			base = noBase
		}
		largest = max(largest, base)
	}
	return largest
}

// comesWithin returns a lower bound of the earliest time at which j may preempt k,
// or any instance of k's class with a lower base. Now it may preempt none of them.
func (f *fast) comesWithin(base Q, t *terms, j *preemptor) sim.Milliseconds {
	from := f.eligibleFrom(base, t, j)
	if j.importance < t.importance && j.q >= j.margin {
		return min(from, after(j.rank-j.margin, partsPerMillisecond)) // who is below φ goes with Q_j < φ_j
	}
	return from
}

// eligibleFrom returns a lower bound of the time at which k, of the given base, may
// first be preempted for j, its protection aside. In terms of time t,
//
//	Q_k = base + t·(1/SLO − 1),  Q_j = rank − t.
func (f *fast) eligibleFrom(base Q, t *terms, j *preemptor) sim.Milliseconds {
	crosses := after(j.rank-base, t.perRun) // Q_j < Q_k
	if base+f.gained(t) >= t.margin {
		return crosses // and Q_k ≥ φ_k, which stays
	}
	rule1 := never
	if slope := t.perRun - partsPerMillisecond; slope > 0 {
		rule1 = max(crosses, after(t.margin-base-1, slope)) // and Q_k ≥ φ_k
	}
	below := after(j.rank-j.margin, partsPerMillisecond) // Q_j < φ_j
	switch {
	case j.importance < t.importance:
		return min(rule1, below)
	case j.importance == t.importance:
		return min(rule1, max(crosses, below))
	}
	return rule1
}

// after returns the first time t, in milliseconds, with t·rate > q.
func after(q, rate Q) sim.Milliseconds {
	if q < 0 {
		return 0
	}
	return sim.Milliseconds(q/rate) + 1
}
