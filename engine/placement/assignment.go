package placement

import (
	"math"
	"slices"

	"berth/engine/graph"
	"berth/engine/solve"
)

// compiled is a problem as package solve has it, each part made when it is first
// asked for: bound, improvement, proof, conflict set and explanations share it.
type compiled struct {
	relaxed  *solve.Problem // without dependencies
	whole    *solve.Problem
	bound    *float64 // that is known at once
	conflict *conflict
}

// Assignment returns the problem in the form of package solve: jobs, clusters and dependencies
// keep their numbers, amounts are in ten-thousandths of a unit, and costs equal [Problem.Costs].
// On a mesh it takes memory for each pair of clusters. It is compiled once and must not be
// changed.
func (p *Problem) Assignment() *solve.Problem {
	if p.compiled.whole == nil {
		a := *p.relaxed()
		for k := range p.deployment.Dependencies().Len() {
			from, to := p.deployment.Ends(k)
			weight := 1.0
			if p.volumes != nil {
				weight = p.volume(k)
			}
			a.Dependencies = append(a.Dependencies, solve.Dependency{A: int32(from), B: int32(to), Weight: weight})
		}
		if len(a.Dependencies) > 0 {
			p.capacity.links.assignment(p, &a)
		}
		p.compiled.whole = &a
	}
	return p.compiled.whole
}

// relaxed is the problem without its dependencies.
func (p *Problem) relaxed() *solve.Problem {
	if p.compiled.relaxed != nil {
		return p.compiled.relaxed
	}
	a := &solve.Problem{Jobs: p.deployment.Jobs().Len(), Clusters: p.capacity.federation.Clusters().Len()}
	for r := range p.demands {
		m := &p.demands[r]
		amount := solve.Matrix{Cells: m.amounts}
		if m.amounts == nil {
			amount.Terms = []solve.Term{{ByJob: m.need}}
		}
		if p.costs == nil {
			a.Cost.Terms = append(a.Cost.Terms, solve.Term{ByJob: m.w, ByCluster: zeroNaN(m.price)})
		}
		a.Resources = append(a.Resources, solve.Resource{Amount: amount, Capacity: slices.Clone(p.capacity.free[m.index])})
	}
	a.Cost.Cells, a.Counters = p.costs, p.rules.counters
	if p.costs == nil {
		a.Cost.Cells = p.rules.moves(a.Clusters)
	}
	p.forbid(a)
	p.compiled.relaxed = a
	return a
}

func zeroNaN(column []float64) []float64 {
	whole := make([]float64, len(column))
	for i, v := range column {
		if v == v {
			whole[i] = v
		}
	}
	return whole
}

// forbid marks the clusters that can never host a job for another reason than
// room.
func (p *Problem) forbid(a *solve.Problem) {
	row := make([]float64, a.Clusters)
	for i := range a.Jobs {
		p.base(row, i)
		for j, cost := range row {
			if math.IsInf(cost, 1) || cost != cost {
				a.Forbid(i, j)
			}
		}
	}
}

func (l *links) assignment(p *Problem, a *solve.Problem) {
	a.Links = l.prices(a.Clusters, l.price)
	if p.volumes != nil {
		a.Links = l.prices(a.Clusters, l.tariff)
		if slices.ContainsFunc(l.price, func(price float64) bool { return price > 0 && !math.IsInf(price, 1) }) {
			a.Flat = l.prices(a.Clusters, l.price)
		}
	}
	for i := range l.constraints {
		k := &l.constraints[i]
		sign := map[graph.Operator]float64{graph.AtLeast: 1, graph.AtMost: -1}[k.comparison.Op]
		limit := solve.Limit{Bound: make([]float64, len(a.Dependencies)), Most: k.through() == graph.Narrowest}
		bounded := false
		for d := range limit.Bound {
			limit.Bound[d] = math.Inf(1)
			if bound := p.bound(d)[i]; bound == bound {
				limit.Bound[d], bounded = sign*bound, true
			}
		}
		if !bounded {
			continue
		}
		if limit.Most && sign > 0 {
			limit.Pair = pairs(a.Clusters, l.joined(i, sign)) // the lesser of two legs
		} else {
			limit.Leg, limit.Pair = l.legs(l.figures[i], sign), l.pairs(a.Clusters, l.joined(i, sign))
		}
		a.Limits = append(a.Limits, limit)
		if p.capacity.bandwidth[i] != nil {
			a.Lanes = append(a.Lanes, l.lanes(p, i, a))
		}
	}
}

// prices returns a column of prices by pair of clusters.
func (l *links) prices(clusters int, column []float64) solve.Links {
	return solve.Links{Leg: l.legs(column, 1), Pair: l.pairs(clusters, func(a, b int) float64 { return l.between(column, a, b) })}
}

// joined returns a constraint's figure for two clusters, +Inf if no link joins them.
func (l *links) joined(constraint int, sign float64) func(a, b int) float64 {
	return func(a, b int) float64 {
		if !l.federation.Connected(a, b) {
			return math.Inf(1)
		}
		return orInf(sign * l.figure(constraint, a, b))
	}
}

func orInf(v float64) float64 {
	if v != v {
		return math.Inf(1)
	}
	return v
}

// legs returns the column of a star, nil for a mesh.
func (l *links) legs(column []float64, sign float64) []float64 {
	if !l.star {
		return nil
	}
	legs := make([]float64, len(column))
	for j, v := range column {
		legs[j] = orInf(sign * v)
	}
	return legs
}

// pairs returns the figures of all pairs of clusters, nil for a star.
func (l *links) pairs(clusters int, figure func(a, b int) float64) []float64 {
	if l.star {
		return nil
	}
	return pairs(clusters, figure)
}

func pairs(clusters int, figure func(a, b int) float64) []float64 {
	all := make([]float64, clusters*clusters)
	for a := range clusters {
		for b := range a {
			all[a*clusters+b] = figure(a, b)
			all[b*clusters+a] = all[a*clusters+b]
		}
	}
	return all
}

// lanes returns what dependencies take of the given links.
func (l *links) lanes(p *Problem, constraint int, a *solve.Problem) solve.Lanes {
	lanes := solve.Lanes{Capacity: slices.Clone(p.capacity.bandwidth[constraint]), Amount: make([]float64, len(a.Dependencies))}
	for d := range lanes.Amount {
		if bound := p.bound(d)[constraint]; bound == bound {
			lanes.Amount[d] = bound
		}
	}
	f := l.federation
	if l.star {
		lanes.Leg = make([]int32, a.Clusters)
		for j := range lanes.Leg {
			link, ok := f.Link(j, f.Center())
			lanes.Leg[j] = int32(link)
			if !ok {
				lanes.Leg[j] = -1
			}
		}
		return lanes
	}
	var legs []int
	for at := range a.Clusters * a.Clusters {
		lanes.Start = append(lanes.Start, int32(len(lanes.Way)))
		var ok bool
		legs, ok = f.Path(legs[:0], at/a.Clusters, at%a.Clusters)
		if !ok {
			continue
		}
		for _, link := range legs {
			lanes.Way = append(lanes.Way, int32(link))
		}
	}
	lanes.Start = append(lanes.Start, int32(len(lanes.Way)))
	return lanes
}
