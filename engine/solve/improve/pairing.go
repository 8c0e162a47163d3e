package improve

import (
	"context"

	"berth/engine/solve/exact"
)

// pairing raises the bound of a problem whose tree is too large to go through by what
// dependencies leave to each other and what fits into clusters, once.
type pairing struct{ done bool }

// closeEnough is a gap, in relation to the cost, below which pairs are not looked
// at.
const closeEnough = 0.003

func (x *pairing) share(s *Search) int64 {
	if x.done || s.round == 0 || !s.placed() || provable(s.p) || len(s.p.Dependencies) > 0 && s.cost-s.bound < closeEnough*s.cost {
		return 0
	}
	return 1
}

func (x *pairing) run(s *Search, _ int64) int64 {
	s.uninterrupted()
	ctx, cancel := context.WithCancel(s.ctx)
	defer cancel()
	most := s.end - s.steps
	// Without dependencies there is less to see: the search has more of the steps.
	part := int64(8)
	if len(s.p.Dependencies) > 0 {
		part = 2
	}
	bound, steps := exact.Bound(ctx, s.p, Unit(s.p.Jobs, s.p.Clusters)/part, func(steps int64) {
		if !s.hears() || steps >= most {
			cancel()
		}
	})
	s.raise(bound)
	if s.infeasible || ctx.Err() == nil {
		s.cut, x.done = nil, true
	}
	return max(1, steps)
}
