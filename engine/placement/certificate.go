package placement

import "math"

// Proof is what is known for certain of a solution.
type Proof string

const (
	NoProof           Proof = ""
	ProvedOptimal     Proof = "optimal"
	ProvedInfeasible  Proof = "infeasible"
	provedOptimalWith       = 1e-9 // of the cost: what rounding may amount to
)

// Certificate says how good a placement of the deployment can be at all, on what
// was left.
type Certificate struct {
	Bound  float64 // no placement costs less
	Proved Proof
	Trace  []Improvement // of strategies that improve
}

// Improvement is a point in the course of a search: what was the best placement,
// and the best bound, after so many steps. Cost is +Inf before there is a
// placement.
type Improvement struct {
	Steps       int64
	Cost, Bound float64
}

// Gap is by how much a placement may be dearer than the cheapest, in relation to
// the bound.
func (c *Certificate) Gap(total float64) float64 {
	return max(0, total-c.Bound) / max(c.Bound, math.SmallestNonzeroFloat64)
}
