package ui

import (
	"cmp"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"
)

// Progress shows how far long work has come: the fraction, the rate, the time
// left, and a button that cancels.
type Progress struct {
	app.Compo

	Label    string // what is being done: "Placing"
	TestID   string // before the data-testids of bar and button: "qos-"
	Meter    Meter
	Text     string                // beside the bar, in place of the figures of the meter
	OnCancel func(ctx app.Context) // nil for work that cannot be cancelled
}

// Render draws the bar and its figures.
func (p *Progress) Render() app.UI {
	text := cmp.Or(p.Text, p.Meter.String())
	return app.Div().Class("progress").Body(
		app.Div().Class("progress-line").Body(
			app.Span().Text(p.Label),
			app.Span().Class("figures").Text(text),
			app.If(p.OnCancel != nil, func() app.UI {
				return Button("stop", "Cancel").DataSet("testid", p.TestID+"cancel").OnClick(p.cancel)
			}),
		),
		app.Progress().Max(1000).Value(int(p.Meter.Fraction()*1000)).
			DataSet("testid", p.TestID+"progress").
			Aria("label", p.Label).
			Aria("valuetext", text),
	)
}

func (p *Progress) cancel(ctx app.Context, _ app.Event) { p.OnCancel(ctx) }

// Meter measures work from the figures of its progress messages. Elapsed is
// handed in, so that this code needs no clock.
type Meter struct {
	Done, Total float64 // in Unit; a Total of 0 is not known yet
	Unit        string  // "jobs", "bytes"
	Elapsed     time.Duration
}

// Fraction is the share of the work that is done, in [0, 1].
func (m Meter) Fraction() float64 {
	if m.Total <= 0 {
		return 0
	}
	return max(0, min(1, m.Done/m.Total))
}

// Rate is the work done in a second.
func (m Meter) Rate() float64 {
	if m.Elapsed <= 0 {
		return 0
	}
	return m.Done / m.Elapsed.Seconds()
}

// Left is the time that the rest takes at the present rate; ok is false while
// there is nothing to judge by.
func (m Meter) Left() (left time.Duration, ok bool) {
	if m.Rate() <= 0 || m.Total <= 0 {
		return 0, false
	}
	seconds := max(0, m.Total-m.Done) / m.Rate()
	return time.Duration(seconds * float64(time.Second)), true
}

// String is the line beside the bar: "42 % · 420 of 1 000 jobs · 1 200 jobs/s · 0.48 s left".
func (m Meter) String() string {
	if m.Total <= 0 {
		if m.Done == 0 {
			return "" // nothing was heard of it yet
		}
		return Number(m.Done) + " " + m.Unit
	}
	line := Percent(m.Fraction()) + " · " + Number(m.Done) + " of " + Number(m.Total) + " " + m.Unit
	if left, ok := m.Left(); ok {
		line += " · " + Number(m.Rate()) + " " + m.Unit + "/s · " + Duration(left) + " left"
	}
	return line
}
