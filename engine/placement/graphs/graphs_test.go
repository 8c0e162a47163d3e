package graphs_test

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"

	"berth/engine/dot"
	"berth/engine/golden"
	"berth/engine/graph"
	"berth/engine/input/workload"
	"berth/engine/must"
	"berth/engine/placement/graphs"
)

func deployment(t *testing.T, r workload.Recipe) *graph.Deployment {
	t.Helper()
	r.Generator = graphs.DeploymentGenerator
	return must.Get(graphs.Deployment(r))(t)
}

func federation(t *testing.T, r workload.Recipe) *graph.Federation {
	t.Helper()
	r.Generator = graphs.FederationGenerator
	return must.Get(graphs.Federation(r))(t)
}

// The golden files hold the graphs of seeds. They must not change between versions or machines,
// because shared links carry recipes.
func TestGolden(t *testing.T) {
	var d, f bytes.Buffer
	must.Do(t, dot.WriteDeployment(&d, deployment(t, workload.Recipe{Preset: "thesis", Seed: 7, Index: 1}), dot.Thesis))
	must.Do(t, dot.WriteFederation(&f, federation(t, workload.Recipe{Preset: "thesis", Seed: 7, Parameters: map[string]float64{"n_nodes": 8}}), dot.Thesis))
	golden.Check(t, "testdata/deployment.dot", d.String())
	golden.Check(t, "testdata/federation.dot", f.String())
}

func TestDeploymentsAreConnectedAndWithinTheirRanges(t *testing.T) {
	for seed := range uint64(20) {
		for index := range graphs.Deployments {
			d := deployment(t, workload.Recipe{Preset: "thesis", Seed: seed, Index: index})
			lowest, highest := 100.0, 956.0
			if index == 1 {
				lowest, highest = 370, 1000
			}
			request, limit := graph.Lookup(graph.Job, "cpuOffloading"), 1
			for i := range d.Jobs().Len() {
				r, l := d.Jobs().Column(request, 0)[i], d.Jobs().Column(request, limit)[i]
				if r < lowest || r > highest || l < r || l > 1000 {
					t.Fatalf("seed %d, deployment %d, job %d: request %v, limit %v", seed, index, i, r, l)
				}
				if math.Abs(r*100-math.Round(r*100)) > 1e-6 {
					t.Fatalf("request %v has more than two decimals", r)
				}
			}
			for k, bound := range d.Dependencies().Column(graph.Lookup(graph.Dependency, "latency"), 0) {
				if bound < 20 || bound > 80 {
					t.Fatalf("seed %d, deployment %d, dependency %d: latency %v", seed, index, k, bound)
				}
			}
			if islands := graph.Islands(d); len(islands) != 1 {
				t.Fatalf("seed %d, deployment %d: the jobs are in %d groups", seed, index, len(islands))
			}
		}
	}
}

func TestMeanRequestOfThePresets(t *testing.T) {
	mean := func(preset string, index int) float64 {
		var sum, n float64
		for seed := range uint64(200) {
			d := deployment(t, workload.Recipe{Preset: preset, Seed: seed, Index: index})
			for _, r := range d.Jobs().Column(graph.Lookup(graph.Job, "cpuOffloading"), 0) {
				sum, n = sum+r, n+1
			}
		}
		return sum / n
	}
	for _, c := range []struct {
		preset string
		index  int
		want   float64 // section 6.4.2
	}{{"thesis", 6, 528}, {"thesis", 1, 685}, {"listing", 0, 300}} {
		if got := mean(c.preset, c.index); math.Abs(got-c.want) > 10 {
			t.Errorf("%s, deployment %d: the mean request is %.1f, want about %v", c.preset, c.index, got, c.want)
		}
	}
}

func TestFederationIsAStarWithinItsRanges(t *testing.T) {
	f := federation(t, workload.Recipe{Preset: "listing", Seed: 3})
	if f.Clusters().Len() != 501 || f.Links().Len() != 500 {
		t.Fatalf("%d clusters, %d links", f.Clusters().Len(), f.Links().Len())
	}
	if f.Center() != 0 || f.Clusters().ID(0) != "central" {
		t.Fatalf("the centre is %d, %q", f.Center(), f.Clusters().ID(0))
	}
	cpu := graph.Lookup(graph.Cluster, "cpu")
	if got := fmt.Sprint(f.Clusters().Values(cpu, 0)); got != "[2000 0 100 1000 100 1500]" {
		t.Errorf("the centre's cpu is %s", got)
	}
	for c := 1; c < f.Clusters().Len(); c++ {
		v := f.Clusters().Values(cpu, c)
		if v[0] < 1000 || v[0] > 3000 || v[1] < 0.4 || v[1] > 1 {
			t.Fatalf("cluster %d: %v", c, v)
		}
		if !f.Connected(c, 1+c%500) {
			t.Fatalf("cluster %d cannot reach its neighbour", c)
		}
	}
}

