package drawing_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"berth/engine/dot"
	"berth/engine/golden"
	"berth/engine/graph"
	"berth/engine/must"
	"berth/engine/placement"
	"berth/engine/placement/drawing"
)

const deployment = `graph {
	api [request=200, limit=400, memory_request=512, memory_limit=1024, label="API <script>"]
	db [request=300, limit=400, memory_request=900, memory_limit=1024]
	log [request=700, limit=900, memory_request=10, memory_limit=10]
	api -- db [latency=20]
	api -- log [latency=100, bandwidth=10]
	db -- log [latency=200]
}`

const federation = `graph {
	eu [cpu=600, cpu_cost=0.5, memory=2048, memory_cost=0.01, label="eu-west"]
	us [cpu=900, cpu_cost=1, memory=2048, memory_cost=0.01]
	ap [cpu=100, cpu_cost=9, memory=2048, memory_cost=0.01]
	eu -- us [latency=85, latency_cost=1.5, bandwidth=100, bandwidth_cost=0]
	eu -- ap [latency=300, latency_cost=1]
}`

func read(t *testing.T, deployment, federation string) (*graph.Deployment, *graph.Federation) {
	t.Helper()
	d, diagnostics := dot.ReadDeployments("d.dot", []byte(deployment), dot.Options{})
	must.Do(t, diagnostics.Err())
	f, diagnostics := dot.ReadFederation("f.dot", []byte(federation), dot.Options{})
	must.Do(t, diagnostics.Err())
	return d[0].Deployment, f
}

func place(t *testing.T, d *graph.Deployment, f *graph.Federation) drawing.Placed {
	t.Helper()
	h, _ := placement.Named("heuristic", nil)
	p := placement.NewProblem(d, placement.NewCapacity(f, placement.CapacityOptions{}))
	s := h.Place(t.Context(), p, placement.Options{Phi: placement.DefaultPhi})
	if s.Status != placement.Placed {
		t.Fatal(s.Status, s.Why())
	}
	return drawing.Placed{Name: "shop", Deployment: d, Cluster: s.Cluster}
}

func TestGolden(t *testing.T) {
	d, f := read(t, deployment, federation)
	placed := []drawing.Placed{place(t, d, f)}
	for _, view := range []drawing.View{drawing.ResultView, drawing.DeploymentView, drawing.FederationView} {
		t.Run(string(view), func(t *testing.T) {
			got := must.Get(drawing.Draw(f, placed, drawing.Options{View: view}))(t)
			golden.Check(t, "testdata/"+string(view)+".dot", got.DOT+got.SVG+describe(got))
		})
	}
	narrow := must.Get(drawing.Draw(f, placed, drawing.Options{View: drawing.ResultView, Narrow: true}))(t)
	golden.Check(t, "testdata/narrow.svg", narrow.SVG)
	for _, dialect := range []dot.Dialect{dot.Thesis, dot.Plain} {
		golden.Check(t, "testdata/figure62-"+string(dialect)+".dot", drawing.Result(f, placed, dialect))
	}
}

func describe(d drawing.Drawing) string {
	var b strings.Builder
	fmt.Fprintf(&b, "// %s, simplified %t. %s\n", d.Layout, d.Simplified, d.Note)
	for _, e := range d.Elements {
		fmt.Fprintf(&b, "// %s %s %q %d %v\n", e.ID, e.Kind, e.Title, e.Cluster, e.Figures)
	}
	return b.String()
}

// The result .dot, read as deployments, gives the placed deployments again.
func TestResultReadsBack(t *testing.T) {
	d, f := read(t, deployment, federation)
	for _, dialect := range []dot.Dialect{dot.Thesis, dot.Plain} {
		placed := place(t, d, f)
		text := drawing.Result(f, []drawing.Placed{placed, {Name: "unplaced", Deployment: d}, placed}, dialect)
		back, diagnostics := dot.ReadDeployments("result.dot", []byte(text), dot.Options{Strict: true})
		if err := diagnostics.Err(); err != nil {
			t.Fatalf("%s: %v\n%s", dialect, err, text)
		}
		if len(back) != 2 {
			t.Fatalf("%s reads back as %d deployments", dialect, len(back))
		}
		for i := range d.Jobs().Len() {
			j, ok := back[1].Deployment.Job(d.Jobs().ID(i))
			if !ok {
				t.Fatalf("%s: job %s is lost", dialect, d.Jobs().ID(i))
			}
			for _, l := range graph.Labels(graph.Job) {
				if got, want := fmt.Sprint(back[1].Deployment.Jobs().Values(l, j)), fmt.Sprint(d.Jobs().Values(l, i)); got != want {
					t.Errorf("%s: %s of job %s is %s, want %s", dialect, l.Name, d.Jobs().ID(i), got, want)
				}
			}
		}
		if got, want := back[1].Deployment.Dependencies().Len(), d.Dependencies().Len(); got != want {
			t.Errorf("%s: %d dependencies, want %d", dialect, got, want)
		}
	}
}

