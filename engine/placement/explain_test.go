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
func refusing() (*graph.Deployment, *graph.Federation) {
	d := graph.NewDeployment()
	d.AddJob("db")
	d.AddJob("api")
	d.Jobs().Set(0, "cpuOffloading", 50, 60)
	d.Jobs().Set(1, "cpuOffloading", 10, 20)
	d.Jobs().Set(1, "memoryOffloading", 8, 8)
	d.AddDependency(0, 1, label(graph.Dependency, "latency", 20), label(graph.Dependency, "bandwidth", 5))

	f := graph.NewFederation()
	inf := math.Inf(1)
	add := func(id string, cpu []float64, memory ...float64) int {
		j := f.AddCluster(id)
		f.Clusters().Set(j, "cpu", cpu...)
		if len(memory) > 0 {
			f.Clusters().Set(j, "memory", memory...)
		}
		return j
	}
	memory := []float64{16, 1, 0, inf, 0, inf}
	home := add("home", []float64{70, 1, 0, inf, 0, inf}, memory...)
	add("island", []float64{30, 1, 0, inf, 0, inf}, memory...)
	add("small", []float64{5, 1, 0, inf, 0, inf}, memory...)
	add("strict", []float64{30, 1, 0, 9, 0, inf}, memory...)
	add("dry", []float64{30, 1, 0, inf, 0, inf})
	far := add("far", []float64{30, 1, 0, inf, 0, inf}, memory...)
	thin := add("thin", []float64{30, 1, 0, inf, 0, inf}, memory...)
	mute := add("mute", []float64{30, 1, 0, inf, 0, inf}, memory...)
	f.AddLink(home, far, label(graph.Link, "latency", 31, 1), label(graph.Link, "bandwidth", 9, 0))
	f.AddLink(home, thin, label(graph.Link, "latency", 20, 1), label(graph.Link, "bandwidth", 4, 0))
	f.AddLink(home, mute, label(graph.Link, "latency", 20, 1))
	return d, f
}

func TestEachRefusalHasItsReason(t *testing.T) {
	d, f := refusing()
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
	d, f := refusing()
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
	d, f := refusing()
	d.Jobs().Set(0, "cpuOffloading", 1e6, 1e6)
	got := placeBy(t, "heuristic", placement.NewProblem(d, placement.NewCapacity(f, placement.CapacityOptions{})), placement.Options{})
	if got.Status != placement.Infeasible || got.Expansions != 0 || !strings.Contains(got.Why(), "the jobs request 1000010 cpu in all") {
		t.Errorf("%s after %d expansions: %s", got.Status, got.Expansions, got.Why())
	}
}

func TestBudgetIsNotInfeasible(t *testing.T) {
	d, f := refusing()
	got := placeBy(t, "heuristic", placement.NewProblem(d, placement.NewCapacity(f, placement.CapacityOptions{})), placement.Options{Budget: 1})
	if got.Status != placement.BudgetExhausted || got.Expansions != 1 {
		t.Errorf("%s after %d expansions, want budget-exhausted after 1", got.Status, got.Expansions)
	}
}

// Φ(x) = e^(−a·x) with a = 1 underflows at x = 800, but the nearer of two such clusters still ranks
// first.
func TestAffinityThatUnderflowsStillCounts(t *testing.T) {
	d := graph.NewDeployment()
	for i, id := range []string{"a", "b", "c"} {
		d.AddJob(id)
		d.Jobs().Set(i, "cpuOffloading", 1000, 1000)
	}
	d.AddDependency(0, 1)
	d.AddDependency(0, 2)
	f := graph.NewFederation()
	for j, amount := range []float64{1100, 1200, 1000, 1000} {
		f.AddCluster([]string{"far", "near", "x", "y"}[j])
		f.Clusters().Set(j, "cpu", amount, 1, 0, 1000, 0, 1000)
	}
	for a := range 4 {
		for b := range a {
			f.AddLink(a, b, label(graph.Link, "latency", 1, 0))
		}
	}
	p := placement.NewProblem(d, placement.NewCapacity(f, placement.CapacityOptions{}))
	got := placeBy(t, "heuristic", p, placement.Options{Phi: 1})
	if got.Status != placement.Placed || got.Cluster[0] != 1 {
		t.Errorf("job a is on cluster %v (%s), want 1: near", got.Cluster, got.Status)
	}
}

// CM and NAM computed by hand: jobs of 10 and 20 depend on each other, clusters of 25 and 40 have
// the prices 2 and 1, and the link costs 5. Both jobs have y = 30, so a is first, as in the file.
func TestMatrices(t *testing.T) {
	d := graph.NewDeployment()
	d.AddJob("a")
	d.AddJob("b")
	d.Jobs().Set(0, "cpuOffloading", 10, 10)
	d.Jobs().Set(1, "cpuOffloading", 20, 20)
	d.AddDependency(0, 1)
	f := graph.NewFederation()
	f.AddCluster("p")
	f.AddCluster("q")
	f.Clusters().Set(0, "cpu", 25, 2, 0, 100, 0, 100)
	f.Clusters().Set(1, "cpu", 40, 1, 0, 100, 0, 100)
	f.AddLink(0, 1, label(graph.Link, "latency", 1, 5))
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
	d, f := graph.NewDeployment(), graph.NewFederation()
	for i := range 6 {
		d.AddJob(fmt.Sprint("job", i))
		d.Jobs().Set(i, "cpuOffloading", 10, 20)
	}
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
