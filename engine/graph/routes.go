package graph

import (
	"container/heap"
	"fmt"
	"math"
	"slices"
)

// MaxRouted limits the clusters of a federation with routes, because routes take quadratic memory.
const MaxRouted = 1000

// routes has the lowest-latency paths between all clusters, as a shortest-path tree from each
// cluster.
type routes struct {
	ends     [][2]int32
	clusters int
	last     []int32 // at [from·clusters + to]: the last link of the path; -1 if no path exists
}

// RouteByLatency routes traffic between clusters along the paths with the lowest latency instead of
// direct links. Costs and latencies add up over the links; the bandwidth is the minimum. Links
// without a latency are unused, and their number is returned. It returns an error for a star, where
// all paths lead through the centre, and for more than [MaxRouted] clusters.
func (f *Federation) RouteByLatency() (unused int, err error) {
	n := f.nodes.count
	switch {
	case f.center >= 0:
		return 0, fmt.Errorf("the federation is a star: every path leads through its centre %q", f.nodes.ID(f.center))
	case n > MaxRouted:
		return 0, fmt.Errorf("routes are worked out for at most %d clusters, and the federation has %d", MaxRouted, n)
	}
	latencies := f.latencies()
	r := &routes{ends: f.ends, clusters: n, last: make([]int32, n*n)}
	for from := range n {
		f.tree(r.last[from*n:(from+1)*n], from, latencies)
	}
	f.routes = r
	for _, latency := range latencies {
		if math.IsNaN(latency) {
			unused++
		}
	}
	return unused, nil
}

// Routed reports whether traffic follows the paths of [Federation.RouteByLatency].
func (f *Federation) Routed() bool { return f.routes != nil }

// latencies returns the latency of each link, NaN for links without one.
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

// tree computes the shortest paths from one cluster (Dijkstra 1959). last gets the last link of the
// path to each cluster, -1 if no path exists. Among equally short paths it keeps the first one
// found.
func (f *Federation) tree(last []int32, from int, latencies []float64) {
	far := slices.Repeat([]float64{math.Inf(1)}, len(last))
	for to := range last {
		last[to] = -1
	}
	far[from] = 0
	for q := (frontier{{cluster: from}}); len(q) > 0; {
		at := heap.Pop(&q).(reached)
		if at.latency > far[at.cluster] {
			continue // a shorter path was found in the meantime
		}
		clusters, links := f.Neighbours(at.cluster)
		for i, to := range clusters {
			if latency := at.latency + latencies[links[i]]; latency < far[to] {
				far[to], last[to] = latency, links[i]
				heap.Push(&q, reached{int(to), latency})
			}
		}
	}
}

// reached is a cluster with the latency of a path to it.
type reached struct {
	cluster int
	latency float64
}

// frontier implements [heap.Interface] with the shortest path first.
type frontier []reached

func (q frontier) Len() int           { return len(q) }
func (q frontier) Less(i, j int) bool { return q[i].latency < q[j].latency }
func (q frontier) Swap(i, j int)      { q[i], q[j] = q[j], q[i] }
func (q *frontier) Push(x any)        { *q = append(*q, x.(reached)) }
func (q *frontier) Pop() any {
	last := len(*q) - 1
	x := (*q)[last]
	*q = (*q)[:last]
	return x
}

// path appends the links of the route from a to b. It always uses the tree of the lower-numbered
// cluster, so that both directions use the same links even if several paths are equally short.
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
