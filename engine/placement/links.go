package placement

import (
	"math"
	"slices"

	"berth/engine/graph"
)

// linkConstraint is one comparison between a dependency and a link.
type linkConstraint struct {
	demand, supply           *graph.LabelType
	demandField, supplyField int
	comparison               graph.Comparison
	consumed                 bool
}

// links holds the prices and figures of a federation's links in flat columns: by given link; in
// a star by cluster, for the leg to the centre; with routes by two clusters, at [from·clusters +
// to], for the whole path.
type links struct {
	federation  *graph.Federation
	star        bool
	price       []float64 // +Inf where there is no way
	tariff      []float64 // per unit of volume, the same; nil where nothing is charged by volume
	constraints []linkConstraint
	figures     [][]float64 // by constraint: parts; NaN where a link of the way lacks the label
	worst       []float64   // by constraint: the figure that is hardest to bear
}

func newLinks(f *graph.Federation, o CapacityOptions) *links {
	l := &links{federation: f, star: f.Center() >= 0}
	l.price = l.column(math.Inf(1), graph.Sum, linkPrices(f, false))
	if tariff := linkPrices(f, true); slices.ContainsFunc(tariff, func(price float64) bool { return price > 0 }) {
		l.tariff = l.column(math.Inf(1), graph.Sum, tariff)
	}
	for _, t := range graph.Labels(graph.Dependency) {
		if t.Kind != graph.Demand {
			continue
		}
		for _, c := range t.Comparisons {
			k := linkConstraint{
				demand: t, demandField: t.Field(c.Demand),
				supply: t.Host(), supplyField: t.Host().Field(c.Supply),
				comparison: c, consumed: c.Consumes && o.ConsumeBandwidth,
			}
			l.constraints = append(l.constraints, k)
			figures := f.Links().Column(k.supply, k.supplyField)
			if figures == nil {
				figures = nans(f.Links().Len())
			}
			l.figures = append(l.figures, l.column(math.NaN(), k.through(), allParts(figures)))
		}
	}
	for i, k := range l.constraints {
		l.worst = append(l.worst, hardest(l.figures[i], k.comparison.Op))
	}
	return l
}

func (k *linkConstraint) through() graph.Derivation { return k.supply.Fields[k.supplyField].Through }

