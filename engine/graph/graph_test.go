package graph_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	gonum "gonum.org/v1/gonum/graph"

	"berth/engine/graph"
	"berth/engine/must"
)

func ExampleFederation_SetCenter() {
	f := graph.NewFederation()
	latency := graph.Lookup(graph.Link, "latency")
	hub := f.AddCluster("hub")
	for i, id := range []string{"eu", "us"} {
		f.AddLink(f.AddCluster(id), hub, graph.Label{Type: latency, Values: []float64{10 * float64(i+1), 0.1}})
	}
	if _, err := f.SetCenter("hub"); err != nil {
		fmt.Println(err)
	}
	eu, _ := f.Cluster("eu")
	us, _ := f.Cluster("us")
	ms, ok := f.Figure(latency, latency.Field("value"), eu, us)
	fmt.Println(ms, ok, f.Links().Len())
	// Output: 30 true 2
}

func label(on graph.ElementKind, name string, values ...float64) graph.Label {
	return graph.Label{Type: graph.Lookup(on, name), Values: values}
}

func figures(all *graph.Elements, name string, i int) string {
	return fmt.Sprint(all.Values(graph.Lookup(all.Kind(), name), i))
}

func TestParallelDependenciesKeepTheTightestBound(t *testing.T) {
	d := graph.NewDeployment()
	a, b := d.AddJob("a"), d.AddJob("b")
	for i, labels := range [][]graph.Label{
		{label(graph.Dependency, "latency", 20), label(graph.Dependency, "bandwidth", 5)},
		{label(graph.Dependency, "latency", 30), label(graph.Dependency, "bandwidth", 9)},
		{label(graph.Dependency, "latency", 10)},
	} {
		if k, merged := d.AddDependency(b, a, labels...); k != 0 || merged != (i > 0) {
			t.Errorf("addition %d: dependency %d, merged %v", i, k, merged)
		}
	}
	if l, w := figures(d.Dependencies(), "latency", 0), figures(d.Dependencies(), "bandwidth", 0); l != "[10]" || w != "[9]" {
		t.Errorf("latency %s, bandwidth %s", l, w)
	}
	if x, y := d.Ends(0); x != b || y != a {
		t.Errorf("ends %d and %d", x, y)
	}
}

func TestOfParallelLinksTheShortestIsKeptWithItsOwnCost(t *testing.T) {
	f := graph.NewFederation()
	a, b := f.AddCluster("a"), f.AddCluster("b")
	add := func(labels ...graph.Label) string {
		f.AddLink(a, b, labels...)
		return figures(f.Links(), "latency", 0) + figures(f.Links(), "bandwidth", 0)
	}
	for i, got := range []string{
		add(label(graph.Link, "bandwidth", 7, 1)),
		add(label(graph.Link, "latency", 20, 1), label(graph.Link, "bandwidth", 5, 2)),
		add(label(graph.Link, "latency", 20, 0)),
		add(label(graph.Link, "latency", 30, 0)),
		add(label(graph.Link, "bandwidth", 9, 0)),
		add(label(graph.Link, "latency", 10, 3)),
	} {
		want := []string{"[][7 1]", "[20 1][5 2]", "[20 1][5 2]", "[20 1][5 2]", "[20 1][5 2]", "[10 3][]"}[i]
		if got != want {
			t.Errorf("after link %d: %s, want %s", i, got, want)
		}
	}
	if f.Links().Carriers(graph.Lookup(graph.Link, "bandwidth")) != 0 {
		t.Error("a bandwidth is left over")
	}
}

// star has a centre, two clusters linked to it, and one without a link.
func star(t *testing.T) *graph.Federation {
	t.Helper()
	f := graph.NewFederation()
	a, c, b := f.AddCluster("a"), f.AddCluster("c"), f.AddCluster("b")
	f.AddCluster("alone")
	f.AddLink(a, c, label(graph.Link, "latency", 5, 0.25), label(graph.Link, "bandwidth", 100, 1))
	f.AddLink(c, b, label(graph.Link, "latency", 7, 0.5), label(graph.Link, "bandwidth", 40, 2))
	f.AddLink(a, b, label(graph.Link, "latency", 1, 9))
	ignored, err := f.SetCenter("c")
	if err != nil || ignored != 1 {
		t.Fatalf("%d links ignored, %v", ignored, err)
	}
	return f
}

