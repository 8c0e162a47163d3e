package qos

import (
	"math"
	"slices"

	"berth/engine/cluster"
	"berth/engine/sim"
)

// fast makes the decisions of the literal scheduler without looking at every
// host for every request:
//
//   - a host with room is found in a segment tree, or among the next best of a
//     search for the same a moment ago;
//   - requests that ask for the same wait in one group, and once the first of
//     them has failed in a pass the others are not tried: their value is no lower;
//   - a group remembers from which time each host might take its first request
//     (thesis 7.1.6), and looks again only then or when the host has changed;
//   - the instances on a host are sorted by value, an order that time does not
//     change within a class.
//
// A decision that preempts can make room for a group that has failed already:
// only if a victim was out of that group's reach, or kept its anti-affinity.
// Such groups are looked at again on that host.
//
// With H hosts, C classes and n instances on a host, a search for room takes
// O(log H) where the best hosts have any; who may be preempted is worked out once
// for each preemptor, O(C); a bitmap of the hosts in its reach takes O(H·C) without
// branches; the victims on one of them take O(C + n). Between two passes of a
// group only hosts that have changed are looked at again.
type fast struct {
	*system
	*ordered // the policy of the pass under way
	modes    []*ordered

	// index knows what is free on each host that is up and its score, as of the
	// first indexed entries of the log.
	index   *cluster.Index
	atRank  []int32   // hosts by rank, which is their number in the index
	scores  []float64 // by host
	indexed int64

	short shortlist

	// log has the hosts in the order in which they changed. What is remembered of
	// a host holds as long as changedIn is what it was. Entries before logStart are
	// forgotten; who has not seen them looks at all hosts.
	log       []int32
	logStart  int64   // the number of the first entry
	changedIn []int64 // by host: the number of its last entry

	// residents are the instances on each host by class, in the order of first,
	// while following; otherwise the lists of the outdated hosts are stale.
	residents [][]resident
	fronts    []front // of each list, since the lists are scattered in memory
	bases     [][]Q   // of the first of these, by class and host, for whole words of reachable
	following bool
	stale     []bool // by host
	outdated  []int  // the hosts that are stale

	// groups have every waiting request once, except those that wait in fresh,
	// displaced or arrived for the end of the pass. None is empty between passes.
	groups map[groupKey]*group
	list   []*group
	spare  []*group // empty ones, to be used again
	length int      // of the queue: all that wait

	fresh         []Ref // admitted since the last pass
	passing       bool
	displaced     []Ref             // lost their host in this pass
	arrived       []Ref             // fresh ones that got a host in this pass
	order         heap[turn, *turn] // the groups whose first request is to be tried, by it
	unschedulable []*group          // those whose first request has failed in this pass

	sameMargins bool // of all classes; otherwise a group looks at all hosts for each request

	// Of the dry run under way:
	next    []cursor // by class
	found   []Victim
	devices cluster.Devices  // of a host that they leave
	below   Q                // a request of the same class with a lower value may preempt all of found
	kept    sim.Milliseconds // until when at least those are that came up but may not be preempted

	reaching  []reach  // by class: see preemptorOf
	reachable []uint64 // see reached
}

