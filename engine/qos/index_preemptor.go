package qos

import (
	"math"

	"berth/engine/sim"
)

// preemptor is a request that looks for a host, with the precomputed data that
// comparisons with instances need.
type preemptor struct {
	ref         Ref
	value       Q // current value; 0 if the queue is not ordered by value, because no rule compares it then
	rank        Q // see entry; for a new request the lowest possible rank, because its value may fall after its first pass
	mark, waits Q // mark and rate of change while waiting, of its class
	importance  int
	against     []Against // rules by class of the instance
	reach       []reach   // preemptible bases by class of the instance
}

// preemptorOf precomputes the comparisons of a request. The result is valid until the
// next call.
func (f *fast) preemptorOf(r Ref) preemptor {
	k := &f.s.instances[r]
	c := &f.classes[k.class]
	j := preemptor{
		ref: r, mark: c.Mark, waits: c.waits, importance: f.s.constants[k.class].importance,
		against: f.against[k.class], reach: f.reaching,
	}
	if f.Order.ByValue {
		j.value = f.value(&f.s.State, r)
		least := j.value
		if k.fresh {
			k.fresh = false
			least = min(least, f.value(&f.s.State, r))
			k.fresh = true
		}
		j.rank = least - f.aged(k.class)
	}
	for c := range j.reach {
		j.reach[c] = f.reach(&j, c)
	}
	return j
}

// reach is the set of instances of a class that a request may preempt now, by their
// bases: every base above floor, except bases from above up to equal.
type reach struct {
	floor  Q
	above  Q    // lowest base with a high value
	equal  Q    // base at which the value equals the request's
	gained Q    // current value minus base
	spares bool // protected instances are excluded
}

// reach computes the reach of request j in class c.
func (f *fast) reach(j *preemptor, c int) reach {
	k, against := &f.classes[c], &j.against[c]
	gained := k.runs * Q(f.s.now)
	r := reach{
		above: k.Mark - gained, equal: noBase, gained: gained,
		spares: f.Order.Protects && j.importance >= f.s.constants[c].importance,
	}
	own := j.value - gained
	switch against.High {
	case Lower:
		r.equal = own
	case Never:
		r.equal = math.MaxInt64
	}
	r.floor = max(r.equal, r.above-1)
	switch low := against.Low; {
	case low == Never, against.Below && j.value >= j.mark:
	case low == Lower:
		r.floor = min(r.floor, own)
	default:
		r.floor = noBase
	}
	return r
}

// takes reports whether the request may preempt k, whose base is above floor.
func (r *reach) takes(k *resident, now sim.Milliseconds) bool {
	return (k.base > r.equal || k.base < r.above) && (!r.spares || now >= k.until)
}

// reaches reports whether j may preempt any instance on host h, ignoring protection.
func (f *fast) reaches(h int, j *preemptor) bool {
	for c := range f.bases {
		if f.bases[c][h] > j.reach[c].floor {
			return true
		}
	}
	return false
}

// reached returns a bitmap of the hosts that j reaches, ignoring protection, or with
// rooms of the hosts that can take it. It is valid until the next call.
func (f *fast) reached(j *preemptor) []uint64 {
	clear(f.reachable)
	if f.rooms != nil {
		f.rooms.possible(j.ref, j.value, f.rooms.beyond, f.reachable)
		return f.reachable
	}
	for c, bases := range f.bases {
		floor := j.reach[c].floor
		for i := range f.reachable {
			word := uint64(0)
			for _, base := range bases[i*64:][:64] {
				above := uint64(0) // branch-free: the outcome is unpredictable
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

// nearest returns the largest base of a class that is not above the floor, or noBase.
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

// comesWithin returns a lower bound, in ms, of the earliest time at which j may
// preempt an instance k of a class with the given base, or any instance of the class
// with a lower base. It ignores protection. At present j may preempt none of them.
// With time t,
//
//	value of k = base + t·runs,  value of j = rank + t·waits.
func (f *fast) comesWithin(base Q, class int, j *preemptor) sim.Milliseconds {
	k, against := &f.classes[class], &j.against[class]
	crosses := first(base-j.rank, k.runs-j.waits, f.s.now)
	high := first(base-k.Mark+1, k.runs, f.s.now)
	stays := high <= f.s.now && k.runs >= 0
	switch against.High {
	case Lower:
		high = max(high, crosses)
	case Never:
		high = never
	}
	low := sim.Milliseconds(0)
	if against.Below {
		low = first(j.mark-j.rank, -j.waits, f.s.now)
	}
	switch {
	case against.Low == Lower:
		low = max(low, crosses)
	case against.Low == Never, stays && (!against.Below || j.value < j.mark):
		low = never // no value is or becomes low, because j could preempt an instance with a low value now
	}
	return min(high, low)
}
