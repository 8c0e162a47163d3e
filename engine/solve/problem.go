package solve

import (
	"fmt"
	"math"
	"slices"
)

// Problem is a set of jobs to assign to clusters. It must not change during a solve. All figures
// are at least 0. Whole amounts with sums below 2⁵³ are added exactly.
type Problem struct {
	Jobs, Clusters int

	Cost         Matrix     // a_jc
	Resources    []Resource // if empty, clusters take any number of jobs
	Dependencies []Dependency
	Links        Links   // price between two clusters per weight of a dependency
	Flat         Links   // price between two clusters per dependency, regardless of its weight
	Limits       []Limit // pairs of clusters that dependencies must not span
	Lanes        []Lanes // capacities of the links that dependencies cross
	Counters     []Counter

	// Forbidden has, for each job, a bit for each cluster that the job must not use; nil forbids
	// nothing. See [Problem.Forbid].
	Forbidden []uint64
}

// Matrix has a figure for each job j and cluster c: Cells[j·clusters + c] plus the sum over Terms
// of ByJob[j]·ByCluster[c]. With terms, costs such as request times price need no cell for each
// pair.
type Matrix struct {
	Cells []float64
	Terms []Term
}

// Term is a product of a figure by job and one by cluster. A nil slice means that all figures are
// 1; at most one slice may be nil.
type Term struct{ ByJob, ByCluster []float64 }

// Resource is an amount that jobs take on clusters.
type Resource struct {
	Amount   Matrix    // w_jc
	Capacity []float64 // by cluster
}

// Dependency joins two different jobs. Its cost is Weight times the price between their clusters,
// which a path must join.
type Dependency struct {
	A, B   int32
	Weight float64
}

// Links has the price of each pair of different clusters, +Inf if no path joins them; within a
// cluster it is 0. If neither field is set, all links are free.
type Links struct {
	Leg  []float64 // by cluster, on a star: the price of c and d is Leg[c] + Leg[d]
	Pair []float64 // at [c·clusters + d], symmetric: a mesh, or summed paths
}

// Limit forbids a dependency on pairs of different clusters whose figure exceeds its bound. For a
// lower bound, both figure and bound are negated.
type Limit struct {
	Leg   []float64 // by cluster, on a star
	Most  bool      // the larger of two legs counts, not their sum
	Pair  []float64 // at [c·clusters + d], symmetric; replaces Leg
	Bound []float64 // by dependency; +Inf for no bound
}

// Lanes are links with a capacity that dependencies between different clusters use up.
type Lanes struct {
	Capacity []float64 // by lane
	Amount   []float64 // by dependency: taken from each lane on its path
	Leg      []int32   // by cluster, on a star: its lane, -1 if it has none
	Start    []int32   // otherwise, at = c·clusters + d: the path between c and d
	Way      []int32   // is Way[Start[at]:Start[at+1]], the same in both directions
}

// At returns the figure of one job on one cluster.
func (m *Matrix) At(job, cluster, clusters int) float64 {
	var sum float64
	for i := range m.Terms {
		sum += m.Terms[i].at(job, cluster)
	}
	if m.Cells != nil {
		sum += m.Cells[job*clusters+cluster]
	}
	return sum
}

// Dense returns the figures of all jobs and clusters, at [job·clusters + cluster].
func (m *Matrix) Dense(jobs, clusters int) []float64 {
	all := make([]float64, jobs*clusters)
	for at := range all {
		all[at] = m.At(at/clusters, at%clusters, clusters)
	}
	return all
}

func (t *Term) at(job, cluster int) float64 {
	switch {
	case t.ByCluster == nil:
		return t.ByJob[job]
	case t.ByJob == nil:
		return t.ByCluster[cluster]
	}
	return float64(t.ByJob[job] * t.ByCluster[cluster])
}

// Forbid keeps a job off a cluster.
func (p *Problem) Forbid(job, cluster int) {
	if p.Forbidden == nil {
		p.Forbidden = make([]uint64, p.Jobs*p.words())
	}
	p.Forbidden[job*p.words()+cluster/64] |= 1 << (cluster % 64)
}

func (p *Problem) words() int { return (p.Clusters + 63) / 64 }

// Forbids reports whether a job is kept off a cluster by [Problem.Forbid].
func (p *Problem) Forbids(job, cluster int) bool {
	return p.Forbidden != nil && p.Forbidden[job*p.words()+cluster/64]>>(cluster%64)&1 != 0
}

// Neighbours lists the dependencies of each job: the other job and the number of the dependency,
// both at [start[job]:start[job+1]], in the order of Dependencies.
func (p *Problem) Neighbours() (start, job, dependency []int32) {
	start = make([]int32, p.Jobs+1)
	for _, d := range p.Dependencies {
		start[d.A+1]++
		start[d.B+1]++
	}
	for j := range p.Jobs {
		start[j+1] += start[j]
	}
	job, dependency = make([]int32, 2*len(p.Dependencies)), make([]int32, 2*len(p.Dependencies))
	next := slices.Clone(start[:p.Jobs])
	for k, d := range p.Dependencies {
		for _, e := range [2][2]int32{{d.A, d.B}, {d.B, d.A}} {
			job[next[e[0]]], dependency[next[e[0]]] = e[1], int32(k)
			next[e[0]]++
		}
	}
	return start, job, dependency
}

// Allowed reports whether a job may use a cluster while no other job is placed: the pair is not
// forbidden, the cost is finite, and the job fits on the empty cluster.
func (p *Problem) Allowed(job, cluster int) bool {
	if p.Forbids(job, cluster) {
		return false
	}
	for r := range p.Resources {
		if p.Amount(r, job, cluster) > p.Resources[r].Capacity[cluster] {
			return false
		}
	}
	return !math.IsInf(p.NodeCost(job, cluster), 1)
}