// volume is the figure of dependencies that the tariff is multiplied with.
func (l *links) volume() (*graph.LabelType, int) {
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

// column turns a column by given link into one by leg or path, in a star or with
// routes.
func (l *links) column(absent float64, through graph.Derivation, byLink []float64) []float64 {
	switch {
	case l.star:
		return l.byLeg(absent, through, byLink)
	case l.federation.Routed():
		return l.byPath(absent, through, byLink)
	}
	return byLink
}

// byLeg gives the centre a leg of its own that leaves every path as it is.
func (l *links) byLeg(absent float64, through graph.Derivation, byLink []float64) []float64 {
	legs := make([]float64, l.federation.Clusters().Len())
	for j := range legs {
		legs[j] = absent
	}
	center := l.federation.Center()
	clusters, given := l.federation.Neighbours(center)
	for i, j := range clusters {
		legs[j] = byLink[given[i]]
	}
	legs[center] = through.Neutral()
	return legs
}

func (l *links) byPath(absent float64, through graph.Derivation, byLink []float64) []float64 {
	n := l.federation.Clusters().Len()
	paths := make([]float64, n*n)
	var legs []int
	for at := range paths {
		var ok bool
		legs, ok = l.federation.Path(legs[:0], at/n, at%n)
		paths[at] = absent
		if ok {
			paths[at] = through.Neutral()
		}
		for _, leg := range legs {
			paths[at] = through.Derive(paths[at], byLink[leg])
		}
	}
	return paths
}

func nans(n int) []float64 { return slices.Repeat([]float64{math.NaN()}, n) }

// hardest returns the figure of a column that refuses most, NaN if one is NaN or there is
// none.
func hardest(column []float64, op graph.Operator) float64 {
	switch {
	case len(column) == 0:
		return math.NaN()
	case op == graph.AtMost:
		return slices.Min(column)
	}
	return slices.Max(column)
}

// cost returns the price of a dependency between two clusters, given its volume; +Inf if no path
// joins them.
func (l *links) cost(volume float64, a, b int) float64 {
	if a == b {
		return 0
	}
	cost := l.between(l.price, a, b)
	if l.tariff != nil && volume > 0 {
		cost += float64(volume * l.between(l.tariff, a, b))
	}
	return cost
}

// between returns the price between two clusters from a column of prices.
func (l *links) between(column []float64, a, b int) float64 {
	switch {
	case l.star:
		return column[a] + column[b]
	case l.federation.Routed():
		return column[a*l.federation.Clusters().Len()+b]
	}
	if link, ok := l.federation.Link(a, b); ok {
		return column[link]
	}
	return math.Inf(1)
}

// figure returns a constraint's figure, in parts, of the path between two
// clusters that have one, NaN where a link lacks the label.
func (l *links) figure(constraint, a, b int) float64 {
	figures := l.figures[constraint]
	switch {
	case l.star:
		return l.constraints[constraint].through().Derive(figures[a], figures[b])
	case l.federation.Routed():
		return figures[a*l.federation.Clusters().Len()+b]
	}
	link, _ := l.federation.Link(a, b)
	return figures[link]
}

// broken returns the first constraint that a path breaks under these bounds, −1 for none. A path
// must join the two clusters.
func (l *links) broken(bounds []float64, a, b int) int {
	for c, bound := range bounds {
		if bound == bound && !l.constraints[c].comparison.Op.Holds(bound, l.figure(c, a, b)) {
			return c
		}
	}
	return -1
}

// connect derives the row of costs dst from src, given that a neighbour of the row's job runs on
// cluster m. The dependency between the two has a volume and these bounds, one for each
// constraint, NaN for none. It adds the price of the link (algorithm 2) and writes +Inf for
// clusters that break a bound (algorithm 5).
func (l *links) connect(dst, src []float64, m int, bounds []float64, volume float64) {
	if l.star || l.federation.Routed() {
		l.connectPaths(dst, src, m, bounds)
	} else {
		l.connectGiven(dst, src, m, bounds)
	}
	if l.tariff != nil && volume > 0 {
		for j := range dst {
			if j != m && !math.IsInf(dst[j], 1) {
				dst[j] = src[j] + l.cost(volume, m, j)
			}
		}
	}
	dst[m] = src[m]
}

func (l *links) connectGiven(dst, src []float64, m int, bounds []float64) {
	clusters, given := l.federation.Neighbours(m)
	if len(clusters) < len(dst)-1 {
		for j := range dst {
			dst[j] = math.Inf(1)
		}
	}
	addLinks(dst, src, l.price, clusters, given)
	for c := range l.constraints {
		op, bound := l.constraints[c].comparison.Op, bounds[c]
		if bound == bound && !op.Holds(bound, l.worst[c]) {
			refuseLinks(dst, l.figures[c], op, bound, clusters, given)
		}
	}
}

func (l *links) connectPaths(dst, src []float64, m int, bounds []float64) {
	legs, own := l.paths(l.price, graph.Sum, m)
	addLegs(dst, src, legs, own)
	for c := range l.constraints {
		k := &l.constraints[c]
		bound := bounds[c]
		legs, own := l.paths(l.figures[c], k.through(), m)
		switch {
		case bound != bound || k.comparison.Op.Holds(bound, k.through().Derive(l.worst[c], own)):
		case k.through() == graph.Sum && k.comparison.Op == graph.AtLeast:
			refuseAbove(dst, legs, own, bound)
		default:
			for j, leg := range legs {
				if !k.comparison.Op.Holds(bound, k.through().Derive(leg, own)) {
					dst[j] = math.Inf(1)
				}
			}
		}
	}
}

// paths returns a column as the legs of the paths between cluster m and each
// other, and the one leg that all of them share.
func (l *links) paths(column []float64, through graph.Derivation, m int) (legs []float64, own float64) {
	if l.star {
		return column, column[m]
	}
	n := l.federation.Clusters().Len()
	return column[m*n : (m+1)*n], through.Neutral()
}
