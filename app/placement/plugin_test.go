//go:build !js

package placement

import (
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/lab"
	"berth/engine/placement"
	"berth/engine/placement/placementkind"
	"berth/engine/placement/placementtest/greedy"
)

func init() {
	if err := placement.Register(greedy.Plugin); err != nil {
		panic(err)
	}
}

// A strategy of another package is on the page with its name and description,
// runs there and is explained.
func TestAStrategyFromOutsideIsOnThePage(t *testing.T) {
	b := open(t)
	b.choose(federation, lab.TextSource("f.dot", twoClusters))
	b.choose(deployments, lab.TextSource("d.dot", twoJobs))
	b.Edit("choose it", func(in *inputs) { in.setStrategy("greedy") })
	b.settle()
	b.wantDone()
	options := app.HTMLString(b.optionFields())
	for _, want := range []string{`<option value="greedy"`, "heavy jobs first, each on the cheapest cluster, never back"} {
		if !strings.Contains(options, want) {
			t.Errorf("the options lack %s", want)
		}
	}
	if got, want := b.cells(), "a→eu b→us"; got != want {
		t.Errorf("it placed %s, want %s", got, want)
	}
	if got, want := headOf(b.why.explanation), "job a: 1st of 2 in SJ (y = 150), on cluster eu"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	set := lab.SetParameter(placementkind.OfRun(greedy.Plugin.Parameters[0]), firstRun)
	b.SetOption("greedy-scarcity", "price of an excess", "-1", set)
	if got := app.HTMLString(b.optionFields()); !strings.Contains(got, "Price of an excess: enter a number from 0") {
		t.Errorf("a price below 0: %s", got)
	}
	b.SetOption("greedy-scarcity", "price of an excess", "10", set)
	b.settle()
	b.wantDone()
	if got := app.HTMLString(b.optionFields()); !strings.Contains(got, `id="greedy-scarcity"`) || !strings.Contains(got, `value="10"`) {
		t.Errorf("the field of its parameter: %s", got)
	}
	if got, want := b.cells(), "a→us b→us"; got != want {
		t.Errorf("where an excess is dear it placed %s, want %s", got, want)
	}
	if got := app.HTMLString(b.comparePane()); !strings.Contains(got, "greedy(10)") {
		t.Errorf("the comparison does not tell its parameter: %s", got)
	}
}
