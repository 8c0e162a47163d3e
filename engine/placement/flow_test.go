package placement_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"berth/engine/gap"
	"berth/engine/golden"
	"berth/engine/graph"
	"berth/engine/placement"
	"berth/engine/placement/placementtest"
)

// alike makes jobs that request the same of one or two resources, on clusters of different
// prices. Rules keep some jobs off some clusters, and some clusters have little memory. Some
// jobs have a cluster already and cost something to move.
func alike(seed uint64) (*graph.Deployment, *graph.Federation) {
	rng := rand.New(rand.NewPCG(seed, 41))
	d, f := graph.NewDeployment(), graph.NewFederation()
	jobs, clusters := 1+rng.IntN(9), 1+rng.IntN(5)
	cpu, memory := float64(1+rng.IntN(30))/10, float64(rng.IntN(3))
	for j := range clusters {
		f.AddCluster(fmt.Sprintf("c%d", j))
		least := float64(rng.IntN(3))
		f.Clusters().Set(j, "cpu", cpu*float64(rng.IntN(2+2*jobs/clusters))+0.05, rng.Float64(), 0, math.Inf(1), least, math.Inf(1))
		f.Clusters().Set(j, "memory", float64(rng.IntN(4*jobs)), rng.Float64()/10, 0, math.Inf(1), 0, math.Inf(1))
	}
	for i := range jobs {
		d.AddJob(fmt.Sprintf("j%d", i))
		d.Jobs().Set(i, "cpuOffloading", cpu, float64(1+rng.IntN(5)))
		if memory > 0 {
			d.Jobs().Set(i, "memoryOffloading", memory, memory)
		}
		if rng.IntN(4) == 0 {
			d.Jobs().SetAttribute(graph.Current, i, fmt.Sprintf("c%d", rng.IntN(clusters)))
			d.Jobs().Set(i, "move", float64(rng.IntN(4)))
		}
	}
	return d, f
}

// Where jobs request the same, a flow proves what trying all placements finds, exact comes to
// the same, and first-fit is never cheaper.
func TestFlowIsExactForJobsAlike(t *testing.T) {
	placed, refused := 0, 0
	for _, seed := range golden.Seeds(400) {
		d, f := alike(seed)
		p := problem(d, f)
		got := placeBy(t, "flow", p, placement.Options{})
		p.Certify(t.Context(), &got)
		exact := placeBy(t, "exact", p, placement.Options{Phi: placement.DefaultPhi, Steps: 100_000})
		if exact.Status == placement.Infeasible {
			if refused++; got.Status != placement.Infeasible || got.Certificate.Proved != placement.ProvedInfeasible || got.Why() == "" {
				t.Fatalf("seed %d: %s (%s) where there is no placement", seed, got.Status, got.Why())
			}
			continue
		}
		placed++
		if got.Status != placement.Placed || got.Certificate.Proved != placement.ProvedOptimal || math.Abs(got.Cost()-exact.Cost()) > 1e-9*exact.Cost() {
			t.Fatalf("seed %d: %s (%s) at %v, bound %+v, exact %v", seed, got.Status, got.Why(), got.Cost(), got.Certificate, exact.Cost())
		}
		if err := placementtest.Check(d, f, got.Cluster, false); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if fit := placeBy(t, "first-fit", p, placement.Options{}); fit.Complete() && fit.Cost() < got.Cost()*(1-1e-9) {
			t.Fatalf("seed %d: first-fit is cheaper: %v, flow %v", seed, fit.Cost(), got.Cost())
		}
		if jobs, clusters := d.Jobs().Len(), f.Clusters().Len(); math.Pow(float64(clusters), float64(jobs)) < 5000 {
			if best := cheapestOfAll(d, f, p, func([]int32) bool { return true }); math.Abs(got.Cost()-best) > 1e-9*best {
				t.Fatalf("seed %d: %v, trying all finds %v", seed, got.Cost(), best)
			}
		}
	}
	if !testing.Short() && (placed < 100 || refused < 50) {
		t.Errorf("only %d placed and %d without a placement", placed, refused)
	}
}

// Costs that differ in their last digits are told apart, however many jobs and clusters there are:
// a flow of whole costs is refined until the bound meets the placement.
func TestFlowProvesLargeAssignments(t *testing.T) {
	for _, size := range [][2]int{{5, 200}, {60, 700}, {300, 400}, {1500, 60}} {
		rng := rand.New(rand.NewPCG(uint64(size[0]), 42))
		g := &gap.Instance{Agents: size[0], Jobs: size[1]}
		x := gap.Resource{}
		for range g.Agents * g.Jobs {
			g.Costs, x.Amounts = append(g.Costs, 1000+rng.Float64()), append(x.Amounts, 1)
		}
		for range g.Agents {
			x.Capacities = append(x.Capacities, float64((g.Jobs+g.Agents-1)/g.Agents+rng.IntN(2)))
		}
		g.Resources = []gap.Resource{x}
		d, f, err := placement.GAP(g)
		if err != nil {
			t.Fatal(err)
		}
		p := problem(d, f)
		p.Generalize(g)
		got := placeBy(t, "flow", p, placement.Options{})
		p.Certify(t.Context(), &got)
		if got.Certificate.Proved != placement.ProvedOptimal || got.Certificate.Gap(got.Cost()) > 1e-11 {
			t.Errorf("%d jobs on %d clusters: %s at %v, bound %v", size[1], size[0], got.Status, got.Cost(), got.Certificate.Bound)
		}
	}
}

// What a flow does not see is refused, with what it is, and a bound that holds.
func TestFlowRefusesWhatItDoesNotSee(t *testing.T) {
	const clusters = `graph { a [cpu=3, cpu_cost=1]; b [cpu=9, cpu_cost=2]; a -- b [latency=5, latency_cost=%d] }`
	for _, c := range []struct{ jobs, want string }{
		{`x [request=2.5, limit=3]; y [request=1, limit=1]; z [request=2, limit=2]`, "it puts job z on cluster a, which refuses it (requests 2 cpu, 0.5 left). Use best or exact instead"},
		{`x [request=2, limit=2]; y [request=2, limit=2]; x -- y [latency=4]`, "which refuses it (latency 5 ms over 4 ms to job x)"},
		{`x [request=2, limit=2]; y [request=2, limit=2]; x -- y [latency=7]`, "its placement pays 1 for them"},
		{`rules="apart x y by cluster"; x [request=1, limit=1]; y [request=1, limit=1]`, "which refuses it (rule: apart x y by cluster)"},
	} {
		d, f := graphsOf(t, "graph { "+c.jobs+" }", fmt.Sprintf(clusters, 1))
		p := problem(d, f)
		s := placeBy(t, "flow", p, placement.Options{})
		best := cheapestOfAll(d, f, p, func([]int32) bool { return true })
		if s.Status != placement.NotApplicable || s.Complete() || !strings.Contains(s.Why(), c.want) || s.Certificate.Bound > best {
			t.Errorf("%s: %s, %q, bound %v of %v", c.jobs, s.Status, s.Why(), s.Certificate.Bound, best)
		}
	}
	p := problem(graphsOf(t, "graph { x [request=2, limit=2]; y [request=2, limit=2]; x -- y [latency=7] }", fmt.Sprintf(clusters, 0)))
	s := placeBy(t, "flow", p, placement.Options{})
	if p.Certify(t.Context(), &s); s.Certificate.Proved != placement.ProvedOptimal || s.Cost() != 6 {
		t.Errorf("a dependency that costs nothing: %s (%s) at %v", s.Status, s.Why(), s.Cost())
	}
}
