package solve

import (
	"math"
	"math/rand/v2"
	"testing"
)

// What a cluster is worth with the best set of jobs is what trying all sets says.
func TestTheBestSetIsFound(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 6))
	several := 0
	for n := range 500 {
		p := &Problem{Jobs: 1 + rng.IntN(9), Clusters: 1}
		amount := make([]float64, p.Jobs)
		for j := range amount {
			amount[j] = float64(1 + rng.IntN(5))
			for k := range j {
				if rng.IntN(4) == 0 {
					p.Dependencies = append(p.Dependencies, Dependency{int32(j), int32(k), float64(1 + rng.IntN(3))})
				}
			}
		}
		capacity := float64(1 + rng.IntN(20))
		p.Resources = []Resource{{Amount: Matrix{Terms: []Term{{ByJob: amount}}}, Capacity: []float64{capacity}}}
		x := packing{b: &Bounder{p: p}, offer: make([]float64, p.Jobs), whole: true}
		k := packed{row: p.Jobs, cost: make([]float64, p.Jobs), taken: [][]float64{make([]float64, p.Jobs)}, saved: rng.Float64(), groups: true}
		for j := range amount {
			x.offer[j], k.taken[0][j] = 4*rng.Float64(), amount[j]/capacity
		}
		x.all, _ = newGroups(newNeighbours(p), amount, capacity)
		x.value, x.load, x.sets = make([]float64, len(x.all.job)), make([]float64, len(x.all.job)), newPatterns(p)
		best := 0.0
		for set := range uint(1) << p.Jobs {
			best = max(best, worthOf(p, x.offer, amount, capacity, k.saved, set))
		}
		price := make([]float64, p.Jobs+1)
		density, _ := x.scan(&k, price)
		if math.IsInf(density, -1) {
			continue
		}
		known := best * float64(rng.IntN(2)) / 2
		if got := x.bestSet(&k, density, density, known); math.Abs(got-best) > 1e-6 {
			t.Fatalf("problem %d: the best set is worth %v, found %v with %v known", n, best, got, known)
		}
		for _, set := range x.sets.found {
			if len(set.pieces) > 1 {
				several++
				break
			}
		}
	}
	if several < 100 {
		t.Errorf("%d problems with sets of several groups: too few to tell", several)
	}
}

// worthOf is what a set of jobs is worth, -Inf if it does not fit.
func worthOf(p *Problem, offer, amount []float64, capacity, saved float64, set uint) (worth float64) {
	for j := range offer {
		if set>>j&1 != 0 {
			worth += offer[j]
			capacity -= amount[j]
		}
	}
	for _, d := range p.Dependencies {
		if set>>d.A&1 != 0 && set>>d.B&1 != 0 {
			worth += saved * d.Weight
		}
	}
	if capacity < 0 {
		return math.Inf(-1)
	}
	return worth
}
