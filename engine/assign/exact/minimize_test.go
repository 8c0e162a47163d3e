package exact_test

import (
	"crypto/sha256"
	"fmt"
	"math"
	"testing"

	"berth/engine/assign"
	"berth/engine/assign/exact"
	"berth/engine/golden"
)

func TestMinimizeFindsTheLeastCost(t *testing.T) {
	golden.Long(t)
	small(t, 150, func(name string, p *assign.Problem) {
		got := exact.Minimize(t.Context(), p, nil, 1e6, nil)
		want := exact.Exhaustive(p)
		if !got.Proved {
			t.Fatalf("%s: not proved in %d steps", name, got.Steps)
		}
		if math.IsInf(want, 1) != (got.Cluster == nil) || got.Cluster != nil && math.Abs(got.Cost-want) > 1e-9*want {
			t.Fatalf("%s: cost %v, want %v", name, got.Cost, want)
		}
		before := math.Inf(1)
		for steps := int64(1); steps < got.Steps; steps *= 4 {
			part := exact.Minimize(t.Context(), p, nil, steps, nil)
			if part.Bound > want*(1+1e-9) || part.Cost < want*(1-1e-9) || part.Cost > before {
				t.Fatalf("%s: after %d steps the bound is %v, the cost %v, before %v; the least is %v", name, steps, part.Bound, part.Cost, before, want)
			}
			before = part.Cost
		}
	})
}

// What is exact is so to the last bit, in every browser, too. If a change of the
// search is meant, what the test prints goes here.
func TestMinimizeIsTheSameEverywhere(t *testing.T) {
	sum := sha256.New()
	small(t, 8, func(name string, p *assign.Problem) {
		fmt.Fprintf(sum, "%v\n", exact.Minimize(t.Context(), p, nil, 3000, nil))
	})
	const want = "4b1726eb458f9283"
	if got := fmt.Sprintf("%x", sum.Sum(nil))[:16]; got != want {
		t.Errorf("the results have the digest %s, want %s", got, want)
	}
}
