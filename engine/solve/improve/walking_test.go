package improve

import (
	"math"
	"math/rand/v2"
	"testing"

	"berth/engine/solve"
)

// star returns a problem of a federation around a centre: clusters have different prices, jobs just
// fit, and latencies bind a few dependencies.
func star(jobs, clusters int) *solve.Problem {
	rng := rand.New(rand.NewPCG(1, 1))
	column := func(n int, low, high float64) []float64 {
		all := make([]float64, n)
		for i := range all {
			all[i] = low + (high-low)*rng.Float64()
		}
		return all
	}
	p := &solve.Problem{Jobs: jobs, Clusters: clusters}
	requests := column(jobs, 100, 956)
	p.Cost.Terms = []solve.Term{{ByJob: requests, ByCluster: column(clusters, 0.4, 1)}}
	p.Resources = []solve.Resource{{Amount: solve.Matrix{Terms: []solve.Term{{ByJob: requests}}}, Capacity: column(clusters, 1000, 3000)}}
	for a := range int32(jobs - 1) {
		p.Dependencies = append(p.Dependencies, solve.Dependency{A: a, B: a + 1 + rng.Int32N(int32(jobs)-1-a), Weight: 1})
	}
	p.Links.Leg = column(clusters, 0.1, 0.2)
	p.Limits = []solve.Limit{{Leg: column(clusters, 4, 15), Bound: column(jobs-1, 20, 80)}}
	return p
}

// walker returns a walk over a star and its search, with good prices.
func walker(p *solve.Problem, cells int, binding bool) (*walking, *Search) {
	s := &Search{p: p, bounder: solve.NewBounder(p), cost: math.Inf(1)}
	for range 300 {
		s.bounder.Step()
	}
	m, nowhere := newModel(p, cells), make([]int32, p.Jobs)
	fill(nowhere, -1)
	return newWalking(newState(m, 1), m.filled(nowhere), binding), s
}

// A walk gets close to the bound, by moves of single jobs and by sharing, with and without tables.
func TestWalksComeNearTheBound(t *testing.T) {
	tests := map[string]struct {
		cells   int
		binding bool
		most    float64
	}{
		"single jobs":    {mostCells, true, 0.03},
		"shared out":     {mostCells, false, 0.003},
		"without tables": {0, false, 0.003},
	}
	p := star(80, 60)
	for name, test := range tests {
		x, s := walker(p, test.cells, test.binding)
		x.run(s, 800_000)
		if over := s.cost/s.bounder.Bound() - 1; !(over <= test.most) {
			t.Errorf("%s: %v is %.2f %% above the bound", name, s.cost, 100*over)
		}
	}
}

func TestWalksDoNotAllocate(t *testing.T) {
	for _, cells := range []int{0, mostCells} {
		x, s := walker(star(80, 60), cells, false)
		x.run(s, 600_000)
		s.cost = 0 // no placement is better
		if n := testing.AllocsPerRun(5, func() { x.run(s, 5000) }); n > 1 {
			t.Errorf("%d cells: 5,000 steps allocate %g times", cells, n)
		}
	}
}
