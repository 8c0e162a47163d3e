package qos

import "slices"

// room returns the best host with room for a request, -1 if there is none.
func (f *fast) room(j Ref) int {
	k := &f.instances[j]
	var accept func(int) bool
	if k.constraints != 0 || k.antiAffinity {
		accept = func(rank int) bool { return f.meetsConstraints(k, int(f.atRank[rank])) }
	}
	f.operations++
	rank := f.index.Best(k.cpu, k.memory, accept)
	if rank < 0 {
		return -1
	}
	return int(f.atRank[rank])
}

// choose finds the host for the first request of a group.
func (f *fast) choose(g *group, r Ref) (c choice, ok bool) {
	if h := f.room(r); h >= 0 {
		return choice{host: h, feasible: -1}, true
	}
	j := f.ask(r)
	if !f.sameMargins || g.offersIn != f.result.Passes || g.seen < f.logStart {
		f.catchUp(g, &j)
		if g.wake > f.now {
			return c, false
		}
		f.look(g, &j)
	} else {
		f.lookAgain(g, &j)
	}
	if c, ok = f.take(g, &j); !ok {
		g.wake = slices.Min(g.notBefore)
	}
	return c, ok
}

// look asks every host that may take the request for its offer.
func (f *fast) look(g *group, j *asker) {
	g.offers, g.offersIn = g.offers[:0], f.result.Passes
	for h, at := range g.notBefore {
		if at <= f.now {
			f.offer(g, h, j)
		}
	}
	buildOffers(g.offers)
	g.wake = 0
}

// lookAgain brings the offers that a request before it in this pass has left
// up to date. Where all margins are equal, the Q of the later request being no
// lower, a host that has not changed offers the same victims or none at all:
// whoever comes after the first one to drop out may not be preempted either.
func (f *fast) lookAgain(g *group, j *asker) {
	g.floor = j.rank
	for ; g.seen < f.logEnd(); g.seen++ {
		if h := f.log[g.seen-f.logStart]; f.changedIn[h] == g.seen {
			f.offer(g, int(h), j)
			raiseOffer(g.offers)
		}
	}
}

// offer keeps what host h offers to the request: how many victims at what cost.
func (f *fast) offer(g *group, h int, j *asker) {
	f.operations++
	victims, ok := f.test(h, j)
	if !ok {
		g.notBefore[h] = f.retryAt(h, j)
		return
	}
	g.notBefore[h] = 0
	f.costs = f.mode.Cost(&f.State, victims, f.costs[:0])
	o := offer{host: int32(h), rank: f.hosts[h].rank, changed: f.changedIn[h], score: f.hosts[h].score()}
	o.cost, g.spareCosts = newCost(g.spareCosts, f.costs)
	g.offers = append(g.offers, o)
}

// take returns the best offer that still stands.
func (f *fast) take(g *group, j *asker) (c choice, ok bool) {
	for len(g.offers) > 0 {
		o := g.offers[0]
		g.offers = popOffer(g.offers)
		g.spareCosts = append(g.spareCosts, o.cost)
		if f.changedIn[o.host] != o.changed {
			continue // there is a newer one
		}
		victims, ok := f.test(int(o.host), j)
		if !ok {
			g.notBefore[o.host] = f.retryAt(int(o.host), j)
			continue
		}
		return choice{host: int(o.host), feasible: -1, victims: victims, cost: o.cost, score: o.score}, true
	}
	return choice{}, false
}

// catchUp brings what a group knows about hosts up to date.
func (f *fast) catchUp(g *group, j *asker) {
	if len(g.notBefore) == 0 || j.rank < g.floor || g.seen < f.logStart {
		g.notBefore = slices.Grow(g.notBefore[:0], len(f.hosts))[:len(f.hosts)]
		clear(g.notBefore)
		g.wake, g.seen = 0, f.logEnd()
	}
	g.floor = j.rank
	for ; g.seen < f.logEnd(); g.seen++ {
		g.notBefore[f.log[g.seen-f.logStart]] = 0
		g.wake = 0
	}
}
