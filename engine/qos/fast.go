package qos

import (
	"math"
	"slices"

	"berth/engine/cluster"
	"berth/engine/sim"
)

// fast makes the same decisions as the literal scheduler without checking every host for every
// request:
//
//   - A segment tree finds the best host with room.
//   - Waiting requests with the same demand form a group. Once the first request of a group
//     has failed in a pass, the others are not tried: their value is no lower.
//   - A group remembers for each host the earliest time at which the host might take
//     its first request (thesis 7.1.6). It checks the host again only at that time or
//     after the host has changed.
//   - The instances on a host are sorted by value. Time does not change their order
//     within a class.
//
// A preemption can also make room for a group that has already failed in this pass, but only if the
// group may not preempt one of the victims itself, or if its anti-affinity excluded the host
// because of a victim. The scheduler tries such groups again on that host.
//
// With H hosts, C classes and n instances on a host, the search for room takes O(log H) if the best
// hosts have any. Deriving the preemptible instances of a request takes O(C), the bitmap of hosts
// with such instances O(H·C) without branches, and the victims on one host O(C + n). Between two
// passes a group checks only the hosts that have changed.
type fast struct {
	s        *system // the system whose requests it schedules
	*ordered         // the policy of the current pass
	modes    []*ordered

	// index holds the free resources and the score of each host that is up. It covers the log
	// entries before number indexed.
	index   *cluster.Index
	atRank  []int32   // hosts by rank; index positions are ranks
	scores  []float64 // by host
	indexed int64

	// log lists the changed hosts in order of their changes. Facts stored about a host are valid
	// while its changedIn is unchanged. Entries before number logStart have been dropped; a group
	// that has not read them must check all hosts.
	log       []int32
	logStart  int64   // number of the first remaining entry
	changedIn []int64 // by host: number of its latest entry

	// residents lists the instances by host and class, in the order of
	// resident.goesFirst. While following is set, all lists are up to date; otherwise
	// the lists of the hosts in outdated are stale.
	residents [][]resident
	fronts    []front // copies of each list's first entries in contiguous memory, because the lists are scattered
	bases     [][]Q   // base of each list's first entry by class and host, padded to whole words of reachable
	following bool
	stale     []bool // by host
	outdated  []int  // the stale hosts

	// groups hold each waiting request exactly once, except new requests before their first pass
	// and the requests in displaced, which join a group at the end of the pass. Between passes no
	// group is empty.
	groups map[groupKey]*group
	list   []*group
	spare  []*group // empty groups for reuse

	passing       bool
	displaced     []Ref             // requests that lost their host in this pass
	order         heap[turn, *turn] // groups still to be tried in this pass, ordered by their first requests
	unschedulable []*group          // groups whose first request has failed in this pass
	again         []*group          // scratch memory

	sameMargins bool // all classes have the same margin; if not, a group checks all hosts for each request

	// State of the current dry run:
	next  []cursor // by class
	found []Victim
	below Q                // a request of the same class with a value below this may preempt all of found
	kept  sim.Milliseconds // earliest time at which one of the instances skipped so far might become preemptible

	reaching  []reach  // by class: see preemptorOf
	reachable []uint64 // see reached: one bit per host

	// rooms, if operations are counted otherwise, finds the hosts that can take a request, so that a
	// group needs no dry run of others. It keeps no backoffs.
	rooms *rooms
}

func newFast(s *system) *fast {
	f := &fast{
		s:     s,
		index: cluster.NewIndex(len(s.hosts)), atRank: make([]int32, len(s.hosts)),
		residents: make([][]resident, len(s.hosts)*len(s.constants)),
		fronts:    make([]front, len(s.hosts)*len(s.constants)),
		bases:     make([][]Q, len(s.constants)),
		reaching:  make([]reach, len(s.constants)), reachable: newBits(len(s.hosts)),
		stale:     make([]bool, len(s.hosts)),
		scores:    make([]float64, len(s.hosts)),
		changedIn: make([]int64, len(s.hosts)),
		groups:    map[groupKey]*group{}, next: make([]cursor, len(s.constants)),
	}
	for p := &s.config.Policy; p != nil; p = p.other {
		f.modes = append(f.modes, p.ordered(s.config.Classes))
	}
	f.ordered = f.modes[0]
	f.sameMargins = true
	for c, t := range f.s.constants {
		f.sameMargins = f.sameMargins && t.margin == f.s.constants[0].margin
		f.next[c].class = c
		f.bases[c] = slices.Repeat([]Q{noBase}, 64*len(f.reachable))
	}
	if s.config.Counted {
		f.rooms = newRooms(s)
	}
	for h := range s.hosts {
		f.atRank[s.hosts[h].rank] = int32(h)
		f.changed(h)
	}
	for i := range f.fronts {
		f.setResidents(i, nil)
	}
	return f
}

