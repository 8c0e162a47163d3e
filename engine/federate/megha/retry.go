package megha

import (
	"math"
	"math/bits"
	"sort"

	"berth/engine/cluster"
	"berth/engine/federate"
)

// In an overloaded data centre a GM without messages retries its tasks, one after the other,
// whenever its copy has changed, and nearly all retries fail. The cost of a failed retry is known
// beforehand, so the simulation does not carry out retries that must fail. One event covers as many
// of them as possible. A message that arrives meanwhile finds the GM in exactly the same state as
// after single retries.

// run is a number of tasks at the head of a queue that were all tried before and have no match.
type run struct {
	queue int
	n     int32
}

// maxVisits limits the search for a run, in nodes and tasks visited, and the search for room, in
// workers.
const maxVisits = 256

// plan finds the runs in the queues of a GM, in the order in which the GM serves them. It returns
// the number of rounds through these runs, or 0 if the next task must be tried. If the simulation
// is traced, every task must be tried.
func (f *federation) plan(g *gm) (rounds int32) {
	if f.Watched() || f.mayGetOn(g) {
		return 0
	}
	g.runs, rounds = g.runs[:0], math.MaxInt32
	for i := range g.queues {
		index := (g.turn + i) % len(g.queues)
		q := &g.queues[index]
		_, since, ok := q.first(g.version)
		if !ok {
			continue
		}
		limit := q.untried(g.version)
		if q.vain > 0 { // known from the last search
			limit, since = q.vain, q.vainOn
		}
		if !g.findRooms(f, since) {
			return 0
		}
		s := stretch{f: f, g: g, visits: maxVisits}
		n := s.length(q, limit)
		if n == 0 {
			return 0
		}
		if n >= q.vain { // otherwise more tasks are known to fail on an older version
			q.vain, q.vainOn = n, g.version
		}
		g.runs = append(g.runs, run{index, n})
		rounds = min(rounds, n)
	}
	if len(g.runs) == 0 {
		return 0
	}
	return rounds
}

// mayGetOn reports whether a queue of the GM has a new task at its head, or a task that may preempt
// others. The GM must try such a task.
func (f *federation) mayGetOn(g *gm) bool {
	preempts := f.fair != nil && f.fair.someAbove(g)
	for i := range g.queues {
		q := &g.queues[i]
		if _, since, ok := q.first(g.version); ok && (since == 0 || preempts && f.fair.below(g, q.user)) {
			return true
		}
	}
	return false
}

// findRooms sets rooms to the workers that have room for some task. It omits workers on which
// nothing has become free since a version of the copy. It returns false if there are too many
// workers.
func (g *gm) findRooms(f *federation, since uint32) (ok bool) {
	g.rooms = g.rooms[:0]
	clear(g.most)
	switch {
	case g.roomy == 0:
		return true
	case g.version-since <= maxFreed:
		for version := since; version != g.version; version++ {
			worker := g.freed[version%maxFreed]
			bit := f.layout.bitOf[worker]
			if g.open[bit/wordSize]>>(bit%wordSize)&1 != 0 {
				g.addRoom(worker)
			}
		}
		return true
	case g.roomy > maxVisits:
		return false
	}
	for word, open := range g.open {
		for ; open != 0; open &= open - 1 {
			g.addRoom(f.layout.worker(int32(word), bits.TrailingZeros64(open)))
		}
	}
	return true
}

func (g *gm) addRoom(worker int32) {
	g.rooms = append(g.rooms, worker)
	cluster.Raise(g.most, cluster.Row(g.free, worker, len(g.most)))
}

// stretch is the state of the search for the end of a run.
type stretch struct {
	f      *federation
	g      *gm
	visits int
}

// length returns how many of the first tasks of a queue, at most limit, precede the first one that
// may have a match.
func (s *stretch) length(q *taskQueue, limit int32) int32 {
	all := q.len()
	end := s.stop(q, 1, 0, q.head, min(q.head+limit, all))
	if rest := q.head + limit - all; end == all && rest > 0 {
		end += s.stop(q, 1, 0, 0, rest)
	}
	return end - q.head
}

// stop returns the first place of a ring in [from, to) whose task may have a match, or to. The
// tasks of node i begin at place at.
func (s *stretch) stop(q *taskQueue, i, at, from, to int32) int32 {
	n := q.node(i)
	if at >= to || at+n.count <= from || !cluster.Covers(s.g.most, n.least) || s.inVain(n.least, n.constraints) {
		return to
	}
	s.visits--
	if s.visits < 0 {
		return max(at, from)
	}
	if i < q.leaves {
		if stop := s.stop(q, 2*i, at, from, to); stop < to {
			return stop
		}
		return s.stop(q, 2*i+1, at+q.node(2*i).count, from, to)
	}
	x := q.blocks[i-q.leaves]
	for place := max(at, from); place < min(at+n.count, to); place++ {
		s.visits--
		request := cluster.Row(x.asks, place-at, len(s.g.most))
		if s.visits < 0 || cluster.Covers(s.g.most, request) && !s.inVain(request, s.f.Kind(x.tasks[place-at].task).Constraints) {
			return place
		}
	}
	return to
}

// inVain reports whether no task with at least this request and these constraints has a match.
func (s *stretch) inVain(request []cluster.Amount, constraints uint64) bool {
	for _, worker := range s.g.rooms {
		if cluster.Covers(cluster.Row(s.g.free, worker, len(request)), request) && s.f.Center.Satisfies(worker, constraints) {
			return false
		}
	}
	return true
}

// roundsCost returns the cost of rounds through the runs of a GM.
func (g *gm) roundsCost(rounds int32) (cost federate.Time) {
	for _, r := range g.runs {
		cost += g.queues[r.queue].retryCost(rounds)
	}
	return cost
}

// roundsWithin returns the number of complete rounds that a GM finishes within a time span.
func (g *gm) roundsWithin(span federate.Time) int32 {
	if len(g.runs) == 1 {
		return min(g.queues[g.runs[0].queue].retriesWithin(span), g.rounds)
	}
	return int32(sort.Search(int(g.rounds), func(n int) bool { return g.roundsCost(int32(n+1)) > span }))
}

// goThrough carries out rounds of retries.
func (g *gm) goThrough(rounds int32) {
	if rounds == 0 {
		return
	}
	for _, r := range g.runs {
		g.queues[r.queue].rotate(rounds, g.version)
		g.turn = (r.queue + 1) % len(g.queues)
	}
}

// interrupt stops the rounds of a GM after the current retry. The first retry always counts as
// started.
func (f *federation) interrupt(g *gm) {
	if g.rounds == 0 {
		return
	}
	full := g.roundsWithin(f.Now() - g.since)
	end := g.since + g.roundsCost(full)
	g.goThrough(full)
	for _, r := range g.runs {
		if end >= f.Now() && end > g.since {
			break
		}
		q := &g.queues[r.queue]
		end += q.retryCost(1)
		q.rotate(1, g.version)
		g.turn = (r.queue + 1) % len(g.queues)
	}
	g.rounds = 0
	f.occupy(g, end)
}

func (f *federation) occupy(g *gm, until federate.Time) {
	g.busy = true
	g.mark++
	f.AtEnd(until, kindOf(gmFree, g.index, 0), 0, g.mark)
}
