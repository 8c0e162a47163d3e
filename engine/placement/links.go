package placement

import (
	"math"
	"slices"

	"berth/engine/graph"
)

// links has the prices and constraints of a federation's links.
type links struct {
	price       *pathFigures
	tariff      *pathFigures // price per unit of volume; nil if no link charges by volume
	constraints []linkConstraint
}

// linkConstraint is one comparison between a field of a dependency and a field of a link.
type linkConstraint struct {
	*pathFigures             // of the link's figure, in parts; negated for a lower bound, as in [solve.Limit]
	demand, supply           *graph.LabelType
	demandField, supplyField int
	comparison               graph.Comparison
	whole                    []float64 // by given link: parts, if dependencies consume it; else nil
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
			k.pathFigures = newColumn(f, k.supply.Fields[k.supplyField].Through, sign, figures)
			if c.Consumes && o.ConsumeBandwidth {
				k.whole = figures
			}
			l.constraints = append(l.constraints, k)
		}
	}
	return l
}

func positive(price float64) bool { return price > 0 }

// volume returns the field of dependencies by which the price per volume is multiplied; nil, -1 if
// no link charges by volume.
func volume() (*graph.LabelType, int) {
	for _, t := range graph.Labels(graph.Link) {
		if price := t.Price(); price >= 0 && t.Fields[price].Per != "" {
			of := graph.Lookup(graph.Dependency, t.Name)
			return of, of.Field(t.Fields[price].Per)
		}
	}
	return nil, -1
}

// linkPrices sums the prices of each given link over its labels, either the prices per volume or
// the others.
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

// connect computes the row of costs dst from src after a neighbour of the row's job was placed on
// cluster m. It adds the price of the dependency between the two jobs (algorithm 2) and writes +Inf
// for clusters that violate one of its bounds (algorithm 5).
func (p *Problem) connect(dst, src []float64, m, dependency int) {
	price := p.capacity.links.price.row(m)
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

// spans reports whether the path between two different connected clusters keeps the dependency's
// bound of one limit.
func (p *Problem) spans(limit, dependency, a, b int) bool {
	return p.limited[limit].between(a, b) <= p.form.Limits[limit].Bound[dependency]
}

// LinkCost returns the price of one dependency between two clusters: 0 within a cluster, +Inf if no
// path joins them.
func (p *Problem) LinkCost(dependency, a, b int) float64 {
	if a == b {
		return 0
	}
	cost := p.capacity.links.price.between(a, b)
	if weight := p.form.Dependencies[dependency].Weight; p.weighted && weight > 0 {
		cost += float64(weight * p.capacity.links.tariff.between(a, b))
	}
	return cost
}
