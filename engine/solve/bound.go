package solve

import (
	"cmp"
	"math"
	"slices"
)

// Bounder raises a lower bound of the cost step by step, by Lagrangian relaxation of the
// capacities: a job pays a price for the resources that it takes on a cluster. Each job then goes
// to its cheapest cluster independently, and the bound is the sum of these costs minus the value of
// all capacities at these prices. A dependency adds the legs of its link to the costs of its two
// jobs, minus an upper bound of the saving of jobs that share a cluster (see [shares]).
//
// Any prices give a valid bound. Subgradient steps look for the prices with the highest bound,
// which are the shadow prices of the linear relaxation.
type Bounder struct {
	p      *Problem
	leg    []float64 // by cluster, see [Problem.Legs]: a link costs at least the sum of its two legs
	degree []float64 // by job: the total weight of its dependencies
	gather togetherness

	columns [][]float64 // by cluster, by job: costs, +Inf if not allowed; nil above denseCells
	column  []float64   // by job, scratch for one cluster
	taken   []float64   // by job, scratch for one cluster
	least   []float64   // by job: the cheapest cost at the present prices
	choice  []int32     // by job: the cluster with that cost

	price, best  []float64 // by cluster and resource, per unit: present prices, and the prices of the best bound
	load         []float64 // by cluster and resource: amount over capacity
	direction    []float64 // by cluster and resource: smoothed subgradient
	bound, level float64   // level is the expected increase, which sets the step length
	since        int       // steps since the bound last rose noticeably
	whole        bool      // every placement costs a whole number, so the bound may be rounded up
	steps        int64
}

// denseCells is the largest jobs × clusters for which the costs are stored.
const denseCells = 4 << 20

// NewBounder prepares bounds for a problem. The first prices are those at which the jobs fill the
// clusters from the cheapest on.
func NewBounder(p *Problem) *Bounder {
	b := &Bounder{
		p: p, leg: p.Legs(), degree: make([]float64, p.Jobs),
		column: make([]float64, p.Jobs), taken: make([]float64, p.Jobs), least: make([]float64, p.Jobs), choice: make([]int32, p.Jobs),
		bound: math.Inf(-1), whole: len(p.Cost.Terms)+len(p.Dependencies) == 0 && p.WholeCosts(),
	}
	for _, d := range p.Dependencies {
		b.degree[d.A] += d.Weight
		b.degree[d.B] += d.Weight
	}
	if b.leg != nil {
		b.gather = newTogetherness(p)
	}
	if p.Jobs*p.Clusters <= denseCells {
		b.columns = make([][]float64, p.Clusters)
		for c := range b.columns {
			b.columns[c] = b.costs(make([]float64, p.Jobs), c)
		}
	}
	cells := p.Clusters * len(p.Resources)
	b.price, b.best, b.load, b.direction = make([]float64, cells), make([]float64, cells), make([]float64, cells), make([]float64, cells)
	b.fill()
	return b
}

// Legs splits the price of each link between its two clusters, so that no link costs less than the
// sum of its two legs. It is nil if all links are free. On a star a cluster without a link has the
// leg +Inf.
func (p *Problem) Legs() []float64 {
	switch {
	case len(p.Dependencies) == 0:
		return nil
	case p.Links.Pair == nil:
		return p.Links.Leg
	}
	n := p.Clusters
	leg := make([]float64, n)
	for round := range 3 {
		for c := range leg {
			low := math.Inf(1)
			for d := range n {
				if d != c {
					price := p.Links.Pair[c*n+d]
					if round == 0 {
						low = min(low, price/2)
					} else {
						low = min(low, price-leg[d])
					}
				}
			}
			if low > leg[c] && !math.IsInf(low, 1) {
				leg[c] = low * (1 - 0x1p-50)
			}
		}
	}
	return leg
}

// Additive reports whether the legs make up at least half of the link prices, as on a star, where
// they make up all of them. Then the bound covers most of the cost of links.
func (b *Bounder) Additive() bool {
	if b.leg == nil || b.p.Links.Pair == nil {
		return true
	}
	n := b.p.Clusters
	var seen, all float64
	for at, price := range b.p.Links.Pair {
		if c, d := at/n, at%n; c != d && !math.IsInf(price, 1) {
			seen += b.leg[c] + b.leg[d]
			all += price
		}
	}
	return seen >= float64(0.5*all)
}

