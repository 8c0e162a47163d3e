package exact

import (
	"math"
	"math/rand/v2"
	"testing"
)

// At any prices, no placement costs less than the bound, or less than the bound for one job on one
// cluster.
func TestBoundsHoldAtAnyPrices(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 9))
	tight := 0
	for n := range 5000 {
		p, on := meshed(rng)
		s := newState(p)
		if min(s.size[0], s.size[1], s.size[2], s.size[3], s.size[4]) == 0 {
			continue
		}
		m := &minimizer{relaxation: newRelaxation(s), limit: math.Inf(1), result: Result{Cost: math.Inf(1)}}
		m.costs()
		for j := range m.price {
			m.price[j] = 15 * rng.Float64()
		}
		bound := m.evaluate()
		for j := range int32(5) {
			for c := range 3 {
				if !m.has(j, c) {
					continue
				}
				if bound > on[j][c] {
					t.Fatalf("problem %d: the bound %v is above %v", n, bound, on[j][c])
				}
				rise := m.dearer(j, c, 0, math.Inf(1))
				if bound+rise > on[j][c]+1e-9 {
					t.Fatalf("problem %d: job %d on cluster %d: the bound %v rises by %v to above %v", n, j, c, bound, rise, on[j][c])
				}
				if v := bound + m.dearerLinear(j, c); v > on[j][c]+1e-9 {
					t.Fatalf("problem %d: job %d on cluster %d: the linear bound %v is above %v", n, j, c, v, on[j][c])
				}
				if bound+rise > 0.5*on[j][c] {
					tight++
				}
			}
		}
	}
	if tight < 500 {
		t.Errorf("%d bounds above half: too weak to tell", tight)
	}
}

// If many amounts are 0, all of them fit if there is room for the last one that is not 0.
func TestFittingCountsWhatAddsNothing(t *testing.T) {
	sums := []float64{0, 0, 0, 5, 5, 9}
	for room, want := range map[float64]float64{0: 3, 4: 3, 5: 5, 8: 5, 9: 6, 20: 6} {
		if got := fitting(sums, room); got != want {
			t.Errorf("%v fit in %v, want %v", got, room, want)
		}
	}
}
