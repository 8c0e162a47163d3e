package graph_test

import (
	"testing"

	"berth/engine/graph"
	"berth/engine/must"
)

func federation(t *testing.T) *graph.Federation {
	t.Helper()
	f := graph.NewFederation()
	for i, id := range []string{"a", "b", "c"} {
		f.Clusters().Set(f.AddCluster(id), "cpu", float64(100*(i+1)), 1, 0, 10, 0, 10)
	}
	latency := func(ms float64) graph.Label {
		return graph.Label{Type: graph.Lookup(graph.Link, "latency"), Values: []float64{ms, 0}}
	}
	f.AddLink(0, 1, latency(5))
	f.AddLink(1, 2, latency(7))
	return f
}

func TestWithoutClusters(t *testing.T) {
	f := federation(t)
	rest := f.Without(map[int]bool{0: true})
	if rest.Clusters().Len() != 2 || rest.Clusters().ID(0) != "b" || rest.Clusters().Column(graph.Lookup(graph.Cluster, "cpu"), 0)[1] != 300 || rest.Links().Len() != 1 {
		t.Errorf("%d clusters, %d links", rest.Clusters().Len(), rest.Links().Len())
	}
	must.Get(f.SetCenter("b"))(t)
	if star := f.Without(map[int]bool{2: true}); star.Center() != 1 || star.Links().Len() != 1 {
		t.Error("the centre is lost")
	}
	if none := f.Without(map[int]bool{1: true}); none.Center() != -1 || none.Links().Len() != 0 {
		t.Error("a star without its centre has links")
	}
}

func TestAddPutsOneFederationOnAnother(t *testing.T) {
	f, more := federation(t), graph.NewFederation()
	c, d := more.AddCluster("c"), more.AddCluster("d")
	more.Clusters().Set(c, "cpu", 300, 9, 0, 10, 0, 10)
	more.Clusters().SetName(c, "the third")
	more.AddLink(c, d)
	f.Add(more)
	cpu := graph.Lookup(graph.Cluster, "cpu")
	if f.Clusters().Len() != 4 || f.Clusters().Column(cpu, 1)[2] != 9 || f.Clusters().Column(cpu, 1)[0] != 1 || f.Clusters().Name(2) != "the third" || f.Links().Len() != 3 {
		t.Errorf("%d clusters, %d links, prices %v", f.Clusters().Len(), f.Links().Len(), f.Clusters().Column(cpu, 1))
	}
}

func TestCloneOfADeploymentIsItsOwn(t *testing.T) {
	d := graph.NewDeployment()
	d.Jobs().Set(d.AddJob("x"), "cpuOffloading", 1, 2)
	d.AddJob("y")
	d.AddDependency(0, 1, graph.Label{Type: graph.Lookup(graph.Dependency, "latency"), Values: []float64{3}})
	c := d.Clone()
	c.Jobs().Set(0, "cpuOffloading", 5, 5)
	request := graph.Lookup(graph.Job, "cpuOffloading")
	if d.Jobs().Column(request, 0)[0] != 1 || c.Jobs().Column(request, 0)[0] != 5 || c.Dependencies().Len() != 1 || c.Jobs().ID(1) != "y" {
		t.Error("the copy is not one of its own")
	}
}

func TestExtendedResources(t *testing.T) {
	for _, wrong := range []string{"", "gpu", "a b/c", "cpu"} {
		if _, _, err := graph.Extended(wrong); err == nil {
			t.Errorf("%q is taken", wrong)
		}
	}
	for _, name := range []string{"z.example/two", "a.example/one", "z.example/two"} {
		demand, supply, err := graph.Extended(name)
		if err != nil || demand.Host() != supply || supply.Name != name || demand.Fields[0].Attrs[0] != name+"_request" {
			t.Fatalf("%s: %v", name, err)
		}
	}
	place := map[string]int{}
	for i, l := range graph.Labels(graph.Cluster) {
		place[l.Name] = i
	}
	if !(place["storage"] < place["a.example/one"] && place["a.example/one"] < place["z.example/two"]) {
		t.Errorf("the order depends on who came first: %v", place)
	}
}