// WholeCosts reports whether every placement costs a whole number.
func (p *Problem) WholeCosts() bool {
	figures := [][]float64{p.Cost.Cells, p.Links.Leg, p.Links.Pair, p.Flat.Leg, p.Flat.Pair}
	for _, t := range p.Cost.Terms {
		figures = append(figures, t.ByJob, t.ByCluster)
	}
	fraction := func(v float64) bool { return v != math.Trunc(v) && !math.IsInf(v, 1) }
	return !slices.ContainsFunc(p.Dependencies, func(d Dependency) bool { return fraction(d.Weight) }) &&
		!slices.ContainsFunc(figures, func(all []float64) bool { return slices.ContainsFunc(all, fraction) })
}

// costs writes the lowest cost of each job on cluster c, without the prices of resources.
func (b *Bounder) costs(column []float64, c int) []float64 {
	p := b.p
	clear(column)
	p.Cost.addColumn(column, c, p.Clusters, 1)
	if b.leg != nil && b.leg[c] > 0 && !math.IsInf(b.leg[c], 1) {
		s := &b.gather.shares[b.gather.class[c]]
		addShares(column, b.degree, s.byJob, b.leg[c])
		if len(p.Resources) > 0 && s.once > 0 && p.Resources[0].Capacity[c] > 0 {
			// The saving once counts only if the cluster is used. Its load is at most its capacity,
			// so charging each job in proportion to its amount stays below that.
			AddProducts(column, b.amounts(0, c), 2*b.leg[c]*s.once/p.Resources[0].Capacity[c])
		}
	}
	for r := range p.Resources {
		refuse(column, b.amounts(r, c), p.Resources[r].Capacity[c])
	}
	if p.Forbidden != nil {
		for j := range column {
			if p.Forbids(j, c) {
				column[j] = math.Inf(1)
			}
		}
	}
	return column
}

// amounts returns the amount of resource r that each job takes on cluster c. The next call may
// overwrite it.
func (b *Bounder) amounts(r, c int) []float64 {
	m := &b.p.Resources[r].Amount
	if same := m.byJob(); same != nil {
		return same
	}
	clear(b.taken)
	m.addColumn(b.taken, c, b.p.Clusters, 1)
	return b.taken
}

// fill sets the first prices. It fills the clusters with the total demand for the first resource,
// cheapest mean cost per unit first. The price of a cluster is its advantage over the last cluster
// needed.
func (b *Bounder) fill() {
	p := b.p
	if len(p.Resources) == 0 {
		return
	}
	type offer struct{ unit, capacity float64 }
	offers := make([]offer, 0, p.Clusters)
	unit := make([]float64, p.Clusters)
	var demand float64
	for c := range p.Clusters {
		var cost, amount float64
		taken := b.amounts(0, c)
		for j, v := range b.costsOf(c) {
			if !math.IsInf(v, 1) {
				cost += v
				amount += taken[j]
			}
		}
		unit[c] = math.Inf(1)
		if amount > 0 {
			unit[c] = cost / amount
			offers = append(offers, offer{unit[c], p.Resources[0].Capacity[c]})
		}
		demand = max(demand, amount)
	}
	slices.SortFunc(offers, func(a, b offer) int { return cmp.Compare(a.unit, b.unit) })
	marginal := 0.0
	for _, o := range offers {
		marginal = o.unit
		demand -= o.capacity
		if demand <= 0 {
			break
		}
	}
	for c := range unit {
		b.price[c*len(p.Resources)] = max(0, marginal-unit[c])
	}
}

// priced returns the cost of each job on cluster c at the given prices, +Inf if the job is not
// allowed there. The next call may overwrite it. The caller must not change it.
func (b *Bounder) priced(c int, prices []float64) []float64 {
	column := b.costsOf(c)
	for r := range b.p.Resources {
		if price := prices[c*len(b.p.Resources)+r]; price > 0 {
			taken := b.amounts(r, c)
			copy(b.column, column)
			column = b.column
			AddProducts(column, taken, price)
		}
	}
	return column
}

