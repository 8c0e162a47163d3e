package improve

import (
	"cmp"
	"math"
	"slices"

	"berth/engine/solve"
)

// model is a problem laid out for moves of jobs. A constraint has one of four places here: a
// job and a cluster alone (allowed), two jobs (pairs), the capacities of clusters (rooms), and
// everything else (counters).
//
// A problem that is too large for tables of its cells has none (see [model.tables]); then the
// model asks the problem.
type model struct {
	p                         *solve.Problem
	jobs, clusters, resources int

	cost    []float64 // at [job·clusters + cluster]; +Inf where the job must not be
	allowed [][]int32 // by job: the clusters to try, the cheapest first
	pairs   pairs
	amount  [][]float64 // by resource, at [job·clusters + cluster]
	room    []float64   // at [cluster·resources + resource]
	unit    []float64   // by resource: one over the mean request

	start, neighbour, number []int32 // see [solve.Problem.Neighbours]

	link, refused float64 // in a sample: mean cost of a link, and the part that breaks a limit
}

// mostCells is the largest number of cells that a table has.
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

// links draws a sample of links.
func (m *model) links() {
	const samples = 1000
	draw := xorshift(1)
	for range min(samples, samples*len(m.p.Dependencies)) {
		k, a, b := draw.below(len(m.p.Dependencies)), draw.below(m.clusters), draw.below(m.clusters)
		m.link += m.pairs.cost(int32(k), int32(a), int32(b)) / samples
		m.refused += float64(min(1, m.pairs.broken(int32(k), int32(a), int32(b)))) / samples
	}
}

// tables says whether the problem is small enough for tables.
func (m *model) tables() bool { return m.cost != nil }

// cells fills the tables of jobs and clusters.
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

// sampledJobs is the size of the sample whose costs order the clusters.
const sampledJobs = 64

// common has all jobs try all clusters, those first where a sample of jobs is the cheapest.
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

// rooms sets the usable capacity of each cluster.
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

// usable is the part of a capacity that amounts may fill. Whole amounts are added up exactly; others
// leave a margin for rounding, as unknown ones do.
func usable(amounts []float64) float64 {
	if amounts == nil || slices.ContainsFunc(amounts, func(v float64) bool { return v != math.Trunc(v) }) {
		return 1 - 1e-9
	}
	return 1
}

// at is the cell of a job and a cluster.
func (m *model) at(j, c int32) int { return int(j)*m.clusters + int(c) }

// node is the cost of a job on a cluster, +Inf where it must not be.
func (m *model) node(j, c int32) float64 {
	switch {
	case m.cost != nil:
		return m.cost[m.at(j, c)]
	case !m.p.Allowed(int(j), int(c)):
		return math.Inf(1)
	}
	return m.p.NodeCost(int(j), int(c))
}

// take is the amount of a resource that a job takes of a cluster.
func (m *model) take(r int, j, c int32) float64 {
	if m.cost != nil {
		return m.amount[r][int(j)*m.clusters+int(c)]
	}
	return m.p.Amount(r, int(j), int(c))
}

// filled returns an attempt at a placement with a cluster for each job that has none: the first
// with room, else the first.
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

// fits says whether a cluster has room for a job.
func (m *model) fits(loads []float64, j, c int32) bool {
	for q := range m.resources {
		at := int(c)*m.resources + q
		if loads[at]+m.take(q, j, c) > m.room[at] {
			return false
		}
	}
	return true
}

// load adds a job to the loads of a cluster.
func (m *model) load(load []float64, j, c int32) {
	for q := range m.resources {
		load[int(c)*m.resources+q] += m.take(q, j, c)
	}
}

// pairs has the costs of dependencies between two clusters, and their limits. Within a cluster they
// cost nothing and keep all limits.
type pairs struct {
	p      *solve.Problem
	price  []float64 // at [a·clusters + b], for a weight of 1; 0 where there is no way; nil without tables
	flat   []float64 // as above, for any weight; nil for none
	limits []limit
}

// limit breaks a dependency whose bound is below the figure of its pair of clusters.
type limit struct {
	figure []float64 // at [a·clusters + b]; -Inf where a is b
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

// cost is the cost of a dependency between two clusters, 0 if no path joins them.
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

// broken is 1 if a dependency breaks a limit between two clusters.
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

// first is the first limit that a dependency breaks between a pair of clusters.
func (x *pairs) first(k int32, at int) int {
	for i := range x.limits {
		if l := &x.limits[i]; !(l.figure[at] <= l.bound[k]) {
			return i
		}
	}
	return len(x.limits)
}

// add adds to the figures of all clusters the cost of a dependency on a job that is on another one,
// sign times, and a weight if it breaks a limit.
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
