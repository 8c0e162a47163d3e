package exact_test

import (
	"crypto/sha256"
	"fmt"
	"math"
	"testing"

	"berth/engine/golden"
	"berth/engine/solve"
	"berth/engine/solve/exact"
)

// minimize returns the result of a tree after a number of steps.
func minimize(p *solve.Problem, start []int32, steps int64) exact.Result {
	tree := exact.NewTree(p, start)
	tree.Run(steps)
	return tree.Result()
}

func TestMinimizeFindsTheLeastCost(t *testing.T) {
	golden.Long(t)
	small(t, 150, func(name string, p *solve.Problem) {
		got := minimize(p, nil, 1e6)
		want := exact.Exhaustive(p)
		if !got.Proved {
			t.Fatalf("%s: not proved in %d steps", name, got.Steps)
		}
		if math.IsInf(want, 1) != (got.Cluster == nil) || got.Cluster != nil && math.Abs(got.Cost-want) > 1e-9*want {
			t.Fatalf("%s: cost %v, want %v", name, got.Cost, want)
		}
		before := math.Inf(1)
		for steps := int64(1); steps < got.Steps; steps *= 4 {
			part := minimize(p, nil, steps)
			if part.Bound > want*(1+1e-9) || part.Cost < want*(1-1e-9) || part.Cost > before {
				t.Fatalf("%s: after %d steps the bound is %v, the cost %v, before %v; the least is %v", name, steps, part.Bound, part.Cost, before, want)
			}
			before = part.Cost
		}
	})
}

// Exact results are the same to the last bit, in every browser too. After an intended change of the
// search, copy here what the test prints.
func TestMinimizeIsTheSameEverywhere(t *testing.T) {
	sum := sha256.New()
	small(t, 8, func(name string, p *solve.Problem) {
		fmt.Fprintf(sum, "%v\n", minimize(p, nil, 3000))
	})
	const want = "4754a91953de5157"
	if got := fmt.Sprintf("%x", sum.Sum(nil))[:16]; got != want {
		t.Errorf("the results have the digest %s, want %s", got, want)
	}
}

// The search finds a cheaper placement even if it differs by less than 1. It may skip such
// differences only if all costs, including those of links, are whole numbers.
func TestMinimizeFindsAPartOfOne(t *testing.T) {
	apart := []solve.Resource{{Amount: solve.Matrix{Cells: []float64{1, 1, 1, 1, 1, 1}}, Capacity: []float64{1, 1, 1}}}
	for name, links := range map[string]solve.Links{
		"legs":  {Leg: []float64{0.3, 0.2, 0.1}},
		"pairs": {Pair: []float64{0, 0.5, 0.4, 0.5, 0, 0.3, 0.4, 0.3, 0}},
	} {
		p := &solve.Problem{Jobs: 2, Clusters: 3, Resources: apart, Links: links, Dependencies: []solve.Dependency{{A: 0, B: 1, Weight: 1}}}
		p.Cost.Cells = []float64{0, 0, 0, 5, 5, 5}
		got := minimize(p, []int32{0, 1}, 1e6)
		if !got.Proved || math.Abs(got.Cost-5.3) > 1e-9 {
			t.Errorf("%s: proved %v at cost %v, want 5.3", name, got.Proved, got.Cost)
		}
	}
}
