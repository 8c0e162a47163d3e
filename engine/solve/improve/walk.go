package improve

import (
	"math"

	"berth/engine/stats"
)

// walk anneals through states: the penalty of a kind of constraint rises while one is
// broken, and falls while all are kept.
type walk struct {
	*state
	temperature float64

	best     []int32 // that it has come to since it began at last
	bestCost float64 // +Inf without one

	penalties []float64 // by kind: pairs, rooms by resource, counters
	seen      int       // looks since penalties changed
	offence   []int     // by kind: how often it was broken
}

func newWalk(s *state, penalty float64) *walk {
	w := &walk{state: s, best: make([]int32, s.jobs), bestCost: math.Inf(1), offence: make([]int, 1+s.resources+len(s.counters))}
	w.penalties = make([]float64, len(w.offence))
	fill(w.penalties, penalty)
	return w
}

// from begins at a placement, or at an attempt at one.
func (w *walk) from(cluster []int32) {
	w.begin(cluster)
	w.worth = 1
	w.bestCost = math.Inf(1)
	w.remember()
}

// remember keeps a placement that is better than the best. Rooms leave a margin for the
// rounding of loads, so it is a placement; [Search.take] checks it once more.
func (w *walk) remember() {
	if (w.total < float64(w.bestCost*(1-1e-10)) || math.IsInf(w.bestCost, 1)) && w.keeps() {
		w.work += int64(w.jobs)
		w.bestCost = w.total
		copy(w.best, w.cluster)
	}
}

// step draws a move of a job, of a job and one that it depends on, or of two jobs to each
// other's clusters, or none: each is as likely as its energy allows at the temperature.
func (w *walk) step() {
	j := int32(w.random.Below(w.jobs))
	x := w.random.Next()
	w.seek(-float64(w.temperature*gumbel[x>>52]), w.temperature)
	lo, hi := w.start[j], w.start[j+1]
	switch kind := x & 15; {
	case kind < 3:
		w.swaps(j)
	case kind < 6 && lo < hi:
		w.together(j, w.neighbour[lo+int32(w.random.Below(int(hi-lo)))])
	default:
		w.alone(j)
	}
	if w.found.j >= 0 {
		w.apply(w.found)
		w.remember()
	}
}

// gumbel has the quantiles of the Gumbel distribution. Of several moves, the one whose energy
// less this noise is the least is drawn with the probability that the Boltzmann distribution
// at a temperature of 1 gives it (Maddison, Tarlow, Minka 2014).
var gumbel = func() (q [4096]float64) {
	for i := range q {
		q[i] = -stats.Log(-stats.Log((float64(i) + 0.5) / float64(len(q))))
	}
	return q
}()

// plan is how a round of a walk goes: the temperatures that it begins and ends with,
// between what penalties are kept, and its work.
type plan struct {
	hot, cold       float64
	lowest, highest float64
	work            int64
}

// A walk looks for broken constraints after every stepsAtOnce steps, and changes penalties
// after every so many looks.
const stepsAtOnce, looks = 10, 8

// round walks on for a while, f of the way through a plan from 0 to 1: the temperature
// falls, and penalties adapt.
func (w *walk) round(p plan, f float64) {
	w.temperature = float64(p.hot * stats.Exp2(f*stats.Log2(p.cold/p.hot)))
	for range stepsAtOnce {
		w.step()
	}
	w.look()
	if w.seen == looks {
		w.adapt(p)
	}
}

// look notes which kinds of constraints are broken.
func (w *walk) look() {
	w.seen++
	if len(w.broken.all) > 0 {
		w.offence[0]++
	}
	for q := range w.resources {
		for _, at := range w.full.all {
			if int(at)%w.resources == q {
				w.offence[1+q]++
				break
			}
		}
	}
	for i, c := range w.counters {
		if c.excess() > 0 {
			w.offence[1+w.resources+i]++
		}
	}
}

// adapt raises the penalty of a kind that was broken at most looks and lowers it where the
// kind was kept at most.
func (w *walk) adapt(p plan) {
	const factor = 1.1
	for kind, broken := range w.offence {
		switch {
		case 4*broken > 3*looks:
			w.penalties[kind] *= factor
		case 2*broken < looks:
			w.penalties[kind] /= factor
		}
		w.penalties[kind] = min(max(w.penalties[kind], p.lowest), p.highest)
	}
	w.seen = 0
	clear(w.offence)
	w.set()
}

// set gives all constraints of a kind its penalty.
func (w *walk) set() {
	w.pair = w.penalties[0]
	for at := range w.price {
		w.price[at] = w.penalties[1+at%w.resources]
	}
	copy(w.toll, w.penalties[1+w.resources:])
}