// large returns a placement of n jobs in a ring on clusters that each hold ten.
func large(n int) (*graph.Federation, drawing.Placed) {
	d, f := graph.NewDeployment(), graph.NewFederation()
	p := drawing.Placed{Name: "ring", Deployment: d}
	for i := range n {
		d.AddJob(fmt.Sprint(i))
		d.Jobs().Set(i, "cpuOffloading", 1, 1)
		if i%10 == 0 {
			j := f.AddCluster(fmt.Sprint("c", i/10))
			f.Clusters().Set(j, "cpu", 10, 1, 0, 10, 0, 10)
			if j > 0 {
				f.AddLink(0, j, graph.Label{Type: graph.Lookup(graph.Link, "latency"), Values: []float64{1, 1}})
			}
		}
		p.Cluster = append(p.Cluster, int32(i/10))
		if i > 0 {
			d.AddDependency(i-1, i, graph.Label{Type: graph.Lookup(graph.Dependency, "latency"), Values: []float64{10}})
		}
	}
	if _, err := f.SetCenter("c0"); err != nil {
		panic(err)
	}
	return f, p
}

var node = regexp.MustCompile(`(?m)^\t+[cj]\d+(_\d+)? \[|class="(node|cluster)\b`)
var edge = regexp.MustCompile(`(?m)^\t[cj]\d+(_\d+)? -- |class="edge\b`)

func TestNoViewDrawsMoreThanItsLimit(t *testing.T) {
	for _, n := range []int{10, 400, 2000, 20000} {
		f, p := large(n)
		for _, view := range []drawing.View{drawing.ResultView, drawing.DeploymentView, drawing.FederationView} {
			d := must.Get(drawing.Draw(f, []drawing.Placed{p}, drawing.Options{View: view, Expand: []int{0, 1}}))(t)
			drawn := len(node.FindAllString(d.DOT+d.SVG, -1)) + len(edge.FindAllString(d.DOT+d.SVG, -1))
			if drawn > drawing.DefaultLimit {
				t.Errorf("%d jobs, %s: %d elements drawn", n, view, drawn)
			}
			if d.Simplified && d.Note == "" {
				t.Errorf("%d jobs, %s: simplified without saying so", n, view)
			}
			if elements := 2*n - 1 + n/10; view == drawing.ResultView && d.Simplified != (elements > drawing.DefaultLimit) {
				t.Errorf("%d elements: simplified %t", elements, d.Simplified)
			}
		}
	}
}

// Up to the limit, the result has one node for each job.
func TestResultHasOneNodeForEachJob(t *testing.T) {
	f, p := large(400)
	d := must.Get(drawing.Draw(f, []drawing.Placed{p}, drawing.Options{View: drawing.ResultView}))(t)
	if got := strings.Count(d.SVG, `class="node job `); got != 400 {
		t.Errorf("%d nodes for 400 jobs", got)
	}
}

func TestExpandedClustersShowTheirJobs(t *testing.T) {
	f, p := large(2000)
	d := must.Get(drawing.Draw(f, []drawing.Placed{p}, drawing.Options{View: drawing.ResultView, Expand: []int{7}}))(t)
	if !strings.Contains(d.SVG, `id="cluster-7" class="cluster"`) || strings.Count(d.SVG, `class="cluster"`) != 1 {
		t.Error("cluster 7 alone should be expanded")
	}
	if !strings.Contains(d.SVG, `id="job-0-70"`) || !strings.Contains(d.SVG, "<title>dependencies 70 – c6:") && !strings.Contains(d.SVG, "<title>dependencies c6 – 70:") {
		t.Error("the jobs of an expanded cluster and their dependencies should be drawn")
	}
}

func TestUnknownViewIsAnError(t *testing.T) {
	f, p := large(10)
	if _, err := drawing.Draw(f, []drawing.Placed{p}, drawing.Options{View: "map"}); err == nil {
		t.Error("there is no view map")
	}
}
