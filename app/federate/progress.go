package federate

import (
	"maps"
	"slices"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/lab"
	"berth/app/ui"
	"berth/engine/federate/federatekind"
	"berth/engine/scenario"
)

// shownRuns is how many runs under way have a line of their own.
const shownRuns = 5

// runProgress shows how far the runs are: all of them together, and each that is
// under way.
func (v *View) runProgress() app.UI {
	b := v.batch
	if v.Phase != lab.Running || b == nil || !v.TakesLong() {
		return app.Text("")
	}
	lines := []app.UI{&ui.Progress{Label: "Running", TestID: "fed-", Text: b.String(),
		Meter: ui.Meter{Done: b.fraction(), Total: 1}, OnCancel: func(app.Context) { v.Cancel() }}}
	for _, part := range slices.Sorted(maps.Keys(b.progress))[:min(shownRuns, len(b.progress))] {
		lines = append(lines, b.line(part))
	}
	return app.Div().Class("fed-runs").Body(lines...)
}

// fraction is how much of all runs is done, in [0, 1].
func (b *batch) fraction() float64 {
	done := float64(len(b.parts) - b.left)
	for _, p := range b.progress {
		done += p.Fraction
	}
	return done / float64(len(b.parts))
}

// String is the line beside the bar: "42 % · 2 of 5 runs · 800 000 events/s · 3 s left".
func (b *batch) String() string {
	elapsed := time.Since(b.begun)
	text := ui.Percent(b.fraction()) + " · " + ui.Count(int64(len(b.parts)-b.left)) + " of " + ui.Counted(len(b.parts), "run")
	if n := b.events(); n > 0 && elapsed > 0 {
		text += " · " + ui.Number(float64(n)/elapsed.Seconds()) + " events/s"
	}
	if f := b.fraction(); f > 0.02 { // before that the rest is a guess
		text += " · " + ui.Duration(time.Duration((1-f)/f*float64(elapsed))) + " left"
	}
	return text
}

// events is how many were simulated so far, of all runs.
func (b *batch) events() int64 {
	n := int64(0)
	for _, run := range b.runs {
		if run != nil {
			for _, s := range federatekind.ReportOf(run.Report).Schedulers {
				n += s.Events
			}
		}
	}
	for _, p := range b.progress {
		n += p.Events
	}
	return n
}

// line is a run under way.
func (b *batch) line(part int) app.UI {
	p, name := b.progress[part], b.label(part)
	return app.Div().Class("fed-run-line").Body(
		app.Span().Text(name),
		app.Progress().Max(1000).Value(int(1000*p.Fraction)).Aria("label", name),
		app.Span().Class("figures").Text(progressText(p)),
	)
}

func progressText(p scenario.Progress) string {
	switch {
	case p.Phase == "":
		return "waits"
	case p.Phase == "running":
		return ui.Percent(p.Fraction) + " · at " + ui.Unit(p.Time, "s") + " · " + ui.Number(float64(p.Events)) + " events"
	}
	return p.Phase + " " + ui.Percent(p.Fraction)
}
