package placement_test

import (
	"slices"
	"strings"
	"testing"

	"berth/engine/graph"
	"berth/engine/must"
	"berth/engine/placement"
)

// jobsOf returns a deployment with a job for each request of CPU.
func jobsOf(requests ...float64) *graph.Deployment {
	d := graph.NewDeployment()
	for i, request := range requests {
		d.AddJob(string(rune('a' + i)))
		d.Jobs().Set(i, "cpuOffloading", request, 1)
	}
	return d
}

// clustersOf returns a federation with a cluster for each amount of CPU.
func clustersOf(amounts ...float64) *graph.Federation {
	f := graph.NewFederation()
	for j, amount := range amounts {
		f.AddCluster(string(rune('A' + j)))
		f.Clusters().Set(j, "cpu", amount, 1, 0, 1e9, 0, 1e9)
	}
	return f
}

func solved(t *testing.T, strategy string, d *graph.Deployment, f *graph.Federation, o placement.CapacityOptions) placement.Solution {
	t.Helper()
	return placeBy(t, strategy, placement.NewProblem(d, placement.NewCapacity(f, o)), placement.Options{Phi: placement.DefaultPhi})
}

// As floats, 0.1 + 0.2 is more than 0.3, and 0.3 − 0.1 is less than 0.2.
func TestTenthsFit(t *testing.T) {
	for _, requests := range [][]float64{
		{0.1, 0.2}, {0.2, 0.1}, {0.1, 0.1, 0.1}, {0.0001, 0.0002, 0.2997}, // sums of decimals
		{0.00005, 0.00005, 0.2999},            // with more than four decimals
		slices.Repeat([]float64{0.01}, 30),    // many
		slices.Repeat([]float64{0.0003}, 1e3), // very many
	} {
		d := jobsOf(requests...)
		for _, strategy := range placement.Names() {
			if s := solved(t, strategy, d, clustersOf(0.3), placement.CapacityOptions{}); s.Status != placement.Placed {
				t.Errorf("%s: %d jobs of %v into 0.3 are %s: %s", strategy, len(requests), requests[0], s.Status, s.Why())
			}
		}
	}
	for _, requests := range [][]float64{{0.1, 0.2001}, {0.1, 0.20001}} {
		if s := solved(t, "heuristic", jobsOf(requests...), clustersOf(0.3), placement.CapacityOptions{}); s.Status == placement.Placed {
			t.Errorf("%v fit into 0.3", requests)
		}
	}
}

// If both figures look the same, the reason says how much they differ.
func TestAShortageIsSeenInItsFigures(t *testing.T) {
	const exact = " too little (amounts add up exactly up to four decimals)"
	for _, test := range []struct {
		cluster  float64
		requests []float64
		want     string
	}{
		{0.00003, []float64{0.00001, 0.00002}, "the jobs request 0.00003 cpu in all, the clusters have 0.00003 left, "},
		{1, []float64{0.5, 0.5000001}, "the jobs request 1 cpu in all, the clusters have 1 left, 1e-07" + exact},
		{1, []float64{0.5, 0.5001}, "the jobs request 1.0001 cpu in all, the clusters have 1 left"},
	} {
		if s := solved(t, "heuristic", jobsOf(test.requests...), clustersOf(test.cluster), placement.CapacityOptions{}); !strings.HasPrefix(s.Why(), test.want) {
			t.Errorf("%v into %v: %q, want %q", test.requests, test.cluster, s.Why(), test.want)
		}
	}
}

func TestTenthsFitOneDeploymentAfterTheOther(t *testing.T) {
	capacity := placement.NewCapacity(clustersOf(0.3), placement.CapacityOptions{})
	for _, request := range []float64{0.1, 0.2} {
		p := placement.NewProblem(jobsOf(request), capacity)
		s := placeBy(t, "heuristic", p, placement.Options{})
		if s.Status != placement.Placed {
			t.Fatalf("%v into %v is %s: %s", request, capacity.Free("cpu"), s.Status, s.Why())
		}
		p.Capacity().Commit(p, s)
	}
	if left := capacity.Free("cpu")[0]; left != 0 {
		t.Errorf("%v is left of 0.3, less 0.1 and 0.2", left)
	}
}

// a has no dependency and 0.3. b and c, with 0.1 and 0.2, depend on each other, so their y is 0.3
// too.
func TestEqualSumsTieInSJ(t *testing.T) {
	d := jobsOf(0.3, 0.1, 0.2)
	d.AddDependency(1, 2, label(graph.Dependency, "latency", 10))
	f := clustersOf(1)
	s := solved(t, "heuristic", d, f, placement.CapacityOptions{})
	if want := []int32{0, 1, 2}; !slices.Equal(s.Order, want) {
		t.Errorf("the order is %v, want that of the file", s.Order)
	}
	p := placement.NewProblem(d, placement.NewCapacity(f, placement.CapacityOptions{}))
	for step := range 3 {
		e, err := placement.Explain(p, s, placement.DefaultPhi, step)
		if err != nil || e.Y != 0.3 || e.Rank != step+1 {
			t.Errorf("step %d: y is %v at rank %d (%v), want 0.3 at %d", step, e.Y, e.Rank, err, step+1)
		}
	}
}

// Three tenths of the memory weigh as much as three tenths of the CPU, whatever the means of three
// clusters are.
func TestEqualPartsOfTwoResourcesTieInSJ(t *testing.T) {
	d := graph.NewDeployment()
	for i, name := range []string{"memoryOffloading", "cpuOffloading"} {
		d.AddJob(name)
		d.Jobs().Set(i, name, []float64{0.42, 0.39}[i], 1)
	}
	f := clustersOf(0.1, 0.2, 1)
	for j, amount := range []float64{0.1, 0.2, 1.1} {
		f.Clusters().Set(j, "memory", amount, 1, 0, 1e9, 0, 1e9)
	}
	if s := solved(t, "heuristic", d, f, placement.CapacityOptions{}); s.Order[0] != 0 {
		t.Errorf("the order is %v, want that of the file", s.Order)
	}
}

// The two legs of 0.1 and 0.2 ms form a link of 0.3 ms.
func TestLatenciesAddUpExactly(t *testing.T) {
	f := clustersOf(0.1, 1, 1)
	f.AddLink(0, 1, label(graph.Link, "latency", 0.1, 1))
	f.AddLink(0, 2, label(graph.Link, "latency", 0.2, 1))
	must.Get(f.SetCenter("A"))(t)
	d := jobsOf(0.8, 0.7)
	d.AddDependency(0, 1, label(graph.Dependency, "latency", 0.3))
	if s := solved(t, "heuristic", d, f, placement.CapacityOptions{}); s.Status != placement.Placed {
		t.Errorf("the status is %s: %s", s.Status, s.Why())
	}
}

// The dependencies of 0.1 and 0.2 Mbit/s use the one link of 0.3.
func TestBandwidthsAddUpExactly(t *testing.T) {
	f := clustersOf(1, 0.5)
	f.AddLink(0, 1, label(graph.Link, "bandwidth", 0.3, 1))
	d := jobsOf(0.9, 0.3, 0.2)
	d.AddDependency(0, 1, label(graph.Dependency, "bandwidth", 0.1))
	d.AddDependency(0, 2, label(graph.Dependency, "bandwidth", 0.2))
	if s := solved(t, "heuristic", d, f, placement.CapacityOptions{ConsumeBandwidth: true}); s.Status != placement.Placed {
		t.Errorf("the status is %s: %s", s.Status, s.Why())
	}
}
