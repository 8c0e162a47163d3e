package qos

import (
	"math"
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

// nobody is the base of the front of an empty list.
const nobody = math.MinInt64

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

// postpone says whether a change on a host need not be followed now: while
// nobody waits in vain, nobody asks who could be preempted.
func (f *fast) postpone(h int) bool {
	if !f.following && !f.stale[h] {
		f.stale[h] = true
		f.outdated = append(f.outdated, h)
	}
	return !f.following
}

// settle brings the lists up to date whose changes were postponed.
func (f *fast) settle() {
	for _, h := range f.outdated {
		lists := f.residents[h*len(f.terms) : (h+1)*len(f.terms)]
		for c := range lists {
			lists[c] = lists[c][:0]
		}
		for _, r := range f.hosts[h].instances {
			c := f.instances[r].class
			lists[c] = append(lists[c], f.resident(r))
		}
		for c := range lists {
			f.sortResidents(h*len(f.terms) + c)
		}
		f.stale[h] = false
	}
	f.outdated, f.following = f.outdated[:0], true
}

// sortResidents puts a list in order.
func (f *fast) sortResidents(i int) {
	list := f.residents[i]
	slices.SortFunc(list, func(a, b resident) int {
		if f.first(&a, &b) {
			return -1
		}
		return 1
	})
	f.setResidents(i, list)
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
	f.setResidents(h*len(f.terms)+int(class), slices.Insert(list, low, added))
}

// setResidents replaces the list of a class on a host.
func (f *fast) setResidents(i int, list []resident) {
	f.residents[i] = list
	if len(list) == 0 {
		f.fronts[i] = resident{base: nobody}
	} else {
		f.fronts[i] = list[0]
	}
	f.bases[i] = f.fronts[i].base
}

func (f *fast) removeResident(h int, class uint8, r Ref) {
	at := h*len(f.terms) + int(class)
	list := f.residents[at]
	i := slices.IndexFunc(list, func(k resident) bool { return k.ref == r })
	f.setResidents(at, slices.Delete(list, i, i+1))
}

// asker is a request that looks for a host, with what the comparisons need.
type asker struct {
	ref         Ref
	q, margin   Q
	rank        Q // Q + now, at its least: that of a new request falls after its first pass
	importance  int
	cpu, memory cluster.Amount
	reach       []Q // by class, see fast.reach; valid until another one asks
}

// victims returns the instances that have to leave host h, which has no room,
// in order, as literal.feasible does. The slice is valid until the next call.
func (f *fast) victimsOn(h int, j *asker) (victims []Victim, ok bool) {
	if f.freshOn[h] == f.result.Passes {
		return f.reference.feasible(f.mode, j.ref, h)
	}
	host := &f.hosts[h]
	cpu := host.usedCPU + j.cpu - host.cpu
	memory := host.usedMemory + j.memory - host.memory
	classes := len(f.terms)
	next := f.next
	for c := range next {
		front := h*classes + c
		next[c].resident, next[c].list, next[c].at = nil, front, -1
		if f.bases[front] > j.reach[c] {
			f.advance(&next[c], j)
		}
	}
	for f.found = f.found[:0]; ; {
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
		f.found = append(f.found, Victim{best.ref, best.q, f.terms[best.class].margin, best.importance})
		if cpu <= 0 && memory <= 0 {
			return f.found, true
		}
		f.advance(best, j)
	}
}

// reach returns the base above which j may preempt somebody in a list of class
// c if the first of it has that base, their protection aside.
func (f *fast) reach(j *asker, c int) Q {
	t := &f.terms[c]
	more := j.importance < t.importance
	switch {
	case more && (!f.mode.byQ || j.q < j.margin):
		return nobody
	case !f.mode.byQ:
		return math.MaxInt64
	}
	return j.q - Q(f.now)*(t.perRun-partsPerMillisecond)
}

// reaches says whether j may preempt anybody on host h at all. Of an instance
// put there in this pass the base does not tell.
func (f *fast) reaches(h int, j *asker) bool {
	n := len(j.reach)
	for c, base := range f.bases[h*n : (h+1)*n] {
		if base > j.reach[c] {
			return true
		}
	}
	return f.freshOn[h] == f.result.Passes
}

// candidate is the first of a class on a host that may be preempted and has not
// been chosen yet; resident is nil if there is none.
type candidate struct {
	*resident
	list, at   int // its number, and the place in it
	class      int
	importance int
	q          Q
	above      bool
}

// advance moves to the next instance of the list that may be preempted.
func (f *fast) advance(c *candidate, j *asker) {
	c.resident = nil
	t := &f.terms[c.class]
	more := j.importance < t.importance
	if !f.mode.byQ && !more {
		return
	}
	gained := Q(f.now) * (t.perRun - partsPerMillisecond)
	for {
		c.at++
		k := &f.fronts[c.list]
		if c.at > 0 || k.base == nobody {
			list := f.residents[c.list]
			if c.at >= len(list) {
				return
			}
			k = &list[c.at]
		}
		c.q = k.base + gained
		c.above = f.mode.byQ && c.q >= t.margin
		if f.mode.byQ && j.q >= c.q && (!more || j.q >= j.margin) {
			return // the ones behind it have no higher Q
		}
		if !f.mode.byQ || f.eligible(k, t, j) {
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
	case !f.mode.byQ:
		return f.first(a.resident, b.resident)
	case a.q != b.q:
		return a.q > b.q
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
		earliest = min(earliest, f.retryClassAt(h, c, j))
	}
	return max(earliest, f.now+1)
}

// retryClassAt does so for the instances of one class.
func (f *fast) retryClassAt(h, c int, j *asker) sim.Time {
	t, earliest := &f.terms[c], never
	list := f.residents[h*len(f.terms)+c]
	for i := range list {
		k := &list[i]
		if f.eligible(k, t, j) {
			continue
		}
		if j.importance < t.importance || f.now >= k.until {
			return min(earliest, f.comesWithin(k.base, t, j))
		}
		earliest = min(earliest, max(k.until, f.comesWithin(k.base, t, j)))
	}
	return earliest
}

// comesWithin returns a time before which j may preempt neither k, of the given
// base, which it may not now, nor anybody of its class with a lower base.
func (f *fast) comesWithin(base Q, t *terms, j *asker) sim.Time {
	from := f.eligibleFrom(base, t, j)
	if j.importance < t.importance && j.q >= j.margin {
		return min(from, after(j.rank-j.margin, partsPerMillisecond)) // who is below φ goes with Q_j < φ_j
	}
	return from
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

// eligibleFrom returns a lower bound of the time from which k, of the given
// base, may be preempted for j, its protection aside.
// In terms of time t,
//
//	Q_k = base + t·(1/SLO − 1),  Q_j = rank − t.
func (f *fast) eligibleFrom(base Q, t *terms, j *asker) sim.Time {
	crosses := after(j.rank-base, t.perRun) // Q_j < Q_k
	slope := t.perRun - partsPerMillisecond
	if base+Q(f.now)*slope >= t.margin {
		return crosses // and Q_k ≥ φ_k, which stays
	}
	rule1 := never
	if slope > 0 {
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
func after(q, rate Q) sim.Time {
	if q < 0 {
		return 0
	}
	return sim.Time(q/rate) + 1
}
