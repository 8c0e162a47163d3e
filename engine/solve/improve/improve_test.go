package improve

import (
	"context"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"berth/engine/golden"
	"berth/engine/solve"
)

// kind is a kind of random problem: which constraints and costs it has.
type kind struct {
	name                     string
	jobs, clusters           int
	star, latency, bandwidth bool
	resources                int
	general                  bool // amounts depend on the cluster
	forbidden, flat, ruled   bool
}

var kinds = []kind{
	{name: "assignment", jobs: 7, clusters: 3, resources: 1, general: true},
	{name: "star", jobs: 6, clusters: 4, star: true, resources: 1},
	{name: "star with latencies", jobs: 6, clusters: 4, star: true, latency: true, resources: 2},
	{name: "star with bandwidth", jobs: 6, clusters: 4, star: true, bandwidth: true, resources: 1},
	{name: "mesh", jobs: 6, clusters: 4, resources: 1},
	{name: "mesh with latencies", jobs: 7, clusters: 4, latency: true, resources: 2},
	{name: "mesh with bandwidth", jobs: 6, clusters: 4, latency: true, bandwidth: true, resources: 1, general: true},
	{name: "forbidden clusters", jobs: 7, clusters: 4, latency: true, resources: 1, forbidden: true},
	{name: "prices of two sorts", jobs: 6, clusters: 4, latency: true, resources: 1, flat: true},
	{name: "rules", jobs: 7, clusters: 4, latency: true, resources: 1, ruled: true},
	{name: "no rooms", jobs: 6, clusters: 4, latency: true},
}

// problem returns a random problem of a kind.
func (k kind) problem(rng *rand.Rand) *solve.Problem {
	p := &solve.Problem{Jobs: k.jobs, Clusters: k.clusters}
	figures := func(n int, low, high float64) []float64 {
		all := make([]float64, n)
		for i := range all {
			all[i] = math.Round(100 * (low + (high-low)*rng.Float64())) // whole numbers, so that sums are exact
		}
		return all
	}
	p.Cost.Cells = figures(k.jobs*k.clusters, 1, 10)
	for range k.resources {
		r := solve.Resource{Capacity: figures(k.clusters, 5, 5*float64(k.jobs)/float64(k.clusters)+6)}
		if r.Amount.Terms = []solve.Term{{ByJob: figures(k.jobs, 1, 6)}}; k.general {
			r.Amount = solve.Matrix{Cells: figures(k.jobs*k.clusters, 1, 6)}
		}
		p.Resources = append(p.Resources, r)
	}
	if k.name == "assignment" {
		return p
	}
	for b := int32(1); b < int32(k.jobs); b++ {
		for range 1 + rng.IntN(2) {
			p.Dependencies = append(p.Dependencies, solve.Dependency{A: rng.Int32N(b), B: b, Weight: 1 + float64(rng.IntN(3))})
		}
	}
	symmetric := func(all []float64) []float64 {
		for a := range k.clusters {
			for b := range a {
				all[a*k.clusters+b] = all[b*k.clusters+a]
			}
		}
		return all
	}
	if k.star {
		p.Links.Leg = figures(k.clusters, 0, 3)
	} else {
		p.Links.Pair = symmetric(figures(k.clusters*k.clusters, 0, 5))
	}
	if k.latency {
		limit := solve.Limit{Bound: figures(len(p.Dependencies), 2, 8)}
		if k.star {
			limit.Leg = figures(k.clusters, 0, 4)
		} else {
			limit.Pair = symmetric(figures(k.clusters*k.clusters, 1, 8))
		}
		p.Limits = append(p.Limits, limit)
	}
	if k.bandwidth {
		p.Lanes = append(p.Lanes, k.lanes(rng, figures(len(p.Dependencies), 1, 5), figures(k.clusters*k.clusters, 3, 12)))
	}
	if k.flat {
		p.Flat.Pair = symmetric(figures(k.clusters*k.clusters, 0, 3))
	}
	if k.ruled {
		by := func(pattern ...int32) []int32 { return slices.Repeat(pattern, k.clusters/4) }
		p.Counters = []solve.Counter{
			{Jobs: []int32{0, 2, 4, 5}, Class: by(0, 0, 1, -1), Classes: 2, Most: 1, Used: solve.NoLimit, Skew: solve.NoLimit},
			{Jobs: []int32{1, 2, 3}, Class: by(0, 1, 2, 3), Classes: 4, Most: solve.NoLimit, Used: 1 + rng.Int32N(2), Skew: solve.NoLimit},
			{Jobs: []int32{3, 5, 6}, Class: by(0, 1, 1, 0), Classes: 2, Most: solve.NoLimit, Used: solve.NoLimit, Skew: 1},
			{Jobs: []int32{0, 1, 4, 6}, Class: by(0, 1, 2, -1), Classes: 3, Most: solve.NoLimit, Used: solve.NoLimit, Skew: solve.NoLimit, Least: 1 + rng.Int32N(2)},
		}
	}
	for j := range k.jobs {
		if c := rng.IntN(2 * k.clusters); k.forbidden && c < k.clusters {
			p.Forbid(j, c)
		}
	}
	return p
}

