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
	walk    *state
	binding bool // which pairs of clusters go together matters more than rooms

	best       []int32
	cost       float64 // of the best, +Inf without one
	bound      float64 // no placement costs less
	infeasible bool    // proved
	reached    func()  // called after each part

	ctx    context.Context
	goOn   func() bool
	steps  int64 // done
	round  int
	stages []stage // of a round, in turn
	at     int     // the stage that is under way,
	left   int64   // and its steps
}

// stage is a part of a search.
type stage interface {
	// share is the number of steps that it may take in a round, 0 for none.
	share(s *Search) int64
	// run takes about so many steps and returns how many; fewer than 1 end the stage.
	run(s *Search, steps int64) int64
}

// seldom is the part of the pairs of clusters that dependencies may refuse before they
// bind.
const seldom = 0.15

// atOnce is about how many steps are made between two questions whether to go on.
const atOnce = 1000

// New begins a search from a placement or a partial one (-1 for jobs without a cluster). It
// calls reached, if set, often while it runs.
func New(p *solve.Problem, start []int32, seed uint64, reached func()) *Search {
	s := &Search{p: p, seed: seed, bounder: solve.NewBounder(p.Filled()), cost: math.Inf(1), reached: reached}
	s.bounder.Step()
	s.steps = cellsOf(p)
	s.raise(s.bounder.Bound())
	if s.infeasible {
		return s
	}
	s.take(start)
	m := newModel(p, mostCells)
	s.binding = m.tables() && (!s.bounder.Additive() || m.refused > seldom)
	start, s.walk = m.filled(start), newState(m, seed)
	s.stages = []stage{&pricing{}, newWalking(s.walk, start, s.binding), &proving{}}
	if m.tables() {
		s.stages = slices.Insert(s.stages, 0, stage(&repairing{state: s.walk, next: slices.Clone(start)}))
	}
	s.at = -1
	s.advance()
	return s
}

// Run goes on until so many steps are done in all, or a few more, the search has proved its
// result, or goOn returns false.
func (s *Search) Run(ctx context.Context, end int64, goOn func() bool) {
	s.ctx, s.goOn = ctx, goOn
	for s.steps < end && !s.Ended() && s.mayGoOn() {
		taken := s.stages[s.at].run(s, max(fewest, min(s.left, atOnce)))
		if taken < 1 && !s.mayGoOn() {
			return // the stage was stopped, and begins anew if the search goes on
		}
		s.steps += taken
		s.left -= taken
		if taken < 1 || s.left <= 0 {
			s.advance()
		}
		if s.reached != nil {
			s.reached()
		}
	}
}

// hears is mayGoOn in the midst of a stage that takes long. It calls reached first, since a caller
// may learn of a stop there.
func (s *Search) hears() bool {
	if s.reached != nil {
		s.reached()
	}
	return s.mayGoOn()
}

func (s *Search) mayGoOn() bool { return s.ctx.Err() == nil && (s.goOn == nil || s.goOn()) }

// advance begins the next stage that has a share.
func (s *Search) advance() {
	for s.left = 0; s.left <= 0; s.left = s.stages[s.at].share(s) {
		if s.at++; s.at == len(s.stages) {
			s.at = 0
			s.round++
		}
	}
}

// take keeps a placement that is better than the best.
func (s *Search) take(cluster []int32) {
	if len(cluster) == 0 || slices.Contains(cluster, -1) || s.p.Check(cluster) != nil {
		return
	}
	node, link := s.p.Costs(cluster)
	cost := node + link
	if cost < s.cost {
		s.best, s.cost = slices.Clone(cluster), cost
	}
}

// raise takes a bound that is higher.
func (s *Search) raise(bound float64) {
	s.bound = max(s.bound, bound)
	s.infeasible = s.infeasible || math.IsInf(s.bound, 1)
}

// Best returns the best placement and its cost; nil and +Inf before the first one.
func (s *Search) Best() ([]int32, float64) { return s.best, s.cost }

// Bound is a lower bound of the cost of all placements, +Inf if none exists.
func (s *Search) Bound() float64 { return s.bound }

// Steps is the number of steps done.
func (s *Search) Steps() int64 { return s.steps }

// Rounding is the part of a cost that rounding errors of sums may hide from a proof.
const Rounding = 1e-9

// Ended says whether the best placement is proved optimal, or no placement exists.
func (s *Search) Ended() bool {
	return s.infeasible || s.best != nil && s.cost-s.bound <= Rounding*s.cost
}

// Broken is the number of constraints that the attempt under way breaks: dependencies, rooms and
// counters; 0 once there is a placement.
func (s *Search) Broken() int {
	if s.placed() || s.walk == nil {
		return 0
	}
	return s.walk.violations()
}

// placed says whether there is a placement.
func (s *Search) placed() bool { return s.best != nil }

// Refused says whether some job fits into no cluster at all.
func (s *Search) Refused() bool { return s.infeasible && s.stages == nil }
