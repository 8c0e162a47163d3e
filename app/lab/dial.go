package lab

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/ui"
	"berth/engine/scenario"
	"berth/engine/show"
)

// A Dial is a number of the inputs that the user drags on the stage while the result
// follows.
type Dial[I any] struct {
	ID, Label string
	Low, High float64
	Whole     bool
	Value     func(in I) float64
	Set       Setter[I]
}

const (
	dialSteps = 100 // one key press is a hundredth of the range
	mostDials = 5   // dials on the stage, pinned ones and the view's
	viewDials = 3   // the view's own, which pinned dials replace

	// followBelow limits the length of a run for the result to follow the user's drag; a
	// longer run starts when the user lets go. The first runs of a program take ten times
	// as long as later ones, because the browser compiles functions at their first call.
	followBelow = 800 * time.Millisecond
)

// dialling is the state of the dials during and after a drag.
type dialling[I any] struct {
	pinned []Dial[I]
	at     string           // id of the dial being dragged; "" for none
	says   string           // that dial with its value: "Price of Frankfurt 1.31"
	next   func()           // turns the dial to where it was dragged during a run, whose result is shown first
	before *scenario.Report // the result before the current one
	moved  string           // sentence about the move that the last change caused; "" for no move
}

// dials are the dials on the stage, pinned ones first.
func (l *Lab[I]) dials() []Dial[I] {
	all := slices.DeleteFunc(slices.Clone(l.dialling.pinned), func(d Dial[I]) bool { return math.IsNaN(d.Value(l.Inputs)) })
	if l.shownBatch != nil {
		own := slices.DeleteFunc(l.system.Screen().Dials, func(d Dial[I]) bool {
			return slices.ContainsFunc(all, func(p Dial[I]) bool { return p.ID == d.ID })
		})
		all = append(all, own[:min(len(own), max(0, viewDials-len(all)))]...)
	}
	return all[:min(len(all), mostDials)]
}

// text formats a value for Set.
func (d *Dial[I]) text(v float64) string {
	if d.Whole {
		return strconv.FormatFloat(math.Round(v), 'f', -1, 64)
	}
	return strconv.FormatFloat(math.Round(1e4*v)/1e4, 'f', -1, 64)
}

func (l *Lab[I]) dialRow() app.UI {
	all := l.dials()
	return app.Div().Class("dials").Body(app.Range(all).Slice(func(i int) app.UI { return l.dial(all[i]) }))
}

func (l *Lab[I]) dial(d Dial[I]) app.UI {
	id, value := l.id("dial-"+d.ID), d.Value(l.Inputs)
	at := math.Round(dialSteps * (value - d.Low) / (d.High - d.Low))
	text := ui.Number(value)
	slide := ui.Taking(ui.Showing(app.Input().Type("range").ID(id).Min(0).Max(dialSteps).Step(1), strconv.Itoa(int(max(0, min(at, dialSteps))))).
		Aria("valuetext", text), "input", func(ctx app.Context, position string) {
		p, _ := strconv.ParseFloat(position, 64)
		l.turn(d, d.text(d.Low+p/dialSteps*(d.High-d.Low)))
		if l.Following() { // the result shows the value, too
			ctx.PreventUpdate()
		}
	}, d.ID).OnChange(func(app.Context, app.Event) { l.released() }, app.EventScope(d.ID))
	return app.Div().Class("dial").DataSet("testid", "dial").DataSet("dial", d.ID).Body(
		app.Label().For(id).Text(show.Words(d.Label)), slide, app.Span().Class("figures").Text(text),
		app.If(slices.ContainsFunc(l.dialling.pinned, func(p Dial[I]) bool { return p.ID == d.ID }), func() app.UI {
			return ui.IconButton("close", "Remove the dial "+d.Label).OnClick(func(app.Context, app.Event) { l.unpinDial(d.ID) }, app.EventScope("unpin", d.ID))
		}),
	)
}

// turn sets a value while the user drags. The whole drag is one undo step.
func (l *Lab[I]) turn(d Dial[I], text string) {
	follows := l.took < followBelow
	if follows && l.Phase == Running {
		l.dialling.next = func() { l.turn(d, text) }
		return
	}
	in := l.Inputs.Clone()
	if d.Set(in, text) != nil || in.SameWork(l.Inputs) {
		return // the range may exceed the values that the engine accepts
	}
	if l.dialling.at != d.ID {
		l.replace("drag “"+d.Label+"”", in)
		l.dialling.at = d.ID
	} else {
		l.become(in, true)
	}
	l.place, l.dialling.says = nil, d.Label+" "+ui.Number(d.Value(in))
	if follows {
		l.Edited(0)
	} else {
		l.Tell()
	}
}

