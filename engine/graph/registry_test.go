package graph_test

import (
	"bytes"
	"context"
	"strings"
	"sync"
	"testing"

	"berth/engine/dot"
	"berth/engine/graph"
	"berth/engine/must"
	"berth/engine/placement"
)

// registerGPU adds two label types in the same way as labels.go, once for all tests of this
// package: graphics processors of a job, and of a cluster with a price.
var registerGPU = sync.OnceValue(func() error {
	if err := graph.Register(graph.LabelType{
		Name: "gpuOffloading", On: graph.Job, Kind: graph.Demand, HostedBy: "gpu",
		Fields:      []graph.Field{{Name: "count", Attrs: []string{"gpus"}, Unit: "GPUs"}},
		Comparisons: []graph.Comparison{{Demand: "count", Op: graph.AtMost, Supply: "amount", Reason: "room", Consumes: true}},
	}); err != nil {
		return err
	}
	return graph.Register(graph.LabelType{
		Name: "gpu", On: graph.Cluster, Kind: graph.Supply,
		Fields: []graph.Field{{Name: "amount", Unit: "GPUs"}, {Name: "cost", Price: true}},
	})
})

const (
	gpuJobs = `graph {
	train [request=10, limit=10, gpus=2];
	serve [label="cpuOffloading - request:10 - limit:10", label="gpuOffloading - count:1", label="serve"];
	web   [request=10, limit=10];
	train -- serve [latency=50];
}`
	gpuClusters = `graph {
	none [cpu=1000, cpu_cost=0.1];
	few  [cpu=1000, cpu_cost=1, gpu_amount=1, gpu_cost=5];
	many [label="cpu - amount:1000 - cost:1", label="gpu - amount:2 - cost:7", label="many"];
	none -- few [latency=1, latency_cost=0]; few -- many [latency=1, latency_cost=0]; none -- many [latency=1, latency_cost=0];
}`
)

// A new label type needs only one entry in the registry. It is then read in both dialects, checked,
// written, compared, consumed and paid for.
func TestALabelTypeIsOneEntryInTheRegistry(t *testing.T) {
	must.Do(t, registerGPU())
	d, f := read(t, gpuJobs, gpuClusters)
	count := graph.Lookup(graph.Job, "gpuOffloading")
	if got := d.Jobs().Column(count, 0); got[0] != 2 || got[1] != 1 || got[2] == got[2] {
		t.Errorf("the jobs' counts are %v", got)
	}
	for _, dialect := range []dot.Dialect{dot.Thesis, dot.Plain} {
		var jobs, clusters bytes.Buffer
		must.Do(t, dot.WriteDeployment(&jobs, d, dialect))
		must.Do(t, dot.WriteFederation(&clusters, f, dialect))
		d2, f2 := read(t, jobs.String(), clusters.String())
		for _, place := range []func() placement.Solution{
			func() placement.Solution { return solved(t, d, f) },
			func() placement.Solution { return solved(t, d2, f2) },
		} {
			s := place()
			if s.Status != placement.Placed {
				t.Fatalf("%s: %s", s.Status, s.Reason)
			}
			// There are 3 jobs of 10 units and 3 GPUs. train needs much of both, serve needs the
			// cluster with few, and web goes where it is cheap.
			if s.Cluster[0] != 2 || s.Cluster[1] != 1 || s.Cluster[2] != 0 || s.NodeCost != 10+2*7+10+5+1 {
				t.Errorf("%s: clusters %v, cost %v", dialect, s.Cluster, s.NodeCost)
			}
		}
	}
	_, diagnostics := dot.ReadDeployments("d.dot", []byte("graph { a [request=1, limit=1, gpus=-1] b [request=1, limit=1, gpu=3] }"), dot.Options{})
	if got := diagnostics.Err().Error(); !strings.Contains(got, `count of gpuOffloading is "-1", which is negative: expected a number that is not negative (GPUs)`) ||
		!strings.Contains(got, `unknown attribute "gpu": did you mean gpus?`) {
		t.Error(got)
	}
}

// A cluster without the new label is refused for a job that needs it, and the refusal names the
// label.
func TestANewLabelIsNamedInRefusals(t *testing.T) {
	must.Do(t, registerGPU())
	d, f := read(t, gpuJobs, gpuClusters)
	p := placement.NewProblem(d, placement.NewCapacity(f, placement.CapacityOptions{}))
	x := must.Get(placement.Explain(p, solved(t, d, f), placement.DefaultPhi, 0))(t)
	for _, r := range x.Refusals {
		if r.Cluster == "none" && strings.Contains(r.Text, "gpu") {
			return
		}
	}
	t.Errorf("job %s: %+v", x.Job, x.Refusals)
}

func read(t *testing.T, jobs, clusters string) (*graph.Deployment, *graph.Federation) {
	t.Helper()
	all, diagnostics := dot.ReadDeployments("jobs.dot", []byte(jobs), dot.Options{})
	if len(diagnostics) > 0 {
		t.Fatal(diagnostics)
	}
	f, diagnostics := dot.ReadFederation("clusters.dot", []byte(clusters), dot.Options{})
	if len(diagnostics) > 0 {
		t.Fatal(diagnostics)
	}
	return all[0].Deployment, f
}

func solved(t *testing.T, d *graph.Deployment, f *graph.Federation) placement.Solution {
	t.Helper()
	strategy := must.Get(placement.Named("heuristic", nil))(t)
	p := placement.NewProblem(d, placement.NewCapacity(f, placement.CapacityOptions{}))
	return strategy.Place(context.Background(), p, placement.Options{Phi: placement.DefaultPhi, Budget: placement.DefaultBudget})
}

func TestRegisterRefuses(t *testing.T) {
	field := []graph.Field{{Name: "value"}}
	for want, l := range map[string]graph.LabelType{
		"is registered already":                    {Name: "cpu", On: graph.Cluster, Fields: field},
		`"" needs a name`:                          {On: graph.Job, Fields: field},
		`"x" needs a name, an element and a field`: {Name: "x", On: graph.Job},
		`"y" needs a name`:                         {Name: "y", On: 9, Fields: field},
	} {
		if err := graph.Register(l); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %s", l, err, want)
		}
	}
}

// Every demand of the registry is compared with a label that exists, by fields that exist.
func TestTheRegistryIsSound(t *testing.T) {
	for _, on := range []graph.ElementKind{graph.Job, graph.Dependency, graph.Cluster, graph.Link} {
		for _, l := range graph.Labels(on) {
			host := l.Host()
			if (l.Kind == graph.Demand) != (host != nil) {
				t.Errorf("%s on a %s: hosted by %v", l.Name, on, host)
			}
			for _, c := range l.Comparisons {
				if l.Field(c.Demand) < 0 || host.Field(c.Supply) < 0 || c.Reason == "" {
					t.Errorf("%s on a %s: %+v", l.Name, on, c)
				}
			}
			if l.Shortest != "" && l.Field(l.Shortest) < 0 {
				t.Errorf("%s on a %s: shortest by %q", l.Name, on, l.Shortest)
			}
			if graph.Lookup(on, l.Name) != l {
				t.Errorf("%s on a %s is found as another", l.Name, on)
			}
		}
	}
	if graph.Lookup(graph.Job, "cpu") != nil {
		t.Error("a job has cpu, which belongs on a cluster")
	}
}
