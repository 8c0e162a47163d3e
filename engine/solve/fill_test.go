package solve_test

import (
	"math/rand/v2"
	"testing"

	"berth/engine/solve"
)

// A capacity is lowered exactly to the largest sum of amounts within it.
func TestFilledLeavesTheSumsThatThereAre(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	lowered := 0
	for range 300 {
		amounts := make([]float64, 1+rng.IntN(6))
		for j := range amounts {
			amounts[j] = float64(15 * (1 + rng.IntN(20)) * (1 + rng.IntN(4)))
		}
		capacity := float64(rng.IntN(1500)) / 2
		p := &solve.Problem{Jobs: len(amounts), Clusters: 1, Resources: []solve.Resource{{
			Amount: solve.Matrix{Terms: []solve.Term{{ByJob: amounts}}}, Capacity: []float64{capacity},
		}}}
		want := 0.0
		for set := range 1 << len(amounts) {
			sum := 0.0
			for j, v := range amounts {
				if set>>j&1 != 0 {
					sum += v
				}
			}
			if sum <= capacity {
				want = max(want, sum)
			}
		}
		if got := p.Filled().Resources[0].Capacity[0]; got != want {
			t.Fatalf("%v of %v: filled to %v, want %v", amounts, capacity, got, want)
		}
		if p.Resources[0].Capacity[0] != capacity {
			t.Fatal("the problem itself was changed")
		}
		if want < capacity {
			lowered++
		}
	}
	if lowered < 100 {
		t.Errorf("only %d capacities are lowered: too few to show it", lowered)
	}
}

// Amounts without a common unit, and rooms of too many units, stay as they are.
func TestFilledLeavesOtherCapacities(t *testing.T) {
	for _, amount := range []float64{0.3, 1, 0} {
		p := &solve.Problem{Jobs: 1, Clusters: 1, Resources: []solve.Resource{{
			Amount: solve.Matrix{Terms: []solve.Term{{ByJob: []float64{amount}}}}, Capacity: []float64{1e6},
		}}}
		if got := p.Filled().Resources[0].Capacity[0]; got != 1e6 {
			t.Errorf("amount %v: filled to %v", amount, got)
		}
	}
}
