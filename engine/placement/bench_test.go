package placement_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"berth/engine/graph"
	"berth/engine/growth"
	"berth/engine/placement"
)

// testBed returns a problem like the thesis's (section 6.3): requests of 100 to 956, clusters of
// 1,000 to 3,000 with links of 4 to 15 ms to a centre. A mesh lists the derived links one by one.
func testBed(jobs, dependencies, clusters int, mesh bool) (*graph.Deployment, *graph.Federation) {
	rng := rand.New(rand.NewPCG(1, 1))
	uniform := func(low, high float64) float64 { return low + (high-low)*rng.Float64() }
	d, f := graph.NewDeployment(), graph.NewFederation()
	for i := range jobs {
		d.AddJob(fmt.Sprint(i))
		d.Jobs().Set(i, "cpuOffloading", uniform(100, 956), 1000)
	}
	for k := range dependencies {
		a, b := rng.IntN(jobs), rng.IntN(jobs)
		if k < jobs-1 {
			a, b = k+1, rng.IntN(k+1)
		}
		if a != b {
			d.AddDependency(a, b, graph.Label{Type: graph.Lookup(graph.Dependency, "latency"), Values: []float64{uniform(20, 80)}})
		}
	}
	legs := make([][2]float64, clusters)
	for j := range clusters {
		f.AddCluster(fmt.Sprint(j))
		f.Clusters().Set(j, "cpu", uniform(1000, 3000), uniform(0.4, 1), 100, 1000, 100, 1500)
		legs[j] = [2]float64{uniform(4, 15), uniform(0.1, 0.2)}
	}
	legs[0] = [2]float64{}
	latency := graph.Lookup(graph.Link, "latency")
	for a := range clusters {
		for b := a + 1; b < clusters && (mesh || a == 0); b++ {
			f.AddLink(a, b, graph.Label{Type: latency, Values: []float64{legs[a][0] + legs[b][0], legs[a][1] + legs[b][1]}})
		}
	}
	if !mesh {
		if _, err := f.SetCenter("0"); err != nil {
			panic(err)
		}
	}
	return d, f
}

// The search allocates before its first step and after its last one, but not between.
func TestStepsDoNotAllocate(t *testing.T) {
	allocations := func(jobs int) float64 {
		d, f := testBed(jobs, 2*jobs, jobs, false)
		p := placement.NewProblem(d, placement.NewCapacity(f, placement.CapacityOptions{}))
		return testing.AllocsPerRun(5, func() {
			placeBy(t, "heuristic", p, placement.Options{Phi: placement.DefaultPhi})
		})
	}
	for _, strips := range []int{0, math.MaxInt} {
		undo := placement.SetStripsFrom(strips, strips)
		if few, many := allocations(20), allocations(400); many > few+2 {
			t.Errorf("strips from %d: %g allocations for 20 jobs, %g for 400", strips, few, many)
		}
		undo()
	}
}

func benchmarkPlace(b *testing.B, strategy string, jobs, dependencies, clusters int, mesh bool) {
	d, f := testBed(jobs, dependencies, clusters, mesh)
	s, _ := placement.Named(strategy, nil)
	capacity := placement.NewCapacity(f, placement.CapacityOptions{})
	b.ReportAllocs()
	for b.Loop() {
		got := s.Place(b.Context(), placement.NewProblem(d, capacity), placement.Options{Seed: 1, Phi: placement.DefaultPhi})
		if got.Status != placement.Placed {
			b.Fatal(got.Status, got.Why())
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64((jobs+dependencies)*clusters), "ns/cell")
}

// This is the thesis's hardest case: 200 jobs on a mesh of 500 clusters.
func BenchmarkThesis(b *testing.B) { benchmarkPlace(b, "heuristic", 200, 380, 500, true) }

func BenchmarkStar(b *testing.B) { benchmarkPlace(b, "heuristic", 10_000, 20_000, 5_000, false) }

// This measures how time grows with the jobs on 5,000 clusters, and with the clusters under 2,000
// jobs. It grows with (jobs + dependencies)·clusters if both exponents are 1. It also measures the
// growth with the jobs on 1,000 clusters under each strategy except exact, which takes the same
// number of steps for all.
func BenchmarkGrowth(b *testing.B) {
	place := func(b *testing.B, strategy string, jobs, clusters int) func() {
		d, f := testBed(jobs, 2*jobs, clusters, false)
		s, _ := placement.Named(strategy, nil)
		capacity := placement.NewCapacity(f, placement.CapacityOptions{})
		return func() {
			got := s.Place(b.Context(), placement.NewProblem(d, capacity), placement.Options{Seed: 1, Phi: placement.DefaultPhi})
			if got.Status != placement.Placed {
				b.Fatal(got.Status, got.Why())
			}
		}
	}
	b.Run("jobs", func(b *testing.B) {
		growth.Bench(b, []int{100, 300, 1000, 3000, 10_000}, func(b *testing.B, jobs int) func() { return place(b, "heuristic", jobs, 5000) })
	})
	b.Run("clusters", func(b *testing.B) {
		growth.Bench(b, []int{1000, 3000, 10_000, 30_000, 100_000}, func(b *testing.B, clusters int) func() { return place(b, "heuristic", 2000, clusters) })
	})
	for _, name := range placement.Names() {
		if p, _ := placement.Lookup(name); p.Facts.UpTo > 0 {
			continue
		}
		b.Run("strategy/"+name, func(b *testing.B) {
			growth.Bench(b, []int{250, 500, 1000, 2000}, func(b *testing.B, jobs int) func() { return place(b, name, jobs, 1000) })
		})
	}
}
