//go:build !js

package placement

import (
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/lab"
	"berth/app/lab/labtest"
	"berth/engine/placement/placementkind"
)

// Results after a pinned one are compared with it: in words, by figures, and job by job.
func TestAPinnedResultIsComparedWithWhatComesNext(t *testing.T) {
	b := place(t, lab.TextSource("d.dot", twoJobs))
	b.Edit("heuristic alone", func(in *inputs) {
		in.options.Strategies = []placementkind.StrategyRun{{Name: "heuristic"}}
	})
	b.settle()
	before := b.cells()
	b.Pins.Toggle()
	if b.Pins.Difference() != nil {
		t.Error("a result differs from itself")
	}
	dearer := strings.Replace(twoClusters, "cpu_cost=1", "cpu_cost=5", 1)
	b.uploads.typed(-1, dearer)
	b.wantDone()
	d := b.Pins.Difference()
	if d == nil || b.cells() == before {
		t.Fatalf("nothing moved: %s", b.cells())
	}
	app.HTMLString(b.Render())
	b.settle()
	labtest.Has(t, app.HTMLString(b.Render()), `data-testid="difference-inputs"`, "<li>price of eu 1 → 5</li>")
	if !strings.HasPrefix(d.Headline, "total cost ") || !strings.HasSuffix(d.Headline, ": 1 job moved") {
		t.Error(d.Headline)
	}
	row := b.picture.rows[0]
	if got := row.Cells[len(row.Cells)-1].Text; row.Class != "moved" || got != "eu" || len(b.picture.moved) != 1 || b.picture.moved[0] != "job-0-0" {
		t.Errorf("the row of the job that moved is %+v, and marked is %v", row, b.picture.moved)
	}
	if got := b.Pins.Delta("cost.total", "heuristic"); !strings.HasPrefix(got, "+") {
		t.Errorf("the total cost differs by %q", got)
	}
	b.Pins.Toggle()
	if b.Pins.Difference() != nil || b.picture.moved != nil || len(b.comparison.placementColumns()) != 4 {
		t.Error("without a pinned result something is still compared")
	}
}

// With several deployments, each has a separate difference.
func TestEachDeploymentDiffersByItself(t *testing.T) {
	b := place(t, lab.TextSource("d.dot", twoJobs))
	b.choose(more, lab.TextSource("e.dot", twoJobs))
	b.wantDone()
	cells := len(b.picture.deployments[0].Cells)
	b.Pins.Toggle()
	b.uploads.typed(-1, strings.Replace(twoClusters, "cpu_cost=1", "cpu_cost=5", 1))
	b.wantDone()
	for i, cost := range []string{"+", "same"} { // the second deployment is on clusters with unchanged prices
		if got := b.picture.deployments[i].Cells; len(got) != cells+4 || !strings.HasPrefix(got[1].Text, cost) || got[4].Text != "same" {
			t.Errorf("the row is %+v, want a cost that differs by %s", got, cost)
		}
	}
	b.Pins.Toggle()
	if got := len(b.picture.deployments[0].Cells); got != cells {
		t.Errorf("without a pinned result there are %d cells, before %d", got, cells)
	}
}
