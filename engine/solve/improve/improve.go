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
	binding bool // which pairs of clusters dependencies allow matters more than capacities

	best       []int32 // nil without a placement
	cost       float64 // of best; +Inf if there is none
	bound      float64 // lower bound of the cost of all placements
	infeasible bool    // proved
	reached    func()  // called after each part of a stage; may be nil

	ctx    context.Context
	goOn   func() bool
	steps  int64 // done
	round  int
	stages []stage // of a round, in order
	at     int     // index of the current stage
	left   int64   // steps left for the current stage
}

// stage is a part of a search, run once per round.
type stage interface {
	// share returns the number of steps that the stage gets in this round, 0 to skip it.
	share(s *Search) int64
	// run takes about the given number of steps and returns the actual number. A result below 1
	// ends the stage.
	run(s *Search, steps int64) int64
}

// seldom is the largest fraction of pairs of clusters that dependencies may rule out before they
// count as binding.
const seldom = 0.15

// atOnce is the approximate number of steps between two checks whether the search may continue.
const atOnce = 1000

// New begins a search from a complete or partial placement (-1 for jobs without a cluster). If
// reached is not nil, the search calls it often.
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

// Run continues until the total number of steps is at least end, the result is proved, ctx is
// cancelled or goOn returns false.
func (s *Search) Run(ctx context.Context, end int64, goOn func() bool) {
	s.ctx, s.goOn = ctx, goOn
	for s.steps < end && !s.Ended() && s.mayGoOn() {
		taken := s.stages[s.at].run(s, max(fewest, min(s.left, atOnce)))
		if taken < 1 && !s.mayGoOn() {
			return // the stage was interrupted; it starts over if the search continues
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

// hears is mayGoOn for use within a long-running stage. It calls reached first, because the caller
// may process a stop request there.
func (s *Search) hears() bool {
	if s.reached != nil {
		s.reached()
	}
	return s.mayGoOn()
}

func (s *Search) mayGoOn() bool { return s.ctx.Err() == nil && (s.goOn == nil || s.goOn()) }

// advance moves on to the next stage with a share.
func (s *Search) advance() {
	for s.left = 0; s.left <= 0; s.left = s.stages[s.at].share(s) {
		if s.at++; s.at == len(s.stages) {
			s.at = 0
			s.round++
		}
	}
}

// take keeps a valid placement if it is better than the best.
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

// raise updates the bound if the new one is higher.
func (s *Search) raise(bound float64) {
	s.bound = max(s.bound, bound)
	s.infeasible = s.infeasible || math.IsInf(s.bound, 1)
}

// Best returns the best placement and its cost; nil and +Inf if none was found yet. Callers must
// not change the placement.
func (s *Search) Best() ([]int32, float64) { return s.best, s.cost }

// Bound returns a lower bound of the cost of all placements, +Inf if none exists.
func (s *Search) Bound() float64 { return s.bound }

// Steps returns the number of steps taken.
func (s *Search) Steps() int64 { return s.steps }

// Rounding is the relative gap that may remain in a proof, because of rounding errors of sums.
const Rounding = 1e-9

// Ended reports whether the best placement is proved optimal, or no placement exists.
func (s *Search) Ended() bool {
	return s.infeasible || s.best != nil && s.cost-s.bound <= Rounding*s.cost
}

// Broken returns the number of constraints that the current attempt violates (dependencies, rooms
// and counters), 0 once there is a placement.
func (s *Search) Broken() int {
	if s.placed() || s.walk == nil {
		return 0
	}
	return s.walk.violations()
}

func (s *Search) placed() bool { return s.best != nil }

// Refused reports whether some job fits on no cluster at all.
func (s *Search) Refused() bool { return s.infeasible && s.stages == nil }
