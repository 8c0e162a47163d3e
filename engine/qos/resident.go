package qos

import (
	"slices"

	"berth/engine/cluster"
	"berth/engine/sim"
)

// resident is what the index keeps of an instance on a host. Its Q is linear
// in time, base + now·slope of its class, from the moment it was put there.
type resident struct {
	base        Q
	until       sim.Time // protected before this time
	cpu, memory cluster.Amount
	admitted    sim.Time
	index       uint32
	tie         uint32
	ref         Ref
}

// resident returns the entry for an instance that has just got a host.
func (f *fast) resident(r Ref) resident {
	k := &f.instances[r]
	t := &f.terms[k.class]
	return resident{
		base:  Q(k.run-k.unspent-k.ready)*t.perRun + timeToQ(k.admitted) - f.alpha,
		until: f.protectedUntil(k), cpu: k.cpu, memory: k.memory,
		admitted: k.admitted, index: k.index, tie: k.tie, ref: r,
	}
}

// protectedUntil returns the first time at which Σα ≤ limit·(run + Σα).
func (f *fast) protectedUntil(k *instance) sim.Time {
	if f.noLimit || k.overheads == 0 {
		return 0
	}
	limit := f.terms[k.class].limit
	if limit == 0 {
		return never
	}
	need := (k.overheads*limitUnit+limit-1)/limit - k.overheads
	if k.run >= need {
		return 0
	}
	return k.ready + need - k.run
}

// first says whether a goes before b as a victim, both of one class.
func (f *fast) first(a, b *resident) bool {
	if !f.mode.byQ {
		if a.admitted != b.admitted {
			return a.admitted > b.admitted
		}
		return a.index > b.index
	}
	if a.base != b.base {
		return a.base > b.base
	}
	if a.tie != b.tie {
		return a.tie < b.tie
	}
	return a.index < b.index
}

func (f *fast) addResident(h int, class uint8, added resident) {
	list := f.residents[h*len(f.terms)+int(class)]
	low, high := 0, len(list)
	for low < high {
		if middle := (low + high) / 2; f.first(&list[middle], &added) {
			low = middle + 1
		} else {
			high = middle
		}
	}
	f.residents[h*len(f.terms)+int(class)] = slices.Insert(list, low, added)
}

func (f *fast) removeResident(h int, class uint8, r Ref) {
	list := &f.residents[h*len(f.terms)+int(class)]
	i := slices.IndexFunc(*list, func(k resident) bool { return k.ref == r })
	*list = slices.Delete(*list, i, i+1)
}

// asker is a request that looks for a host, with what the comparisons need.
type asker struct {
	ref         Ref
	q, margin   Q
	rank        Q // Q + now, at its least: that of a new request falls after its first pass
	importance  int
	cpu, memory cluster.Amount
}

// victims returns the instances that have to leave host h, which has no room,
// in order, as literal.feasible does. The slice is valid until the next call.
func (f *fast) victimsOn(h int, j *asker) (victims []Ref, ok bool) {
	if f.freshOn[h] == f.result.Passes {
		return f.reference.feasible(f.mode, j.ref, h)
	}
	host := &f.hosts[h]
	cpu := host.usedCPU + j.cpu - host.cpu
	memory := host.usedMemory + j.memory - host.memory
	classes := len(f.terms)
	lists := f.residents[h*classes : (h+1)*classes]
	next := f.next
	for c := range lists {
		next[c].at = -1
		f.advance(&next[c], lists[c], j)
	}
	f.found = f.found[:0]
	for cpu > 0 || memory > 0 {
		var best *candidate
		for c := range next {
			if n := &next[c]; n.resident != nil && (best == nil || f.goesBefore(n, best)) {
				best = n
			}
		}
		if best == nil {
			return nil, false
		}
		cpu -= best.cpu
		memory -= best.memory
		f.found = append(f.found, best.ref)
		f.advance(best, lists[best.class], j)
	}
	return f.found, true
}

// candidate is the first of a class on a host that may be preempted and has not
// been chosen yet; resident is nil if there is none.
type candidate struct {
	*resident
	at         int // in the list
	class      int
	importance int
	q          Q
	above      bool
}

// advance moves to the next instance of the list that may be preempted.
func (f *fast) advance(c *candidate, list []resident, j *asker) {
	c.resident = nil
	t := &f.terms[c.class]
	more := j.importance < t.importance
	if !f.mode.byQ && !more {
		return
	}
	gained := Q(f.now) * (t.perRun - partsPerMillisecond)
	for c.at++; c.at < len(list); c.at++ {
		k := &list[c.at]
		if !f.mode.byQ {
			c.resident, c.q, c.above = k, 0, false
			return
		}
		c.q = k.base + gained
		c.above = c.q >= t.margin
		if j.q >= c.q && (!more || j.q >= j.margin) {
			return // the ones behind it have no higher Q
		}
		if f.eligible(k, t, j) {
			c.resident = k
			return
		}
	}
}

// goesBefore is the order of victims across classes.
func (f *fast) goesBefore(a, b *candidate) bool {
	switch {
	case a.above != b.above:
		return a.above
	case !a.above && a.importance != b.importance:
		return a.importance > b.importance
	case a.q != b.q:
		return a.q > b.q
	case !f.mode.byQ:
		return f.first(a.resident, b.resident)
	}
	return f.TieBefore(a.ref, b.ref)
}

// retryAt returns a time, after now, before which host h, which cannot take the
// request now, cannot take it unless it changes: the earliest at which any
// instance that may not be preempted now could be.
func (f *fast) retryAt(h int, j *asker) sim.Time {
	if !f.mode.byQ || f.barred(h, j) {
		return never
	}
	if f.freshOn[h] == f.result.Passes {
		return f.now + 1
	}
	earliest := never
	for c := range f.terms {
		t := &f.terms[c]
		for i := range f.residents[h*len(f.terms)+c] {
			k := &f.residents[h*len(f.terms)+c][i]
			if f.eligible(k, t, j) {
				continue
			}
			from := f.eligibleFrom(k, t, j)
			if j.importance < t.importance {
				earliest = min(earliest, from)
				continue // one behind it may be below its margin, and come sooner
			}
			earliest = min(earliest, max(k.until, from))
			if f.now >= k.until {
				break // the ones behind it come later
			}
		}
	}
	return max(earliest, f.now+1)
}

// eligible says whether k may be preempted for j now (see mayPreemptByQ).
func (f *fast) eligible(k *resident, t *terms, j *asker) bool {
	more := j.importance < t.importance
	if !more && f.now < k.until {
		return false
	}
	q := k.base + Q(f.now)*(t.perRun-partsPerMillisecond)
	if q >= t.margin {
		return j.q < q
	}
	return j.q < j.margin && (more || j.importance == t.importance && j.q < q)
}

// eligibleFrom returns a lower bound of the time from which k may be preempted
// for j, its protection aside.
// In terms of time t,
//
//	Q_k = base + t·(1/SLO − 1),  Q_j = rank − t.
func (f *fast) eligibleFrom(k *resident, t *terms, j *asker) sim.Time {
	crosses := after(j.rank-k.base, t.perRun) // Q_j < Q_k
	slope := t.perRun - partsPerMillisecond
	if k.base+Q(f.now)*slope >= t.margin {
		return crosses // and Q_k ≥ φ_k, which stays
	}
	rule1 := never
	if slope > 0 {
		rule1 = max(crosses, after(t.margin-k.base-1, slope)) // and Q_k ≥ φ_k
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
func after(q, rate Q) sim.Time {
	if q < 0 {
		return 0
	}
	return sim.Time(q/rate) + 1
}
