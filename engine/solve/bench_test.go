package solve_test

import (
	"math/rand/v2"
	"testing"

	"berth/engine/solve"
)

// star is a problem of the size of the thesis's hardest.
func star() *solve.Problem { return starOf(200, 500, 380) }

// starOf is a star of clusters, each with a price of its own for a unit, and jobs with
// dependencies that latencies bound.
func starOf(jobs, clusters, dependencies int) *solve.Problem {
	rng := rand.New(rand.NewPCG(1, 1))
	column := func(n int, low, high float64) []float64 {
		v := make([]float64, n)
		for i := range v {
			v[i] = low + (high-low)*rng.Float64()
		}
		return v
	}
	p := &solve.Problem{Jobs: jobs, Clusters: clusters}
	requests := column(jobs, 100, 956)
	p.Cost.Terms = []solve.Term{{ByJob: requests, ByCluster: column(clusters, 0.4, 1)}}
	p.Resources = []solve.Resource{{Amount: solve.Matrix{Terms: []solve.Term{{ByJob: requests}}}, Capacity: column(clusters, 1000, 3000)}}
	for k := range dependencies {
		a := int32(k % (jobs - 1))
		p.Dependencies = append(p.Dependencies, solve.Dependency{A: a, B: a + 1 + int32(rng.IntN(jobs-1-int(a))), Weight: 1})
	}
	p.Links.Leg = column(clusters, 0.1, 0.2)
	p.Limits = []solve.Limit{{Leg: column(clusters, 4, 15), Bound: column(dependencies, 20, 80)}}
	return p
}

// Each operation is a step of the bound: all jobs priced on all clusters.
func BenchmarkBound(b *testing.B) {
	bound := solve.NewBounder(star())
	for b.Loop() {
		bound.Step()
	}
}

func goOn() bool { return true }

// Each operation packs groups of jobs.
func BenchmarkTighten(b *testing.B) {
	bound := solve.NewBounder(star())
	for range 100 {
		bound.Step()
	}
	for b.Loop() {
		bound.Tighten(10e6, goOn)
	}
}
