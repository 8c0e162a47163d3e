package improve

import (
	"math"

	"berth/engine/solve"
)

// stepWork is the work of a step in the units of a walk: about 200 ns natively.
const stepWork = 200

// cellsPerStep is how many cells of a bound take about as long as a step.
const cellsPerStep = 100

// fewest is how many steps a part of a search counts at least, so that half of all steps
// tell where it ended.
const fewest = 2

// cellsOf is how many steps one evaluation of the bound takes.
func cellsOf(p *solve.Problem) int64 {
	return fewest + int64(p.Jobs)*int64(p.Clusters)/cellsPerStep
}

// Unit is how many steps suit the size of a problem: a run of [solve.Search].
func Unit(jobs, clusters int) int64 {
	unit := solve.Unit(jobs, clusters)
	return max(unit+unit/4, min(8*unit, 40e6))
}

// pricing raises the bound by prices of rooms, once.
type pricing struct{ done bool }

func (x *pricing) share(s *Search) float64 {
	if x.done {
		return 0
	}
	return float64(Unit(s.p.Jobs, s.p.Clusters)/4+1) / float64(s.unit())
}

func (x *pricing) run(s *Search, _ int64) int64 {
	if s.bounder.Settled() {
		return 0
	}
	s.bounder.Step()
	s.raise(s.bounder.Bound())
	return cellsOf(s.p)
}

func (x *pricing) judge(bool) { x.done = true }

// tightening raises the bound where links count, once there is a placement.
type tightening struct{ done bool }

func (x *tightening) share(s *Search) float64 {
	if x.done || s.round == 0 || !s.placed() || s.binding {
		return 0
	}
	return 1
}

func (x *tightening) run(s *Search, _ int64) int64 {
	worked, ok := s.bounder.Tighten(Unit(s.p.Jobs, s.p.Clusters)/8*3*cellsPerStep, s.hears)
	if !ok {
		return 0 // as if that had not begun
	}
	x.done = true
	s.raise(s.bounder.Bound())
	s.left = 1
	return fewest + worked/cellsPerStep
}

func (x *tightening) judge(bool) {}

// sharing is a search at shadow prices.
type sharing struct {
	start  []int32
	search *solve.Search
	weight
}

func (x *sharing) share(s *Search) float64 {
	if x.search == nil {
		x.search = solve.NewSearch(s.bounder, x.start, s.seed)
		x.weight = 8
		if s.binding {
			x.weight = 0.5
		}
	}
	if s.placed() {
		x.search.Offer(s.best, s.cost)
	}
	// It needs rounds as long as the problem is large.
	return float64(x.weight) * max(1, float64(solve.Unit(s.p.Jobs, s.p.Clusters))/8/float64(s.unit()))
}

func (x *sharing) run(s *Search, steps int64) int64 {
	x.search.Run(steps)
	if found, cost := x.search.Best(); cost < float64(s.cost*(1-1e-10)) || found != nil && !s.placed() {
		s.take(found)
	}
	return steps
}

// walking has a walk go round after round. A round that ends with something broken has that
// repaired.
type walking struct {
	*walk
	repair *repair
	plan   plan
	heat   float64
	begun  int64 // the work when the round began
	rounds int
	next   []int32
	weight
}

func newWalking(s *Search, r *repair) *walking {
	x := &walking{walk: newWalk(r.state, s.model.heat()), repair: r, heat: s.model.heat(), next: make([]int32, s.p.Jobs), weight: 8}
	if !s.binding {
		x.weight = 1
	}
	return x
}

func (x *walking) share(s *Search) float64 {
	if !s.placed() {
		return 0
	}
	if !s.binding { // sharing finds most, and must not starve
		return float64(x.weight)
	}
	return 4 * float64(x.weight)
}

// warmEvery is of how many rounds one begins warm, the first of all among them: it moves
// jobs to other regions; the others settle.
const warmEvery = 3

// again begins a round: they become longer.
func (x *walking) again(s *Search) {
	hot := 0.15 * x.heat
	if x.rounds%warmEvery == 0 {
		hot = x.heat / 2
	}
	if x.rounds == 0 {
		copy(x.next, s.best)
	} else {
		s.pool.pick(s.model, &x.random, x.next)
	}
	x.rounds++
	// The highest penalty is more than one broken dependency saves, even of a job with many.
	x.plan = plan{hot, x.heat / 30, x.heat / 100, 1000 * x.heat, grown(150_000*int64(x.jobs), 4, min(x.rounds, 12))}
	x.begun = x.work
	x.set()
	x.from(x.next)
}

func (x *walking) run(s *Search, steps int64) int64 {
	before := x.work
	for x.work-before < steps*stepWork {
		done := x.work - x.begun
		if x.rounds == 0 || done >= x.plan.work {
			x.finish(s)
			x.again(s)
			continue
		}
		x.round(x.plan, float64(done)/float64(x.plan.work))
		if x.bestCost < float64(s.cost*(1-1e-10)) {
			s.take(x.best)
		}
	}
	return (x.work - before) / stepWork
}

// finish ends a round.
func (x *walking) finish(s *Search) {
	if x.rounds == 0 {
		return
	}
	if x.bestCost <= math.MaxFloat64 {
		s.take(x.best)
	}
	if !x.keeps() {
		x.repair.from(x.cluster)
		if x.repair.run(firstWalk * int64(x.jobs)) {
			s.take(x.cluster)
		}
	}
}
