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

// links has the figures of ways between clusters as flat columns: of a star by cluster,
// for its leg to the centre; with routes by two clusters, at [from·clusters + to];
// otherwise by given link.
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
			figures := f.Links().Column(k.supply, k.supplyField)
			if figures == nil {
				figures = nans(f.Links().Len())
			}
			column := l.column(math.NaN(), k.through(), allParts(figures))
			l.constraints, l.figures, l.worst = append(l.constraints, k), append(l.figures, column), append(l.worst, hardest(column, c.Op))
		}
	}
	return l
}

// column derives a figure of ways from one of given links. The leg of the centre of a star
// leaves every way as it is.
func (l *links) column(absent float64, through graph.Derivation, byLink []float64) []float64 {
	f, n := l.federation, l.federation.Clusters().Len()
	switch {
	case l.star:
		legs := slices.Repeat([]float64{absent}, n)
		clusters, given := f.Neighbours(f.Center())
		for i, j := range clusters {
			legs[j] = byLink[given[i]]
		}
		legs[f.Center()] = through.Neutral()
		return legs
	case !f.Routed():
		return byLink
	}
	paths := slices.Repeat([]float64{absent}, n*n)
	var legs []int
	for at := range paths {
		var ok bool
		if legs, ok = f.Path(legs[:0], at/n, at%n); !ok {
			continue
		}
		paths[at] = through.Neutral()
		for _, leg := range legs {
			paths[at] = through.Derive(paths[at], byLink[leg])
		}
	}
	return paths
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

func nans(n int) []float64 {
	column := make([]float64, n)
	for i := range column {
		column[i] = math.NaN()
	}
	return column
}

// hardest returns the figure of a column that refuses most, NaN if one is NaN.
func hardest(column []float64, op graph.Operator) float64 {
	if len(column) == 0 {
		return math.NaN()
	}
	worst := column[0]
	for _, v := range column {
		if op == graph.AtMost {
			worst = min(worst, v)
		} else {
			worst = max(worst, v)
		}
	}
	return worst
}

// cost returns what a dependency of a volume pays between two clusters, +Inf where there
// is no way.
func (l *links) cost(volume float64, a, b int) float64 {
	if a == b {
		return 0
	}
	cost := l.between(l.price, graph.Sum, math.Inf(1), a, b)
	if l.tariff != nil && volume > 0 {
		cost += float64(volume * l.between(l.tariff, graph.Sum, math.Inf(1), a, b))
	}
	return cost
}

// between returns what a column has of two different clusters, absent without a way.
func (l *links) between(column []float64, through graph.Derivation, absent float64, a, b int) float64 {
	if l.star {
		return through.Derive(column[a], column[b])
	}
	if l.federation.Routed() {
		return column[a*l.federation.Clusters().Len()+b]
	}
	if link, ok := l.federation.Link(a, b); ok {
		return column[link]
	}
	return absent
}

// figure returns a constraint's figure of two different clusters, in parts; NaN where a link
// of their way lacks the label.
func (l *links) figure(constraint, a, b int) float64 {
	return l.between(l.figures[constraint], l.constraints[constraint].through(), math.NaN(), a, b)
}

// broken returns the first constraint that the way between two clusters does not meet
// under these bounds, −1 if there is none.
func (l *links) broken(bounds []float64, a, b int) int {
	for c, bound := range bounds {
		if bound == bound && !l.constraints[c].comparison.Op.Holds(bound, l.figure(c, a, b)) {
			return c
		}
	}
	return -1
}

// connect adds to a row of costs what a dependency on a neighbour on cluster m pays for a
// volume (algorithm 2), and marks as +Inf where its bounds are not met (algorithm 5):
// bounds has one for each constraint, NaN for none.
func (l *links) connect(row, scratch []float64, m int, bounds []float64, volume float64) {
	within := row[m]
	if l.tariff != nil && volume > 0 {
		for j := range row {
			row[j] += l.cost(volume, m, j)
		}
	} else {
		legs, own := l.ways(scratch, l.price, graph.Sum, math.Inf(1), m)
		addLegs(row, legs, own)
	}
	for c := range l.constraints {
		op, through, bound := l.constraints[c].comparison.Op, l.constraints[c].through(), bounds[c]
		if bound != bound {
			continue
		}
		legs, own := l.ways(scratch, l.figures[c], through, math.NaN(), m)
		switch {
		case op.Holds(bound, through.Derive(l.worst[c], own)):
		case through == graph.Sum && op == graph.AtLeast:
			refuseAbove(row, legs, own, bound)
		case !l.star && op == graph.AtMost:
			refuseBelow(row, legs, bound)
		default:
			for j, leg := range legs {
				if !op.Holds(bound, through.Derive(leg, own)) {
					row[j] = math.Inf(1)
				}
			}
		}
	}
	row[m] = within
}

// ways returns a column as the legs of the ways between cluster m and each other, and the
// one leg that they share. It may put the legs into scratch.
func (l *links) ways(scratch, column []float64, through graph.Derivation, absent float64, m int) (legs []float64, own float64) {
	n := len(scratch)
	switch {
	case l.star:
		return column, column[m]
	case l.federation.Routed():
		return column[m*n : (m+1)*n], through.Neutral()
	}
	clusters, given := l.federation.Neighbours(m)
	if len(clusters) < n-1 {
		for j := range scratch {
			scratch[j] = absent
		}
	}
	gather(scratch, column, clusters, given)
	return scratch, through.Neutral()
}
