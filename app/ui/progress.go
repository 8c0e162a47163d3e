package ui

import (
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"
)

// Progress shows how far long work has come, and a button that cancels it.
type Progress struct {
	app.Compo

	Label    string                // what is being done: "Placing"
	TestID   string                // before the data-testids of bar and button: "qos-"
	Fraction float64               // that is done, in [0, 1]
	Text     string                // beside the bar: "42 % · 0.48 s left"
	OnCancel func(ctx app.Context) // nil for work that cannot be cancelled
}

// Render draws the bar and its figures.
func (p *Progress) Render() app.UI {
	return app.Div().Class("progress").Body(
		app.Div().Class("progress-line").Body(
			app.Span().Text(p.Label),
			app.Span().Class("figures").Text(p.Text),
			app.If(p.OnCancel != nil, func() app.UI {
				return Button("stop", "Cancel").DataSet("testid", p.TestID+"cancel").OnClick(p.cancel)
			}),
		),
		app.Progress().Max(1000).Value(int(p.Fraction*1000)).
			DataSet("testid", p.TestID+"progress").
			Aria("label", p.Label).
			Aria("valuetext", p.Text),
	)
}

func (p *Progress) cancel(ctx app.Context, _ app.Event) { p.OnCancel(ctx) }

// Left is when work is expected to end. What it says is left never grows: work
// that turns out to take longer is said to do so.
type Left struct{ end time.Time }

const (
	tooSoon = 0.02 // the part that must be done before the rest is more than a guess
	missed  = 1.2  // how many times as long as expected work takes longer than expected
)

// Text is the time left after a part of the work took so long: "3 s left", ""
// while there is nothing to judge by.
func (l *Left) Text(fraction float64, elapsed time.Duration, now time.Time) string {
	if fraction < tooSoon || elapsed <= 0 {
		return ""
	}
	rest := time.Duration((1 - fraction) / fraction * float64(elapsed))
	if end := now.Add(rest); l.end.IsZero() || end.Before(l.end) {
		l.end = end
	}
	left := l.end.Sub(now)
	if float64(rest) > missed*float64(left) {
		return "takes longer than expected"
	}
	return Duration(left) + " left"
}
