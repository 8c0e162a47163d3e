package federate

import (
	"math"
	"sort"

	"berth/engine/cluster"
)

// In an overloaded data centre a GM that has no messages spends its time trying
// tasks again, one after the other, whenever its copy has changed; nearly all of
// it is in vain. What that costs is known beforehand. So retries that cannot
// find anything are not gone through: as many as there are in a row take one
// event, and a message that arrives meanwhile finds the GM where it would be.

// run is tasks of a queue, one behind the other, that were tried before, and of
// which none has a match.
type run struct {
	queue    int
	first, n int32
}

// maxVisits bounds the search for a run, in places looked at.
const maxVisits = 64

// plan finds runs in the queues of a GM whose turn it is, and returns how many
// rounds it can go through them. A watched run tries every task by itself.
func (f *federation) plan(g *gm) (rounds int32) {
	if f.trace != nil {
		return 0
	}
	g.runs, rounds = g.runs[:0], math.MaxInt32
	for i := range g.queues {
		index := (g.turn + i) % len(g.queues)
		q := &g.queues[index]
		first, task := f.places.first(q, g.version)
		if task < 0 {
			continue
		}
		since := f.places.nodes[task].tried
		if since == 0 || g.version-since > maxFreed || f.fair != nil && !f.fair.powerless(g, f.User(task)) {
			return 0
		}
		g.findRooms(f, since)
		s := stretch{f: f, g: g, since: since, visits: maxVisits}
		n := s.stop(q.root, first) - first
		if n == 0 {
			return 0
		}
		g.runs = append(g.runs, run{index, first, n})
		rounds = min(rounds, n)
	}
	if len(g.runs) == 0 {
		return 0
	}
	return rounds
}

// findRooms finds the workers where something became free since a version of
// the copy, and that have room for some task.
func (g *gm) findRooms(f *federation, since uint32) {
	g.rooms = g.rooms[:0]
	for version := since; version != g.version; version++ {
		worker := g.freed[version%maxFreed]
		bit := f.Center.bitOf[worker]
		if g.open[bit/wordSize]>>(bit%wordSize)&1 != 0 {
			g.rooms = append(g.rooms, worker)
		}
	}
}

// stretch is the search for the end of a run.
type stretch struct {
	f      *federation
	g      *gm
	since  uint32 // the version from which on it is known what became free
	visits int
}

// stop returns how many tasks of a subtree stand before the first one, from a
// place on, that was tried on this version of the copy or may have a match.
func (s *stretch) stop(x, from int32) int32 {
	p := &s.f.places
	count := p.count(x)
	if x < 0 || from >= count {
		return count
	}
	n := &p.nodes[x]
	s.visits--
	if from <= 0 && s.inVain(n.low, n.high, ofWorker(p.least, x, s.f.Center.Resources), n.constraints) {
		return count
	}
	p.passOn(x)
	left := p.count(n.left)
	if at := s.stop(n.left, from); at < left {
		return at
	}
	k := s.f.Kind(x)
	if from <= left && (s.visits < 0 || !s.inVain(n.tried, n.tried, k.Request, k.Constraints)) {
		return left
	}
	return left + 1 + s.stop(n.right, from-left-1)
}

// inVain reports that tasks last tried on these versions, which ask for that at
// least, have no match now: nothing became free for them since.
func (s *stretch) inVain(low, high uint32, request []cluster.Amount, constraints uint64) bool {
	g := s.g
	if low < s.since || high == g.version {
		return false
	}
	for _, worker := range g.rooms {
		if covers(ofWorker(g.free, worker, len(request)), request) && s.f.Center.Satisfies(worker, constraints) {
			return false
		}
	}
	return true
}

// roundsCost is what so many rounds through the runs of a GM cost.
func (f *federation) roundsCost(g *gm, rounds int32) (cost Time) {
	for _, r := range g.runs {
		root := g.queues[r.queue].root
		cost += f.places.costTo(root, r.first+rounds) - f.places.costTo(root, r.first)
	}
	return cost
}

// goThrough books rounds of retries.
func (f *federation) goThrough(g *gm, rounds int32) {
	if rounds == 0 {
		return
	}
	for _, r := range g.runs {
		f.places.rotate(&g.queues[r.queue], r.first, rounds, g.version)
		g.turn = (r.queue + 1) % len(g.queues)
	}
}

// interrupt ends the rounds of a GM with the retry that is under way. The first
// one is, even if it has only just begun.
func (f *federation) interrupt(g *gm) {
	if g.rounds == 0 {
		return
	}
	full := int32(sort.Search(int(g.rounds), func(n int) bool { return g.since+f.roundsCost(g, int32(n+1)) > f.now }))
	end := g.since + f.roundsCost(g, full)
	f.goThrough(g, full)
	for _, r := range g.runs {
		if end >= f.now && end > g.since {
			break
		}
		root := g.queues[r.queue].root
		end += f.places.costTo(root, r.first+1) - f.places.costTo(root, r.first)
		f.places.rotate(&g.queues[r.queue], r.first, 1, g.version)
		g.turn = (r.queue + 1) % len(g.queues)
	}
	g.rounds = 0
	f.occupy(g, end)
}

// occupy lets a GM be busy up to a time.
func (f *federation) occupy(g *gm, until Time) {
	g.busy = true
	g.mark++
	f.AtEnd(until, kindOf(gmFree, g.index, 0), 0, g.mark)
}