// NodeCost returns a_jc, the cost of a job on a cluster; +Inf if the job is not allowed there.
func (p *Problem) NodeCost(job, cluster int) float64 { return p.Cost.At(job, cluster, p.Clusters) }

// Amount returns w_jcr, the amount of a resource that a job takes on a cluster.
func (p *Problem) Amount(resource, job, cluster int) float64 {
	return p.Resources[resource].Amount.At(job, cluster, p.Clusters)
}

// Price returns the price between two clusters: 0 within a cluster, +Inf if no path joins them.
func (l *Links) Price(a, b, clusters int) float64 {
	switch {
	case a == b:
		return 0
	case l.Pair != nil:
		return l.Pair[a*clusters+b]
	case l.Leg != nil:
		return l.Leg[a] + l.Leg[b]
	}
	return 0
}

// Figure returns the figure of two different clusters, to compare with the bound of a dependency.
func (l *Limit) Figure(a, b, clusters int) float64 {
	switch {
	case l.Pair != nil:
		return l.Pair[a*clusters+b]
	case l.Most:
		return max(l.Leg[a], l.Leg[b])
	}
	return l.Leg[a] + l.Leg[b]
}

// PairCost returns the cost of a dependency whose jobs run on clusters a (for A) and b, +Inf if it
// cannot span them.
func (p *Problem) PairCost(dependency, a, b int) float64 {
	if a == b {
		return 0
	}
	price := p.Links.Price(a, b, p.Clusters)
	if math.IsInf(price, 1) {
		return price
	}
	for i := range p.Limits {
		if l := &p.Limits[i]; !(l.Figure(a, b, p.Clusters) <= l.Bound[dependency]) {
			return math.Inf(1)
		}
	}
	return float64(p.Dependencies[dependency].Weight*price) + p.Flat.Price(a, b, p.Clusters)
}

// LinksOf returns the limits and lanes of some dependencies. The results number these dependencies
// in the given order.
func (p *Problem) LinksOf(dependencies []int) (limits []Limit, lanes []Lanes) {
	of := func(all []float64) []float64 {
		some := make([]float64, len(dependencies))
		for i, k := range dependencies {
			some[i] = all[k]
		}
		return some
	}
	for _, l := range p.Limits {
		l.Bound = of(l.Bound)
		limits = append(limits, l)
	}
	for _, l := range p.Lanes {
		l.Amount = of(l.Amount)
		lanes = append(lanes, l)
	}
	return limits, lanes
}

// Between appends the lanes on the path between two clusters to lanes.
func (l *Lanes) Between(lanes []int32, a, b, clusters int) []int32 {
	if a == b {
		return lanes
	}
	if l.Leg == nil {
		at := a*clusters + b
		return append(lanes, l.Way[l.Start[at]:l.Start[at+1]]...)
	}
	for _, c := range [2]int{a, b} {
		if l.Leg[c] >= 0 {
			lanes = append(lanes, l.Leg[c])
		}
	}
	return lanes
}

// Costs returns the cost of a placement (cluster, by job): node costs are summed over jobs, link
// costs over dependencies.
func (p *Problem) Costs(cluster []int32) (node, link float64) {
	for j, c := range cluster {
		node += p.NodeCost(j, int(c))
	}
	for k, d := range p.Dependencies {
		link += p.PairCost(k, int(cluster[d.A]), int(cluster[d.B]))
	}
	return node, link
}

// Check returns an error for the first constraint that a placement violates, nil if it is valid.
// Amounts are added in the order of jobs and of dependencies.
func (p *Problem) Check(cluster []int32) error {
	if len(cluster) != p.Jobs {
		return fmt.Errorf("%d jobs, %d placed", p.Jobs, len(cluster))
	}
	for j, c := range cluster {
		if c < 0 || int(c) >= p.Clusters || !p.Allowed(j, int(c)) {
			return fmt.Errorf("job %d must not stand on cluster %d", j, c)
		}
	}
	for r := range p.Resources {
		load := make([]float64, p.Clusters)
		for j, c := range cluster {
			load[c] += p.Amount(r, j, int(c))
			if load[c] > p.Resources[r].Capacity[c] {
				return fmt.Errorf("cluster %d has %v of resource %d, its jobs take %v", c, p.Resources[r].Capacity[c], r, load[c])
			}
		}
	}
	for k, d := range p.Dependencies {
		if a, b := cluster[d.A], cluster[d.B]; math.IsInf(p.PairCost(k, int(a), int(b)), 1) {
			return fmt.Errorf("dependency %d cannot span clusters %d and %d", k, a, b)
		}
	}
	t := NewTallies(p.Jobs, p.Counters)
	for j, c := range cluster {
		if counter := t.Refuses(int32(j), c); counter >= 0 {
			return fmt.Errorf("job %d on cluster %d breaks counter %d", j, c, counter)
		}
		t.Place(int32(j), c)
	}
	return p.checkLanes(cluster)
}

func (p *Problem) checkLanes(cluster []int32) error {
	var way []int32
	for i := range p.Lanes {
		l := &p.Lanes[i]
		taken := make([]float64, len(l.Capacity))
		for k, d := range p.Dependencies {
			way = l.Between(way[:0], int(cluster[d.A]), int(cluster[d.B]), p.Clusters)
			for _, lane := range way {
				taken[lane] += l.Amount[k]
				if taken[lane] > l.Capacity[lane] {
					return fmt.Errorf("lane %d has %v, dependencies take %v", lane, l.Capacity[lane], taken[lane])
				}
			}
		}
	}
	return nil
}
