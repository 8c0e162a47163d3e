package placement_test

import (
	"math"
	"slices"
	"testing"

	"berth/engine/placement"
	"berth/engine/placement/placementtest"
)

// The reported cost of a move or a swap equals the cost of the placement after it, and a refused
// one is impossible.
func TestMovesAndSwapsCostWhatIsSaid(t *testing.T) {
	moves, refusals, swaps := 0, 0, 0
	for i, shape := range placementtest.Shapes {
		for seed := range uint64(10) {
			d, f := shape.Generate(seed)
			consume := seed%2 == 0
			p := placement.NewProblem(d, placement.NewCapacity(f, placement.CapacityOptions{ConsumeBandwidth: consume}))
			s := placeBy(t, "heuristic", p, placement.Options{Phi: 0.05, Budget: 3000})
			e, err := placement.NewStander(p, s)
			if (err == nil) != s.Complete() {
				t.Fatalf("shape %d seed %d: %s, %v", i, seed, s.Status, err)
			}
			if err != nil {
				continue
			}
			total := func(cluster []int32) float64 {
				if placementtest.Check(d, f, cluster, consume) != nil {
					return math.Inf(1)
				}
				node, link := p.Costs(cluster)
				return node + link
			}
			for job := range s.Cluster {
				got := e.Standing(job)
				for _, m := range got.Moves {
					moved := slices.Clone(s.Cluster)
					to, _ := f.Cluster(m.Cluster)
					moved[job] = int32(to)
					if m.Change == nil {
						refusals++
						if c := total(moved); !math.IsInf(c, 1) || m.Text == "" {
							t.Fatalf("shape %d seed %d: job %d to %s is refused (%s), but costs %v", i, seed, job, m.Cluster, m.Text, c)
						}
						continue
					}
					moves++
					if change := total(moved) - s.Cost(); math.Abs(change-*m.Change) > 1e-9 {
						t.Fatalf("shape %d seed %d: job %d to %s changes the cost by %v, said %v", i, seed, job, m.Cluster, change, *m.Change)
					}
				}
				best := math.Inf(1)
				for other := range s.Cluster {
					if s.Cluster[other] == s.Cluster[job] {
						continue
					}
					swapped := slices.Clone(s.Cluster)
					swapped[job], swapped[other] = swapped[other], swapped[job]
					best = min(best, total(swapped)-s.Cost())
				}
				if math.IsInf(best, 1) != (got.Swap == nil) || got.Swap != nil && math.Abs(got.Swap.Change-best) > 1e-9 {
					t.Fatalf("shape %d seed %d: the best swap of job %d is %v, said %+v", i, seed, job, best, got.Swap)
				}
				if got.Swap != nil {
					swaps++
				}
			}
		}
	}
	if moves < 500 || refusals < 500 || swaps < 200 {
		t.Errorf("%d moves, %d refusals, %d swaps: too few to tell", moves, refusals, swaps)
	}
}
