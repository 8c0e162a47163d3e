//go:build !js

package placement

import (
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/lab"
	"berth/app/lab/labtest"
	"berth/engine/parameter"
	"berth/engine/placement"
	"berth/engine/placement/placementtest/greedy"
)

// lucky is a strategy with several seeds that improves the placement of one job on one cluster.
var lucky = placement.Plugin{
	Name: "lucky", Description: "draws",
	Facts: placement.Facts{Seeds: 5, Improves: true, UpTo: 1},
	New: func(parameter.Values) placement.Strategy {
		return greedy.Plugin.New(parameter.Values{"scarcity": 0.5})
	},
}

func init() {
	for _, p := range []placement.Plugin{greedy.Plugin, lucky} {
		if err := placement.Register(p); err != nil {
			panic(err)
		}
	}
}

// The declarations of a strategy of another package take effect: the field of the seeds names it
// and sets its seeds, and Improve continues with it if it is suitable.
func TestAStrategyFromOutsideHasSeedsAndImproves(t *testing.T) {
	b := open(t)
	b.choose(federation, lab.TextSource("f.dot", `graph { a [cpu=4, memory=4, cpu_cost=1, memory_cost=1] }`))
	b.choose(deployments, lab.TextSource("d.dot", `graph { x [request=1, limit=1] }`))
	b.Edit("choose it", func(in *inputs) { in.setStrategy("lucky") })
	b.Form.SetOption("seeds", "seeds", "3", setSeeds)
	b.wantDone()
	if got := app.HTMLString(b.forms.optionFields()); !strings.Contains(got, "seeds of lucky, random") {
		t.Errorf("the field of the seeds does not name it: %s", got)
	}
	if got := b.result.report(0); got.Strategy != "lucky" || got.Seeds != 3 {
		t.Errorf("%s ran over %d seeds, want 3", got.Strategy, got.Seeds)
	}
	if got := b.searches.improver(); got != "lucky" || b.searches.improveLabel() != "Improve further" {
		t.Errorf("%s improves: %s", got, b.searches.improveLabel())
	}
	for work, want := range map[int]string{1: "lucky", 2: "exact", 5000: "exact", 5001: "best"} {
		if got := placement.Improver(work); got != want {
			t.Errorf("%s improves where jobs × clusters are %d, want %s", got, work, want)
		}
	}
}

// A strategy of another package is on the page with its name and description, runs there and is
// explained.
func TestAStrategyFromOutsideIsOnThePage(t *testing.T) {
	b := place(t, lab.TextSource("d.dot", twoJobs))
	b.Edit("choose it", func(in *inputs) { in.setStrategy("greedy") })
	b.wantDone()
	options := app.HTMLString(b.forms.optionFields())
	labtest.Has(t, options, `<option value="greedy"`, "heavy jobs first, each on the cheapest cluster, without backtracking")
	if got, want := b.cells(), "a→eu b→us"; got != want {
		t.Errorf("it placed %s, want %s", got, want)
	}
	if got, want := headOf(b.why.explanation), "job a: 1st of 2 in SJ (y = 150), on cluster eu"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	set := lab.SetParameter(&parameter.Below("parameters", greedy.Plugin.Parameters)[0], func(in *inputs) any { return &in.options.Strategies[0] })
	b.Form.SetOption("greedy-scarcity", "price of an excess", "-1", set)
	if got := app.HTMLString(b.forms.optionFields()); !strings.Contains(got, "Price of an excess: enter a number from 0") {
		t.Errorf("a price below 0: %s", got)
	}
	b.Form.SetOption("greedy-scarcity", "price of an excess", "10", set)
	b.wantDone()
	if got := app.HTMLString(b.forms.optionFields()); !strings.Contains(got, `id="greedy-scarcity"`) || !strings.Contains(got, `value="10"`) {
		t.Errorf("the field of its parameter: %s", got)
	}
	if got, want := b.cells(), "a→us b→us"; got != want {
		t.Errorf("where an excess is dear it placed %s, want %s", got, want)
	}
	if got := app.HTMLString(b.comparison.comparePane()); !strings.Contains(got, "greedy(10)") || !strings.Contains(got, "prices compared") {
		t.Errorf("the comparison does not tell its parameter and its counter: %s", got)
	}
}
