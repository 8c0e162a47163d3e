package qos

import (
	"strings"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/lab"
	"berth/app/ui"
)

// progressBars show how far the run under way is, as a whole and by policy.
func (v *View) progressBars() app.UI {
	r := v.running
	if v.Phase != lab.Running || r == nil || !v.TakesLong() {
		return app.Text("")
	}
	var lines []app.UI
	for _, one := range r.runs {
		lines = append(lines, one.line())
	}
	return app.Div().Class("runs").Body(
		&ui.Progress{Label: "Simulating", TestID: "qos-", Meter: r.meter(time.Now()), OnCancel: func(app.Context) { v.Cancel() }},
		app.If(len(lines) > 1, func() app.UI { return app.Ul().Body(lines...) }),
	)
}

// line says how far one policy is.
func (r *run) line() app.UI {
	fraction := r.progress.Fraction
	if r.back {
		fraction = 1
	}
	return app.Li().Body(
		app.Span().Text(r.policy.Title()),
		app.Progress().Max(1000).Value(int(1000*fraction)).Aria("label", r.policy.Title()).Aria("valuetext", r.told()),
		app.Span().Class("figures").Text(r.told()),
	)
}

// told is the line as text: "45 % · at 6.1 h · 1.2 M events/s · 3 s left".
func (r *run) told() string {
	switch {
	case r.back:
		return "done"
	case r.begun.IsZero():
		return "not begun"
	}
	p := r.progress
	parts := []string{ui.Percent(p.Fraction)}
	if p.Phase == "reading" {
		return parts[0] + " read"
	}
	parts = append(parts, "at "+simulated(p.Time))
	if r.speed > 0 {
		parts = append(parts, ui.Number(r.speed)+" events/s")
	}
	meter := ui.Meter{Done: p.Fraction, Total: 1, Elapsed: r.heard.Sub(r.begun)}
	if left, ok := meter.Left(); ok {
		parts = append(parts, ui.Duration(left)+" left")
	}
	return strings.Join(parts, " · ")
}

// simulated writes a time of the simulation: "3 600 s", "2.5 h", "13.6 days".
func simulated(seconds float64) string {
	switch {
	case seconds < 2*3600:
		return ui.Unit(seconds, "s")
	case seconds < 2*86400:
		return ui.Unit(seconds/3600, "h")
	}
	return ui.Unit(seconds/86400, "days")
}
