package placement_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"berth/engine/must"
	"berth/engine/parameter"
	"berth/engine/placement"
	"berth/engine/placement/placementtest"
	"berth/engine/placement/placementtest/greedy"
)

func TestAStrategyFromOutsideConforms(t *testing.T) {
	placementtest.Conform(t, greedy.Plugin.New(parameter.Values{"scarcity": 0.5}), !greedy.Plugin.Facts.Incomplete)
}

// A strategy that undoes parts of an attempt finds a placement whenever the heuristic does, and
// satisfies every constraint.
func TestAnAttemptGoesBack(t *testing.T) {
	backtracks := int64(0)
	for _, shape := range placementtest.Shapes {
		if shape.Jobs > 9 {
			continue
		}
		for seed := range uint64(15) {
			d, f := shape.Generate(seed)
			p := placement.NewProblem(d, placement.NewCapacity(f, placement.CapacityOptions{ConsumeBandwidth: seed%2 == 0}))
			o := placement.Options{Seed: seed, Phi: 0.05, Budget: 3000}
			got, want := wandering{}.Place(t.Context(), p, o), placeBy(t, "heuristic", p, o)
			if got.Status != want.Status && got.Status != placement.BudgetExhausted && want.Status != placement.BudgetExhausted {
				t.Fatalf("shape %+v seed %d: it is %s (%s), the heuristic %s", shape, seed, got.Status, got.Why(), want.Status)
			}
			if got.Status != placement.Placed {
				continue
			}
			if err := placementtest.Check(d, f, got.Cluster, seed%2 == 0); err != nil {
				t.Fatalf("shape %+v seed %d: %v", shape, seed, err)
			}
			backtracks += got.Backtracks
		}
	}
	if backtracks < 100 {
		t.Errorf("only %d jobs were taken back: the comparison is too easy", backtracks)
	}
}

// wandering tries every cluster for every job and undoes jobs in between: a search on a
// [placement.Attempt].
type wandering struct{}

func (wandering) Place(ctx context.Context, p *placement.Problem, o placement.Options) placement.Solution {
	order := make([]int32, p.Deployment().Jobs().Len())
	for i, job := range rand.New(rand.NewPCG(o.Seed, 0)).Perm(len(order)) {
		order[i] = int32(job)
	}
	attempt, steps := p.NewAttempt(order), int64(0)
	var search func() placement.Status
	search = func() placement.Status {
		if _, left := attempt.Job(); !left {
			return placement.Placed
		}
		for j := range p.Capacity().Federation().Clusters().Len() {
			if ctx.Err() != nil {
				return placement.Cancelled
			}
			if !attempt.Put(j) {
				continue
			}
			steps++
			if o.Budget > 0 && steps >= o.Budget {
				return placement.BudgetExhausted
			}
			if status := search(); status != placement.Infeasible {
				return status
			}
			attempt.Back()
		}
		return placement.Infeasible
	}
	if status := search(); status != placement.Infeasible {
		return attempt.Solution(status)
	}
	return p.NewAttempt(order).Solution(placement.Infeasible) // of nothing placed
}

// The explanation of a solution shows the costs and refusals of the attempt.
func TestAStrategyFromOutsideIsExplained(t *testing.T) {
	d, f := refusing(t)
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
		e := must.Get(placement.Explain(p, s, placement.DefaultPhi, step))(t)
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
