package placement_test

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"berth/engine/graph"
	"berth/engine/must"
	"berth/engine/placement"
)

func label(on graph.ElementKind, name string, values ...float64) graph.Label {
	return graph.Label{Type: graph.Lookup(on, name), Values: values}
}

// refusing returns two jobs. The second can use only the first's cluster; every other cluster
// refuses it for a different reason.
func refusing(t *testing.T) (*graph.Deployment, *graph.Federation) {
	t.Helper()
	return graphsOf(t, `graph { db [request=50, limit=60]; api [request=10, limit=20, memory_request=8, memory_limit=8]; db -- api [latency=20, bandwidth=5] }`,
		`graph {
	dry [cpu=30, cpu_cost=1];
	node [cpu=30, cpu_cost=1, memory=16, memory_cost=1];
	home [cpu=70]; island; small [cpu=5]; "strict" [cpu_max_request=9]; far; thin; mute;
	home -- far [latency=31, latency_cost=1, bandwidth=9];
	home -- thin [latency=20, latency_cost=1, bandwidth=4];
	home -- mute [latency=20, latency_cost=1];
}`)
}

func TestEachRefusalHasItsReason(t *testing.T) {
	d, f := refusing(t)
	p := placement.NewProblem(d, placement.NewCapacity(f, placement.CapacityOptions{}))
	s := placeBy(t, "heuristic", p, placement.Options{Phi: placement.DefaultPhi})
	if s.Status != placement.Placed {
		t.Fatal(s.Status, s.Why())
	}
	e := must.Get(placement.Explain(p, s, placement.DefaultPhi, 1))(t)
	want := map[string][2]string{
		"island": {"no link", "no link to the cluster of job db"},
		"small":  {"no room", "requests 10 cpu, 5 left"},
		"strict": {"limit range", "request 10 of cpu is over maxR 9"},
		"dry":    {"no memory", "has no memory"},
		"far":    {"latency", "latency 31 ms over 20 ms to job db"},
		"thin":   {"bandwidth", "bandwidth 4 Mbit/s under 5 Mbit/s to job db"},
		"mute":   {"no bandwidth", "link without bandwidth to job db"},
	}
	if e.Job != "api" || e.Cluster != "home" || len(e.PA) != 1 || len(e.Refusals) != len(want) {
		t.Fatalf("explanation %+v: want api on home, the only one of PA", e)
	}
	for _, r := range e.Refusals {
		if got := [2]string{r.Kind, r.Text}; got != want[r.Cluster] {
			t.Errorf("%s is refused with %q, want %q", r.Cluster, got, want[r.Cluster])
		}
	}
	// 10 of CPU at price 1 and 8 of memory at price 1; nothing for the link within home.
	if e.PA[0].CM != 18 {
		t.Errorf("CM = %g, want 18", e.PA[0].CM)
	}
}

func TestInfeasibleSaysWhere(t *testing.T) {
	d, f := refusing(t)
	d.AddJob("third")
	d.Jobs().Set(2, "cpuOffloading", 29, 29)
	d.AddDependency(2, 0, label(graph.Dependency, "latency", 1))
	p := placement.NewProblem(d, placement.NewCapacity(f, placement.CapacityOptions{}))
	s := placeBy(t, "heuristic", p, placement.Options{})
	if s.Status != placement.Infeasible || !strings.Contains(s.Why(), "no cluster can take job") || !strings.Contains(s.Why(), "no room") {
		t.Errorf("%s: %q, want infeasible with the job that could not stand and the refusals counted", s.Status, s.Why())
	}
	e := must.Get(placement.Explain(p, s, 0, 0))(t)
	if last, err := placement.Explain(p, s, 0, e.Reached-1); err != nil || last.Cluster != "" {
		t.Errorf("the last step of a failed attempt is on cluster %q: %v", last.Cluster, err)
	}
	if _, err := placement.Explain(p, s, 0, e.Reached); err == nil {
		t.Error("a step that the search never reached is explained")
	}
	for _, step := range []int{-1, 3} {
		if _, err := placement.Explain(p, s, 0, step); err == nil {
			t.Errorf("step %d of 3 jobs was explained", step)
		}
	}
}

func TestMoreDemandThanSupplyIsRefusedAtOnce(t *testing.T) {
	d, f := refusing(t)
	d.Jobs().Set(0, "cpuOffloading", 1e6, 1e6)
	got := placeBy(t, "heuristic", placement.NewProblem(d, placement.NewCapacity(f, placement.CapacityOptions{})), placement.Options{})
	if got.Status != placement.Infeasible || got.Expansions != 0 || !strings.Contains(got.Why(), "the jobs request 1000010 cpu in all") {
		t.Errorf("%s after %d expansions: %s", got.Status, got.Expansions, got.Why())
	}
}

