package improve

import (
	"context"
	"math"
	"slices"

	"berth/engine/solve"
)

// Search improves a placement in stages.
type Search struct {
	p       *solve.Problem
	seed    uint64
	bounder *solve.Bounder
	model   *model // nil if the problem is too large
	binding bool   // which pairs of clusters go together matters more than rooms
	pool    pool

	best       []int32
	cost       float64 // of the best, +Inf without one
	bound      float64 // no placement costs less
	infeasible bool    // proved
	reached    func()  // told after each part

	ctx    context.Context
	goOn   func() bool
	end    int64
	steps  int64 // done
	round  int
	stages []stage // of a round, in turn
	at     int     // the stage that is under way,
	left   int64   // and its steps
	before float64 // the cost of the best when it began
	cut    *mark   // where a stage began that was cut short
}

// stage is a part of a search.
type stage interface {
	// share is how many steps it may take in a round, in relation to the unit; 0 for none.
	share(s *Search) float64
	// run takes about so many steps and returns how many; fewer than 1 end the stage.
	run(s *Search, steps int64) int64
	// judge is told at its end whether it has improved the best placement.
	judge(better bool)
}

// mark is what of a search a stage that cannot be interrupted has to begin with again.
type mark struct {
	best        []int32
	cost, bound float64
	steps, left int64
	round, at   int
	pool        pool
}

// seldom is the part of the pairs of clusters that dependencies may refuse before they
// bind.
const seldom = 0.15

// atOnce is about how many steps are made between two questions whether to go on.
const atOnce = 1000

// New begins a search from a placement, or an attempt at one (-1 for jobs without a
// cluster). Reached, if there is one, is told often how far it is.
func New(p *solve.Problem, start []int32, seed uint64, reached func()) *Search {
	s := &Search{p: p, seed: seed, bounder: solve.NewBounder(p.Filled()), cost: math.Inf(1), reached: reached}
	s.bounder.Step()
	s.steps = cellsOf(p)
	s.raise(s.bounder.Bound())
	if s.infeasible {
		return s
	}
	s.take(start)
	s.stages = []stage{&pricing{}, &sharing{start: start}}
	if suits(p) {
		s.model = newModel(p)
		s.binding = !s.bounder.Additive() || s.model.pairs.refused() > seldom
		first := newRepairing(s.model, start, seed)
		s.stages = []stage{first, &pricing{}, newWalking(s, first.repair), &sharing{start: start}, newFreeing(s)}
	}
	s.stages = append(s.stages, &tightening{}, &pairing{}, &proving{})
	s.at, s.left = -1, 0
	s.advance()
	return s
}

// Run goes on until so many steps are done in all, something is proved, or there is
// no going on.
func (s *Search) Run(ctx context.Context, end int64, goOn func() bool) { s.Turn(ctx, end, end, goOn) }

// Turn goes on as Run, but stops after so many steps in all: it may have taken more
// than that, up to the end, if the last part could not be interrupted.
func (s *Search) Turn(ctx context.Context, steps, end int64, goOn func() bool) {
	s.ctx, s.end, s.goOn = ctx, end, goOn
	s.restore()
	for s.steps < min(steps, end) && !s.Ended() && s.cut == nil && s.mayGoOn() {
		taken := int64(0)
		if s.left > 0 {
			taken = s.stages[s.at].run(s, max(fewest, min(s.left, atOnce)))
		}
		s.steps += taken
		s.left -= taken
		if (taken < 1 || s.left <= 0) && s.cut == nil {
			s.advance()
		}
		if s.reached != nil {
			s.reached()
		}
	}
}

// hears is mayGoOn in the midst of a stage that takes long: a program that hears of a stop
// only when it tells how far it is can do both.
func (s *Search) hears() bool {
	if s.reached != nil {
		s.reached()
	}
	return s.mayGoOn()
}

func (s *Search) mayGoOn() bool { return s.ctx.Err() == nil && (s.goOn == nil || s.goOn()) }

// advance begins the next stage.
func (s *Search) advance() {
	if s.at >= 0 {
		s.stages[s.at].judge(s.cost < s.before)
	}
	s.at++
	if s.at == len(s.stages) {
		s.at = 0
		s.round++
	}
	s.before = s.cost
	s.left = int64(s.stages[s.at].share(s) * float64(s.unit()))
}

// unit is what the steps of a round are in relation to: they grow, from few.
func (s *Search) unit() int64 {
	return grown(2000+60*int64(s.p.Jobs), 4, min(s.round, 12))
}

// grown is a figure after some rounds. Each round adds one part of it: a quarter if part
// is 4.
func grown(n, part int64, rounds int) int64 {
	for range rounds {
		n += n / part
	}
	return n
}

// uninterrupted has a stage begin again when the search goes on, unless it takes the
// cut back at its end.
func (s *Search) uninterrupted() {
	s.cut = &mark{s.best, s.cost, s.bound, s.steps, s.left, s.round, s.at, pool{slices.Clone(s.pool.all)}}
	s.best = slices.Clone(s.best)
}

func (s *Search) restore() {
	if m := s.cut; m != nil {
		s.best, s.cost, s.bound, s.steps, s.left, s.round, s.at, s.pool = m.best, m.cost, m.bound, m.steps, m.left, m.round, m.at, m.pool
		s.cut = nil
	}
}

// take keeps a placement that is better than the best.
func (s *Search) take(cluster []int32) {
	if len(cluster) == 0 || slices.Contains(cluster, -1) || s.p.Check(cluster) != nil {
		return
	}
	node, link := s.p.Costs(cluster)
	cost := node + link
	s.pool.add(cluster, cost)
	if cost < s.cost {
		s.best, s.cost = slices.Clone(cluster), cost
	}
}

// raise takes a bound that is higher.
func (s *Search) raise(bound float64) {
	s.bound = max(s.bound, bound)
	s.infeasible = s.infeasible || math.IsInf(s.bound, 1)
}

// Best returns the best placement and its cost, nil before there is one.
func (s *Search) Best() ([]int32, float64) { return s.best, s.cost }

// Bound is what no placement costs less than, +Inf if there is none.
func (s *Search) Bound() float64 { return s.bound }

// Steps is how many were done, of those that might be.
func (s *Search) Steps() int64 {
	if s.end == 0 {
		return s.steps
	}
	return min(s.steps, s.end)
}

// Rounding is in relation to a cost what a proof leaves to the rounding of sums.
const Rounding = 1e-9

// Ended says whether it is proved that the best placement is optimal, or that there is
// none.
func (s *Search) Ended() bool {
	return s.infeasible || s.best != nil && s.cost-s.bound <= Rounding*s.cost
}

// placed says whether there is a placement.
func (s *Search) placed() bool { return s.best != nil }

// weight is the share of a stage that gets more while it finds something.
type weight float64

func (w *weight) judge(better bool) {
	const most, least = 8, 0.25
	if better {
		*w = min(most, 2**w)
	} else {
		*w = max(least, *w/2)
	}
}

// Kept is how many steps need not be done again when the search goes on.
func (s *Search) Kept() int64 {
	if s.cut != nil {
		return s.cut.steps
	}
	return s.steps
}

// Refused says whether a job was found to have no cluster at all.
func (s *Search) Refused() bool { return s.infeasible && s.stages == nil }
