package improve

import (
	"cmp"
	"math"
	"slices"

	"berth/engine/solve"
)

// model is a problem laid out so that a move of one job takes a time that grows with
// its dependencies only. A constraint has one of four places here: a job and a cluster
// alone (allowed), two jobs (pairs), what clusters have (rooms), and all else (counters).
type model struct {
	p                         *solve.Problem
	jobs, clusters, resources int

	cost    []float64 // at [job·clusters + cluster]; +Inf where the job must not be
	allowed [][]int32 // by job: its clusters, the cheapest first
	pairs   pairs
	amount  [][]float64 // by resource, at [job·clusters + cluster]
	room    []float64   // at [cluster·resources + resource]
	unit    []float64   // by resource: one over what a job takes in the mean

	start, neighbour, number []int32 // see [solve.Problem.Neighbours]
}

// counter is a constraint on where several jobs are that is neither a room nor a pair:
// of it a walk knows only by how much it is exceeded. It sees the clusters by job.
type counter interface {
	count()                   // from scratch
	move(job, from, to int32) // cluster[job] is still, or again, from
	excess() float64          // 0 where the constraint is kept; 1 is about what a job can change
	counts() []int32          // the jobs that matter to it
}

// counters are those of a problem.
func (m *model) counters(cluster []int32) []counter {
	return append(newLanes(m, cluster), newRules(m, cluster)...)
}

// mostCells bounds the figures that are kept for jobs or clusters and clusters.
const mostCells = 1 << 20

// suits says whether a problem is small enough for a model.
func suits(p *solve.Problem) bool {
	return p.Jobs*p.Clusters <= mostCells && (len(p.Dependencies) == 0 || p.Clusters*p.Clusters <= mostCells/4)
}

func newModel(p *solve.Problem) *model {
	m := &model{p: p, jobs: p.Jobs, clusters: p.Clusters, resources: len(p.Resources)}
	m.cost = p.Cost.Dense(m.jobs, m.clusters)
	m.allowed = make([][]int32, m.jobs)
	for j := range m.jobs {
		row := m.cost[j*m.clusters : (j+1)*m.clusters]
		for c := range row {
			if p.Allowed(j, c) {
				m.allowed[j] = append(m.allowed[j], int32(c))
			} else {
				row[c] = math.Inf(1)
			}
		}
		slices.SortStableFunc(m.allowed[j], func(a, b int32) int { return cmp.Compare(row[a], row[b]) })
	}
	m.rooms()
	m.start, m.neighbour, m.number = p.Neighbours()
	m.pairs = newPairs(p)
	return m
}

func (m *model) rooms() {
	m.room = make([]float64, m.clusters*m.resources)
	for r := range m.p.Resources {
		of := &m.p.Resources[r]
		m.amount = append(m.amount, of.Amount.Dense(m.jobs, m.clusters))
		whole := of.Amount.Whole(m.jobs)
		for c, capacity := range of.Capacity {
			m.room[c*m.resources+r] = solve.RoomOf(capacity, whole)
		}
		var sum float64
		for j := range m.jobs {
			if len(m.allowed[j]) > 0 {
				sum += m.amount[r][j*m.clusters+int(m.allowed[j][0])]
			}
		}
		unit := 1.0
		if sum > 0 {
			unit = float64(m.jobs) / sum
		}
		m.unit = append(m.unit, unit)
	}
}

// at is the cell of a job and a cluster.
func (m *model) at(j, c int32) int { return int(j)*m.clusters + int(c) }

func (m *model) allows(j, c int32) bool { return m.cost[m.at(j, c)] <= math.MaxFloat64 }

// pairs has what dependencies cost between two clusters, and which they cannot span. Between
// a cluster and itself they cost nothing and keep all limits.
type pairs struct {
	price  []float64 // at [a·clusters + b], for a weight of 1; 0 where there is no way
	flat   []float64 // as above, for any weight; nil for none
	weight []float64 // by dependency
	limits []limit
}

