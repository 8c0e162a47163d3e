package exact_test

import (
	"math"
	"testing"

	"berth/engine/assign"
	"berth/engine/assign/exact"
)

func TestMinimizeFindsTheLeastCost(t *testing.T) {
	small(t, 150, func(name string, p *assign.Problem) {
		got := exact.Minimize(t.Context(), p, nil, 1e6, nil)
		want := best(p)
		if !got.Proved {
			t.Fatalf("%s: not proved in %d steps", name, got.Steps)
		}
		if math.IsInf(want, 1) != (got.Cluster == nil) || got.Cluster != nil && math.Abs(got.Cost-want) > 1e-9*want {
			t.Fatalf("%s: cost %v, want %v", name, got.Cost, want)
		}
	})
}