// Following reports whether the user drags a dial and the result follows.
func (l *Lab[I]) Following() bool { return l.dialling.at != "" && l.took < followBelow }

// Current reports whether the result on screen belongs to the inputs, or follows them in a drag.
func (l *Lab[I]) Current() bool { return l.Phase == Done || l.Phase != Failed && l.Following() }

// released ends a drag, after the value that waits for the end of a run.
func (l *Lab[I]) released() {
	w := &l.dialling
	if last := w.next; last != nil {
		w.next = func() { last(); l.letGo() }
	} else if w.at != "" {
		l.letGo()
	}
}

// letGo ends a drag and runs its last value if the result did not follow it.
func (l *Lab[I]) letGo() {
	l.dialling.at = ""
	l.KeepDraft()
	switch b := l.shownBatch; {
	case l.Phase == Idle:
		l.Edited(0)
	case l.Phase == Done && b.Over && !b.Partial():
		l.record(b)
	}
}

// follow turns the dial to where it was dragged during the last run.
func (l *Lab[I]) follow() {
	if next := l.dialling.next; next != nil && !l.Busy() {
		l.dialling.next = nil
		next()
	}
}

// flip notes which thing the last value of a dial moved.
func (l *Lab[I]) flip(last, b *Batch[I]) {
	w := &l.dialling
	if w.says == "" {
		return
	}
	if last != nil && last != b {
		w.before = last.Report
	}
	if w.before == nil || w.before == b.Report {
		return
	}
	d, err := scenario.Compare(w.before, b.Report)
	if err != nil || len(d.Moved) == 0 {
		return
	}
	first := d.Moved[0]
	w.moved = first.Thing + " moves to " + placeName(first.To)
	if others := slices.DeleteFunc(slices.Clone(d.Moved), func(m scenario.Move) bool { return m.Subject != first.Subject }); len(others) > 1 {
		w.moved += " and " + ui.Counted(len(others)-1, "other") + " elsewhere"
	}
	w.moved += " at " + w.says + "."
}

// forgetDial clears the drag and its note, keeping the pinned dials; another part of
// the inputs changes.
func (l *Lab[I]) forgetDial() { l.dialling = dialling[I]{pinned: l.dialling.pinned} }

// Pinnable is a field for a number with a button that pins the number as a dial.
func (l *Lab[I]) Pinnable(field app.UI, d Dial[I]) app.UI {
	return app.Div().Class("pinnable").Body(field, l.pinDial(d))
}

// DialOf makes a dial, from 0 up, of a number that text formats and set parses.
func DialOf[I any](id, label string, whole bool, text func(in I) string, set Setter[I]) Dial[I] {
	return Dial[I]{ID: id, Label: show.Capital(label), High: math.Inf(1), Whole: whole, Set: set, Value: func(in I) float64 {
		x, _ := strconv.ParseFloat(text(in), 64)
		return x
	}}
}

// noRow is the text of a number whose row was removed. It parses as NaN, which hides
// the dial until the row returns.
const noRow = "NaN"

func (l *Lab[I]) pinDial(d Dial[I]) app.UI {
	on := slices.ContainsFunc(l.dialling.pinned, func(p Dial[I]) bool { return p.ID == d.ID })
	return ui.IconButton("pin", "Pin "+d.Label+" as a dial").Class("pin-dial").DataSet("testid", "pin-dial").Aria("pressed", on).
		OnClick(func(app.Context, app.Event) {
			if on {
				l.unpinDial(d.ID)
				return
			}
			l.toDial(d)
		}, app.EventScope(d.ID, on))
}

// toDial pins a dial whose range is 0 to twice its value. Beyond mostDials the dial
// that was pinned first is removed.
func (l *Lab[I]) toDial(d Dial[I]) {
	least := 1.0 // length of the range
	if d.Whole {
		least = 10
	}
	d.Low, d.High = max(d.Low, 0), min(d.High, max(2*d.Value(l.Inputs), least))
	p := append(l.dialling.pinned, d)
	l.dialling.pinned = p[max(0, len(p)-mostDials):]
}

// Renumber drops the refused texts and the dials of the rows whose ids begin with
// prefix: a row was removed, which changed the indices of the rows behind it.
func (l *Lab[I]) Renumber(prefix string) {
	l.Forgive(prefix)
	l.dialling.pinned = slices.DeleteFunc(l.dialling.pinned, func(d Dial[I]) bool { return strings.HasPrefix(d.ID, prefix) })
}

func (l *Lab[I]) unpinDial(id string) {
	l.dialling.pinned = slices.DeleteFunc(l.dialling.pinned, func(d Dial[I]) bool { return d.ID == id })
}
