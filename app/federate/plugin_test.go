//go:build !js

package federate

import (
	"slices"
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/chart"
	"berth/app/lab/labtest"
	"berth/engine/federate"
	"berth/engine/federate/federatetest/onequeue"
)

func init() {
	if err := federate.Register(onequeue.Plugin); err != nil {
		panic(err)
	}
}

// A scheduler of another package has a box with its description and a colour by its position, runs
// on the page, and its tasks are explained.
func TestASchedulerFromOutsideIsOnThePage(t *testing.T) {
	b := open(t)
	b.do(small)
	b.do(func(in *inputs) { in.options.Schedulers = []string{"one-queue", "megha"} })
	b.wantDone()
	style := chart.StyleAt(slices.Index(federate.Names(), "one-queue"))
	boxes := app.HTMLString(b.schedulerBoxes())
	labtest.Has(t, boxes, `id="fed-scheduler-one-queue"`, onequeue.Plugin.Description, style.Color())
	if got := b.result.report().Schedulers[0]; got.Name != "one-queue" || got.Tasks != 3 {
		t.Errorf("%s ended %d tasks, want one-queue and 3", got.Name, got.Tasks)
	}
	page := app.HTMLString(b.charts.comparison()) + app.HTMLString(b.warnings())
	labtest.Has(t, page, "waits for a worker", "one-queue: a task that no idle worker can run keeps all behind it waiting")
	for _, series := range cdfs(b.result.report()) {
		if want := looks(b.result.report().Subjects())[series.Name]; series.Style != want {
			t.Errorf("%s looks like %s, want %s", series.Name, series.Style, want)
		}
	}
	b.why.explainTask(2)
	b.settle()
	r := b.taskReport()
	if got, want := headOf(r), "under one-queue"; !strings.HasSuffix(got, want) || len(r.Events) == 0 {
		t.Errorf("%q does not end with %q, or of %d decisions", got, want, len(r.Events))
	}
}
