package improve

import (
	"context"
	"slices"

	"berth/engine/solve"
	"berth/engine/solve/exact"
)

// freeing takes a few related jobs out of the best placement and puts them back at the
// least cost, by the tree of package exact.
type freeing struct {
	random solve.Random
	size   int // how many jobs are freed
	weight
}

const (
	fewestFreed, mostFreed = 6, 15
	freedSteps             = 20_000 // of a tree, at most
)

func newFreeing(s *Search) *freeing {
	return &freeing{random: solve.Random(s.seed*0x9e3779b97f4a7c15 + 0x5851f42d4c957f2d | 1), size: 8, weight: 1}
}

func (x *freeing) share(s *Search) float64 {
	if !s.placed() || s.p.Jobs <= fewestFreed {
		return 0
	}
	return float64(x.weight)
}

func (x *freeing) run(s *Search, _ int64) int64 {
	m := s.model
	jobs := x.related(m, s.best)
	sub := newFreed(m, s.best, jobs)
	// It is short, and ends where it ends: what is found never depends on a budget.
	r := exact.Minimize(context.Background(), sub.p, sub.start, freedSteps)
	switch {
	case !r.Proved:
		x.size = max(fewestFreed, x.size-1)
	case r.Steps < freedSteps/4:
		x.size = min(mostFreed, x.size+1)
	}
	if r.Cluster != nil && !slices.Equal(r.Cluster, sub.start) {
		next := slices.Clone(s.best)
		for i, j := range sub.jobs {
			next[j] = r.Cluster[i]
		}
		s.take(next)
	}
	return r.Steps + 50
}

// related picks jobs that depend on each other, or that are on clusters which jobs
// could share.
func (x *freeing) related(m *model, best []int32) []int32 {
	n := min(x.size, m.jobs)
	first := int32(x.random.Below(m.jobs))
	var jobs []int32
	if x.random.Next()>>63 == 0 {
		jobs = region(m, first, n, x.random.Below)
	} else {
		jobs = append(jobs, first)
	}
	// The rest comes from a few of the clusters that the first could go to.
	for tries := 0; len(jobs) < n && tries < 8; tries++ {
		c := best[first]
		if all := m.allowed[first]; tries > 0 {
			c = all[x.random.Below(x.random.Below(len(all))+1)]
		}
		for j, at := range best {
			if at == c && len(jobs) < n && !slices.Contains(jobs, int32(j)) {
				jobs = append(jobs, int32(j))
			}
		}
	}
	return jobs
}

// freed is the problem of some jobs while the others stay.
type freed struct {
	p     *solve.Problem
	jobs  []int32
	start []int32
}

// newFreed leaves counters out: a placement that breaks one is not taken. It lists the free jobs and, where dependencies take of links, those that they
// depend on, which stay.
func newFreed(m *model, best, jobs []int32) *freed {
	x := &freed{jobs: slices.Clone(jobs)}
	index := make([]int32, m.jobs)
	for j := range index {
		index[j] = -1
	}
	for i, j := range jobs {
		index[j] = int32(i)
	}
	if len(m.p.Lanes) > 0 {
		for _, j := range jobs {
			for _, k := range m.neighbour[m.start[j]:m.start[j+1]] {
				if index[k] < 0 {
					index[k] = int32(len(x.jobs))
					x.jobs = append(x.jobs, k)
				}
			}
		}
	}
	n := len(x.jobs)
	x.p = &solve.Problem{Jobs: n, Clusters: m.clusters, Links: m.p.Links, Flat: m.p.Flat, Cost: solve.Matrix{Cells: make([]float64, n*m.clusters)}}
	x.costs(m, best, index, len(jobs))
	x.resources(m, best, index, len(jobs))
	x.dependencies(m, best, index)
	for _, j := range x.jobs {
		x.start = append(x.start, best[j])
	}
	return x
}

// costs has what jobs cost with their links to those that are not of the problem.
func (x *freed) costs(m *model, best, index []int32, free int) {
	for i, j := range x.jobs {
		row := x.p.Cost.Cells[i*m.clusters : (i+1)*m.clusters]
		for c := range int32(m.clusters) {
			if !m.allows(j, c) || i >= free && c != best[j] {
				x.p.Forbid(i, int(c))
				continue
			}
			if i < free {
				row[c] = m.cost[m.at(j, c)]
			}
		}
		for e := m.start[j]; e < m.start[j+1] && i < free; e++ {
			if index[m.neighbour[e]] < 0 {
				x.link(m, row, i, m.number[e], best[m.neighbour[e]])
			}
		}
	}
}

// link adds to what a job costs a dependency on one that stays on a cluster.
func (x *freed) link(m *model, row []float64, i int, dependency, stays int32) {
	for c := range m.clusters {
		at := c*m.clusters + int(stays)
		if m.pairs.broken(dependency, at) > 0 {
			x.p.Forbid(i, c)
		}
		row[c] += m.pairs.cost(dependency, at)
	}
}

// resources has what the jobs that stay leave.
func (x *freed) resources(m *model, best, index []int32, free int) {
	for r, amount := range m.amount {
		of := solve.Resource{Capacity: make([]float64, m.clusters)}
		for c := range of.Capacity {
			of.Capacity[c] = m.room[c*m.resources+r]
		}
		for j, c := range best {
			if i := index[j]; i < 0 || int(i) >= free {
				of.Capacity[c] = max(0, of.Capacity[c]-amount[m.at(int32(j), c)])
			}
		}
		of.Amount.Cells = make([]float64, len(x.jobs)*m.clusters)
		for i, j := range x.jobs[:free] {
			copy(of.Amount.Cells[i*m.clusters:(i+1)*m.clusters], amount[int(j)*m.clusters:])
		}
		x.p.Resources = append(x.p.Resources, of)
	}
}

// dependencies has those between jobs of the problem; the others still take of lanes.
func (x *freed) dependencies(m *model, best, index []int32) {
	var kept []int
	for k, d := range m.p.Dependencies {
		if a, b := index[d.A], index[d.B]; a >= 0 && b >= 0 {
			kept = append(kept, k)
			x.p.Dependencies = append(x.p.Dependencies, solve.Dependency{A: a, B: b, Weight: d.Weight})
		}
	}
	x.p.Limits, x.p.Lanes = m.p.LinksOf(kept)
	for i := range x.p.Lanes {
		l := m.p.Lanes[i]
		l.Capacity = slices.Clone(l.Capacity)
		for k, d := range m.p.Dependencies {
			if index[d.A] >= 0 && index[d.B] >= 0 {
				continue
			}
			for _, lane := range l.Between(nil, int(best[d.A]), int(best[d.B]), m.clusters) {
				l.Capacity[lane] -= l.Amount[k]
			}
		}
		x.p.Lanes[i].Capacity = l.Capacity
	}
}