// lanes returns a lane for each cluster of a star, or for each pair of clusters.
func (k kind) lanes(rng *rand.Rand, amount, capacity []float64) solve.Lanes {
	if k.star {
		l := solve.Lanes{Amount: amount, Capacity: capacity[:k.clusters], Leg: make([]int32, k.clusters)}
		for c := range l.Leg {
			l.Leg[c] = int32(c)
		}
		l.Leg[rng.IntN(k.clusters)] = -1
		return l
	}
	l := solve.Lanes{Amount: amount, Capacity: capacity}
	for a := range k.clusters {
		for b := range k.clusters {
			l.Start = append(l.Start, int32(len(l.Way)))
			if a != b {
				l.Way = append(l.Way, int32(max(a, b)*k.clusters+min(a, b)))
			}
		}
	}
	l.Start = append(l.Start, int32(len(l.Way)))
	return l
}

// cheapest returns the cost of the cheapest placement, by trying all; +Inf if there is none.
func cheapest(p *solve.Problem) float64 {
	least := math.Inf(1)
	cluster := make([]int32, p.Jobs)
	for {
		if p.Check(cluster) == nil {
			node, link := p.Costs(cluster)
			least = min(least, node+link)
		}
		j := 0
		for ; j < p.Jobs; j++ {
			if cluster[j]++; int(cluster[j]) < p.Clusters {
				break
			}
			cluster[j] = 0
		}
		if j == p.Jobs {
			return least
		}
	}
}

func nowhere(p *solve.Problem) []int32 { return slices.Repeat([]int32{-1}, p.Jobs) }

// For every kind of problem, the search finds the cheapest placement without a start, and proves
// it. However early it ends, its placement has the reported cost, and no bound is above the lowest
// cost.
func TestTheCheapestIsFoundAndProved(t *testing.T) {
	for _, k := range kinds {
		t.Run(k.name, func(t *testing.T) {
			infeasible, early := 0, 0
			for _, n := range golden.Seeds(25) {
				p := k.problem(rand.New(rand.NewPCG(n, 7)))
				want := cheapest(p)
				if math.IsInf(want, 1) {
					infeasible++
				}
				for steps := int64(1); ; steps *= 16 {
					s := New(p, nowhere(p), 1, nil)
					s.Run(t.Context(), steps, nil)
					found, cost := s.Best()
					if s.Bound() > want*(1+1e-9) || cost < want*(1-1e-9) {
						t.Fatalf("problem %d, %d steps: cost %v and bound %v, the least is %v", n, steps, cost, s.Bound(), want)
					}
					if found != nil {
						wantPlacement(t, p, found, cost)
					}
					if !s.Ended() && steps < 1e7 && !(k.ruled && steps > 1e5) {
						continue
					}
					if math.IsInf(want, 1) != (found == nil) || found != nil && cost > want*(1+1e-9) || !s.Ended() && !k.ruled {
						t.Fatalf("problem %d: cost %v, proved %t, want %v", n, cost, s.Ended(), want)
					}
					if steps == 1 {
						early++
					}
					break
				}
			}
			if infeasible+early > 15 {
				t.Errorf("%d have no placement, %d are proved at once: the problems are too easy", infeasible, early)
			}
		})
	}
}

func wantPlacement(t *testing.T, p *solve.Problem, cluster []int32, cost float64) {
	t.Helper()
	if err := p.Check(cluster); err != nil {
		t.Fatalf("it is no placement: %v", err)
	}
	if node, link := p.Costs(cluster); math.Abs(node+link-cost) > 1e-9*cost {
		t.Fatalf("it costs %v, not %v", node+link, cost)
	}
}

// A search that was stopped anywhere and continues gets the same result as one that was not
// stopped.
func TestAStoppedSearchGoesOn(t *testing.T) {
	const end = 400_000
	for _, k := range kinds[3:] {
		k.jobs, k.clusters = 3*k.jobs, 2*k.clusters
		p := k.problem(rand.New(rand.NewPCG(3, 3)))
		whole := New(p, nowhere(p), 5, nil)
		whole.Run(t.Context(), end, nil)
		parts := New(p, nowhere(p), 5, nil)
		asked := 0
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		for steps := int64(1); steps < end; steps += steps/3 + 1 {
			parts.Run(ctx, steps, func() bool { asked++; return asked%7 != 0 })
		}
		parts.Run(t.Context(), end, nil)
		found, cost := whole.Best()
		if got, also := parts.Best(); !reflect.DeepEqual(got, found) || also != cost || parts.Bound() != whole.Bound() || parts.Steps() != whole.Steps() {
			t.Errorf("%s: %v at cost %v, bound %v, %d steps; in one go %v at cost %v, bound %v, %d steps", k.name,
				got, also, parts.Bound(), parts.Steps(), found, cost, whole.Bound(), whole.Steps())
		}
	}
}
