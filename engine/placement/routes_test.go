package placement_test

import (
	"slices"
	"testing"

	"berth/engine/graph"
	"berth/engine/must"
	"berth/engine/placement"
)

// chain connects a, b and c in a row; each link takes 10 ms and costs 0.5.
func chain(t *testing.T) *graph.Federation {
	t.Helper()
	f := graph.NewFederation()
	latency := graph.Lookup(graph.Link, "latency")
	for j, id := range []string{"a", "b", "c"} {
		f.AddCluster(id)
		f.Clusters().Set(j, "cpu", []float64{10, 1, 10}[j], 1, 0, 99, 0, 99)
		if j > 0 {
			f.AddLink(j-1, j, graph.Label{Type: latency, Values: []float64{10, 0.5}})
		}
	}
	return f
}

// twoJobs are too large for one cluster, and accept a latency of at most most ms.
func twoJobs(most float64) *graph.Deployment {
	d := graph.NewDeployment()
	for i, id := range []string{"x", "y"} {
		d.AddJob(id)
		d.Jobs().Set(i, "cpuOffloading", 8, 9)
	}
	d.AddDependency(0, 1, graph.Label{Type: graph.Lookup(graph.Dependency, "latency"), Values: []float64{most}})
	return d
}

func place(t *testing.T, d *graph.Deployment, f *graph.Federation) (*placement.Problem, placement.Solution) {
	p := placement.NewProblem(d, placement.NewCapacity(f, placement.CapacityOptions{}))
	return p, placeBy(t, "heuristic", p, placement.Options{Phi: placement.DefaultPhi, Budget: placement.DefaultBudget})
}

func TestDependenciesFollowRoutes(t *testing.T) {
	f := chain(t)
	if _, s := place(t, twoJobs(20), f); s.Status != placement.Infeasible {
		t.Errorf("without a link of their own: %s", s.Status)
	}
	must.Get(f.RouteByLatency())(t)
	p, s := place(t, twoJobs(20), f)
	if s.Status != placement.Placed || s.LinkCost != 1 {
		t.Errorf("along the route: %s, link cost %v, want 1", s.Status, s.LinkCost)
	}
	e, err := placement.Explain(p, s, placement.DefaultPhi, 1)
	if err != nil || !slices.ContainsFunc(e.PA, func(c placement.Candidate) bool { return c.Chosen && c.CM == 9 }) {
		t.Errorf("%+v, %v", e, err)
	}
	p, s = place(t, twoJobs(19), f)
	if s.Status != placement.Infeasible {
		t.Fatalf("20 ms for a dependency that bears 19: %s", s.Status)
	}
	e, err = placement.Explain(p, s, placement.DefaultPhi, 1)
	const want = "latency 20 ms over 19 ms to job x by way of c, b, a"
	if err != nil || !slices.ContainsFunc(e.Refusals, func(r placement.Refusal) bool { return r.Text == want }) {
		t.Errorf("%+v, %v; want a refusal: %s", e.Refusals, err, want)
	}
}
