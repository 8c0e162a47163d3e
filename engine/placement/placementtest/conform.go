package placementtest

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"berth/engine/golden"
	"berth/engine/graph"
	"berth/engine/placement"
)

// Conform checks that a strategy fulfils the contract of [placement.Strategy]. If complete is set,
// the strategy must find a placement whenever one exists, given the budget.
func Conform(t *testing.T, s placement.Strategy, complete bool) {
	for i, shape := range Shapes {
		for _, consume := range []bool{false, true} {
			t.Run(fmt.Sprintf("shape %d consume %t", i, consume), func(t *testing.T) {
				for _, seed := range golden.Seeds(40) {
					d, f := shape.Generate(seed)
					conform(t, s, d, f, consume, seed)
					if complete && shape.Jobs <= 6 {
						findsWhatThereIs(t, s, d, f, seed)
					}
				}
			})
		}
	}
	t.Run("nothing to place", func(t *testing.T) {
		_, f := Shapes[0].Generate(0)
		p := placement.NewProblem(graph.NewDeployment(), placement.NewCapacity(f, placement.CapacityOptions{}))
		if got := s.Place(t.Context(), p, placement.Options{}); got.Status != placement.Placed {
			t.Errorf("an empty deployment is %s, want placed", got.Status)
		}
	})
}

func conform(t *testing.T, s placement.Strategy, d *graph.Deployment, f *graph.Federation, consume bool, seed uint64) {
	t.Helper()
	capacity := placement.NewCapacity(f, placement.CapacityOptions{ConsumeBandwidth: consume})
	before := fmt.Sprint(capacity) // as text, because DeepEqual finds the NaN of a missing bandwidth unequal
	o := placement.Options{Seed: seed, Phi: 0.05, Budget: 20000, Steps: 2000}
	got := s.Place(t.Context(), placement.NewProblem(d, capacity), o)
	if before != fmt.Sprint(capacity) {
		t.Fatalf("seed %d: the capacity changed", seed)
	}
	if again := s.Place(t.Context(), placement.NewProblem(d, capacity), o); !reflect.DeepEqual(got, again) {
		t.Fatalf("seed %d: a second run differs: %v, then %v", seed, got, again)
	}
	if got.Expansions > o.Budget || got.Backtracks > got.Expansions {
		t.Fatalf("seed %d: %d expansions, %d backtracks in a budget of %d", seed, got.Expansions, got.Backtracks, o.Budget)
	}
	checkOrder(t, d, got)
	if got.Complete() {
		if err := Check(d, f, got.Cluster, consume); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
	switch got.Status {
	case placement.Placed:
	case placement.Infeasible, placement.BudgetExhausted:
		if got.Why() == "" {
			t.Fatalf("seed %d: %s without a reason", seed, got.Status)
		}
	default:
		t.Fatalf("seed %d: status %q", seed, got.Status)
	}
	cancelled(t, s, placement.NewProblem(d, capacity), o)
}

func checkOrder(t *testing.T, d *graph.Deployment, s placement.Solution) {
	t.Helper()
	order := slices.Sorted(slices.Values(s.Order))
	for i, job := range order {
		if int(job) != i {
			t.Fatalf("the order %v is no permutation", s.Order)
		}
	}
	if len(order) != d.Jobs().Len() || len(s.Cluster) != len(order) {
		t.Fatalf("%d jobs, %d in order, %d with a cluster", d.Jobs().Len(), len(order), len(s.Cluster))
	}
}

// cancelled checks that a strategy stops if its context is cancelled.
func cancelled(t *testing.T, s placement.Strategy, p *placement.Problem, o placement.Options) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if got := s.Place(ctx, p, o); got.Status == placement.Placed || got.Status == placement.BudgetExhausted {
		t.Fatalf("a cancelled run is %s", got.Status)
	}
}

// findsWhatThereIs compares the result with an exhaustive search.
func findsWhatThereIs(t *testing.T, s placement.Strategy, d *graph.Deployment, f *graph.Federation, seed uint64) {
	t.Helper()
	p := placement.NewProblem(d, placement.NewCapacity(f, placement.CapacityOptions{}))
	got := s.Place(t.Context(), p, placement.Options{Seed: seed, Phi: 0.05, Steps: 20000})
	if want := feasible(d, f, make([]int32, d.Jobs().Len()), 0); got.Complete() != want {
		t.Fatalf("seed %d: %s, but a placement exists: %t", seed, got.Status, want)
	}
}

func feasible(d *graph.Deployment, f *graph.Federation, cluster []int32, job int) bool {
	if job == len(cluster) {
		return Check(d, f, cluster, false) == nil
	}
	for j := range f.Clusters().Len() {
		cluster[job] = int32(j)
		if feasible(d, f, cluster, job+1) {
			return true
		}
	}
	return false
}
