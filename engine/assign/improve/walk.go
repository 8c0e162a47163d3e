package improve

import (
	"math"

	"berth/engine/assign"
	"berth/engine/stats"
)

// walk is a placement that may break constraints, each at a penalty.
type walk struct {
	*model
	cluster  []int32
	load     []float64 // at [cluster·resources + resource]
	counters []counter

	total  float64 // of nodes and links
	broken int     // dependencies that cannot span their clusters
	over   []int32 // by resource: rooms that are exceeded

	penalty     penalties
	temperature float64

	best     []int32 // that it has come to since it began at last
	bestCost float64 // +Inf without one

	random assign.Random
	work   int64 // in units of about a nanosecond
}

func newWalk(m *model, seed uint64) *walk {
	w := &walk{
		model: m, cluster: make([]int32, m.jobs), load: make([]float64, len(m.room)), over: make([]int32, m.resources),
		best: make([]int32, m.jobs), bestCost: math.Inf(1), random: assign.Random((seed+1)*0x9e3779b97f4a7c15 | 1),
	}
	w.counters = m.counters(w.cluster)
	w.penalty = newPenalties(m, len(w.counters))
	return w
}

// begin goes to a placement, or to an attempt at one.
func (w *walk) begin(cluster []int32) {
	copy(w.cluster, cluster)
	w.bestCost = math.Inf(1)
	w.recount()
	w.remember()
}

// recount works out from scratch what moves keep up to date.
func (w *walk) recount() {
	clear(w.load)
	clear(w.over)
	w.total, w.broken = 0, 0
	for j, c := range w.cluster {
		w.total += w.cost[w.at(int32(j), c)]
		for r := range w.resources {
			w.load[int(c)*w.resources+r] += w.amount[r][w.at(int32(j), c)]
		}
	}
	for at, load := range w.load {
		if load > w.room[at] {
			w.over[at%w.resources]++
		}
	}
	for k, d := range w.p.Dependencies {
		if a, b := w.cluster[d.A], w.cluster[d.B]; a != b {
			at := w.pairAt(a, b)
			w.total += w.pairs.cost(int32(k), at)
			w.broken += w.pairs.broken(int32(k), at)
		}
	}
	for _, c := range w.counters {
		c.count()
	}
	w.work += 20 * int64(w.jobs*(1+w.resources)+len(w.p.Dependencies))
}

func (w *walk) pairAt(a, b int32) int { return int(a)*w.clusters + int(b) }

// change is what a move changes.
type change struct {
	cost    float64
	broken  int
	penalty float64 // of rooms and counters
}

func (w *walk) energy(d change) float64 {
	return d.cost + float64(w.penalty.pair*float64(d.broken)) + d.penalty
}

// change works out what it changes that a job moves. The loop over its dependencies
// is where the time of a search goes.
func (w *walk) change(j, to int32) (d change) {
	from := w.cluster[j]
	d.cost = w.cost[w.at(j, to)] - w.cost[w.at(j, from)]
	lo, hi := w.start[j], w.start[j+1]
	neighbour, number := w.neighbour[lo:hi], w.number[lo:hi]
	x := &w.pairs
	there, here := w.pairAt(to, 0), w.pairAt(from, 0)
	for i, other := range neighbour {
		c, k := w.cluster[other], number[i]
		if c != to {
			d.cost += x.cost(k, there+int(c))
			d.broken += x.broken(k, there+int(c))
		}
		if c != from {
			d.cost -= x.cost(k, here+int(c))
			d.broken -= x.broken(k, here+int(c))
		}
	}
	for r, amount := range w.amount {
		a, b := int(from)*w.resources+r, int(to)*w.resources+r
		more := w.excess(a, r, -amount[w.at(j, from)]) - w.excess(a, r, 0) +
			w.excess(b, r, amount[w.at(j, to)]) - w.excess(b, r, 0)
		d.penalty += float64(w.penalty.room[r] * more)
	}
	for i, c := range w.counters {
		before := c.excess()
		c.move(j, from, to)
		d.penalty += float64(w.penalty.counter[i] * (c.excess() - before))
		c.move(j, to, from)
		w.work += 50 * int64(2+hi-lo)
	}
	w.work += 25 + 8*int64(hi-lo) + 5*int64(w.resources)
	return d
}

// excess is by how much a room would be exceeded, in mean jobs: a little even for
// next to nothing, so that the last of it is worth a move.
func (w *walk) excess(at, resource int, by float64) float64 {
	if x := w.load[at] + by - w.room[at]; x > 0 {
		return float64(x*w.unit[resource]) + 0.05
	}
	return 0
}

// move takes a job to a cluster, for the change that was worked out.
func (w *walk) move(j, to int32, d change) {
	from := w.cluster[j]
	w.total += d.cost
	w.broken += d.broken
	for r, amount := range w.amount {
		w.shift(int(from)*w.resources+r, r, -amount[w.at(j, from)])
		w.shift(int(to)*w.resources+r, r, amount[w.at(j, to)])
	}
	for _, c := range w.counters {
		c.move(j, from, to)
	}
	w.cluster[j] = to
	w.work += 10
}

func (w *walk) shift(at, resource int, by float64) {
	if w.load[at] > w.room[at] {
		w.over[resource]--
	}
	w.load[at] += by
	if w.load[at] > w.room[at] {
		w.over[resource]++
	}
}

// keeps says whether no constraint is broken.
func (w *walk) keeps() bool {
	if w.broken > 0 {
		return false
	}
	for _, over := range w.over {
		if over > 0 {
			return false
		}
	}
	for _, c := range w.counters {
		if c.excess() > 0 {
			return false
		}
	}
	return true
}

// remember keeps a placement that is better than the best. Rooms leave a margin for the
// rounding of loads, so what a walk keeps is a placement; who takes it checks it once more.
func (w *walk) remember() {
	if (w.total < float64(w.bestCost*(1-1e-10)) || math.IsInf(w.bestCost, 1)) && w.keeps() {
		w.work += int64(w.jobs)
		w.bestCost = w.total
		copy(w.best, w.cluster)
	}
}

func (w *walk) below(n int) int { return int(w.random.Next() >> 32 * uint64(n) >> 32) }

// exponential has the quantiles of the exponential distribution: what energy a move
// may cost at a temperature of 1.
var exponential = func() (q [4096]float64) {
	for i := range q {
		q[i] = -stats.Log((float64(i) + 0.5) / float64(len(q)))
	}
	return q
}()

func (w *walk) accepts(energy float64) bool {
	return energy <= 0 || energy < w.temperature*exponential[w.random.Next()>>52]
}