func TestBudgetIsNotInfeasible(t *testing.T) {
	d, f := refusing(t)
	got := placeBy(t, "heuristic", placement.NewProblem(d, placement.NewCapacity(f, placement.CapacityOptions{})), placement.Options{Budget: 1})
	if got.Status != placement.BudgetExhausted || got.Expansions != 1 {
		t.Errorf("%s after %d expansions, want budget-exhausted after 1", got.Status, got.Expansions)
	}
}

// Φ(x) = e^(−a·x) with a = 1 underflows at x = 800, but the nearer of two such clusters still ranks
// first.
func TestAffinityThatUnderflowsStillCounts(t *testing.T) {
	d, f := graphsOf(t, `graph { node [request=1000, limit=1000]; a -- b [latency=9]; a -- c [latency=9]; a; b; c }`,
		`graph { node [cpu=1000, cpu_cost=1]; far [cpu=1100]; near [cpu=1200]; x; y; edge [latency=1, latency_cost=0]; far -- near -- x -- y -- far -- x; near -- y }`)
	p := placement.NewProblem(d, placement.NewCapacity(f, placement.CapacityOptions{}))
	got := placeBy(t, "heuristic", p, placement.Options{Phi: 1})
	if got.Status != placement.Placed || got.Cluster[0] != 1 {
		t.Errorf("job a is on cluster %v (%s), want 1: near", got.Cluster, got.Status)
	}
}

// CM and NAM computed by hand: jobs of 10 and 20 depend on each other, clusters of 25 and 40 have
// the prices 2 and 1, and the link costs 5. Both jobs have y = 30, so a is first, as in the file.
func TestMatrices(t *testing.T) {
	d, f := graphsOf(t, `graph { a [request=10, limit=10]; b [request=20, limit=20]; a -- b [latency=9] }`,
		`graph { p [cpu=25, cpu_cost=2]; q [cpu=40, cpu_cost=1]; p -- q [latency=1, latency_cost=5] }`)
	p := placement.NewProblem(d, placement.NewCapacity(f, placement.CapacityOptions{}))
	s := placeBy(t, "heuristic", p, placement.Options{Phi: 0.1})
	cm := must.Get(placement.CostMatrix(p, s, 1))(t)
	// a goes to q first (10·1 against 10·2/e^−0.5); then b pays 5 on p.
	if want := []float64{20, 10, 45, 20}; !equal(cm, want) {
		t.Errorf("CM = %v, want %v", cm, want)
	}
	nam := must.Get(placement.AffinityMatrix(p, s, 0.1, 1))(t)
	// y = 30 for both; 25 and 40 − 10 are left.
	if want := []float64{math.Exp(-0.5), 1, math.Exp(-0.5), 1}; !equal(nam, want) {
		t.Errorf("NAM = %v, want %v", nam, want)
	}
}

func equal(got, want []float64) bool {
	if len(got) != len(want) {
		return false
	}
	for i := range got {
		if math.Abs(got[i]-want[i]) > 1e-12 {
			return false
		}
	}
	return true
}

// The explanation of a random placement shows the clusters as they were drawn. The clusters before
// the chosen one were tried and undone; without backtracking there are none.
func TestRandomIsExplainedAsItWasDrawn(t *testing.T) {
	d, f := jobsOf(10, 10, 10, 10, 10, 10), graph.NewFederation()
	for j := range 9 {
		f.AddCluster(fmt.Sprint("cluster", j))
		f.Clusters().Set(j, "cpu", 25, float64(1+j), 0, math.Inf(1), 0, math.Inf(1))
	}
	p := placement.NewProblem(d, placement.NewCapacity(f, placement.CapacityOptions{}))
	sorted := 0
	for seed := range uint64(20) {
		s := placeBy(t, "random", p, placement.Options{Seed: seed, Phi: placement.DefaultPhi})
		if s.Status != placement.Placed || s.Backtracks > 0 {
			t.Fatal(s.Status, s.Backtracks)
		}
		for step := range s.Order {
			e := must.Get(placement.Explain(p, s, placement.DefaultPhi, step))(t)
			if e.Order != placement.InDrawnOrder || !e.PA[0].Chosen {
				t.Errorf("seed %d, step %d: the order %q begins with %+v", seed, step, e.Order, e.PA[0])
			}
			if slices.IsSortedFunc(e.PA, func(a, b placement.Candidate) int { return cmp.Compare(a.Ratio, b.Ratio) }) {
				sorted++
			}
		}
	}
	if sorted > 6 {
		t.Errorf("%d of 120 drawn orders are those of CM/NAM", sorted)
	}
}