func newFast(s *system) *fast {
	f := &fast{
		system: s,
		index:  cluster.NewIndex(len(s.hosts)), atRank: make([]int32, len(s.hosts)),
		residents: make([][]resident, len(s.hosts)*len(s.constants)),
		fronts:    make([]front, len(s.hosts)*len(s.constants)),
		bases:     make([][]Q, len(s.constants)),
		reaching:  make([]reach, len(s.constants)), reachable: make([]uint64, (len(s.hosts)+63)/64),
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
	for c, t := range f.constants {
		f.sameMargins = f.sameMargins && t.margin == f.constants[0].margin
		f.next[c].class = c
		f.bases[c] = slices.Repeat([]Q{noBase}, 64*len(f.reachable))
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

// reindex tells the index what is free on the hosts that have changed since it
// was asked last.
func (f *fast) reindex() {
	for ; f.indexed < f.logEnd(); f.indexed++ {
		h := f.log[f.indexed-f.logStart]
		if f.changedIn[h] != f.indexed {
			continue // it changed again later
		}
		if host := &f.hosts[h]; host.up {
			f.index.Set(int(host.rank), host.cpu-host.usedCPU, host.memory-host.usedMemory, f.scores[h])
		} else {
			f.index.Remove(int(host.rank))
		}
	}
}

// changed notes that what was known about a host is out of date.
func (f *fast) changed(h int) {
	f.scores[h] = f.score(h)
	f.changedIn[h] = f.logEnd()
	f.log = append(f.log, int32(h))
	if keep := len(f.hosts); len(f.log) > 4*keep+1024 {
		f.reindex()
		drop := len(f.log) - keep
		f.log = append(f.log[:0], f.log[drop:]...)
		f.logStart += int64(drop)
	}
}

func (f *fast) started(r Ref) {
	k := &f.instances[r]
	if !f.postpone(int(k.host)) {
		f.addResident(int(k.host), k.class, f.resident(r))
	}
	if k.fresh {
		f.arrived = append(f.arrived, r)
	}
	f.changed(int(k.host))
}

func (f *fast) stopped(r Ref, h int) {
	if !f.postpone(h) {
		f.removeResident(h, f.instances[r].class, r)
	}
	f.changed(h)
}

func (f *fast) hostChanged(h int) { f.changed(h) }
func (f *fast) queueLength() int  { return f.length }

func (f *fast) waiting() []Ref {
	all := slices.Clone(f.fresh)
	for _, g := range f.list {
		for _, e := range g.queue {
			all = append(all, e.ref)
		}
	}
	return all
}

func (f *fast) enqueue(r Ref) {
	f.length++
	switch {
	case f.passing:
		f.displaced = append(f.displaced, r)
	case f.instances[r].fresh:
		f.fresh = append(f.fresh, r)
	default:
		f.group(r).queue.push(f.entry(r))
	}
}

// entry returns the place of a request in the queue.
func (f *fast) entry(r Ref) entry {
	k := &f.instances[r]
	e := entry{admitted: k.admitted, index: k.index, ref: r}
	if f.Order.ByValue {
		e.rank = f.value(&f.State, r) - f.aged(k.class)
	}
	return e
}

// aged is how much time has changed the values of requests that wait.
func (f *fast) aged(class uint8) Q {
	if !f.Order.ByValue {
		return 0
	}
	return f.classes[class].waits * Q(f.now)
}

// group returns the group of a request and lists it.
func (f *fast) group(r Ref) *group {
	key := keyOf(&f.instances[r])
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

// drop forgets an empty group.
func (f *fast) drop(g *group) {
	last := f.list[len(f.list)-1]
	f.list[g.place], last.place = last, g.place
	f.list = f.list[:len(f.list)-1]
	delete(f.groups, g.key)
	f.spare = append(f.spare, g)
}

func (f *fast) pass() {
	f.setMode(f.config.Policy.at(f.length))
	f.passing = true
	f.placeAtOnce()
	for _, r := range f.fresh {
		g := f.group(r)
		g.fresh = append(g.fresh, f.entry(r))
	}
	f.sortFresh()
	f.start()
	for len(f.order) > 0 {
		f.scheduleFirst(f.order[0].group)
	}
	f.end()
}

// placeAtOnce handles the usual case: only new requests of one class wait, in order, and
// there is room for them.
func (f *fast) placeAtOnce() {
	if len(f.list) > 0 {
		return
	}
	for i := 1; i < len(f.fresh); i++ {
		before, e := f.entry(f.fresh[i-1]), f.entry(f.fresh[i])
		if f.instances[e.ref].class != f.instances[before.ref].class || e.before(&before) {
			return
		}
	}
	for i, j := range f.fresh {
		h := f.room(j)
		if h < 0 {
			f.fresh = append(f.fresh[:0], f.fresh[i:]...)
			return
		}
		f.length--
		f.allocate(j, &choice{host: h, feasible: -1})
	}
	f.fresh = f.fresh[:0]
}

// sortFresh puts the new requests of each group in order of their arrival;
// they are unless some were admitted at different times.
func (f *fast) sortFresh() {
	if len(f.fresh) == 0 {
		return
	}
	for _, g := range f.list {
		if len(g.fresh) > 1 {
			slices.SortFunc(g.fresh, func(a, b entry) int {
				if a.before(&b) {
					return -1
				}
				return 1
			})
		}
	}
}

// start puts the groups that might get somewhere into order.
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

// mayProceed says whether the first request of a group has to be tried.
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
		if from <= f.now {
			return true
		}
		g.backoff = g.backoff.and(f.refuse(g, h, from, &j))
	}
	return false
}

// refuse remembers from when host h, which cannot take the request now, might
// take it unless it changes. The value of a new request may fall after its first pass,
// and the next one may be at the same time: an instance of a StatefulSet that runs
// at once calls for another.
func (f *fast) refuse(g *group, h int, from sim.Milliseconds, j *preemptor) backoff {
	if from == f.now+1 && f.instances[j.ref].fresh {
		from = f.now
	}
	s := backoff{Q(from) * f.slow, j.rank}
	g.refusals[h] = refusal{s, f.changedIn[h]}
	return s
}

func (f *fast) logEnd() int64 { return f.logStart + int64(len(f.log)) }

// barred says that host h cannot take a request whichever instances leave it, as long
// as it does not change.
func (f *fast) barred(h int, j *preemptor) bool {
	host := &f.hosts[h]
	return !host.up || j.cpu > host.cpu || j.memory > host.memory || j.gpus > gpusOf(&f.hostList[h]) || !f.meetsConstraints(&f.instances[j.ref], h)
}

// dryRun says from when on host h can take a request: from now, if these victims
// leave it; or not before a time to come, unless it changes.
func (f *fast) dryRun(h int, j *preemptor) (victims []Victim, from sim.Milliseconds) {
	f.below = math.MaxInt64
	if f.barred(h, j) {
		return nil, never
	}
	if f.hosts[h].fits(&f.instances[j.ref]) {
		return nil, f.now
	}
	return f.victimsOn(h, j)
}

// scheduleFirst tries the first request of the first group.
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
	f.length--
	if g.empty() {
		f.order.drop()
	} else {
		f.order.sink(0)
	}
	marked := len(c.victims) > 0 && f.mark(c.victims)
	f.allocate(j, &c)
	if marked {
		f.resume(c.host, g, &taken)
	}
}

// end puts everybody back in their place for the next pass.
func (f *fast) end() {
	f.passing = false
	for _, r := range f.fresh {
		f.instances[r].fresh = false
	}
	f.fresh = f.fresh[:0]
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
		f.instances[r].fresh = false
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

// settleArrived puts the new requests that got a host in this pass among the
// residents where they belong from now on: their Q was 0 until here.
func (f *fast) settleArrived() {
	for _, r := range f.arrived {
		k := &f.instances[r]
		k.fresh = false
		if f.following && k.host != nowhere {
			f.removeResident(int(k.host), k.class, r)
			f.addResident(int(k.host), k.class, f.resident(r))
			f.changed(int(k.host))
		}
	}
	f.arrived = f.arrived[:0]
}

// setMode sorts everything again if another policy takes over.
func (f *fast) setMode(p *Policy) {
	if p == f.Policy {
		return
	}
	f.ordered = f.modes[slices.IndexFunc(f.modes, func(o *ordered) bool { return o.Policy == p })]
	f.following = false
	for h := range f.hosts {
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

var (
	_ scheduler = (*fast)(nil)
	_ scheduler = (*literal)(nil)
)
