package drawing

import (
	"math"

	"berth/engine/graph"
)

// nodeCost is what a placed job costs on its cluster.
func (c *canvas) nodeCost(p Placed, job int) float64 {
	var cost float64
	for _, u := range c.usage {
		want := p.Deployment.Jobs().Values(u.demand, job)
		have := c.federation.Clusters().Values(u.supply, int(p.Cluster[job]))
		if want != nil && have != nil && u.price >= 0 {
			cost += float64(want[u.request] * have[u.price])
		}
	}
	return cost
}

// nodeCostFigure is nodeCost as a figure of the job; none where prices are missing.
func (c *canvas) nodeCostFigure(p Placed, job int) []Property {
	if !c.priced {
		return nil
	}
	return []Property{{Name: "node cost", Value: number(c.nodeCost(p, job))}}
}

// linkCost is what a dependency of a placed deployment pays for its path: the
// prices of all labels of its links together, those of its volume times it.
func (c *canvas) linkCost(p Placed, dependency int) float64 {
	a, b := p.Deployment.Ends(dependency)
	legs, _ := c.federation.Path(nil, int(p.Cluster[a]), int(p.Cluster[b]))
	var cost float64
	for _, leg := range legs {
		for _, t := range graph.Labels(graph.Link) {
			price := t.Price()
			if price < 0 || !c.federation.Links().Has(t, leg) {
				continue
			}
			if v := c.federation.Links().Column(t, price)[leg]; !math.IsNaN(v) {
				cost += float64(v * units(p.Deployment, t, price, dependency))
			}
		}
	}
	return cost
}

// units is how often a dependency pays a price of links.
func units(d *graph.Deployment, t *graph.LabelType, price, dependency int) float64 {
	per := t.Fields[price].Per
	if per == "" {
		return 1
	}
	of := graph.Lookup(graph.Dependency, t.Name)
	if !d.Dependencies().Has(of, dependency) {
		return 0
	}
	return d.Dependencies().Column(of, of.Field(per))[dependency]
}

// costs sums what a placed deployment pays.
func (c *canvas) costs(p Placed) (node, link float64) {
	for i := range p.Deployment.Jobs().Len() {
		node += c.nodeCost(p, i)
	}
	for k := range p.Deployment.Dependencies().Len() {
		link += c.linkCost(p, k)
	}
	return node, link
}
