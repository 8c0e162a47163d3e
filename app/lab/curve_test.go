//go:build !js

package lab

import (
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/engine/figure"
	"berth/engine/must"
	"berth/engine/qos/qoskind"
	"berth/engine/study"
)

// One press runs the inputs at values around the dial's. The inputs do not change, and the
// experiment sets the same part of the document as the dial.
func TestVaryADial(t *testing.T) {
	b, engine := mount(t, qoskind.Kind)
	b.Inputs.seed, b.Inputs.both = 20, true
	b.Varying.openCurve(seedDial("seed"))
	engine.ConsumeAll()
	c := &b.Varying.curve
	if b.Dialog != dialogCurve || c.levels != "8, 12, 16, 20, 24, 28, 32" || b.Inputs.seed != 20 {
		t.Errorf("the dialog %q has the values %q, and the seed is %d", b.Dialog, c.levels, b.Inputs.seed)
	}
	if c.problem != "" || c.report == nil || c.report.Partial() || c.call != nil {
		t.Fatalf("%s: the runs have not ended: %+v", c.problem, c.report)
	}
	d := study.Of(c.experiment)
	for i, want := range []uint64{8, 12, 16, 20, 24, 28, 32} {
		plan := must.Get(study.NewPlan(d))(t)
		if run := plan.Run(i); run.Err != nil || qoskind.Of(run.Scenario).Seed != want {
			t.Errorf("%v: level %d is not seed %d", run.Err, i, want)
		}
	}
	lines := c.lines(figure.Named(qoskind.Kind.Figures, "met"))
	if len(lines.Series) != 2 || len(lines.Series[0].Points) != 7 || lines.Series[0].Points[6].X != 32 || lines.XLabel != "Seed" {
		t.Errorf("the curves are %+v", lines)
	}
	if got := c.says(); got != "All 5 seeds give the same results: each point is one deterministic run." {
		t.Errorf("it says %q", got)
	}
	if html := app.HTMLString(b.Varying.curvePanel()); !strings.Contains(html, "Open as an experiment") || !strings.Contains(html, "As a table") {
		t.Errorf("a way on or the table is missing in %s", html)
	}
	report := c.report
	for levels, want := range map[string]string{"3, x": `Seed cannot be`, "3, 41": "at most 40", "3, 3": "given twice"} {
		c.levels = levels
		c.run()
		engine.ConsumeAll()
		if !strings.Contains(c.problem, want) || c.report != report || c.call != nil {
			t.Errorf("of %q it says %q, want %q beside the last result", levels, c.problem, want)
		}
	}
	b.Inputs.jobs, b.Dialog = nil, ""
	if b.Varying.openCurve(seedDial("seed")); b.Dialog != "" || b.Files.Trouble == "" {
		t.Error("without a job there is nothing to vary, and nothing says so")
	}
}

// After a long run the dialog waits for a press, and closing it ends its runs.
func TestVaryWaitsAfterALongRun(t *testing.T) {
	b, engine := mount(t, qoskind.Kind)
	b.took = autoRunBelow
	b.Varying.openCurve(seedDial("seed"))
	c := &b.Varying.curve
	if c.call != nil || !strings.Contains(c.says(), "press Run") {
		t.Errorf("it runs, or does not say what to press: %s", c.says())
	}
	c.run()
	call := c.call
	c.stop()
	engine.ConsumeAll()
	if call.ctx.Err() == nil || c.report != nil || c.problem != "" {
		t.Errorf("the stopped runs gave %+v, %s", c.report, c.problem)
	}
}