// reindex updates the index with the hosts that have changed since its last call.
func (f *fast) reindex() {
	for ; f.indexed < f.logEnd(); f.indexed++ {
		h := f.log[f.indexed-f.logStart]
		if f.changedIn[h] != f.indexed {
			continue // it changed again later
		}
		if host := &f.s.hosts[h]; host.up {
			f.index.Set(int(host.rank), host.Free.CPU, host.Free.Memory, f.scores[h])
		} else {
			f.index.Remove(int(host.rank))
		}
	}
}

// changed records a change of host h, which invalidates all facts stored about it.
func (f *fast) changed(h int) {
	if f.rooms != nil {
		f.rooms.changed(h)
	}
	f.scores[h] = f.s.Score(h)
	f.changedIn[h] = f.logEnd()
	f.log = append(f.log, int32(h))
	if keep := len(f.s.hosts); len(f.log) > 4*keep+1024 {
		f.reindex()
		drop := len(f.log) - keep
		f.log = append(f.log[:0], f.log[drop:]...)
		f.logStart += int64(drop)
	}
}

func (f *fast) started(r Ref) {
	k := &f.s.instances[r]
	if f.rooms != nil {
		f.rooms.started(r, int(k.host))
	}
	if !f.postpone(int(k.host)) {
		f.addResident(int(k.host), k.class, f.resident(r))
	}
	f.changed(int(k.host))
}

func (f *fast) stopped(r Ref, h int) {
	if f.rooms != nil {
		f.rooms.stopped(r, h)
	}
	if !f.postpone(h) {
		f.removeResident(h, f.s.instances[r].class, r)
	}
	f.changed(h)
}

func (f *fast) hostChanged(h int) { f.changed(h) }

func (f *fast) enqueue(r Ref) {
	switch {
	case f.passing:
		f.displaced = append(f.displaced, r)
	case !f.s.instances[r].fresh:
		f.group(r).queue.push(f.entry(r))
	}
}

func (f *fast) entry(r Ref) entry {
	k := &f.s.instances[r]
	e := entry{admitted: k.admitted, index: k.index, ref: r}
	if f.Order.ByValue {
		e.rank = f.value(&f.s.State, r) - f.aged(k.class)
	}
	return e
}

// aged returns the total change in value that time has caused for waiting requests of a class.
func (f *fast) aged(class uint8) Q {
	if !f.Order.ByValue {
		return 0
	}
	return f.classes[class].waits * Q(f.s.now)
}

// group returns the group of a request, creating it if necessary.
func (f *fast) group(r Ref) *group {
	key := keyOf(&f.s.instances[r])
	g := f.groups[key]
	if g == nil {
		if n := len(f.spare); n > 0 {
			g, f.spare = f.spare[n-1], f.spare[:n-1]
			*g = group{queue: g.queue[:0], fresh: g.fresh[:0], passed: g.passed[:0], refusals: g.refusals[:0], candidates: g.candidates[:0], costs: g.costs[:0], candidatesIn: -1}
		} else {
			g = &group{candidatesIn: -1}
		}
		g.key, g.place = key, len(f.list)
		f.groups[key] = g
		f.list = append(f.list, g)
	}
	return g
}

// drop removes an empty group and keeps its memory for reuse.
func (f *fast) drop(g *group) {
	last := f.list[len(f.list)-1]
	f.list[g.place], last.place = last, g.place
	f.list = f.list[:len(f.list)-1]
	delete(f.groups, g.key)
	f.spare = append(f.spare, g)
}

func (f *fast) pass() {
	f.setMode(f.s.config.Policy.at(f.s.waiting()))
	f.passing = true
	if f.rooms != nil {
		f.rooms.begin(f.Policy)
	}
	for _, r := range f.s.freshList[f.placeAtOnce():] {
		g := f.group(r)
		g.fresh.push(f.entry(r))
	}
	f.start()
	for len(f.order) > 0 {
		f.scheduleFirst(f.order[0].group)
	}
	f.end()
}

// placeAtOnce handles the common case that needs no groups: all waiting requests are new, in order
// and of one class, and there is room for them. It stops at the first request without room and
// returns the number of requests that got a host.
func (f *fast) placeAtOnce() int {
	if len(f.list) > 0 {
		return 0
	}
	for i := 1; i < len(f.s.freshList); i++ {
		before, e := f.entry(f.s.freshList[i-1]), f.entry(f.s.freshList[i])
		if f.s.instances[e.ref].class != f.s.instances[before.ref].class || e.before(&before) {
			return 0
		}
	}
	for i, j := range f.s.freshList {
		h := f.room(j)
		if h < 0 {
			return i
		}
		f.s.allocate(j, &choice{host: h, feasible: -1})
	}
	return len(f.s.freshList)
}

// start collects the groups that might find a host in this pass, ordered by their
// first requests.
func (f *fast) start() {
	f.order, f.unschedulable = f.order[:0], f.unschedulable[:0]
	for _, g := range f.list {
		g.level, g.aged = f.classes[g.key.class].Level, f.aged(g.key.class)
		g.unschedulable = !f.mayProceed(g)
		if g.unschedulable {
			f.unschedulable = append(f.unschedulable, g)
		} else {
			f.order = append(f.order, turn{g})
		}
	}
	f.order.build()
}

