package drawing

import (
	"iter"
	"math"

	"berth/engine/graph"
)

// bounded is one bound of a dependency with the figure of its path.
type bounded struct {
	label        string // name of the bounded figure: "latency"
	unit         string
	bound, found float64
	left         float64 // fraction of the bound that the path leaves: 1 to 0, negative if it is violated
}

// bounds lists the bounds of a placed dependency whose jobs are on different clusters.
func (c *canvas) bounds(p Placed, k int) iter.Seq[bounded] {
	return func(yield func(bounded) bool) {
		a, b := p.Deployment.Ends(k)
		from, to := int(p.Cluster[a]), int(p.Cluster[b])
		for _, t := range graph.Labels(graph.Dependency) {
			values := p.Deployment.Dependencies().Values(t, k)
			if values == nil || t.Kind != graph.Demand {
				continue
			}
			for _, comparison := range t.Comparisons {
				field := t.Host().Field(comparison.Supply)
				found, _ := c.federation.Figure(t.Host(), field, from, to)
				one := bounded{label: t.HostedBy, unit: t.Host().Fields[field].Unit, bound: values[t.Field(comparison.Demand)], found: found}
				one.left = 1 - found/one.bound
				if comparison.Op == graph.AtMost {
					one.left = 1 - one.bound/found
				}
				if math.IsNaN(one.left) { // 0/0
					one.left = 0
				}
				if !yield(one) {
					return
				}
			}
		}
	}
}

// apart reports whether a dependency of a placed deployment crosses clusters.
func apart(p Placed, k int) bool {
	a, b := p.Deployment.Ends(k)
	return p.at(a) != p.at(b)
}

// left returns the smallest fraction of a bound that the path of a dependency leaves: 1 without
// bounds, and at least -1.
func (c *canvas) left(p Placed, k int) float64 {
	least := 1.0
	if apart(p, k) {
		for b := range c.bounds(p, k) {
			least = min(least, b.left)
		}
	}
	return max(least, -1)
}

// Colours from Okabe and Ito's palette. The line style carries the same information.
var (
	slackColours = map[string]string{"same": faint, "tight": "#d55e00", "some": "#b07d00", "wide": "#007a5a", "unplaced": faint}
	slackLines   = map[string]string{"same": "dotted", "tight": "bold", "some": "solid", "wide": "dashed"}
)

// A dependency is tight if less than tightBelow of a bound is left, and wide if at least wideFrom
// is left.
const (
	tightBelow = 0.2
	wideFrom   = 0.5
)

// slack classifies a dependency by its tightest bound, and lists the figures of its path.
func (c *canvas) slack(p Placed, k int) (string, []Property) {
	if !apart(p, k) {
		return "same", []Property{{Name: "path", Value: "within one cluster"}, {Name: "link cost", Value: "0"}}
	}
	var path []Property
	for b := range c.bounds(p, k) {
		path = append(path, Property{"path's " + b.label, number(b.found), b.unit},
			Property{b.label + " slack", number(math.Abs(b.bound - b.found)), b.unit})
	}
	a, b := p.Deployment.Ends(k)
	path = append(path, Property{Name: "link cost", Value: number(c.problem(p).LinkCost(k, int(p.Cluster[a]), int(p.Cluster[b])))})
	switch least := c.left(p, k); {
	case least < tightBelow:
		return "tight", path
	case least < wideFrom:
		return "some", path
	}
	return "wide", path
}
