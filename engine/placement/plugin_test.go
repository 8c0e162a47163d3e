package placement_test

import (
	"testing"

	"berth/engine/parameter"
	"berth/engine/placement"
	"berth/engine/placement/placementtest"
	"berth/engine/placement/placementtest/greedy"
)

func TestAStrategyFromOutsideConforms(t *testing.T) {
	placementtest.Conform(t, greedy.Plugin.New(parameter.Values{"scarcity": 0.5}), !greedy.Plugin.Incomplete)
}

// What an attempt costs and refuses is what a solution is explained with.
func TestAStrategyFromOutsideIsExplained(t *testing.T) {
	d, f := refusing()
	p := placement.NewProblem(d, placement.NewCapacity(f, placement.CapacityOptions{}))
	s := greedy.Plugin.New(parameter.Values{"scarcity": 0}).Place(t.Context(), p, placement.Options{})
	if s.Status != placement.Placed {
		t.Fatalf("it is %s: %s", s.Status, s.Why())
	}
	if node, link := p.Costs(s.Cluster); node != s.NodeCost || link != s.LinkCost {
		t.Errorf("it costs %v and %v, the solution says %v and %v", node, link, s.NodeCost, s.LinkCost)
	}
	attempt := p.NewAttempt(s.Order)
	for step, job := range s.Order {
		e, err := placement.Explain(p, s, placement.DefaultPhi, step)
		if err != nil {
			t.Fatal(err)
		}
		if want := f.Clusters().ID(int(s.Cluster[job])); e.Cluster != want || e.Y != p.Weight(int(job)) {
			t.Errorf("step %d is explained as on %s with y = %v, want %s, %v", step, e.Cluster, e.Y, want, p.Weight(int(job)))
		}
		refused := map[string]string{}
		for _, r := range e.Refusals {
			refused[r.Cluster] = r.Text
		}
		for j := range f.Clusters().Len() {
			if r, no := attempt.Refusal(j); no != (refused[f.Clusters().ID(j)] != "") || r.Text != refused[r.Cluster] {
				t.Errorf("step %d, cluster %s: refused for %q, explained by %q", step, r.Cluster, r.Text, refused[r.Cluster])
			}
		}
		for _, c := range e.PA {
			if c.Chosen && c.CM != attempt.Cost(int(s.Cluster[job])) {
				t.Errorf("step %d costs %v, explained as %v", step, attempt.Cost(int(s.Cluster[job])), c.CM)
			}
		}
		if !attempt.Put(int(s.Cluster[job])) {
			t.Fatalf("step %d cannot be repeated", step)
		}
	}
}

func TestRegistryOfStrategies(t *testing.T) {
	if err := placement.Register(placement.Plugin{Name: "heuristic", New: greedy.Plugin.New}); err == nil {
		t.Error("a second strategy of the same name was registered")
	}
	if _, err := placement.Named("heurstic", nil); err == nil || err.Error() != `unknown strategy "heurstic"; known: heuristic, random, first-fit, best-fit, cheapest, best, exact` {
		t.Errorf("got %v", err)
	}
}
