package improve

import (
	"cmp"
	"math"
	"slices"

	"berth/engine/solve"
)

// model is a problem prepared for moves of jobs. Constraints are divided into four kinds: one job
// on one cluster (allowed), two jobs (pairs), capacities of clusters (rooms), and all others
// (counters).
//
// If the problem is too large for tables (see [model.tables]), the model computes figures from the
// problem on demand.
// model asks the problem.
type model struct {
	p                         *solve.Problem
	jobs, clusters, resources int

	cost    []float64 // at [job·clusters + cluster]; +Inf where the job is not allowed; nil without tables
	allowed [][]int32 // by job: the clusters to try, cheapest first
	pairs   pairs
	amount  [][]float64 // by resource, at [job·clusters + cluster]
	room    []float64   // usable capacity at [cluster·resources + resource]
	unit    []float64   // by resource: 1 / mean request

	start, neighbour, number []int32 // see [solve.Problem.Neighbours]

	link, refused float64 // over a sample: mean cost of a link, and fraction that violates a limit
}

// mostCells is the largest size of a table.
const mostCells = 1 << 20

func newModel(p *solve.Problem, mostCells int) *model {
	m := &model{p: p, jobs: p.Jobs, clusters: p.Clusters, resources: len(p.Resources), pairs: pairs{p: p}}
	m.start, m.neighbour, m.number = p.Neighbours()
	m.amount, m.allowed = make([][]float64, m.resources), make([][]int32, m.jobs)
	if p.Jobs*p.Clusters <= mostCells && (len(p.Dependencies) == 0 || p.Clusters*p.Clusters <= mostCells/4) {
		m.cells()
		m.pairs = newPairs(p)
	} else {
		m.common()
	}
	m.rooms()
	m.links()
	return m
}

// links estimates link and refused from a random sample.
func (m *model) links() {
	const samples = 1000
	draw := xorshift(1)
	for range min(samples, samples*len(m.p.Dependencies)) {
		k, a, b := draw.below(len(m.p.Dependencies)), draw.below(m.clusters), draw.below(m.clusters)
		m.link += m.pairs.cost(int32(k), int32(a), int32(b)) / samples
		m.refused += float64(min(1, m.pairs.broken(int32(k), int32(a), int32(b)))) / samples
	}
}

// tables reports whether the problem is small enough for tables.
func (m *model) tables() bool { return m.cost != nil }

// cells fills the tables by job and cluster.
func (m *model) cells() {
	m.cost = m.p.Cost.Dense(m.jobs, m.clusters)
	for r := range m.amount {
		m.amount[r] = m.p.Resources[r].Amount.Dense(m.jobs, m.clusters)
	}
	for j := range m.jobs {
		row := m.cost[j*m.clusters : (j+1)*m.clusters]
		for c := range row {
			if m.p.Allowed(j, c) {
				m.allowed[j] = append(m.allowed[j], int32(c))
			} else {
				row[c] = math.Inf(1)
			}
		}
		slices.SortStableFunc(m.allowed[j], func(a, b int32) int { return cmp.Compare(row[a], row[b]) })
	}
}

// sampledJobs is the approximate number of jobs in samples.
const sampledJobs = 64

// common lets all jobs try all clusters, in the order of the costs of a sample of jobs.
func (m *model) common() {
	cost, order := make([]float64, m.clusters), make([]int32, m.clusters)
	for c := range order {
		order[c] = int32(c)
		for j := 0; j < m.jobs; j += 1 + m.jobs/sampledJobs {
			cost[c] += min(m.p.NodeCost(j, c), math.MaxFloat64/float64(m.jobs))
		}
	}
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(cost[a], cost[b]) })
	fill(m.allowed, order)
}

// rooms sets the usable capacity of each cluster and the mean requests.
func (m *model) rooms() {
	m.room, m.unit = make([]float64, m.clusters*m.resources), make([]float64, m.resources)
	for r, amount := range m.amount {
		usable := usable(amount)
		for c, capacity := range m.p.Resources[r].Capacity {
			m.room[c*m.resources+r] = float64(capacity * usable)
		}
		var sum float64
		for j, all := range m.allowed {
			sum += m.take(r, int32(j), all[0])
		}
		m.unit[r] = 1
		if sum > 0 {
			m.unit[r] = float64(m.jobs) / sum
		}
	}
}

// usable returns the fraction of a capacity that amounts may fill. Sums of whole amounts are exact.
// For other and for unknown (nil) amounts, a margin remains for rounding.
func usable(amounts []float64) float64 {
	if amounts == nil || slices.ContainsFunc(amounts, func(v float64) bool { return v != math.Trunc(v) }) {
		return 1 - 1e-9
	}
	return 1
}

// at returns the index of a cell for a job and a cluster.
func (m *model) at(j, c int32) int { return int(j)*m.clusters + int(c) }

// node returns the cost of a job on a cluster, +Inf where it is not allowed.
func (m *model) node(j, c int32) float64 {
	switch {
	case m.cost != nil:
		return m.cost[m.at(j, c)]
	case !m.p.Allowed(int(j), int(c)):
		return math.Inf(1)
	}
	return m.p.NodeCost(int(j), int(c))
}

// take returns the amount of a resource that a job takes on a cluster.
func (m *model) take(r int, j, c int32) float64 {
	if m.cost != nil {
		return m.amount[r][int(j)*m.clusters+int(c)]
	}
	return m.p.Amount(r, int(j), int(c))
}

