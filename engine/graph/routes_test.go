package graph_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"berth/engine/graph"
)

// The routes are as short as those of the Floyd–Warshall algorithm, lead to the right cluster, and
// are the same in both directions.
func TestRoutesAreTheShortestPaths(t *testing.T) {
	latency, bandwidth := graph.Lookup(graph.Link, "latency"), graph.Lookup(graph.Link, "bandwidth")
	for seed := range uint64(50) {
		rng := rand.New(rand.NewPCG(seed, 9))
		const n = 12
		f := graph.NewFederation()
		want := make([][]float64, n)
		for a := range n {
			f.AddCluster(fmt.Sprint(a))
			want[a] = slices.Repeat([]float64{math.Inf(1)}, n)
			want[a][a] = 0
		}
		unknown := 0
		for range 16 {
			a, b := rng.IntN(n), rng.IntN(n)
			if _, there := f.Link(a, b); a == b || there {
				continue
			}
			labels := []graph.Label{label(graph.Link, "bandwidth", float64(1+rng.IntN(9)), 0)}
			if rng.IntN(8) == 0 {
				unknown++
			} else {
				ms := float64(rng.IntN(5)) // makes equal paths and links of latency 0 frequent
				labels = append(labels, label(graph.Link, "latency", ms, 1))
				want[a][b], want[b][a] = ms, ms
			}
			f.AddLink(a, b, labels...)
		}
		for k := range n {
			for a := range n {
				for b := range n {
					want[a][b] = min(want[a][b], want[a][k]+want[k][b])
				}
			}
		}
		if unused, err := f.RouteByLatency(); err != nil || unused != unknown {
			t.Fatalf("seed %d: %d links unused, want %d, %v", seed, unused, unknown, err)
		}
		for a := range n {
			for b := range n {
				there, ok := f.Path(nil, a, b)
				back, _ := f.Path(nil, b, a)
				slices.Reverse(back)
				if !slices.Equal(there, back) || ok != !math.IsInf(want[a][b], 1) {
					t.Fatalf("seed %d: from %d to %d: %v and %v back, want a way: %t", seed, a, b, there, back, !ok)
				}
				if !ok || a == b {
					continue
				}
				at, widest := a, math.Inf(1)
				for _, leg := range there {
					x, y := f.Ends(leg)
					at = x + y - at
					widest = min(widest, f.Links().Column(bandwidth, 0)[leg])
				}
				ms, _ := f.Figure(latency, 0, a, b)
				cost, _ := f.Figure(latency, 1, a, b)
				mbit, _ := f.Figure(bandwidth, 0, a, b)
				if at != b || ms != want[a][b] || cost != float64(len(there)) || mbit != widest {
					t.Fatalf("seed %d: from %d to %d by %v, which ends at %d: %v ms, %v, %v Mbit/s, want %v, %d, %v",
						seed, a, b, there, at, ms, cost, mbit, want[a][b], len(there), widest)
				}
			}
		}
	}
}

func TestRoutesAreRefused(t *testing.T) {
	large := graph.NewFederation()
	for i := range graph.MaxRouted + 1 {
		large.AddCluster(fmt.Sprint(i))
	}
	for want, f := range map[string]*graph.Federation{
		`the federation is a star: every path leads through its centre "c"`:            star(t),
		"routes are worked out for at most 1000 clusters, and the federation has 1001": large,
	} {
		if _, err := f.RouteByLatency(); err == nil || err.Error() != want || f.Routed() {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
