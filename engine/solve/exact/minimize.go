package exact

import (
	"math"
	"slices"

	"berth/engine/solve"
)

// Result is the result of a [Tree]. Cluster is nil without a placement. If Proved, no placement
// costs less than Cost, up to rounding, or none exists. Otherwise none costs less than Bound.
type Result struct {
	Cluster     []int32
	Cost, Bound float64
	Proved      bool
	Steps       int64
}

// Rounding is the relative difference that the order of summation may cause in costs. Smaller
// improvements are ignored.
const Rounding = 1e-10

func newMinimizer(p *solve.Problem, start []int32) *minimizer {
	m := &minimizer{limit: math.Inf(1), keeps: mostKept, result: Result{Cost: math.Inf(1), Bound: math.Inf(-1)}}
	if start != nil {
		m.found(p, start)
	}
	return m
}

// run explores the tree. If no placement is known, it first searches for one.
func (m *minimizer) run(p *solve.Problem) {
	if !fits(p) {
		m.bound(solve.Bound(p))
		return
	}
	m.relaxation = &relaxation{state: newState(p)} // without bounds until prepare
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

// none searches for a first placement and reports whether it proved that none exists.
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

// prepare sets up the bounds for a problem.
func (m *minimizer) prepare(s *state) {
	s.did(2*len(s.cost) + len(s.p.Dependencies) + 2*len(s.p.Links.Pair) + 2*len(s.p.Links.Leg))
	m.relaxation = newRelaxation(s)
	m.bounds = m.relaxation
	if pairable(s.p) {
		m.bounds = newPairs(m.relaxation)
	}
	m.whole = s.p.WholeCosts()
}

// minimizer is the state of the branch and bound.
type minimizer struct {
	*relaxation
	bounds  bounding
	bounded int                 // number of nodes below the root that were bounded
	until   int64               // limit on steps
	yield   func(struct{}) bool // pauses the search; see [minimizer.rest]
	result  Result
	whole   bool    // all costs are whole numbers
	limit   float64 // placements that cost at least this much are ignored for now
	open    frontier
	keeps   int // approximate limit on the figures stored in parents
}

// bounding is a lower bound of the remaining problem. It depends on prices, which it improves.
type bounding interface {
	begin()
	// improve returns the best bound found in at most the given number of evaluations, and keeps
	// its prices. It stops early if the bound reaches enough or stops rising.
	improve(evaluations int, enough float64, patience int) float64
	// fix removes the clusters on which a job would raise the bound to enough. It returns false if
	// that leaves a job without a cluster.
	fix(enough float64) bool
	branchOn() int32
	// valuesOf appends the remaining clusters of a job in ascending order of their bounds.
	valuesOf(job int32, values []valued) []valued
	prices() [][]float64
	// atNode returns the evaluations and the patience for one node.
	atNode(root bool) (evaluations, patience int)
}

// found keeps a placement if it is the best so far.
func (m *minimizer) found(p *solve.Problem, cluster []int32) {
	if m.relaxation != nil {
		m.did(20 * (p.Jobs*(1+len(p.Resources)) + len(p.Dependencies)))
	}
	node, link := p.Costs(cluster)
	if node+link < m.result.Cost && p.Check(cluster) == nil {
		m.result.Cluster, m.result.Cost = slices.Clone(cluster), node+link
	}
}

// bound raises the bound of the whole problem.
func (m *minimizer) bound(bound float64) {
	if m.whole && math.Abs(bound) < 1e12 {
		bound = math.Ceil(bound - 1e-6)
	}
	m.result.Bound = max(m.result.Bound, min(bound, m.result.Cost))
}

// enough returns the bound above which a node cannot contain an interesting placement.
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

// root computes the bound of the whole problem and explores the tree.
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

// settle places each job that has one remaining cluster. It returns false if that leaves a job
// without a cluster.
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
