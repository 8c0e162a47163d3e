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
	provedOptimalWith       = 1e-9 // relative to the cost, to allow for rounding
	tiny                    = 1e-9 // smallest denominator of a gap
)

// Certificate has a lower bound on the cost of every placement of a deployment on the remaining
// capacity, and what was proved with it.
type Certificate struct {
	Bound  float64 // no placement costs less
	Proved Proof
	Steps  int64         // steps of a strategy that improves; a run with this limit ends at the same placement
	Trace  []Improvement // of a strategy that improves

	Conflict // set if no placement exists
}

// noPlacement certifies that no placement exists.
func noPlacement() *Certificate {
	return &Certificate{Bound: math.Inf(1), Proved: ProvedInfeasible}
}

// Certify adds a certificate to a solution that has none, with the bound of the relaxation without
// dependencies. It sets Proved if the bound is a proof, and finds the conflict set of an infeasible
// problem. Without prices no placement counts as optimal.
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

// Improvement is a point in a search: the best cost and bound after a number of steps. Cost is +Inf
// before the first placement.
type Improvement struct {
	Steps       int64
	Cost, Bound float64
	Broken      int // constraints that the current attempt violates, before the first placement
}

// Gap returns how far a cost is above the bound, relative to the bound (0.04 is 4 %).
func (c *Certificate) Gap(total float64) float64 {
	return max(0, total-c.Bound) / max(c.Bound, tiny)
}
