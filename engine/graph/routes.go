package graph

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/graph/path"
)

// MaxRouted is how many clusters a federation with routes may have: what is
// kept of the routes grows with its square.
const MaxRouted = 1000

// routes are the paths of least latency, as one tree of them from each cluster.
type routes struct {
	ends     [][2]int32
	clusters int
	last     []int32 // at [from·clusters + to]: the last link of the path, -1 without one
}

// RouteByLatency lets clusters talk along the paths of least latency instead of
// over a link of their own: costs and latencies of the links add up, the
// bandwidth is the smallest of theirs. Links without a latency carry nothing; their
// number is returned. Stars have their one path through the centre, and
// federations of more than [MaxRouted] clusters are refused.
func (f *Federation) RouteByLatency() (unused int, err error) {
	n := f.nodes.count
	switch {
	case f.center >= 0:
		return 0, fmt.Errorf("the federation is a star: every path leads through its centre %q", f.nodes.ID(f.center))
	case n > MaxRouted:
		return 0, fmt.Errorf("routes are worked out for at most %d clusters, and the federation has %d", MaxRouted, n)
	}
	g := byLatency{f, f.latencies()}
	r := &routes{ends: f.ends, clusters: n, last: make([]int32, n*n)}
	for from := range n {
		tree := path.DijkstraFrom(Node(from), g)
		for to := range n {
			r.last[from*n+to] = f.lastLink(tree, to)
		}
	}
	f.routes = r
	for _, latency := range g.latency {
		if math.IsNaN(latency) {
			unused++
		}
	}
	return unused, nil
}

// Routed reports whether clusters talk along paths of least latency.
func (f *Federation) Routed() bool { return f.routes != nil }

// latencies returns one figure of each link that misses it for some path.
func (f *Federation) latencies() []float64 {
	for _, t := range Labels(Link) {
		if t.Shortest == "" {
			continue
		}
		if column := f.edges.Column(t, t.Field(t.Shortest)); column != nil {
			return column
		}
	}
	return slices.Repeat([]float64{math.NaN()}, len(f.ends))
}

// lastLink returns the link over which a path of the tree comes to a cluster.
func (f *Federation) lastLink(tree path.Shortest, to int) int32 {
	nodes, _ := tree.To(int64(to))
	if len(nodes) < 2 {
		return -1
	}
	return int32(f.edge(int(nodes[len(nodes)-2].ID()), to))
}

// path appends the links of the route between two clusters. It is that of the
// tree of the one that comes first in the file, whichever is asked first, so
// that the way there is the way back where several are equally short.
func (r *routes) path(legs []int, a, b int) ([]int, bool) {
	from, start := min(a, b), len(legs)
	for at := max(a, b); at != from; {
		link := r.last[from*r.clusters+at]
		if link < 0 {
			return legs[:start], false
		}
		legs = append(legs, int(link))
		at = int(r.ends[link][0]) + int(r.ends[link][1]) - at
	}
	if from == a {
		slices.Reverse(legs[start:])
	}
	return legs, true
}

// byLatency is a federation as gonum's shortest paths see it. A link of unknown
// latency is none.
type byLatency struct {
	*Federation
	latency []float64
}

// Weight is part of gonum's path.Weighted.
func (g byLatency) Weight(x, y int64) (float64, bool) {
	if x == y {
		return 0, true
	}
	link := g.edge(int(x), int(y))
	if link < 0 || math.IsNaN(g.latency[link]) {
		return math.Inf(1), link >= 0
	}
	return g.latency[link], true
}
