package graph

import (
	"fmt"
	"math"

	gonum "gonum.org/v1/gonum/graph"
	"gonum.org/v1/gonum/graph/iterator"
)

// Federation is the graph F = (N_F, E_F) of clusters and links (section
// 4.1.2). In a star only the links to the centre are stored: the link between
// two other clusters is the path through the centre, derived when asked for,
// so that 5,000 clusters do not become 12.5 million links. The caveats of
// [Deployment] on sharing hold here too.
type Federation struct {
	network
	DOTName string
	center  int // -1: the links are as given
}

var _ gonum.Undirected = (*Federation)(nil)

// NewFederation returns a federation without clusters.
func NewFederation() *Federation {
	return &Federation{network: newNetwork(Cluster, Link), center: -1}
}

// Clusters returns the clusters.
func (f *Federation) Clusters() *Elements { return &f.nodes }

// Links returns the links that were given; those that a star derives are not
// among them.
func (f *Federation) Links() *Elements { return &f.edges }

// AddCluster returns the number of the cluster, which it adds if it is new.
func (f *Federation) AddCluster(id string) int { return f.addNode(id) }

// Cluster returns the number of the cluster with that id.
func (f *Federation) Cluster(id string) (int, bool) { i, ok := f.index[id]; return i, ok }

// AddLink joins two different clusters. Of parallel links the one with the
// least latency is kept, with its own cost; merged reports that there was one.
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

// SetCenter makes the federation a star around the cluster with that id; ""
// takes the links as given. It returns the number of links that do not touch
// the centre, which a star ignores, and an error if there is no such cluster.
func (f *Federation) SetCenter(id string) (ignored int, err error) {
	if id == "" {
		f.center = -1
		return 0, nil
	}
	c, ok := f.index[id]
	if !ok {
		return 0, fmt.Errorf("the centre %q is not a cluster of the federation", id)
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

// Ends returns the two clusters of a given link.
func (f *Federation) Ends(link int) (a, b int) { return int(f.ends[link][0]), int(f.ends[link][1]) }

// Neighbours returns the clusters that a given link joins to cluster i and
// those links, in the order of the links. Neither must be changed.
func (f *Federation) Neighbours(i int) (clusters, links []int32) { return f.adjacent(i) }

// Path returns the given links that carry what two clusters say to each other:
// none within one cluster, one for a given link, two for a derived one; ok is
// false where there is no way.
func (f *Federation) Path(a, b int) (legs [2]int, n int, ok bool) {
	switch {
	case a == b:
		return legs, 0, true
	case f.center < 0 || a == f.center || b == f.center:
		legs[0] = f.edge(a, b)
		return legs, 1, legs[0] >= 0
	}
	legs[0], legs[1] = f.edge(a, f.center), f.edge(f.center, b)
	return legs, 2, legs[0] >= 0 && legs[1] >= 0
}

// Figure returns one figure of a label on the path between two different
// clusters, and false where there is no way or a leg of it lacks the label.
func (f *Federation) Figure(t *LabelType, field, a, b int) (float64, bool) {
	legs, n, ok := f.Path(a, b)
	column := f.edges.Column(t, field)
	if !ok || n == 0 || column == nil {
		return math.NaN(), false
	}
	value := column[legs[0]]
	if n == 2 {
		value = t.Fields[field].Through.Derive(value, column[legs[1]])
	}
	return value, !math.IsNaN(value)
}

// From returns the clusters that cluster id can talk to.
func (f *Federation) From(id int64) gonum.Nodes {
	var nodes []gonum.Node
	for j := range f.nodes.count {
		if f.HasEdgeBetween(id, int64(j)) {
			nodes = append(nodes, Node(j))
		}
	}
	return iterator.NewOrderedNodes(nodes)
}

// HasEdgeBetween reports whether two different clusters can talk to each other.
func (f *Federation) HasEdgeBetween(x, y int64) bool {
	_, n, ok := f.Path(int(x), int(y))
	return ok && n > 0
}

// Edge returns the link between two clusters, given or derived, or nil.
func (f *Federation) Edge(u, v int64) gonum.Edge { return f.EdgeBetween(u, v) }

// EdgeBetween returns the link between two clusters, given or derived, or nil.
func (f *Federation) EdgeBetween(x, y int64) gonum.Edge {
	if !f.HasEdgeBetween(x, y) {
		return nil
	}
	return Edge{F: Node(x), T: Node(y)}
}
