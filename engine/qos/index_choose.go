package qos

import (
	"math/bits"
	"slices"
)

// roomFor returns the best host with room for a request of a group, or -1. Once the group has
// searched all hosts, only hosts that have changed since can have room. If many have changed,
// searching the tree over all hosts is as fast.
func (f *fast) roomFor(g *group, r Ref) int {
	if len(g.refusals) == 0 || g.seen < f.logStart {
		return f.room(r)
	}
	k := &f.s.instances[r]
	best, any := -1, false
	g.full = max(g.full, g.seen)
	for i := g.full; i < f.logEnd(); i++ {
		h := int(f.log[i-f.logStart])
		if f.changedIn[h] != i || !f.s.hosts[h].Fits(&k.asks) { // superseded by a later change, or no room
			if !any {
				g.full = i + 1
			}
			continue
		}
		if !any && f.logEnd()-i > manyChanges {
			return f.room(r)
		}
		any = true
		if f.s.hosts[h].up && (best < 0 || f.scoresAbove(h, best)) && f.s.meetsConstraints(k, h) {
			best = h
		}
	}
	if any {
		f.s.operations++
	}
	return best
}

// manyChanges is the number of changes that take about as long to read as a search of
// the tree.
const manyChanges = 128

// scoresAbove reports whether host a is preferred to host b if both have room.
func (f *fast) scoresAbove(a, b int) bool {
	if f.scores[a] != f.scores[b] {
		return f.scores[a] > f.scores[b]
	}
	return f.s.hosts[a].rank < f.s.hosts[b].rank
}

// choose finds a host for request r, the first of a group.
func (f *fast) choose(g *group, r Ref) (c choice, ok bool) {
	if h := f.roomFor(g, r); h >= 0 {
		return choice{host: h, feasible: -1}, true
	}
	f.syncResidents()
	j := f.preemptorOf(r)
	if !f.sameMargins || !f.narrows || g.candidatesIn != f.s.result.Passes || g.seen < f.logStart {
		f.findCandidates(g, &j)
	} else {
		f.updateCandidates(g, &j)
	}
	c, ok = f.selectCandidate(g, &j)
	if !ok && f.rooms == nil {
		f.backOff(g, &j)
	}
	return c, ok
}

// backOff computes how long the group must wait unless a host changes. Among the hosts without
// preemptible instances, the host with the largest base becomes preemptible first, so one bound for
// each class covers all of them.
func (f *fast) backOff(g *group, j *preemptor) {
	g.backoff = backoff{Q(never) * f.slow, j.rank}
	for i, word := range f.reached(j) {
		for ; word != 0; word &= word - 1 {
			h := i*64 + bits.TrailingZeros64(word)
			if g.refusals[h].changed != f.changedIn[h] {
				_, from := f.dryRun(h, j)
				f.refuse(g, h, from, j)
			}
			g.backoff.until = min(g.backoff.until, f.expires(&g.refusals[h].backoff, j.rank))
		}
	}
	if !f.ChangesWithTime() {
		return
	}
	for c := range f.bases {
		if base := nearest(f.bases[c], j.reach[c].floor); base != noBase {
			g.backoff.until = min(g.backoff.until, Q(f.comesWithin(base, c, j))*f.slow)
		}
	}
}

// findCandidates evaluates every host with instances that the request may preempt. It
// takes O(hosts) and one dry run for each such host that is not known to refuse.
func (f *fast) findCandidates(g *group, j *preemptor) {
	if len(g.refusals) == 0 {
		g.refusals = slices.Grow(g.refusals, len(f.s.hosts))[:len(f.s.hosts)]
		for h := range g.refusals {
			g.refusals[h].changed = unknown
		}
	}
	g.candidates, g.costs, g.candidatesIn = g.candidates[:0], g.costs[:0], f.s.result.Passes
	for i, word := range f.reached(j) {
		for ; word != 0; word &= word - 1 {
			h := i*64 + bits.TrailingZeros64(word)
			if r := &g.refusals[h]; r.changed != f.changedIn[h] || !f.lasts(&r.backoff, j.rank) {
				f.evaluate(g, h, j)
			}
		}
	}
	g.backoff, g.seen = backoff{}, f.logEnd()
}

// updateCandidates evaluates the hosts that have changed since an earlier request of
// the group was evaluated in this pass.
func (f *fast) updateCandidates(g *group, j *preemptor) {
	for ; g.seen < f.logEnd(); g.seen++ {
		if h := int(f.log[g.seen-f.logStart]); f.changedIn[h] == g.seen && f.reaches(h, j) {
			f.evaluate(g, h, j)
		}
	}
	g.backoff = backoff{} // it was computed before these changes
}

// evaluate makes host h a candidate of the group with the cost of its victims, or records the time
// before which the host refuses.
func (f *fast) evaluate(g *group, h int, j *preemptor) {
	f.s.operations++
	victims, from := f.dryRun(h, j)
	if from > f.s.now {
		f.refuse(g, h, from, j)
		return
	}
	g.refusals[h].changed = unknown
	before := len(g.costs)
	g.costs = f.Cost(&f.s.State, victims, g.costs)
	g.candidates = append(g.candidates, candidate{
		host: int32(h), cost: int32(before), changed: f.changedIn[h], below: f.below, terms: int32(len(g.costs) - before),
	})
}

// selectCandidate returns the best candidate that is still valid and drops invalid ones. Requests
// come in order of ascending value. If the order narrows, an unchanged host has either the same
// victims for a later request or none: if that request may not preempt the first victim, it may not
// preempt any later one.
func (f *fast) selectCandidate(g *group, j *preemptor) (c choice, ok bool) {
	candidates := g.candidates
	best := -1
	for i := 0; i < len(candidates); {
		o := &candidates[i]
		if j.value >= o.below || f.changedIn[o.host] != o.changed {
			last := len(candidates) - 1
			*o, candidates = candidates[last], candidates[:last]
			continue
		}
		if best < 0 || f.better(g, o, &candidates[best]) {
			best = i
		}
		i++
	}
	g.candidates = candidates
	if best < 0 {
		return c, false
	}
	o := &candidates[best]
	c = choice{host: int(o.host), feasible: -1, cost: slices.Clip(g.costOf(o)), score: f.scores[o.host]}
	c.victims, _ = f.dryRun(c.host, j)
	return c, true
}