func (b *Bounder) costsOf(c int) []float64 {
	if b.columns != nil {
		return b.columns[c]
	}
	return b.costs(b.column, c)
}

// evaluate returns the bound at the present prices and sets least, choice and load. It subtracts an
// upper limit on the rounding error.
func (b *Bounder) evaluate() float64 {
	p := b.p
	for j := range b.least {
		b.least[j] = math.Inf(1)
	}
	resources := len(p.Resources)
	for c := range p.Clusters {
		if price := b.price[c*resources:]; resources == 1 && price[0] > 0 {
			lowerPriced(b.least, b.choice, b.costsOf(c), b.amounts(0, c), price[0], int32(c))
			continue
		}
		lower(b.least, b.choice, b.priced(c, b.price), int32(c))
	}
	clear(b.load)
	var sum, size, worth float64
	for j, v := range b.least {
		if math.IsInf(v, 1) {
			return v
		}
		sum += v
		size += math.Abs(v)
		c := int(b.choice[j])
		for r := range p.Resources {
			b.load[c*resources+r] += p.Amount(r, j, c)
		}
	}
	for r := range p.Resources {
		for c, capacity := range p.Resources[r].Capacity {
			worth += float64(b.price[c*resources+r] * capacity)
		}
	}
	return sum - worth - float64((size+worth)*float64(p.Jobs+len(b.price)+64)*0x1p-51)
}

// Step evaluates the bound at the present prices, then changes the prices. It returns the best
// bound so far.
func (b *Bounder) Step() float64 {
	now := b.evaluate()
	b.steps++
	b.since++
	if now > b.bound {
		if now > b.bound+float64(b.level/4) {
			b.since = 0
			b.level *= 1.5
		}
		b.bound = now
		copy(b.best, b.price)
	}
	if math.IsInf(now, 1) || len(b.price) == 0 {
		return b.Bound()
	}
	if b.level == 0 {
		b.level = 0.01 * math.Abs(b.bound)
	}
	if b.since > 15 {
		b.since = 0
		b.level /= 2
		copy(b.price, b.best)
		clear(b.direction)
	}
	b.move(now)
	return b.Bound()
}

func (b *Bounder) move(now float64) {
	resources := len(b.p.Resources)
	var norm float64
	for at := range b.price {
		capacity := b.p.Resources[at%resources].Capacity[at/resources]
		if capacity == 0 {
			continue
		}
		g := b.load[at]/capacity - 1 + float64(0.6*b.direction[at])
		if b.price[at] == 0 && g < 0 {
			g = 0
		}
		b.direction[at] = g
		norm += float64(g * g)
	}
	if norm == 0 {
		return
	}
	step := (b.bound + b.level - now) / norm
	for at, g := range b.direction {
		if g != 0 {
			capacity := b.p.Resources[at%resources].Capacity[at/resources]
			b.price[at] = max(0, b.price[at]+float64(step*g/capacity))
		}
	}
}

// Settled reports whether further steps would hardly raise the bound.
func (b *Bounder) Settled() bool {
	return len(b.price) == 0 || math.IsInf(b.bound, 1) || b.level != 0 && b.level < 1e-7*math.Abs(b.bound)
}

// Bound returns the best bound so far: no placement costs less.
func (b *Bounder) Bound() float64 {
	if b.whole && !math.IsInf(b.bound, 0) {
		return math.Ceil(b.bound - float64(1e-9*math.Abs(b.bound)))
	}
	return b.bound
}

// Bound returns a lower bound of the cost of all placements after one step, +Inf if some job fits
// on no cluster.
func Bound(p *Problem) float64 { return max(0, NewBounder(p).Step()) }

// Price returns the first-order saving from one more unit of a resource on a cluster, at the best
// bound so far.
func (b *Bounder) Price(cluster, resource int) float64 {
	return b.best[cluster*len(b.p.Resources)+resource]
}
