package placementkind

import (
	"slices"
	"strings"
	"testing"

	"berth/engine/input/workload"
	"berth/engine/must"
	"berth/engine/placement/graphs"
	"berth/engine/scenario"
)

// The difference names a cluster with a higher price and every job that leaves it.
func TestTheDifferenceOfTwoResults(t *testing.T) {
	s := testScenario(StrategyRun{Name: "heuristic"})
	dear := s.Clone()
	Of(dear).Federation.Text = strings.Replace(Of(s).Federation.Text, "cpu_cost=", "cpu_cost=7", 1)
	Of(dear).Seed++
	_, before := runTest(t, s, scenario.Env{})
	_, after := runTest(t, dear, scenario.Env{})
	d := must.Get(scenario.Compare(before, after))(t)
	lines := scenario.Changes(s, dear)
	if len(lines) != 2 || !strings.HasPrefix(lines[0], "price of ") || !strings.Contains(lines[0], " → 7") || !strings.HasPrefix(lines[1], "seed ") {
		t.Errorf("the inputs differ in %q", lines)
	}
	if len(d.Moved) == 0 || !strings.HasPrefix(d.Headline, "total cost ") || !strings.HasSuffix(d.Headline, " moved") {
		t.Errorf("%s: %+v", d.Headline, d.Moved)
	}
	for _, m := range d.Moved {
		old := ReportOf(before).Strategies[0].Deployments
		i := slices.IndexFunc(old, func(r DeploymentReport) bool { return r.Name == m.Group })
		if m.From == m.To || m.From != "" && !slices.Contains(old[i].Placement, Assigned{m.Thing, m.From}) {
			t.Errorf("%+v", m)
		}
	}
	same, err := scenario.Compare(before, before)
	if err != nil || len(same.Moved) > 0 || !strings.HasSuffix(same.Headline, "as before: 0 jobs moved") || scenario.Changes(s, s) != nil {
		t.Errorf("with itself: %+v, %v", same, err)
	}
}

// A figure is named after its deployment if both results have that name, and numbered otherwise.
func TestFiguresNameTheirDeployment(t *testing.T) {
	s := testScenario(StrategyRun{Name: "heuristic"})
	renamed := s.Clone()
	Of(renamed).Deployments[0].Name = "mine.dot"
	_, before := runTest(t, s, scenario.Env{})
	_, after := runTest(t, renamed, scenario.Env{})
	for _, test := range []struct {
		before *scenario.Report
		want   string
	}{{after, "Whether mine.dot is placed"}, {before, "Whether the first deployment is placed"}} {
		d := must.Get(scenario.Compare(test.before, after))(t)
		if !slices.ContainsFunc(d.Metrics, func(c scenario.FigureChange) bool { return c.Metric == "placed.0" && c.Title == test.want }) {
			t.Errorf("no figure says %q: %+v", test.want, d.Metrics)
		}
	}
}

// Changes are described with the titles and units of the fields.
func TestChangesAreSaidAsFieldsSayThem(t *testing.T) {
	generated := func(generator string, index int, values map[string]float64) GraphSource {
		r := workload.Recipe{Generator: generator, Preset: graphs.ThesisPreset, Seed: 1, Index: index, Parameters: values}
		return GraphSource{Name: generator, Recipe: &r}
	}
	before := New("before", Document{
		Federation:  generated(graphs.FederationGenerator, 0, nil),
		Deployments: []GraphSource{generated(graphs.DeploymentGenerator, 0, nil)},
		Strategies:  []StrategyRun{{Name: "random"}},
	})
	for _, test := range []struct {
		change func(d *Document)
		want   []string
	}{
		{func(d *Document) {
			d.Federation = generated(graphs.FederationGenerator, 0, map[string]float64{"n_nodes": 60, "max_latency": 20})
		}, []string{"federation: clusters, without the centre 50 → 60", "federation: highest latency of a link to the centre 15 → 20\u202fms"}},
		{func(d *Document) { d.Deployments[0] = generated(graphs.DeploymentGenerator, 2, nil) }, []string{
			"deployment 1: which of the thesis's ten 0 → 2", "deployment 1: jobs 5 → 20", "deployment 1: dependencies 15 → 40",
		}},
		{func(d *Document) {
			d.Deployments = append(d.Deployments, GraphSource{Name: "more.dot", Text: "graph {}"})
		}, []string{
			"deployments deployment → deployment, more.dot",
		}},
		{func(d *Document) {
			d.ShortestPaths, d.Steps, d.Strategies = true, 100, []StrategyRun{{Name: "random", Seeds: 20}}
		}, []string{
			"shortest paths no → yes", "steps of strategies that improve: chosen by the problem → 100", "random: seeds 1 → 20",
		}},
	} {
		after := before.Clone()
		test.change(Of(after))
		if got := scenario.Changes(before, after); !slices.Equal(got, test.want) {
			t.Errorf("got  %q\nwant %q", got, test.want)
		}
	}
}

// After a what-if, every seed keeps the placement of its own earlier run.
func TestEverySeedKeepsItsPlacement(t *testing.T) {
	s := testScenario(StrategyRun{Name: "random", Seeds: 3})
	Of(s).WhatIf, Of(s).Keep = []string{"latency ×1"}, true
	_, kept := runTest(t, s, scenario.Env{})
	Of(s).WhatIf, Of(s).Keep = nil, false
	_, before := runTest(t, s, scenario.Env{})
	got, want := ReportOf(kept).Strategies[0].Summary, ReportOf(before).Strategies[0].Summary
	if got.Placed != want.Placed || got.At("total") != want.At("total") {
		t.Errorf("a change of nothing gives %+v, want %+v", got, want)
	}
}
