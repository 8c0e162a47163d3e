package qos

import (
	"math"
	"math/bits"
	"slices"
)

// room returns the best host with room for a request, -1 if there is none.
func (f *fast) room(j Ref) int {
	k := &f.instances[j]
	var accept func(int) bool
	if k.constraints != 0 || k.antiAffinity {
		accept = func(rank int) bool { return f.meetsConstraints(k, int(f.atRank[rank])) }
	}
	f.operations++
	f.reindex()
	rank := f.index.Best(k.cpu, k.memory, accept)
	if rank < 0 {
		return -1
	}
	return int(f.atRank[rank])
}

// roomFor returns the best host with room for a request of a group, -1 if there
// is none. None but hosts that have changed since the group looked can have any;
// a search through all is no slower than to go through many of them.
func (f *fast) roomFor(g *group, r Ref) int {
	if len(g.refusals) == 0 || g.seen < f.logStart {
		return f.room(r)
	}
	k := &f.instances[r]
	best, any := -1, false
	for i := g.seen; i < f.logEnd(); i++ {
		h := int(f.log[i-f.logStart])
		if f.changedIn[h] != i || !f.hosts[h].fits(k) {
			continue // or it changed again later
		}
		if !any && f.logEnd()-i > manyChanges {
			return f.room(r)
		}
		any = true
		if f.hosts[h].up && (best < 0 || f.scoresAbove(h, best)) && f.meetsConstraints(k, h) {
			best = h
		}
	}
	if any {
		f.operations++
	}
	return best
}

// manyChanges take as long to go through as the tree to search.
const manyChanges = 128

// scoresAbove says whether host a is to be preferred to b if both have room.
func (f *fast) scoresAbove(a, b int) bool {
	if f.scores[a] != f.scores[b] {
		return f.scores[a] > f.scores[b]
	}
	return f.hosts[a].rank < f.hosts[b].rank
}

// choose finds the host for the first request of a group.
func (f *fast) choose(g *group, r Ref) (c choice, ok bool) {
	if h := f.roomFor(g, r); h >= 0 {
		return choice{host: h, feasible: -1}, true
	}
	f.settle()
	j := f.ask(r)
	if !f.sameMargins || g.offersIn != f.result.Passes || g.seen < f.logStart {
		f.look(g, &j)
	} else {
		f.lookAgain(g, &j)
	}
	if c, ok = f.take(g, &j); !ok {
		f.lieDown(g, &j)
	}
	return c, ok
}

// lieDown finds out for how long a group will have to wait unless a host
// changes. Of those out of its reach, the ones with the largest bases come first.
func (f *fast) lieDown(g *group, j *asker) {
	g.rest = sleep{timeToQ(never), j.rank}
	for i, word := range f.reached(j) {
		for ; word != 0; word &= word - 1 {
			h := i*64 + bits.TrailingZeros64(word)
			if g.refusals[h].changed != f.changedIn[h] {
				_, from := f.test(h, j)
				f.refuse(g, h, from, j)
			}
			g.rest.until = min(g.rest.until, g.refusals[h].end(j.rank))
		}
	}
	if !f.mode.byQ {
		return
	}
	for c := range f.bases {
		if base := nearest(f.bases[c], j.reach[c].floor); base != nobody {
			g.rest.until = min(g.rest.until, timeToQ(f.comesWithin(base, &f.terms[c], j)))
		}
	}
}

// look asks every host that may take the request for its offer.
func (f *fast) look(g *group, j *asker) {
	if len(g.refusals) == 0 {
		g.refusals = slices.Grow(g.refusals, len(f.hosts))[:len(f.hosts)]
		for h := range g.refusals {
			g.refusals[h].changed = unknown
		}
	}
	g.offers, g.costs, g.offersIn = g.offers[:0], g.costs[:0], f.result.Passes
	for i, word := range f.reached(j) {
		for ; word != 0; word &= word - 1 {
			h := i*64 + bits.TrailingZeros64(word)
			if r := &g.refusals[h]; r.changed != f.changedIn[h] || !r.lasts(j.rank, f.now) {
				f.offer(g, h, j)
			}
		}
	}
	g.rest, g.seen = sleep{}, f.logEnd()
}

// lookAgain asks the hosts that have changed since a request before this one in
// this pass looked.
func (f *fast) lookAgain(g *group, j *asker) {
	for ; g.seen < f.logEnd(); g.seen++ {
		if h := int(f.log[g.seen-f.logStart]); f.changedIn[h] == g.seen && f.reaches(h, j) {
			f.offer(g, h, j)
		}
	}
	g.rest = sleep{} // it knows of none of these changes
}

// offer keeps what host h offers to the request: how many victims at what cost.
func (f *fast) offer(g *group, h int, j *asker) {
	f.operations++
	victims, from := f.test(h, j)
	if from > f.now {
		f.refuse(g, h, from, j)
		return
	}
	g.refusals[h].changed = unknown
	before := len(g.costs)
	g.costs = f.mode.Cost(&f.State, victims, g.costs)
	cost := g.costs[before:]
	lead, term := leading(cost)
	g.offers = append(g.offers, offer{
		host: int32(h), cost: int32(before), changed: f.changedIn[h], below: f.below(victims, j),
		lead: int32(lead), terms: int32(len(cost)), leading: term,
	})
}

// below returns the Q from which on a request does not reach all of these
// victims any more.
func (f *fast) below(victims []Victim, j *asker) Q {
	if !f.mode.byQ {
		return math.MaxInt64
	}
	least := Q(math.MaxInt64)
	for i := range victims {
		k := &victims[i]
		if k.Q < k.Margin {
			least = min(least, j.margin)
		}
		if k.Q >= k.Margin || j.importance == k.Importance {
			least = min(least, k.Q)
		}
	}
	return least
}

// take returns the best offer that still stands and forgets the others that do
// not. Where all margins are equal, the Q of a later request being no lower, a
// host that has not changed offers the same victims or none at all: whoever
// comes after the first one to drop out may not be preempted either.
func (f *fast) take(g *group, j *asker) (c choice, ok bool) {
	offers := g.offers
	best := -1
	for i := 0; i < len(offers); {
		o := &offers[i]
		if j.q >= o.below || f.changedIn[o.host] != o.changed {
			last := len(offers) - 1
			*o, offers = offers[last], offers[:last]
			continue
		}
		if best < 0 || !o.behind(&offers[best]) && f.better(g, o, &offers[best]) {
			best = i
		}
		i++
	}
	g.offers = offers
	if best < 0 {
		return c, false
	}
	o := &offers[best]
	c = choice{host: int(o.host), feasible: -1, cost: slices.Clip(g.costOf(o)), score: f.scores[o.host]}
	c.victims, _ = f.test(c.host, j)
	return c, true
}
