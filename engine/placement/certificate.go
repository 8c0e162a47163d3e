package placement

import (
	"context"
	"math"

	"berth/engine/solve"
)

// Proof is a proved property of a solution.
type Proof string

const (
	NoProof           Proof = ""
	ProvedOptimal     Proof = "optimal"
	ProvedInfeasible  Proof = "infeasible"
	provedOptimalWith       = 1e-9 // of the cost: what rounding may amount to
	tiny                    = 1e-9 // what a gap is in relation to at least
)

// Certificate bounds the cost of every placement of a deployment on the remaining capacity.
type Certificate struct {
	Bound  float64 // no placement costs less
	Proved Proof
	Steps  int64         // that a strategy took that improves: with so many it ends there again
	Trace  []Improvement // as above

	Conflict // if no placement exists
}

// noPlacement certifies that no placement exists.
func noPlacement() *Certificate {
	return &Certificate{Bound: math.Inf(1), Proved: ProvedInfeasible}
}

// Certify gives a solution without a certificate the bound that is known at once, and sets
// Proved if the bound proves it. Without prices nothing is proved optimal.
func (p *Problem) Certify(ctx context.Context, s *Solution) {
	if s.Certificate == nil {
		if p.compiled.bound == nil {
			relaxed := *p.Assignment()
			relaxed.Dependencies, relaxed.Links, relaxed.Flat, relaxed.Limits, relaxed.Lanes = nil, solve.Links{}, solve.Links{}, nil, nil
			p.compiled.bound = new(solve.Bound(&relaxed))
		}
		s.Certificate = &Certificate{Bound: *p.compiled.bound}
	}
	c := s.Certificate
	switch {
	case c.Proved != NoProof:
	case math.IsInf(c.Bound, 1):
		c.Proved = ProvedInfeasible
	case s.Complete() && s.Cost()-c.Bound <= provedOptimalWith*s.Cost():
		c.Proved = ProvedOptimal
	}
	if c.Proved == ProvedOptimal && !p.Priced() {
		c.Proved = NoProof
	}
	if c.Proved == ProvedInfeasible && c.Core == nil {
		c.Conflict = p.conflict(ctx)
	}
	p.byNodes(s)
}

// Improvement is a point in the course of a search: the best cost and bound after a number of
// steps. Cost is +Inf before the first placement.
type Improvement struct {
	Steps       int64
	Cost, Bound float64
	Broken      int // constraints that the attempt under way breaks, before the first placement
}

// Gap is the distance of a cost from the bound, relative to the bound.
func (c *Certificate) Gap(total float64) float64 {
	return max(0, total-c.Bound) / max(c.Bound, tiny)
}