// filled completes a partial placement: each unplaced job gets the first allowed cluster with room,
// or the first allowed one if none has room.
func (m *model) filled(attempt []int32) []int32 {
	next, loads := slices.Clone(attempt), make([]float64, len(m.room))
	for j, c := range next {
		if c >= 0 {
			m.load(loads, int32(j), c)
		}
	}
	for j := range int32(m.jobs) {
		if next[j] >= 0 {
			continue
		}
		for _, c := range m.allowed[j] {
			if m.node(j, c) > math.MaxFloat64 {
				continue
			}
			if next[j] < 0 {
				next[j] = c
			}
			if m.fits(loads, j, c) {
				next[j] = c
				break
			}
		}
		m.load(loads, j, next[j])
	}
	return next
}

// fits reports whether a cluster has room for a job in addition to its loads.
func (m *model) fits(loads []float64, j, c int32) bool {
	for q := range m.resources {
		at := int(c)*m.resources + q
		if loads[at]+m.take(q, j, c) > m.room[at] {
			return false
		}
	}
	return true
}

// load adds the amounts of a job to the loads of a cluster.
func (m *model) load(load []float64, j, c int32) {
	for q := range m.resources {
		load[int(c)*m.resources+q] += m.take(q, j, c)
	}
}

// pairs has the costs and limits of dependencies between two clusters. Within a cluster a
// dependency costs nothing and satisfies all limits.
type pairs struct {
	p      *solve.Problem
	price  []float64 // at [a·clusters + b], per weight; 0 if no path exists; nil without tables
	flat   []float64 // like price, but per dependency; nil if there is none
	limits []limit
}

// limit is violated by a dependency whose bound is below the figure of its pair of clusters.
type limit struct {
	figure []float64 // at [a·clusters + b]; -Inf if a = b
	bound  []float64 // by dependency
}

func newPairs(p *solve.Problem) pairs {
	n, x := p.Clusters, pairs{p: p}
	if len(p.Dependencies) == 0 {
		return x
	}
	between := func(within float64, figure func(a, b, n int) float64) []float64 {
		all := make([]float64, n*n)
		for at := range all {
			if all[at] = within; at/n != at%n {
				all[at] = figure(at/n, at%n, n)
			}
		}
		return all
	}
	x.price, x.flat = between(0, p.Links.Price), between(0, p.Flat.Price)
	ways := limit{make([]float64, n*n), make([]float64, len(p.Dependencies))}
	for at := range ways.figure {
		if ways.figure[at] = x.price[at] + x.flat[at]; math.IsInf(ways.figure[at], 1) {
			x.price[at], x.flat[at] = 0, 0
		}
	}
	if fill(ways.bound, math.MaxFloat64); slices.Contains(ways.figure, math.Inf(1)) {
		x.limits = append(x.limits, ways)
	}
	if p.Flat.Pair == nil && p.Flat.Leg == nil {
		x.flat = nil
	}
	for i := range p.Limits {
		x.limits = append(x.limits, limit{between(math.Inf(-1), p.Limits[i].Figure), p.Limits[i].Bound})
	}
	return x
}

// cost returns the cost of a dependency between two clusters, 0 if no path joins them.
func (x *pairs) cost(k, a, b int32) float64 {
	if x.price == nil {
		if cost := x.p.PairCost(int(k), int(a), int(b)); cost <= math.MaxFloat64 {
			return cost
		}
		return 0
	}
	at := int(a)*x.p.Clusters + int(b)
	cost := float64(x.p.Dependencies[k].Weight * x.price[at])
	if x.flat != nil {
		cost += x.flat[at]
	}
	return cost
}

// broken returns 1 if a dependency violates a limit between two clusters, otherwise 0.
func (x *pairs) broken(k, a, b int32) (n int32) {
	if x.price == nil {
		if x.p.PairCost(int(k), int(a), int(b)) > math.MaxFloat64 {
			n = 1
		}
		return n
	}
	if x.first(k, int(a)*x.p.Clusters+int(b)) < len(x.limits) {
		n = 1
	}
	return n
}

// first returns the index of the first limit that a dependency violates at a pair of clusters;
// len(limits) if there is none.
func (x *pairs) first(k int32, at int) int {
	for i := range x.limits {
		if l := &x.limits[i]; !(l.figure[at] <= l.bound[k]) {
			return i
		}
	}
	return len(x.limits)
}

// add updates the rows of a job for a dependency whose other job is on cluster other: it adds sign
// times the cost to pay, and weight to conflict where the dependency violates a limit.
func (x *pairs) add(pay []float64, conflict []int32, k, other int32, sign float64, weight int32) {
	lo, hi := int(other)*len(conflict), int(other+1)*len(conflict)
	if len(pay) > 0 {
		factor, price := float64(sign*x.p.Dependencies[k].Weight), x.price[lo:hi]
		for c := range pay {
			pay[c] += float64(factor * price[c])
		}
		if x.flat != nil {
			for c, v := range x.flat[lo:hi] {
				pay[c] += float64(sign * v)
			}
		}
	}
	for i := range x.limits {
		figure, bound := x.limits[i].figure[lo:hi], x.limits[i].bound[k]
		for c := range conflict {
			if !(figure[c] <= bound) && x.first(k, lo+c) == i {
				conflict[c] += weight
			}
		}
	}
}