func TestRecipesThatCannotBe(t *testing.T) {
	d, f := graphs.DeploymentGenerator, graphs.FederationGenerator
	for _, c := range []struct {
		recipe workload.Recipe
		want   string
	}{
		{workload.Recipe{Generator: "graph", Preset: "thesis"}, `generator: "graph" where "deployment" is wanted`},
		{workload.Recipe{Generator: f, Preset: "thesis"}, `generator: "federation" where "deployment" is wanted`},
		{workload.Recipe{Generator: d, Preset: "big"}, `preset: "big" is unknown: expected thesis or listing`},
		{workload.Recipe{Generator: d, Preset: "thesis", Index: 10}, "index: 10 is not one of the 10 deployments: expected 0 to 9"},
		{workload.Recipe{Generator: d, Preset: "thesis", Index: -1}, "index: -1 is not one of"},
		{workload.Recipe{Generator: d, Preset: "listing", Index: 1}, "index: 1 is for the preset thesis"},
		{recipe("n_jobs", 3), "n_jobs: there is no such parameter: the generator deployment has n_nodes, n_edges, min_request"},
		{recipe("n_nodes", 0), "n_nodes: 0 is out of range: expected a whole number from 1 to 1000000"},
		{recipe("n_nodes", 2.5), "n_nodes: 2.5 is out of range: expected a whole number"},
		{recipe("n_nodes", 1e7), "n_nodes: 1e+07 is out of range"},
		{recipe("n_edges", math.NaN()), "n_edges: NaN is out of range"},
		{recipe("n_edges", 3), "n_edges: 3 is too few: a connected deployment of 5 jobs needs at least 4"},
		{recipe("n_nodes", 1, "n_edges", 1), "n_edges: 1 is too many: a single job has no other"},
		{recipe("min_latency", 90), "min_latency: 90 is above max_latency, 80"},
		{recipe("max_request", 2000), "max_limit: 1000 is below max_request, 2000"},
		{recipe("min_request", 0), "min_request: 0 is out of range: expected a number from 0.01"},
	} {
		_, err := graphs.Deployment(c.recipe)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %s", c.recipe, err, c.want)
		}
	}
	if _, err := graphs.Federation(workload.Recipe{Generator: f, Preset: "thesis", Index: 2}); err == nil {
		t.Error("a federation with an index is accepted")
	}
	if _, err := graphs.Defaults("graph", "thesis"); err == nil || !strings.Contains(err.Error(), "expected deployment or federation") {
		t.Errorf("defaults of an unknown generator: %v", err)
	}
}

// recipe returns a recipe with other parameters.
func recipe(overrides ...any) workload.Recipe {
	r := workload.Recipe{Generator: graphs.DeploymentGenerator, Preset: "listing", Parameters: map[string]float64{}}
	for i := 0; i < len(overrides); i += 2 {
		switch v := overrides[i+1].(type) {
		case int:
			r.Parameters[overrides[i].(string)] = float64(v)
		case float64:
			r.Parameters[overrides[i].(string)] = v
		}
	}
	return r
}

func TestEdgesFollowTheNodesInProportion(t *testing.T) {
	for nodes, edges := range map[int]int{1: 0, 2: 8, 50: 200} {
		follow, spelt := recipe("n_nodes", nodes), recipe("n_nodes", nodes, "n_edges", edges)
		if text(t, follow) != text(t, spelt) {
			t.Errorf("%d jobs do not get %d dependencies", nodes, edges)
		}
	}
}

func TestDefaultsAreWhatIsGenerated(t *testing.T) {
	for _, generator := range []string{"deployment", "federation"} {
		for _, preset := range []string{"thesis", "listing"} {
			parameters := must.Get(graphs.Defaults(generator, preset))(t)
			r := workload.Recipe{Generator: generator, Preset: preset, Parameters: map[string]float64{}}
			for _, p := range parameters {
				if p.Title == "" || p.Check(p.Default) != nil {
					t.Errorf("%s %s: %+v", generator, preset, p)
				}
				r.Parameters[p.Name] = p.Default
			}
			if spelt, short := text(t, r), text(t, workload.Recipe{Generator: generator, Preset: preset}); spelt != short {
				t.Errorf("%s %s: with its defaults spelt out a recipe gives another graph", generator, preset)
			}
		}
	}
}

// text generates a graph and writes it.
func text(t *testing.T, r workload.Recipe) string {
	var b strings.Builder
	var err error
	if r.Generator == graphs.DeploymentGenerator {
		err = dot.WriteDeployment(&b, deployment(t, r), dot.Plain)
	} else {
		err = dot.WriteFederation(&b, federation(t, r), dot.Plain)
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestMeshHasTheFiguresOfItsStar(t *testing.T) {
	star := federation(t, workload.Recipe{Preset: "thesis", Seed: 5})
	mesh := must.Get(graphs.Mesh(star))(t)
	n := star.Clusters().Len()
	if mesh.Center() >= 0 || mesh.Links().Len() != n*(n-1)/2 {
		t.Fatalf("centre %d, %d links", mesh.Center(), mesh.Links().Len())
	}
	latency := graph.Lookup(graph.Link, "latency")
	for a := range n {
		for b := range n {
			for f := range latency.Fields {
				x, okX := star.Figure(latency, f, a, b)
				y, okY := mesh.Figure(latency, f, a, b)
				if okX != okY || okX && x != y {
					t.Fatalf("clusters %d and %d: %v in the star, %v in the mesh", a, b, x, y)
				}
			}
		}
	}
	if again, _ := graphs.Mesh(mesh); again != mesh {
		t.Error("a federation without a centre is changed")
	}
	huge := federation(t, workload.Recipe{Preset: "thesis", Parameters: map[string]float64{"n_nodes": 2001}})
	if _, err := graphs.Mesh(huge); err == nil || !strings.Contains(err.Error(), "the limit is 2000000") {
		t.Errorf("a mesh of 2002 clusters: %v", err)
	}
}
