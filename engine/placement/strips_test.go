package placement_test

import (
	"math"
	"slices"
	"testing"

	"berth/engine/golden"
	"berth/engine/placement"
	"berth/engine/placement/placementtest"
)

// A search by strips of clusters finds the same as a search of all clusters, with the same steps:
// with several resources, consumed links, clusters that lack a resource, and more than one strip.
func TestStripsFindWhatRowsDo(t *testing.T) {
	shapes := slices.Clone(placementtest.Shapes)
	for _, tightness := range []float64{0.3, 0.8, 0.97} {
		shapes = append(shapes,
			placementtest.Shape{Jobs: 60, Dependencies: 90, Clusters: 50, Star: true, Tightness: tightness},
			placementtest.Shape{Jobs: 60, Dependencies: 40, Clusters: 50, Star: true, Memory: true, Bandwidth: true, Tightness: tightness, Decimals: 1})
	}
	ended := map[placement.Status]int{}
	for i, shape := range shapes {
		for _, seed := range golden.Seeds(20) {
			if !shape.Star {
				continue
			}
			place := func(jobs int) placement.Solution {
				defer placement.SetStripsFrom(jobs, 0)()
				d, f := shape.Generate(seed)
				p := placement.NewProblem(d, placement.NewCapacity(f, placement.CapacityOptions{ConsumeBandwidth: seed%2 == 0}))
				return placeBy(t, "heuristic", p, placement.Options{Phi: 0.05, Budget: 2000})
			}
			rows, strips := place(math.MaxInt), place(0)
			if strips.Status != rows.Status || strips.Why() != rows.Why() || !slices.Equal(strips.Cluster, rows.Cluster) ||
				strips.Expansions != rows.Expansions || strips.Backtracks != rows.Backtracks {
				t.Fatalf("shape %d seed %d: strips %+v, rows %+v", i, seed, strips, rows)
			}
			ended[rows.Status]++
		}
	}
	for _, status := range []placement.Status{placement.Placed, placement.Infeasible, placement.BudgetExhausted} {
		if !testing.Short() && ended[status] < 20 {
			t.Errorf("only %d of the problems end as %s: the comparison is too easy", ended[status], status)
		}
	}
}
