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
	m.dearest = dearest(s)
}

// alone says whether the bound is that of the knapsacks without pairs.
func (m *minimizer) alone() bool { return m.bounds == bounding(m.relaxation) }

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
	dearest float64 // more than any placement costs
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
}

// dearest exceeds the cost of every placement.
func dearest(s *state) float64 {
	var sum float64
	for j := range int32(s.jobs) {
		var most float64
		for c := s.next(j, 0); c >= 0; c = s.next(j, c+1) {
			most = max(most, s.cost[int(j)*s.clusters+c])
		}
		sum += most
	}
	link, flat := dearestLink(&s.p.Links), dearestLink(&s.p.Flat)
	for _, d := range s.p.Dependencies {
		sum += float64(d.Weight*link) + flat
	}
	return float64(sum*(1+1e-9)) + 1
}

func dearestLink(l *solve.Links) float64 { return max(2*largest(l.Leg), largest(l.Pair)) }

// largest returns the largest of some figures that is finite, 0 for none.
func largest(figures []float64) float64 {
	var most float64
	for _, v := range figures {
		if !math.IsInf(v, 1) {
			most = max(most, v)
		}
	}
	return most
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

// enough is the bound from which on a node cannot improve the best placement.
func (m *minimizer) enough() float64 {
	if m.whole && m.result.Cost < 1e12 {
		return min(m.limit, m.result.Cost-1+1e-6)
	}
	return min(m.limit, m.result.Cost*(1-Rounding))
}

const (
	nodeEvaluations = 10
	rootEvaluations = 3000
	rootPatience    = 20

	firstLimit = 5e-5 // above the bound, in relation to it
	firstPart  = 8    // of what is between the bound and the best placement, if that is more
	tinyLimit  = 1e-6
	smallTree  = 500 // evaluations, below which the limit rises faster
)

// root goes through the tree. With knapsacks alone that is under a limit just above the
// bound of the whole, and where no placement is below that, again under one twice as far
// away: prices that are moved towards a near limit are better.
func (m *minimizer) root() {
	if !m.start() {
		m.result.Proved, m.result.Bound = true, math.Inf(1)
		return
	}
	base, above := m.result.Bound, max(firstLimit*m.result.Bound, tinyLimit)
	if m.result.Cluster != nil {
		above = max(above, (m.result.Cost-base)/firstPart)
	}
	if m.whole {
		above = max(above, 1)
	}
	if !m.alone() {
		above = math.Inf(1)
	}
	for last := math.IsInf(m.result.Bound, 1); !last && !m.over; {
		m.limit = base + above
		if m.whole {
			m.limit = math.Floor(m.limit) + 1e-6
		}
		between := m.result.Cost - base
		if above > 0.75*between { // there are few between
			m.limit = math.Inf(1)
		}
		if above > between/4 {
			above *= 1.5
		} else {
			above *= 2
		}
		if m.limit <= m.result.Bound {
			continue
		}
		last = m.limit >= m.dearest
		begun := m.rounds
		m.explore()
		last = last || m.result.Cost*(1-Rounding) <= m.limit
		if m.over {
			break
		}
		m.bound(min(m.limit, m.result.Cost))
		if m.rounds-begun < smallTree {
			above *= 2
		}
	}
	if !m.over || math.IsInf(m.result.Bound, 1) {
		m.result.Proved = true
		if m.result.Cluster == nil {
			m.result.Bound = math.Inf(1)
		}
	}
}

// start removes clusters that no placement uses, and bounds the whole problem. It returns false
// if a job has no cluster left.
func (m *minimizer) start() bool {
	if m.consistentAll() >= 0 {
		return false
	}
	m.bounds.begin()
	if m.alone() {
		m.approach()
	} else {
		m.bound(m.bounds.improve(rootEvaluations, m.enough(), rootPatience))
	}
	return true
}

// scale is the distance between the bound and the best placement, or an estimate of it.
func (m *minimizer) scale() float64 {
	if math.IsInf(m.result.Cost, 1) {
		return max(m.result.Bound, m.dearest/100)
	}
	return max(m.result.Bound/100, m.result.Cost-m.result.Bound)
}

// approach finds good prices for the whole problem: it moves them towards a limit, and brings
// the limit nearer when it turns out to be too far.
func (m *minimizer) approach() {
	m.bound(m.evaluate())
	for away := float64(0.02*m.scale()) + tinyLimit; away > max(tinyLimit*m.result.Bound, m.scale()/1e3) && m.result.Bound < m.dearest && !m.over; {
		m.limit = m.result.Bound + away
		bound := m.relaxation.improve(rootEvaluations, m.enough(), rootPatience)
		switch risen := bound - m.result.Bound; {
		case bound >= m.result.Cost*(1-Rounding):
			return
		case bound >= m.limit:
			away *= 2
		case risen < away/10:
			away /= 4
		}
		m.bound(bound)
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
