package placement_test

import (
	"slices"
	"testing"

	"berth/engine/graph"
	"berth/engine/must"
	"berth/engine/placement"
)

func TestDependenciesFollowRoutes(t *testing.T) {
	d, f := graphsOf(t, `graph { node [request=8, limit=9]; x; y; x -- y [latency=20] }`, // too large for one cluster
		`graph { node [cpu=10, cpu_cost=1]; edge [latency=10, latency_cost=0.5]; a; b [cpu=1]; c; a -- b -- c }`)
	place := func() (*placement.Problem, placement.Solution) {
		p := problemOf(d, f, false)
		return p, placeBy(t, "heuristic", p, placement.Options{Phi: placement.DefaultPhi, Budget: placement.DefaultBudget})
	}
	if _, s := place(); s.Status != placement.Infeasible {
		t.Errorf("without a link of their own: %s", s.Status)
	}
	must.Get(f.RouteByLatency())(t)
	p, s := place()
	if s.Status != placement.Placed || s.LinkCost != 1 {
		t.Errorf("along the route: %s, link cost %v, want 1", s.Status, s.LinkCost)
	}
	e, err := placement.Explain(p, s, placement.DefaultPhi, 1)
	if err != nil || !slices.ContainsFunc(e.PA, func(c placement.Candidate) bool { return c.Chosen && c.CM == 9 }) {
		t.Errorf("%+v, %v", e, err)
	}
	d.AddDependency(0, 1, label(graph.Dependency, "latency", 19)) // of both bounds the tighter counts
	p, s = place()
	if s.Status != placement.Infeasible {
		t.Fatalf("20 ms for a dependency that bears 19: %s", s.Status)
	}
	e, err = placement.Explain(p, s, placement.DefaultPhi, 1)
	const want = "latency 20 ms over 19 ms to job x by way of c, b, a"
	if err != nil || !slices.ContainsFunc(e.Refusals, func(r placement.Refusal) bool { return r.Text == want }) {
		t.Errorf("%+v, %v; want a refusal: %s", e.Refusals, err, want)
	}
}
