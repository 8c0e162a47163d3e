package ui

import (
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"
)

// ProgressBar shows the progress of long work, and a button that cancels it.
type ProgressBar struct {
	app.Compo

	Label    string                // of the work: "Placing"
	TestID   string                // prefix of the data-testids of bar and button: "qos-"
	Fraction float64               // completed part, in [0, 1]
	Text     string                // next to the bar: "42 % · 0.48 s left"
	OnCancel func(ctx app.Context) // nil if the work cannot be cancelled
}

// Render draws the bar and its figures.
func (p *ProgressBar) Render() app.UI {
	return app.Div().Class("progress").Body(
		app.Div().Class("progress-line").Body(
			app.Span().Text(p.Label),
			app.Span().Class("figures").Text(p.Text),
			app.If(p.OnCancel != nil, func() app.UI {
				return Button("stop", "Cancel").DataSet("testid", p.TestID+"cancel").OnClick(func(ctx app.Context, _ app.Event) { p.OnCancel(ctx) })
			}),
		),
		app.Progress().Max(1000).Value(int(p.Fraction*1000)).
			DataSet("testid", p.TestID+"progress").
			Aria("label", p.Label).
			Aria("valuetext", p.Text),
	)
}

// Left estimates when work ends. The remaining time that it reports never grows. If the work takes
// longer, it says so.
type Left struct{ end time.Time }

const (
	tooSoon = 0.02 // part of the work below which an estimate would be a guess
	missed  = 1.2  // ratio of the current to the reported remaining time above which the work takes longer than expected
)

// Text returns the remaining time, such as "3 s left". fraction of the work took the elapsed time.
// It returns "" while too little is done for an estimate.
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
