package placementkind_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"berth/engine/dot"
	"berth/engine/input/workload"
	"berth/engine/must"
	"berth/engine/placement"
	"berth/engine/placement/graphs"
	"berth/engine/placement/placementkind"
	"berth/engine/scenario"
)

const instance = "2 3\n4 2 7\n3 5 6\n10 12 8\n9 11 10\n25 12\n"

func ran(t *testing.T, d placementkind.Document) (*placementkind.Report, *placementkind.Prepared) {
	t.Helper()
	e := must.Get(scenario.Prepare(t.Context(), placementkind.New("", d), scenario.Env{}))(t)
	r := must.Get(e.Run(t.Context()))(t)
	work := must.Get(scenario.WorkOf[*placementkind.Prepared](e))(t)
	return placementkind.ReportOf(r), work
}

func strategies(names ...string) (runs []placementkind.StrategyRun) {
	for _, name := range names {
		runs = append(runs, placementkind.StrategyRun{Name: name})
	}
	return runs
}

// An instance of the OR-Library replaces both graphs.
func TestInstancesArePlaced(t *testing.T) {
	source := placementkind.GraphSource{Name: "p.gap", Text: instance}
	r, work := ran(t, placementkind.Document{Federation: source, Strategies: strategies(placement.Names()...)})
	for _, s := range r.Strategies {
		d := s.Deployments[0]
		if s.Strategy != "exact" {
			if d.Placed() && d.Cost.Total < 11 {
				t.Errorf("%s costs %v, less than the least", s.Strategy, d.Cost.Total)
			}
			continue
		}
		// Job 1 or 3 is on agent 2, which has room for one; the others are on agent 1.
		if d.Cost.Total != 12 || d.Proved != placement.ProvedOptimal || *d.Gap != 0 || *d.Bound > 12 {
			t.Errorf("exact: %+v", d)
		}
	}
	standings, found, err := work.Standings(t.Context(), "2")
	if err != nil || !found || len(standings) != len(r.Strategies) {
		t.Errorf("job 2: %v, found %t", err, found)
	}
	checked := placementkind.Check(t.Context(), source, dot.Unknown, placementkind.Reading{}, scenario.NewLoad(0))
	if checked.Role != dot.Federation || len(checked.Graphs) != 1 || checked.Graphs[0].Nodes != 2 {
		t.Errorf("it is recognised as %+v", checked)
	}
	broken := placementkind.Check(t.Context(), placementkind.GraphSource{Name: "p.gap", Text: instance + "x"}, dot.Unknown, placementkind.Reading{}, scenario.NewLoad(0))
	if len(broken.Diagnostics) != 1 || !strings.HasPrefix(broken.Diagnostics[0].String(), "p.gap:7:1: ") {
		t.Errorf("what is wrong is %v", broken.Diagnostics)
	}
	var found2 scenario.Problems
	both := placementkind.Document{Federation: source, Deployments: []placementkind.GraphSource{source}, Strategies: strategies("exact")}
	both.Validate("placement", &found2)
	if len(found2.List) != 1 {
		t.Errorf("an instance with a deployment: %v", found2.List)
	}
}

// The first deployment takes the cheap cluster from the second one, which would save more there:
// placed at once they cost less.
func TestJointPlacementTellsWhatTheOrderCosts(t *testing.T) {
	federation := placementkind.GraphSource{Name: "f.dot", Text: "graph { cheap [cpu=10, cpu_cost=1]; dear [cpu=10, cpu_cost=3]; cheap -- dear [latency=1, latency_cost=0]; }"}
	one := placementkind.GraphSource{Name: "one.dot", Text: "graph { a [request=2, limit=2]; }"}
	two := placementkind.GraphSource{Name: "two.dot", Text: "graph { a [request=9, limit=9]; }"}
	r, _ := ran(t, placementkind.Document{
		Federation: federation, Deployments: []placementkind.GraphSource{one, two}, Strategies: strategies("exact"), Joint: true,
	})
	s := r.Strategies[0]
	if j := s.Joint; j == nil || j.InOrder.Total != 29 || s.Total.Total != 15 || j.OrderCosts != 14 || j.Proved != placement.ProvedOptimal || math.Abs(*j.Gap) > 1e-9 {
		t.Errorf("at once: %+v, total %v", j, s.Total)
	}
	for i, want := range []string{"dear", "cheap"} {
		if got := s.Deployments[i].Placement[0]; got.Job != "a" || got.Cluster != want {
			t.Errorf("deployment %d stands on %v, want %s", i, got, want)
		}
	}
}

// If all deployments are placed at once, the report describes all of them together, and not their
// order.
func TestJointPlacementTellsOfAll(t *testing.T) {
	recipe := func(generator string, seed uint64, nodes float64) placementkind.GraphSource {
		return placementkind.GraphSource{Name: fmt.Sprintf("%s%d.dot", generator, seed), Recipe: &workload.Recipe{
			Generator: generator, Preset: graphs.ThesisPreset, Seed: seed, Parameters: map[string]float64{"n_nodes": nodes}}}
	}
	d := placementkind.Document{
		Federation:  recipe(graphs.FederationGenerator, 1, 20),
		Deployments: []placementkind.GraphSource{recipe(graphs.DeploymentGenerator, 1, 10), recipe(graphs.DeploymentGenerator, 2, 15)},
		Strategies:  strategies("best"), Joint: true,
	}
	var last placementkind.Reached
	work, done := 0.0, 0.0
	report := must.Get(scenario.Run(t.Context(), placementkind.New("joint", d), scenario.Env{Progress: func(p scenario.Progress) {
		work, done = float64(p.Total), float64(p.Done)
		if p.Interim == nil {
			return
		}
		must.Do(t, p.Interim.Decode(&last))
		if len(last.Placements) != 2 || last.Deployment != 0 || last.Cost.Defined() && (len(last.Placements[0]) != 10 || len(last.Placements[1]) != 15) {
			t.Fatalf("it has come to %+v", last)
		}
	}}))(t)
	s := placementkind.ReportOf(report).Strategies[0]
	if !(math.Abs(float64(last.Cost-s.Total.Total)) <= 1e-9*float64(s.Total.Total)) || last.Bound != *s.Joint.Bound || s.Joint.Steps != last.Steps {
		t.Errorf("told last is %+v, and it ends with %v, %+v", last, s.Total.Total, s.Joint.Certificate)
	}
	if work != 50 || done != work {
		t.Errorf("done are %v of %v", done, work)
	}
}
