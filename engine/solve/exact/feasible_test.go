package exact_test

import (
	"math"
	"testing"

	"berth/engine/placement"
	"berth/engine/placement/placementtest"
	"berth/engine/solve"
	"berth/engine/solve/exact"
)

// small yields problems of every shape that are small enough for an exhaustive search.
func small(t *testing.T, seeds uint64, use func(name string, p *solve.Problem)) {
	t.Helper()
	for i, shape := range placementtest.Shapes {
		shape.Jobs, shape.Clusters = min(shape.Jobs, 5), min(shape.Clusters, 5)
		shape.Dependencies = min(shape.Dependencies, 7)
		for seed := range seeds {
			d, f := shape.Generate(seed)
			p := placement.NewProblem(d, placement.NewCapacity(f, placement.CapacityOptions{ConsumeBandwidth: seed%2 == 0}))
			use(t.Name()+"/"+string(rune('a'+i)), p.Assignment())
		}
	}
}

func TestFeasibleKnowsWhatThereIs(t *testing.T) {
	yes, no := 0, 0
	small(t, 150, func(name string, p *solve.Problem) {
		cluster, got, _ := exact.Feasible(p, 1e6)
		want := exact.No
		if !math.IsInf(exact.Exhaustive(p), 1) {
			want = exact.Yes
		}
		if got != want {
			t.Fatalf("%s: answer %v, want %v", name, got, want)
		}
		if got == exact.No {
			no++
			return
		}
		yes++
		if err := p.Check(cluster); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	})
	if yes < 300 || no < 300 {
		t.Errorf("%d with, %d without a placement: too few to tell", yes, no)
	}
}