func TestStarDerivesThePathThroughItsCentre(t *testing.T) {
	f := star(t)
	latency, bandwidth := graph.Lookup(graph.Link, "latency"), graph.Lookup(graph.Link, "bandwidth")
	const a, c, b, alone = 0, 1, 2, 3
	for _, x := range []struct {
		label    *graph.LabelType
		field    int
		from, to int
		want     float64
	}{
		{latency, 0, a, b, 12}, {latency, 0, b, a, 12}, {latency, 1, a, b, 0.75},
		{bandwidth, 0, a, b, 40}, {bandwidth, 1, a, b, 3},
		{latency, 0, a, c, 5}, {latency, 0, c, a, 5},
		{latency, 0, a, alone, math.NaN()}, {latency, 0, alone, c, math.NaN()}, {latency, 0, a, a, math.NaN()},
	} {
		got, ok := f.Figure(x.label, x.field, x.from, x.to)
		if ok != !math.IsNaN(x.want) || ok && got != x.want {
			t.Errorf("%s %d from %d to %d: %v, %v, want %v", x.label.Name, x.field, x.from, x.to, got, ok, x.want)
		}
	}
	if legs, ok := f.Path(nil, b, a); !ok || !slices.Equal(legs, []int{1, 0}) {
		t.Errorf("the path from b to a: %v, %v", legs, ok)
	}
	if legs, ok := f.Path(nil, a, a); !ok || len(legs) != 0 {
		t.Error("no path from a to itself")
	}
	if f.Connected(a, alone) || !f.Connected(a, b) || f.Connected(a, a) {
		t.Error("clusters are not connected where paths are")
	}
	if _, err := f.SetCenter(""); err != nil || f.Center() != -1 {
		t.Error("the centre cannot be taken back")
	}
	if v, _ := f.Figure(latency, 0, a, b); v != 1 {
		t.Errorf("without a centre: %v", v)
	}
	if _, err := f.SetCenter("d"); err == nil || err.Error() != `the centre "d" is not a cluster of the federation` {
		t.Error(err)
	}
}

func TestIslands(t *testing.T) {
	d := graph.NewDeployment()
	for _, id := range []string{"a", "b", "c", "d"} {
		d.AddJob(id)
	}
	d.AddDependency(3, 1)
	d.AddDependency(1, 0)
	centred, given := star(t), star(t)
	centred.AddLink(0, 3)
	given.AddLink(0, 3)
	must.Get(given.SetCenter(""))(t)
	for name, c := range map[string]struct {
		g    gonum.Undirected
		want string
	}{
		"deployment":  {d, "[[0 1 3] [2]]"},
		"star":        {centred, "[[0 1 2] [3]]"}, // a link that does not touch the centre does not count
		"given links": {given, "[[0 1 2 3]]"},
		"nothing":     {graph.NewFederation(), "[]"},
	} {
		if got := fmt.Sprint(graph.Islands(c.g)); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

func TestNeighboursComeInTheOrderOfTheEdges(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	d := graph.NewDeployment()
	want := make([][]int32, 30)
	for i := range want {
		d.AddJob(fmt.Sprint(i))
	}
	for range 100 {
		a, b := r.IntN(30), r.IntN(30)
		if a == b {
			continue
		}
		if _, merged := d.AddDependency(a, b); !merged {
			want[a], want[b] = append(want[a], int32(b)), append(want[b], int32(a))
		}
		i := r.IntN(30) // every change updates the index
		jobs, dependencies := d.Neighbours(i)
		if !slices.Equal(jobs, want[i]) {
			t.Fatalf("job %d: %v, want %v", i, jobs, want[i])
		}
		for n, k := range dependencies {
			if x, y := d.Ends(int(k)); x+y-i != int(jobs[n]) {
				t.Fatalf("dependency %d joins %d and %d, not %d and %d", k, x, y, i, jobs[n])
			}
		}
	}
}

func TestElementsKeepLabelsByColumn(t *testing.T) {
	d := graph.NewDeployment()
	memory := graph.Lookup(graph.Job, "memoryOffloading")
	for _, id := range []string{"a", "b", "a", "c"} {
		d.AddJob(id)
	}
	if d.Jobs().Len() != 3 || d.Jobs().Column(memory, 0) != nil {
		t.Fatalf("%d jobs, column %v", d.Jobs().Len(), d.Jobs().Column(memory, 0))
	}
	d.Jobs().Set(1, "memoryOffloading", 512, 1024)
	d.Jobs().SetName(1, "B")
	d.AddJob("d")
	if got := fmt.Sprint(d.Jobs().Column(memory, 1)); got != "[NaN 1024 NaN NaN]" {
		t.Errorf("the column is %s", got)
	}
	if !d.Jobs().Has(memory, 1) || d.Jobs().Has(memory, 3) || d.Jobs().Values(memory, 0) != nil || d.Jobs().Carriers(memory) != 1 {
		t.Error("the label is not where it was put")
	}
	if d.Jobs().Name(0) != "a" || d.Jobs().Name(1) != "B" || d.Jobs().ID(1) != "b" {
		t.Error("names")
	}
}
