package placement

import (
	"math"
	"slices"

	"berth/engine/graph"
	"berth/engine/solve"
)

// links are the prices and constraints of a federation's links.
type links struct {
	price       *column
	tariff      *column // per unit of volume; nil where nothing is charged by volume
	constraints []linkConstraint
}

// linkConstraint is one comparison between a dependency and a link.
type linkConstraint struct {
	*column                  // of the link, in parts; a lower bound limits its negative, as in [solve.Limit]
	demand, supply           *graph.LabelType
	demandField, supplyField int
	comparison               graph.Comparison
	whole                    []float64 // by given link: parts, where dependencies use it up; else nil
}

func newLinks(f *graph.Federation, o CapacityOptions) *links {
	l := &links{price: newColumn(f, graph.Sum, 1, linkPrices(f, false))}
	if tariff := linkPrices(f, true); slices.ContainsFunc(tariff, positive) {
		l.tariff = newColumn(f, graph.Sum, 1, tariff)
	}
	for _, t := range graph.Labels(graph.Dependency) {
		if t.Kind != graph.Demand {
			continue
		}
		for _, c := range t.Comparisons {
			k := linkConstraint{demand: t, demandField: t.Field(c.Demand), supply: t.Host(), supplyField: t.Host().Field(c.Supply), comparison: c}
			figures := allParts(columnOrNaN(f.Links(), k.supply, k.supplyField))
			sign := signOf(c.Op)
			k.column = newColumn(f, k.supply.Fields[k.supplyField].Through, sign, figures)
			if c.Consumes && o.ConsumeBandwidth {
				k.whole = figures
			}
			l.constraints = append(l.constraints, k)
		}
	}
	return l
}

func positive(price float64) bool { return price > 0 }

// volume is the figure of dependencies that the tariff is multiplied with.
func volume() (*graph.LabelType, int) {
	for _, t := range graph.Labels(graph.Link) {
		if price := t.Price(); price >= 0 && t.Fields[price].Per != "" {
			of := graph.Lookup(graph.Dependency, t.Name)
			return of, of.Field(t.Fields[price].Per)
		}
	}
	return nil, -1
}

// linkPrices sums the prices of each given link over its labels: those per unit of
// volume, or the others.
func linkPrices(f *graph.Federation, perVolume bool) []float64 {
	prices := make([]float64, f.Links().Len())
	for _, t := range graph.Labels(graph.Link) {
		price := t.Price()
		if price < 0 || (t.Fields[price].Per != "") != perVolume {
			continue
		}
		for k, cost := range f.Links().Column(t, price) {
			if !math.IsNaN(cost) {
				prices[k] += cost
			}
		}
	}
	return prices
}

// column has a figure of the path between any two clusters, +Inf where no path joins them or a
// link of it lacks the label. On a star it is made of the legs of both, otherwise there is a row
// for each cluster, made when it is first asked for.
type column struct {
	federation *graph.Federation
	through    graph.Derivation
	sign       float64 // that the figures of links are multiplied with
	given      []float64
	legs       row // of a star
	rows       []row
	pairs      []float64 // all rows, once [column.links] has been asked for
}

// row has the figures from one cluster to all, as legs and their own leg, and the largest leg.
type row struct {
	legs       []float64
	own, worst float64
}

func newColumn(f *graph.Federation, through graph.Derivation, sign float64, given []float64) *column {
	c := &column{federation: f, through: through, sign: sign, given: given}
	if f.Center() >= 0 && (through == graph.Sum || sign < 0) {
		c.legs = c.reach(f.Center())
	} else {
		c.rows = make([]row, f.Clusters().Len())
	}
	return c
}

func (c *column) row(m int) row {
	if c.rows == nil {
		return row{c.legs.legs, c.legs.legs[m], c.legs.worst}
	}
	if c.rows[m].legs == nil {
		c.rows[m] = c.reach(m)
	}
	return c.rows[m]
}

// reach makes the row of a cluster. The leg of a star's centre leaves every path as it is.
func (c *column) reach(m int) row {
	f := c.federation
	r := row{legs: slices.Repeat([]float64{math.Inf(1)}, f.Clusters().Len()), worst: math.Inf(-1)}
	put := func(to int, path ...int) {
		figure := c.through.Neutral()
		for _, link := range path {
			figure = c.through.Derive(figure, c.given[link])
		}
		if figure == figure {
			r.legs[to] = c.sign * figure
		}
		r.worst = max(r.worst, r.legs[to])
	}
	put(m)
	if !f.Routed() && (f.Center() < 0 || f.Center() == m) {
		clusters, given := f.Neighbours(m)
		for i, to := range clusters {
			put(int(to), int(given[i]))
		}
		return r
	}
	var path []int
	for to := range r.legs {
		var ok bool
		if path, ok = f.Path(path[:0], max(m, to), min(m, to)); ok { // the same there and back
			put(to, path...)
		}
	}
	return r
}

// between returns the figure of the path between two different clusters, from the row of the
// second.
func (c *column) between(a, b int) float64 {
	if c.rows != nil {
		return c.row(b).legs[a]
	}
	if legs := c.legs.legs; c.through == graph.Narrowest {
		return max(legs[a], legs[b])
	} else {
		return legs[a] + legs[b]
	}
}

// refuse writes +Inf for the clusters whose path to cluster m is over the bound.
func (c *column) refuse(dst []float64, m int, bound float64) {
	r := c.row(m)
	if c.rows == nil && c.through == graph.Narrowest { // the larger of two legs counts
		if r.own <= bound {
			r.own = 0
		} else {
			r.own = math.Inf(1)
		}
	}
	if !(r.worst+r.own <= bound) {
		refuseAbove(dst, r.legs, r.own, bound)
	}
}

// links returns the column in the form of package solve.
func (c *column) links() solve.Links {
	if c.rows == nil {
		return solve.Links{Leg: c.legs.legs}
	}
	if n := len(c.rows); c.pairs == nil {
		c.pairs = make([]float64, n*n)
		for m := range n {
			r := c.row(m)
			r.legs = c.pairs[m*n : m*n+copy(c.pairs[m*n:], r.legs)]
			c.rows[m] = r
		}
	}
	return solve.Links{Pair: c.pairs}
}

// connect derives the row of costs dst from src, given that a neighbour of the row's job runs on
// cluster m. It adds the price of the dependency between the two (algorithm 2) and writes +Inf
// for clusters that break a bound of it (algorithm 5).
func (p *Problem) connect(dst, src []float64, m, dependency int) {
	price := p.links.price.row(m)
	addLegs(dst, src, price.legs, price.own)
	for i, k := range p.limited {
		k.refuse(dst, m, p.form.Limits[i].Bound[dependency])
	}
	if p.weighted && p.form.Dependencies[dependency].Weight > 0 {
		for j := range dst {
			if j != m && !math.IsInf(dst[j], 1) {
				dst[j] = src[j] + p.LinkCost(dependency, j, m)
			}
		}
	}
	dst[m] = src[m]
}

// spans reports whether a dependency can span two different clusters that are joined, as one of
// its limits has it.
func (p *Problem) spans(limit, dependency, a, b int) bool {
	return p.limited[limit].between(a, b) <= p.form.Limits[limit].Bound[dependency]
}

// LinkCost is the price of one dependency between two clusters, +Inf if no path joins them.
func (p *Problem) LinkCost(dependency, a, b int) float64 {
	if a == b {
		return 0
	}
	cost := p.links.price.between(a, b)
	if weight := p.form.Dependencies[dependency].Weight; p.weighted && weight > 0 {
		cost += float64(weight * p.links.tariff.between(a, b))
	}
	return cost
}
