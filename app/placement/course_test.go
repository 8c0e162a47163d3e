//go:build !js

package placement

import (
	"context"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"berth/app/lab"
	"berth/app/ui"
	"berth/engine/input/workload"
	"berth/engine/must"
	"berth/engine/placement/graphs"
	"berth/engine/placement/placementkind"
	"berth/engine/scenario"
	"berth/engine/show"
	"berth/wasm/bridge"
	"berth/wasm/worker/handler"
)

// An improvement that ends by itself sets the number of steps in the inputs, so that the link leads
// to the same placement. It marks the moved jobs.
func TestAnImprovementHoldsItsSteps(t *testing.T) {
	b := open(t)
	before := b.result.report(0)
	b.searches.improve()
	b.wantDone()
	d := b.result.report(0).Deployments[0]
	if b.searches.course != nil || b.Inputs.strategy() != "exact" || d.Proved == "" || b.Inputs.options.Steps != d.Steps || d.Steps == 0 {
		t.Fatalf("under way %v, %s with %d steps, %q after %d", b.searches.course != nil, b.Inputs.strategy(), b.Inputs.options.Steps, d.Proved, d.Steps)
	}
	fresh := must.Get(scenario.Run(t.Context(), b.Inputs.scenario(), scenario.Env{}))(t)
	if got, want := b.result.JSON(), scenario.EncodeReport(fresh.Untimed()); !slices.Equal(got, want) {
		t.Errorf("with the steps of the link the report is\n%s\nthe page has\n%s", want, got)
	}
	s := b.result.report(0)
	if got, want := measured(tallied(placementkind.OfSearch), "steps", s, b.result.body()), ui.Count(d.Steps); got != want || d.Steps == d.Expansions {
		t.Errorf("%s is said to take %s steps, want %s; the heuristic before it went on to a job %d times", s.Strategy, got, want, d.Expansions)
	}
	if got := deploymentRows(b.result.body(), s, nil)[0].Cells; got[10].Value != float64(d.Steps) || got[11].Text != "–" {
		t.Errorf("the table of deployments has %v", got)
	}
	if got := measured(tallied(placementkind.OfSearch), "backtracks", s, b.result.body()); got != "–" {
		t.Errorf("%s is said to take %s jobs back", s.Strategy, got)
	}
	if got := b.why.candidatesCaption(); !strings.Contains(got, "Exact"+" chose by the whole placement") || strings.Contains(headOf(b.why.explanation), "tried") {
		t.Errorf("the row is called %q, of the step %q", got, headOf(b.why.explanation))
	}
	moved := movedBetween(placementsOf(before), []placementkind.Assignment{d.Placement})
	if len(moved) == 0 || !slices.Equal(b.picture.moved, moved) {
		t.Errorf("%v are marked, %v were moved", b.picture.moved, moved)
	}
}

// A stopped improvement keeps the placement that it reached and its steps.
func TestAStoppedImprovementIsKept(t *testing.T) {
	b := open(t)
	b.choose(federation, &lab.Source{Source: scenario.Source{Recipe: &workload.Recipe{
		Generator: graphs.FederationGenerator, Preset: "thesis", Parameters: map[string]float64{"n_nodes": 100}}}})
	b.choose(deployments, &lab.Source{Source: scenario.Source{Recipe: &workload.Recipe{
		Generator: graphs.DeploymentGenerator, Preset: "thesis", Parameters: map[string]float64{"n_nodes": 100}}}})
	b.wantDone()
	heuristic := b.result.report(0).Total.Total
	var seconds atomic.Int64
	b.Engine = bridge.NewPool(2, bridge.Local(func() bridge.Server {
		return watched{handler.New(func() float64 { return float64(1000 * seconds.Add(1)) }), func(r placementkind.Reached) {
			if r.Cost < heuristic && !b.searches.course.stopped {
				b.searches.stopImproving()
			}
		}}
	}))
	b.searches.improve()
	b.settle()
	b.Runs.Resume(b.result.Batch) // the clock runs fast, so the comparison waits for a request
	b.wantDone()
	s := b.result.report(0)
	if s.Strategy != "best" || s.Total.Total >= heuristic || b.Inputs.options.Steps != s.Deployments[0].Steps || s.Deployments[0].Steps == 0 {
		t.Fatalf("%s costs %v, the heuristic %v; steps %d of %d", s.Strategy, s.Total.Total, heuristic, b.Inputs.options.Steps, s.Deployments[0].Steps)
	}
	fresh := must.Get(scenario.Run(t.Context(), b.Inputs.scenario(), scenario.Env{}))(t)
	if !slices.Equal(b.result.JSON(), scenario.EncodeReport(fresh.Untimed())) {
		t.Errorf("with the steps of the link the report is\n%s\nthe page has\n%s", scenario.EncodeReport(fresh.Untimed()), b.result.JSON())
	}
	if text := b.searches.saved(); !strings.Contains(text, "above the cheapest possible") {
		t.Errorf("the headline is %q", text)
	}
}

// While the page searches for the best placement, the best so far can be shown.
func TestTheBestSoFarIsShown(t *testing.T) {
	b := open(t)
	heuristic := b.result.report(0).Total.Total
	var seconds atomic.Int64
	b.Engine = bridge.NewPool(2, bridge.Local(func() bridge.Server {
		return watched{handler.New(func() float64 { return float64(1000 * seconds.Add(1)) }), func(r placementkind.Reached) {
			if r.Cost < heuristic && b.result.seeks() && !b.result.best.wanted {
				b.result.best.showSoFar()
			}
		}}
	}))
	b.Form.SetOption("seed", "first seed", "4711", setSeed)
	b.Runs.Run()
	b.settle()
	b.Runs.Resume(b.result.Batch) // the clock runs fast, so the comparison waits for a request
	b.wantDone()
	s := b.result.report(b.shown)
	if s.Strategy != bestName || s.Total.Total >= heuristic || !complete(s) || b.result.seeks() {
		t.Fatalf("%s is shown for %v, the heuristic's costs %v", s.Strategy, s.Total.Total, heuristic)
	}
	if text := b.sentence(); !strings.Contains(text, show.Money(s.Total.Total)) || b.Status().Message != text || b.picture.overview.run != b.result.best.run {
		t.Errorf("the headline is %q, the foot %q", text, b.Status().Message)
	}
}

// watched is an engine that reports the results of improvements.
type watched struct {
	*handler.Handler
	seen func(placementkind.Reached)
}

func (w watched) Serve(ctx context.Context, call bridge.Message, send func(bridge.Message)) {
	w.Handler.Serve(ctx, call, func(m bridge.Message) {
		send(m)
		var at scenario.Progress
		var r placementkind.Reached
		if m.Kind == bridge.KindProgress && m.DecodeBody(&at) == nil && at.Interim != nil && at.Interim.Decode(&r) == nil {
			w.seen(r)
		}
	})
}

// Other inputs end an improvement, and it then changes nothing.
func TestAnImprovementGivesWay(t *testing.T) {
	b := open(t)
	b.searches.improve()
	b.Form.SetOption("seed", "first seed", "4711", setSeed)
	b.wantDone()
	if b.searches.course != nil || b.Inputs.strategy() != "heuristic" || b.Inputs.options.Seed != 4711 {
		t.Errorf("under way %v, %s, seed %d", b.searches.course != nil, b.Inputs.strategy(), b.Inputs.options.Seed)
	}
}
