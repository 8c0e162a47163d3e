package graph

import (
	"cmp"
	"fmt"
	"math"

	gonum "gonum.org/v1/gonum/graph"
	"gonum.org/v1/gonum/graph/iterator"

	"berth/engine/show"
)

// Federation is the graph F = (N_F, E_F) of clusters and links (section 4.1.2 of the thesis). A
// star stores only the links to its centre and derives the path between two other clusters on
// request, so that 5,000 clusters do not need 12.5 million links. As with a [Deployment],
// goroutines must not share it before the first call of Neighbours.
type Federation struct {
	network
	DOTName string
	center  int     // -1 if this is not a star
	routes  *routes // nil if traffic uses direct links, or the centre of a star
}

var _ gonum.Undirected = (*Federation)(nil)

// NewFederation returns a federation without clusters.
func NewFederation() *Federation {
	return &Federation{network: newNetwork(Cluster, Link), center: -1}
}

// Clusters returns the clusters, in the order in which they were added.
func (f *Federation) Clusters() *Elements { return &f.nodes }

// Links returns the given links, without the paths that a star derives.
func (f *Federation) Links() *Elements { return &f.edges }

// AddCluster returns the number of the cluster with an id. It adds the cluster if it is new.
func (f *Federation) AddCluster(id string) int { return f.addNode(id) }

// Cluster returns the number of the cluster with the given id.
func (f *Federation) Cluster(id string) (int, bool) { i, ok := f.index[id]; return i, ok }

// AddLink joins two different clusters. If they are already joined, it keeps the link with the
// lower latency, including its cost, and sets merged.
func (f *Federation) AddLink(a, b int, labels ...Label) (link int, merged bool) {
	k, added := f.addEdge(a, b)
	if !added && !f.shorter(labels, k) {
		return k, true
	}
	f.edges.clear(k)
	for _, l := range labels {
		f.edges.SetLabel(l.Type, k, l.Values)
	}
	return k, !added
}

func (f *Federation) shorter(labels []Label, k int) bool {
	for _, l := range labels {
		if l.Type.Shortest == "" {
			continue
		}
		old := f.edges.Values(l.Type, k)
		field := l.Type.Field(l.Type.Shortest)
		return old == nil || l.Values[field] < old[field]
	}
	return false
}

// Add merges another federation into this one. Labels and names of more override the existing ones
// of the same clusters and links, and so does its centre.
func (f *Federation) Add(more *Federation) {
	for i := range more.nodes.count {
		c := f.AddCluster(more.nodes.ID(i))
		f.nodes.Copy(c, &more.nodes, i)
		if drawn := more.nodes.drawn[i]; drawn.Given {
			f.nodes.drawn[c] = drawn
		}
	}
	for k, ends := range more.ends {
		a, b := f.index[more.nodes.ids[ends[0]]], f.index[more.nodes.ids[ends[1]]]
		link, _ := f.addEdge(a, b)
		f.edges.Copy(link, &more.edges, k)
	}
	if more.center >= 0 {
		f.center = f.index[more.nodes.ids[more.center]]
	}
	f.DOTName = cmp.Or(f.DOTName, more.DOTName)
}

// Unpriced returns the clusters that have resources but no known price, for example from formats
// without prices. An unknown price is NaN; 0 is a known price.
func (f *Federation) Unpriced() []int {
	var all []int
	for i := range f.nodes.count {
		prices, known := f.prices(i)
		if prices > 0 && known == 0 {
			all = append(all, i)
		}
	}
	return all
}

// prices returns the number of price fields of a cluster and how many of them are known.
func (f *Federation) prices(cluster int) (all, known int) {
	for _, t := range Labels(Cluster) {
		for i, field := range t.Fields {
			if !field.Price || !f.nodes.Has(t, cluster) {
				continue
			}
			all++
			if !math.IsNaN(f.nodes.columns[t.index].fields[i][cluster]) {
				known++
			}
		}
	}
	return all, known
}

