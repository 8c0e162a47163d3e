package improve

import (
	"math"
	"math/rand/v2"
	"testing"

	"berth/engine/golden"
	"berth/engine/solve"
)

// The tables have what a job costs and breaks on each cluster, also beside jobs that it
// depends on: a bound on the bandwidth between clusters, which is negative, binds between
// different clusters alone.
func TestTablesHaveWhatAJobCostsAndBreaks(t *testing.T) {
	const jobs, clusters = 9, 5
	for _, seed := range golden.Seeds(20) {
		rng := rand.New(rand.NewPCG(seed, 1))
		figures := func(n int, low, high float64) []float64 {
			all := make([]float64, n)
			for i := range all {
				all[i] = math.Round(low + (high-low)*rng.Float64()) // whole, so that sums are exact
			}
			return all
		}
		p := &solve.Problem{Jobs: jobs, Clusters: clusters, Cost: solve.Matrix{Cells: figures(jobs*clusters, 1, 10)}}
		for b := int32(1); b < jobs; b++ {
			for range 2 {
				p.Dependencies = append(p.Dependencies, solve.Dependency{A: rng.Int32N(b), B: b, Weight: 2})
			}
		}
		n := len(p.Dependencies)
		p.Links.Leg, p.Flat.Leg = figures(clusters, 0, 5), figures(clusters, 0, 5)
		p.Links.Leg[0] = math.Inf(1)
		p.Limits = []solve.Limit{
			{Leg: figures(clusters, 0, 5), Bound: figures(n, 3, 9)},
			{Leg: figures(clusters, -9, -1), Most: true, Bound: figures(n, -9, -1)},
		}
		s := newState(newModel(p), seed)
		s.begin(make([]int32, jobs))
		for range 100 {
			s.move(rng.Int32N(jobs), rng.Int32N(clusters))
		}
		for j := range int32(jobs) {
			for c := range int32(clusters) {
				pay, conflict := s.cost[s.at(j, c)], int32(0)
				for i := s.start[j]; i < s.start[j+1]; i++ {
					cost := p.PairCost(int(s.number[i]), int(c), int(s.cluster[s.neighbour[i]]))
					if math.IsInf(cost, 1) {
						conflict++
					} else {
						pay += cost
					}
				}
				if got := s.conflict[s.at(j, c)]; got != conflict {
					t.Fatalf("seed %d: job %d on cluster %d breaks %d dependencies, want %d", seed, j, c, got, conflict)
				}
				if got := s.pay[s.at(j, c)]; conflict == 0 && got != pay {
					t.Fatalf("seed %d: job %d on cluster %d costs %v, want %v", seed, j, c, got, pay)
				}
			}
		}
	}
}
