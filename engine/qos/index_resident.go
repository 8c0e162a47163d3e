package qos

import (
	"math"
	"slices"
	"sort"

	"berth/engine/sim"
)

// resident is the index entry of an instance on a host. From the time it is added, its value at
// time t is base + t·runs, with the rate runs of its class. The value of a new instance may differ
// during the pass in which it arrived.
type resident struct {
	base  Q
	until sim.Milliseconds // protected from preemption before this time
	tie   int64
	index uint32
	ref   Ref
}

const noBase = math.MinInt64

// noResident is the sentinel behind the end of each list.
var noResident = resident{base: noBase}

// front is the beginning of a list. Few searches read beyond it.
type front [4]resident

// resident returns the index entry of an instance that has just got a host.
func (f *fast) resident(r Ref) resident {
	k := &f.s.instances[r]
	tie, index := f.Order.Ties.of(k)
	return resident{
		base: f.value(&f.s.State, r) - f.classes[k.class].runs*Q(f.s.now), until: f.s.protectedUntil(k),
		tie: tie, index: index, ref: r,
	}
}

// goesFirst reports whether a precedes b as a victim; both are of one class.
func (a *resident) goesFirst(b *resident) bool {
	if a.base != b.base {
		return a.base > b.base
	}
	return a.tieBefore(b)
}

func (a *resident) tieBefore(b *resident) bool {
	if a.tie != b.tie {
		return a.tie < b.tie
	}
	return a.index < b.index
}

// postpone marks host h as stale if the lists are not followed, and reports whether it did. While
// every request finds room, no preemption is considered and the lists need no updates.
func (f *fast) postpone(h int) bool {
	if !f.following && !f.stale[h] {
		f.stale[h] = true
		f.outdated = append(f.outdated, h)
	}
	return !f.following
}

// syncResidents rebuilds the stale lists and follows all changes from now on.
func (f *fast) syncResidents() {
	for _, h := range f.outdated {
		lists := f.residents[h*len(f.s.constants) : (h+1)*len(f.s.constants)]
		for c := range lists {
			lists[c] = lists[c][:0]
		}
		for _, r := range f.s.hosts[h].instances {
			c := f.s.instances[r].class
			lists[c] = append(lists[c], f.resident(r))
		}
		for c := range lists {
			slices.SortFunc(lists[c], func(a, b resident) int {
				if a.goesFirst(&b) {
					return -1
				}
				return 1
			})
			f.setResidents(h*len(f.s.constants)+c, lists[c])
		}
		f.stale[h] = false
	}
	f.outdated, f.following = f.outdated[:0], true
}

func (f *fast) addResident(h int, class uint8, added resident) {
	list := f.residents[h*len(f.s.constants)+int(class)]
	at := sort.Search(len(list), func(i int) bool { return !list[i].goesFirst(&added) })
	f.setResidents(h*len(f.s.constants)+int(class), slices.Insert(list, at, added))
}

// setResidents replaces list i, the instances of one class on one host, and updates
// its front and base.
func (f *fast) setResidents(i int, list []resident) {
	f.residents[i] = list
	front := &f.fronts[i]
	for n := copy(front[:], list); n < len(front); n++ {
		front[n] = noResident
	}
	f.bases[i%len(f.s.constants)][i/len(f.s.constants)] = front[0].base
}

// at returns the instance at a position of a list, or noResident past its end.
func (f *fast) at(list, place int) *resident {
	if front := &f.fronts[list]; place < len(front) {
		return &front[place]
	}
	if all := f.residents[list]; place < len(all) {
		return &all[place]
	}
	return &noResident
}

func (f *fast) removeResident(h int, class uint8, r Ref) {
	at := h*len(f.s.constants) + int(class)
	list := f.residents[at]
	i := slices.IndexFunc(list, func(k resident) bool { return k.ref == r })
	f.setResidents(at, slices.Delete(list, i, i+1))
}

// cursor points at the first preemptible instance of a class on a host that is not
// yet a victim; resident is nil if the class has none left.
type cursor struct {
	*resident
	list, at int // number of the list and position in it
	class    int
	value    Q
	place    int
}

// victimsOn returns the instances that host h, which has no room, must preempt for j, in the order
// of literal.feasible, and f.now. If preemption cannot make room, it returns a time before which
// this cannot change unless the host changes. The slice is valid until the next call.
func (f *fast) victimsOn(h int, j *preemptor) (victims []Victim, from sim.Milliseconds) {
	f.s.rest.Copy(&f.s.hosts[h].Room)
	asks := &f.s.instances[j.ref].asks
	next := f.next
	f.found, f.kept = f.found[:0], never
	for c, bases := range f.bases {
		n := &next[c]
		n.resident, n.list, n.at = nil, h*len(next)+c, 0
		if bases[h] > j.reach[c].floor {
			f.consider(n, j)
		}
	}
	for {
		var best *cursor
		for c := range next {
			if n := &next[c]; n.resident != nil && (best == nil || f.goesBefore(n, best)) {
				best = n
			}
		}
		if best == nil {
			return nil, f.retryAt(j)
		}
		k := &f.s.instances[best.ref]
		f.s.rest.Give(&k.asks, k.token)
		f.take(best, j)
		if f.s.rest.Fits(asks) {
			return f.found, f.s.now
		}
		best.at++
		f.consider(best, j)
	}
}

// take adds the instance at the cursor to the victims and updates f.below.
func (f *fast) take(c *cursor, j *preemptor) {
	t, q := &f.s.constants[c.class], c.value
	if !f.Order.ByQ {
		q = f.s.Q(c.ref)
	}
	f.found = append(f.found, Victim{c.ref, q, t.margin, t.importance})
	against := &j.against[c.class]
	rule := against.High
	if c.value < f.classes[c.class].Mark {
		rule = against.Low
		if against.Below {
			f.below = min(f.below, j.mark)
		}
	}
	if rule == Lower {
		f.below = min(f.below, c.value)
	}
}

// consider advances the cursor to the next instance that j may preempt.
func (f *fast) consider(c *cursor, j *preemptor) {
	r := &j.reach[c.class]
	for k := f.at(c.list, c.at); k.base > r.floor; k = f.at(c.list, c.at) {
		if r.takes(k, f.s.now) {
			c.resident, c.value, c.place = k, k.base+r.gained, f.classes[c.class].place(k.base >= r.above)
			return
		}
		f.keep(k, c.class, j)
		c.at++
	}
	c.resident = nil
}

// goesBefore orders victims across classes.
func (f *fast) goesBefore(a, b *cursor) bool {
	switch {
	case a.place != b.place:
		return a.place < b.place
	case a.value != b.value:
		return a.value > b.value
	}
	return a.resident.tieBefore(b.resident)
}

// keep records the earliest time at which k, which j may not preempt now, might become preemptible.
func (f *fast) keep(k *resident, class int, j *preemptor) {
	until := f.comesWithin(k.base, class, j)
	if j.reach[class].spares {
		until = max(until, k.until)
	}
	f.kept = min(f.kept, until)
}

// retryAt returns a time after now before which the host of the cursors cannot take
// the request unless it changes: the earliest time at which any instance that j may
// not preempt now might become preemptible.
func (f *fast) retryAt(j *preemptor) sim.Milliseconds {
	if !f.ChangesWithTime() {
		return never
	}
	earliest := f.kept
	for i := range f.next {
		c := &f.next[i]
		if base := f.at(c.list, c.at).base; base != noBase {
			earliest = min(earliest, f.comesWithin(base, i, j))
		}
	}
	return max(earliest, f.s.now+1)
}