// mayProceed reports whether the first request of a group might find a host in this
// pass.
func (f *fast) mayProceed(g *group) bool {
	if len(g.refusals) == 0 || g.seen < f.logStart {
		return true
	}
	j := f.preemptorOf(g.head().ref)
	if !f.lasts(&g.backoff, j.rank) {
		return true
	}
	for ; g.seen < f.logEnd(); g.seen++ {
		h := int(f.log[g.seen-f.logStart])
		if f.changedIn[h] != g.seen {
			continue // it changed again later
		}
		_, from := f.dryRun(h, &j)
		if from <= f.s.now {
			return true
		}
		g.backoff = g.backoff.and(f.refuse(g, h, from, &j))
	}
	return false
}

// refuse records that host h, which cannot take the request now, cannot take it before the given
// time unless the host changes. For a fresh request the time may be now instead of the next
// millisecond. Its value may fall after its first pass, and another pass may follow at the same
// time: if an instance of a StatefulSet runs at once, its controller submits the next one.
func (f *fast) refuse(g *group, h int, from sim.Milliseconds, j *preemptor) backoff {
	if from == f.s.now+1 && f.s.instances[j.ref].fresh {
		from = f.s.now
	}
	s := backoff{Q(from) * f.slow, j.rank}
	g.refusals[h] = refusal{s, f.changedIn[h]}
	return s
}

func (f *fast) logEnd() int64 { return f.logStart + int64(len(f.log)) }

// barred reports whether host h cannot take a request even if all its instances leave, until the
// host changes.
func (f *fast) barred(h int, j *preemptor) bool {
	k, host := &f.s.instances[j.ref], &f.s.hosts[h]
	return !host.up || !k.asks.Within(&host.All) || !f.s.meetsConstraints(k, h)
}

// dryRun returns the instances that host h must preempt to take a request now, with
// from = f.now. If the host cannot take it, from is a later time before which the
// host cannot take it unless the host changes.
func (f *fast) dryRun(h int, j *preemptor) (victims []Victim, from sim.Milliseconds) {
	f.below = math.MaxInt64
	if f.barred(h, j) {
		return nil, never
	}
	if f.s.hosts[h].Fits(&f.s.instances[j.ref].asks) {
		return nil, f.s.now
	}
	return f.victimsOn(h, j)
}

// scheduleFirst tries the first request of group g, which is first in the order.
func (f *fast) scheduleFirst(g *group) {
	j := g.head().ref
	c, ok := f.choose(g, j)
	if !ok {
		g.unschedulable = true
		f.unschedulable = append(f.unschedulable, g)
		f.order.drop()
		return
	}
	taken := g.pop()
	if g.empty() {
		f.order.drop()
	} else {
		f.order.sink(0)
	}
	again := f.outOfReach(c.victims)
	f.s.allocate(j, &c)
	f.resume(again, c.host, g, &taken)
}

// end returns all waiting requests to the queues of their groups for the next pass.
func (f *fast) end() {
	f.passing = false
	f.s.settleFresh()
	f.settleArrived()
	for i := len(f.list) - 1; i >= 0; i-- {
		g := f.list[i]
		for _, e := range g.passed {
			g.queue.push(f.entry(e.ref))
		}
		for _, e := range g.fresh {
			g.queue.push(f.entry(e.ref))
		}
		g.passed, g.fresh, g.unschedulable = g.passed[:0], g.fresh[:0], false
	}
	for _, r := range f.displaced {
		f.group(r).queue.push(f.entry(r))
	}
	f.displaced = f.displaced[:0]
	for i := len(f.list) - 1; i >= 0; i-- {
		if f.list[i].empty() {
			f.drop(f.list[i])
		}
	}
	f.following = f.following && len(f.list) > 0
}

// settleArrived re-sorts among the residents the new requests that got a host in this pass, because
// their Q was 0 until now.
func (f *fast) settleArrived() {
	if !f.following {
		return
	}
	for _, r := range f.s.freshList {
		if k := &f.s.instances[r]; k.host != nowhere {
			f.removeResident(int(k.host), k.class, r)
			f.addResident(int(k.host), k.class, f.resident(r))
			f.changed(int(k.host))
		}
	}
}

// setMode switches to policy p and, if another policy was in use, re-sorts all queues.
func (f *fast) setMode(p *Policy) {
	if p == f.Policy {
		return
	}
	f.ordered = f.modes[slices.IndexFunc(f.modes, func(o *ordered) bool { return o.Policy == p })]
	f.following = false
	for h := range f.s.hosts {
		f.postpone(h)
	}
	for _, g := range f.list {
		old := g.queue
		g.queue, g.refusals = nil, g.refusals[:0]
		for _, e := range old {
			g.queue.push(f.entry(e.ref))
		}
	}
}