// limit breaks a dependency whose bound is below the figure of its pair of clusters.
type limit struct {
	figure []float64 // at [a·clusters + b]; NaN where there is no way, -Inf where a is b
	bound  []float64 // by dependency
}

func newPairs(p *solve.Problem) pairs {
	n, x := p.Clusters, pairs{}
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
	x.price = between(0, p.Links.Price)
	ways := limit{make([]float64, n*n), make([]float64, len(p.Dependencies))}
	all := true
	for at, price := range x.price {
		if math.IsInf(price, 1) {
			x.price[at], ways.figure[at], all = 0, math.NaN(), false
		}
	}
	if p.Flat.Pair != nil || p.Flat.Leg != nil {
		x.flat = between(0, p.Flat.Price)
		for at, price := range x.flat {
			if math.IsInf(price, 1) {
				x.flat[at] = 0
			}
		}
	}
	if !all {
		x.limits = append(x.limits, ways)
	}
	for i := range p.Limits {
		x.limits = append(x.limits, limit{between(math.Inf(-1), p.Limits[i].Figure), p.Limits[i].Bound})
	}
	for _, d := range p.Dependencies {
		x.weight = append(x.weight, d.Weight)
	}
	return x
}

// cost is what a dependency costs between a pair of different clusters.
func (x *pairs) cost(dependency int32, at int) float64 {
	cost := float64(x.weight[dependency] * x.price[at])
	if x.flat != nil {
		cost += x.flat[at]
	}
	return cost
}

// broken is 1 if a dependency cannot span a pair of different clusters.
func (x *pairs) broken(dependency int32, at int) int {
	for i := range x.limits {
		if l := &x.limits[i]; !(l.figure[at] <= l.bound[dependency]) {
			return 1
		}
	}
	return 0
}

// add adds to the figures of all clusters what a dependency on another one costs from
// there, sign times, and a weight where it cannot span the two.
func (x *pairs) add(pay []float64, conflict []int32, dependency int32, other int, sign float64, weight int32) {
	lo, hi := other*len(conflict), (other+1)*len(conflict)
	if len(pay) > 0 {
		factor, price := float64(sign*x.weight[dependency]), x.price[lo:hi]
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
		figure, bound := x.limits[i].figure[lo:hi], x.limits[i].bound[dependency]
		for c := range conflict {
			if !(figure[c] <= bound) && x.first(dependency, lo+c) == i {
				conflict[c] += weight
			}
		}
	}
}

// first is the first limit that breaks a dependency there.
func (x *pairs) first(dependency int32, at int) int {
	i := 0
	for l := &x.limits[0]; l.figure[at] <= l.bound[dependency]; l = &x.limits[i] {
		i++
	}
	return i
}

// refused is about the part of the pairs of clusters that dependencies cannot span.
func (x *pairs) refused() float64 {
	var all, seen int
	for at := 0; at < len(x.price); at += 1 + len(x.price)/1000 {
		for k := 0; k < len(x.weight); k += 1 + len(x.weight)/100 {
			seen++
			all += x.broken(int32(k), at)
		}
	}
	return float64(all) / max(1, float64(seen))
}

// heat is what is at stake when one job moves: what its next clusters cost more than
// its cheapest, in the mean, or a link.
func (m *model) heat() float64 {
	var sum, count float64
	for j := range int32(m.jobs) {
		for _, c := range m.allowed[j][:min(8, len(m.allowed[j]))] {
			sum += m.cost[m.at(j, c)] - m.cost[m.at(j, m.allowed[j][0])]
			count++
		}
	}
	heat := sum / max(1, count)
	if n := float64(len(m.pairs.price)); n > 0 {
		var price, weight float64
		for _, v := range m.pairs.price {
			price += v
		}
		for _, w := range m.pairs.weight {
			weight += w
		}
		heat = max(heat, price/n*weight/float64(len(m.pairs.weight)))
	}
	heat = cmp.Or(heat, 1)
	return heat
}