// FillPrices sets unknown prices to 0. If all is set, it does so on every cluster, otherwise only
// on clusters with at least one known price.
func (f *Federation) FillPrices(all bool) {
	for i := range f.nodes.count {
		prices, known := f.prices(i)
		if known == prices || known == 0 && !all {
			continue
		}
		for _, l := range f.nodes.Labels(i) {
			for k, field := range l.Type.Fields {
				if field.Price && math.IsNaN(l.Values[k]) {
					l.Values[k] = 0
				}
			}
			f.nodes.SetLabel(l.Type, i, l.Values)
		}
	}
}

// Without returns a copy without some clusters and their links. The copy has no routes, and a star
// without its centre has no links.
func (f *Federation) Without(gone map[int]bool) *Federation {
	rest := &Federation{network: f.without(gone, !gone[f.center]), DOTName: f.DOTName, center: -1}
	if f.center >= 0 && !gone[f.center] {
		rest.center = rest.index[f.nodes.ids[f.center]]
	}
	return rest
}

// SetCenter makes the federation a star around the cluster with the given id; "" makes it an
// ordinary federation. It returns the number of links that do not touch the centre, which a star
// ignores. An unknown id is an error.
func (f *Federation) SetCenter(id string) (ignored int, err error) {
	if id == "" {
		f.center = -1
		return 0, nil
	}
	c, ok := f.index[id]
	if !ok {
		return 0, fmt.Errorf("the centre %s is not a cluster of the federation", show.Quote(id))
	}
	f.center = c
	for _, e := range f.ends {
		if int(e[0]) != c && int(e[1]) != c {
			ignored++
		}
	}
	return ignored, nil
}

// Center returns the centre of a star, or -1.
func (f *Federation) Center() int { return f.center }

// Link returns the given link between two clusters; ok is false if there is none.
func (f *Federation) Link(a, b int) (link int, ok bool) {
	link = f.edge(a, b)
	return link, link >= 0
}

// Path appends to legs the given links on the path from a to b, in order: none within a cluster,
// one for a direct link, two through the centre of a star, and any number along a route. It returns
// false if no path exists.
func (f *Federation) Path(legs []int, a, b int) ([]int, bool) {
	switch {
	case a == b:
		return legs, true
	case f.routes != nil:
		return f.routes.path(legs, a, b)
	case f.center < 0 || a == f.center || b == f.center:
		leg := f.edge(a, b)
		return append(legs, leg), leg >= 0
	}
	toCenter, fromCenter := f.edge(a, f.center), f.edge(f.center, b)
	return append(legs, toCenter, fromCenter), toCenter >= 0 && fromCenter >= 0
}

// Connected reports whether a and b are different clusters joined by a path.
func (f *Federation) Connected(a, b int) bool {
	var room [8]int
	_, ok := f.Path(room[:0], a, b)
	return ok && a != b
}

// Figure returns one figure of a label on the path between two different clusters. It returns false
// if no path exists or a link on the path lacks the label.
func (f *Federation) Figure(t *LabelType, field, a, b int) (float64, bool) {
	var room [8]int
	legs, ok := f.Path(room[:0], a, b)
	column := f.edges.Column(t, field)
	if !ok || len(legs) == 0 || column == nil {
		return math.NaN(), false
	}
	value := column[legs[0]]
	for _, leg := range legs[1:] {
		value = t.Fields[field].Through.Derive(value, column[leg])
	}
	return value, !math.IsNaN(value)
}

// From returns the clusters joined to cluster id by usable links. In a star, only
// links to the centre are usable.
func (f *Federation) From(id int64) gonum.Nodes {
	if f.center < 0 || int(id) == f.center {
		return f.network.From(id)
	}
	if f.edge(int(id), f.center) < 0 {
		return gonum.Empty
	}
	return iterator.NewOrderedNodes([]gonum.Node{Node(f.center)})
}

// HasEdgeBetween reports whether a usable link joins two clusters.
func (f *Federation) HasEdgeBetween(x, y int64) bool {
	counts := f.center < 0 || int(x) == f.center || int(y) == f.center
	return counts && f.network.HasEdgeBetween(x, y)
}
