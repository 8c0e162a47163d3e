package solve

import (
	"fmt"
	"math"
	"slices"
)

// Problem is a set of jobs to be assigned to clusters. It must not be changed while it is being
// solved. All figures are at least 0; whole amounts with sums below 2⁵³ are added up exactly.
type Problem struct {
	Jobs, Clusters int

	Cost         Matrix     // a_jc
	Resources    []Resource // none: the clusters take any number of jobs
	Dependencies []Dependency
	Links        Links   // what two clusters charge for a dependency of weight 1
	Flat         Links   // and what they charge for one of any weight
	Limits       []Limit // pairs of clusters that dependencies cannot span
	Lanes        []Lanes // what dependencies take of the links they cross
	Counters     []Counter

	// Forbidden has a bit for each cluster that a job must not use; nil for none. See
	// [Problem.Forbid].
	Forbidden []uint64
}

// Matrix has a figure for each job j and cluster c: Cells[j·clusters + c] and
// the sum over Terms of ByJob[j]·ByCluster[c]. Costs like request times price
// need no cell for each pair.
type Matrix struct {
	Cells []float64
	Terms []Term
}

// Term is a product of a figure of the job and one of the cluster; nil means 1 everywhere.
type Term struct{ ByJob, ByCluster []float64 }

// Resource is an amount that jobs take of clusters.
type Resource struct {
	Amount   Matrix    // w_jc
	Capacity []float64 // by cluster
}

// Dependency is a pair of different jobs whose clusters must be joined, and
// what one unit of their link's price is multiplied with.
type Dependency struct {
	A, B   int32
	Weight float64
}

// Links has the price of each pair of different clusters, +Inf if no path joins them; within a
// cluster it is 0. If neither field is set, all links are free.
type Links struct {
	Leg  []float64 // by cluster, of a star: the price of c and d is Leg[c] + Leg[d]
	Pair []float64 // at [c·clusters + d], symmetric: a mesh, or paths added up
}

// Limit forbids a dependency on pairs of different clusters whose figure is above its bound. A
// figure with a lower bound is limited by the negatives of both.
type Limit struct {
	Leg   []float64 // by cluster, of a star
	Most  bool      // of two legs the larger one counts, instead of their sum
	Pair  []float64 // at [c·clusters + d], symmetric, instead of Leg
	Bound []float64 // by dependency; +Inf for none
}

// Lanes are given links that dependencies between different clusters use up.
type Lanes struct {
	Capacity []float64 // by lane
	Amount   []float64 // by dependency, taken of each lane on its way
	Leg      []int32   // by cluster, of a star: its lane, -1 for none
	Start    []int32   // otherwise the way between c and d, at [c·clusters + d],
	Way      []int32   // is Way[Start[at]:Start[at+1]], the same there and back
}

// At returns the figure of one job and cluster.
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

// Dense has the figures of all jobs and clusters, at [job·clusters + cluster].
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

// Forbid keeps a job away from a cluster.
func (p *Problem) Forbid(job, cluster int) {
	if p.Forbidden == nil {
		p.Forbidden = make([]uint64, p.Jobs*p.words())
	}
	p.Forbidden[job*p.words()+cluster/64] |= 1 << (cluster % 64)
}

func (p *Problem) words() int { return (p.Clusters + 63) / 64 }

// Forbids reports whether a job is kept away from a cluster.
func (p *Problem) Forbids(job, cluster int) bool {
	return p.Forbidden != nil && p.Forbidden[job*p.words()+cluster/64]>>(cluster%64)&1 != 0
}

// Neighbours lists the dependencies of each job: the other one of their two jobs and
// their numbers, both at [start[job]:start[job+1]], in the order of dependencies.
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

// Allowed reports whether a job may use a cluster when no other job is placed: the pair is not
// forbidden, and the job fits into the empty cluster.
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

// NodeCost is a_jc.
func (p *Problem) NodeCost(job, cluster int) float64 { return p.Cost.At(job, cluster, p.Clusters) }

// Amount is w_jcr.
func (p *Problem) Amount(resource, job, cluster int) float64 {
	return p.Resources[resource].Amount.At(job, cluster, p.Clusters)
}

// Price is the cost of a dependency of weight 1 between two clusters, +Inf if no path joins
// them.
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

// Figure is the figure of two different clusters, to be compared with the bound of a dependency.
func (l *Limit) Figure(a, b, clusters int) float64 {
	switch {
	case l.Pair != nil:
		return l.Pair[a*clusters+b]
	case l.Most:
		return max(l.Leg[a], l.Leg[b])
	}
	return l.Leg[a] + l.Leg[b]
}

// PairCost is the cost of a dependency with its jobs on two clusters (A's first), +Inf if it
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

// LinksOf returns the limits and lanes for some dependencies, in their order.
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

// Between appends the lanes between two clusters.
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

// Costs returns the cost of a placement, given by job: node costs are summed over jobs, link
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

// Check returns the first constraint that a placement breaks, nil for none. Amounts are added up
// in the order of jobs and of dependencies.
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
