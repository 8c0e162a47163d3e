package exact

import (
	"math"
	"slices"

	"berth/engine/solve"
)

// Result is the result of a [Tree]. Cluster is nil without a placement. If Proved, no placement
// costs less than Cost, up to rounding, or none exists; otherwise none costs less than Bound.
type Result struct {
	Cluster     []int32
	Cost, Bound float64
	Proved      bool
	Steps       int64
}

// Rounding is the relative difference that sums of costs in another order may have. Placements
// that are cheaper by less are ignored.
const Rounding = 1e-10

func newMinimizer(p *solve.Problem, start []int32) *minimizer {
	m := &minimizer{limit: math.Inf(1), keeps: mostKept, result: Result{Cost: math.Inf(1), Bound: math.Inf(-1)}}
	if start != nil {
		m.found(p, start)
	}
	return m
}

// run explores the tree, after a search for a first placement if none is known.
func (m *minimizer) run(p *solve.Problem) {
	if !fits(p) {
		m.bound(solve.Bound(p))
		return
	}
	m.relaxation = &relaxation{state: newState(p)} // there are no bounds yet
	m.budget = m.until
	if m.result.Cluster == nil && m.none() {
		m.result.Proved, m.result.Bound = true, math.Inf(1)
	} else {
		m.more = m.rest
		m.prepare(m.state)
		m.root()
	}
	m.result.Steps = m.steps()
}

// none looks for a first placement. It reports whether none exists.
func (m *minimizer) none() bool {
	f := newFeasibility(m.state)
	if f == nil {
		return false
	}
	m.more = func() bool { return m.rest() && m.result.Cluster == nil }
	cluster, answer := f.run()
	if answer == Yes {
		m.found(m.p, cluster)
	}
	m.back(0)
	m.over, m.why = false, nil
	return answer == No
}

// prepare sets up the bounds of a problem.
func (m *minimizer) prepare(s *state) {
	s.did(2*len(s.cost) + len(s.p.Dependencies) + 2*len(s.p.Links.Pair) + 2*len(s.p.Links.Leg))
	m.relaxation = newRelaxation(s)
	m.bounds = m.relaxation
	if pairable(s.p) {
		m.bounds = newPairs(m.relaxation)
	}
	m.whole = s.p.WholeCosts()
}

// minimizer goes through the tree.
type minimizer struct {
	*relaxation
	bounds  bounding
	bounded int   // nodes below the root
	until   int64 // as many steps may be done
	yield   func(struct{}) bool
	result  Result
	whole   bool    // all costs are whole numbers
	limit   float64 // placements that cost this or more are not looked for yet
	open    frontier
	keeps   int // figures that its parents keep at most, about
}

// bounding is a lower bound of the remaining problem, at prices that it improves.
type bounding interface {
	begin()
	// improve returns the best bound of at most so many evaluations and keeps its prices. It
	// ends early if the bound reaches enough, or stops rising.
	improve(evaluations int, enough float64, patience int) float64
	// fix removes the clusters on which a job raises the bound to enough. It returns false if a
	// job then has none.
	fix(enough float64) bool
	branchOn() int32
	// valuesOf appends the remaining clusters of a job, in order of their bounds.
	valuesOf(job int32, values []valued) []valued
	prices() [][]float64
	// atNode returns the evaluations and the patience for one node.
	atNode(root bool) (evaluations, patience int)
}

// found takes a placement if it is the best so far.
func (m *minimizer) found(p *solve.Problem, cluster []int32) {
	if m.relaxation != nil {
		m.did(20 * (p.Jobs*(1+len(p.Resources)) + len(p.Dependencies)))
	}
	node, link := p.Costs(cluster)
	if node+link < m.result.Cost && p.Check(cluster) == nil {
		m.result.Cluster, m.result.Cost = slices.Clone(cluster), node+link
	}
}

// bound takes a bound of the whole problem if it is the best so far.
func (m *minimizer) bound(bound float64) {
	if m.whole && math.Abs(bound) < 1e12 {
		bound = math.Ceil(bound - 1e-6)
	}
	m.result.Bound = max(m.result.Bound, min(bound, m.result.Cost))
}

// enough is a bound: a node that reaches it cannot improve the best placement.
func (m *minimizer) enough() float64 {
	if m.whole && m.result.Cost < 1e12 {
		return min(m.limit, m.result.Cost-1+1e-6)
	}
	return min(m.limit, m.result.Cost*(1-Rounding))
}

const (
	nodeEvaluations = 10
	rootEvaluations = 3000
	rootPatience    = 10
)

// root bounds the whole problem and goes through the tree.
func (m *minimizer) root() {
	if m.consistentAll() >= 0 {
		m.result.Bound = math.Inf(1)
	} else {
		m.bounds.begin()
		if m.bounds == bounding(m.relaxation) && m.result.Cluster != nil {
			m.approach()
		} else {
			m.bound(m.bounds.improve(rootEvaluations, m.enough(), rootPatience))
		}
		if m.result.Cluster != nil {
			m.climb()
		} else {
			m.explore()
		}
	}
	if m.result.Proved = !m.over || math.IsInf(m.result.Bound, 1); m.result.Proved {
		m.result.Bound = m.result.Cost
	}
}

// settle puts the jobs with one remaining cluster. It returns false if a job then has none.
func (m *minimizer) settle() bool {
	for again := true; again; {
		again = false
		m.did(2 * m.jobs)
		for j := range int32(m.jobs) {
			if m.at[j] >= 0 || m.size[j] != 1 {
				continue
			}
			again = true
			if m.put(j, m.next(j, 0), 0) >= 0 || m.consistent() >= 0 {
				return false
			}
		}
	}
	return true
}
