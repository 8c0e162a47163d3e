package ui

import (
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"
)

// Progress shows how much of long work is done, in [0, 1], with a text such as "42 % · 0.48 s left",
// and a button that cancels it. prefix begins the data-testids of bar and button: "qos-".
func Progress(prefix, label string, fraction float64, text string, cancel func()) app.UI {
	return app.Div().Class("progress").Body(
		app.Div().Class("progress-line").Body(
			app.Span().Text(label),
			app.Span().Class("figures").Text(text),
			Button("stop", "Cancel").DataSet("testid", prefix+"cancel").OnClick(func(app.Context, app.Event) { cancel() }),
		),
		app.Progress().Max(1000).Value(int(fraction*1000)).DataSet("testid", prefix+"progress").Aria("label", label).Aria("valuetext", text),
	)
}

// Left estimates when work ends. The remaining time that it reports never grows; if the work takes
// longer, it says so.
type Left struct{ end time.Time }

const (
	tooSoon = 0.02 // part of the work below which an estimate would be a guess
	missed  = 1.2  // ratio of the current to the reported remaining time above which it says that the work takes longer
)

// Text returns the remaining time, as in "3 s left", after a part of the work took the elapsed
// time; "" while too little is done for an estimate.
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
