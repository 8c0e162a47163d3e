package placement

import (
	"math"
	"slices"

	"berth/engine/graph"
	"berth/engine/solve"
)

// compiled caches results that are computed on first use.
type compiled struct {
	whole    *solve.Problem
	bound    *float64 // of the relaxation without dependencies; see [Problem.Certify]
	conflict *Conflict
}

// compile fills p.form, the problem in the form of package solve, except for the parts that need
// memory for each pair of clusters. [Problem.Assignment] adds those parts.
func (p *Problem) compile() {
	a := &p.form
	a.Jobs, a.Clusters = p.deployment.Jobs().Len(), p.capacity.federation.Clusters().Len()
	for r := range p.demands {
		m := &p.demands[r]
		a.Cost.Terms = append(a.Cost.Terms, solve.Term{ByJob: m.w, ByCluster: m.price})
		amount := solve.Matrix{Terms: []solve.Term{{ByJob: m.need}}}
		a.Resources = append(a.Resources, solve.Resource{Amount: amount, Capacity: p.capacity.free[m.index]})
	}
	if p.deployment.Dependencies().Len() > 0 {
		p.compileLinks()
	}
}

func (p *Problem) compileLinks() {
	a, dependencies := &p.form, p.deployment.Dependencies()
	var volumes []float64
	if p.capacity.links.tariff != nil {
		volumes = dependencies.Column(volume())
	}
	p.weighted = volumes != nil
	a.Dependencies = make([]solve.Dependency, dependencies.Len())
	for k := range dependencies.Len() {
		from, to := p.deployment.Ends(k)
		weight := 1.0
		if p.weighted {
			if weight = volumes[k]; weight != weight {
				weight = 0
			}
		}
		a.Dependencies[k] = solve.Dependency{A: int32(from), B: int32(to), Weight: weight}
	}
	for i := range p.capacity.links.constraints {
		k := &p.capacity.links.constraints[i]
		bounds, bounded := slices.Repeat([]float64{math.Inf(1)}, dependencies.Len()), false
		for d, bound := range dependencies.Column(k.demand, k.demandField) {
			if bound == bound {
				bounds[d], bounded = k.sign*parts(bound), true
			}
		}
		if bounded {
			a.Limits, p.limited = append(a.Limits, solve.Limit{Bound: bounds}), append(p.limited, k)
		}
	}
}

// Assignment returns the problem in the form of package solve. Jobs, clusters and dependencies keep
// their numbers, amounts are in ten-thousandths of a unit, and costs equal [Problem.Costs]. On a
// mesh it takes memory for each pair of clusters. The result is compiled on the first call and
// shared, so callers must not change it.
func (p *Problem) Assignment() *solve.Problem {
	if p.compiled.whole != nil {
		return p.compiled.whole
	}
	a := p.form
	if a.Cost.Cells == nil {
		a.Cost.Cells = p.moves(a.Clusters)
	}
	row := make([]float64, a.Clusters)
	for i := range a.Jobs { // forbid the clusters that refuse the job for a reason other than room
		p.base(row, i)
		for j, cost := range row {
			if math.IsInf(cost, 1) {
				a.Forbid(i, j)
			}
		}
	}
	if len(a.Dependencies) > 0 {
		p.linkUp(&a)
	}
	p.compiled.whole = &a
	return &a
}

// linkUp adds the prices, limits and lanes of links.
func (p *Problem) linkUp(a *solve.Problem) {
	a.Links = p.capacity.links.price.links()
	if p.weighted {
		if slices.ContainsFunc(p.capacity.links.price.given, positive) {
			a.Flat = a.Links
		}
		a.Links = p.capacity.links.tariff.links()
	}
	a.Limits = slices.Clone(a.Limits)
	for i, k := range p.limited {
		figures := k.links()
		a.Limits[i].Leg, a.Limits[i].Pair, a.Limits[i].Most = figures.Leg, figures.Pair, k.through == graph.Narrowest
		if left := p.capacity.left(k); left != nil {
			a.Lanes = append(a.Lanes, p.lanes(left, a.Limits[i].Bound))
		}
	}
}

// lanes lists the links on the path between any two clusters, with the bandwidth left on each link
// and the bandwidth that each dependency uses.
func (p *Problem) lanes(left, bounds []float64) solve.Lanes {
	lanes := solve.Lanes{Capacity: left, Amount: make([]float64, len(bounds))}
	for d, bound := range bounds {
		lanes.Amount[d] = max(0, -bound)
	}
	f, n := p.capacity.federation, p.form.Clusters
	if center := f.Center(); center >= 0 {
		for j := range n {
			link, _ := f.Link(j, center)
			lanes.Leg = append(lanes.Leg, int32(link))
		}
		return lanes
	}
	var path []int
	for at := range n * n {
		lanes.Start = append(lanes.Start, int32(len(lanes.Way)))
		var ok bool
		if path, ok = f.Path(path[:0], at/n, at%n); !ok {
			continue
		}
		for _, link := range path {
			lanes.Way = append(lanes.Way, int32(link))
		}
	}
	lanes.Start = append(lanes.Start, int32(len(lanes.Way)))
	return lanes
}
