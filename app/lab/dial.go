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

	// followBelow is the longest run that still follows a drag. A longer run starts when
	// the user releases the dial. The first runs of a program take ten times as long as later ones,
	// because the browser compiles functions at their first call.
	followBelow = 800 * time.Millisecond
)

// dials is the state of the dials during and after a drag.
type dials[I Inputs[I]] struct {
	lab     *Lab[I]
	pinned  []Dial[I]
	at      string           // id of the dial being dragged; "" for none
	settles bool             // the drag is over, but the run that completes its last result has shown nothing yet
	says    string           // that dial with its value: "Price of Frankfurt 1.31"
	next    func()           // applies the latest value of the drag once the current run is shown; nil for none
	before  *scenario.Report // the result before the current one
	moved   string           // sentence about the move that the last change caused; "" if nothing moved
}

// dials returns the dials on the stage, pinned dials first.
func (w *dials[I]) dials() []Dial[I] {
	all := slices.DeleteFunc(slices.Clone(w.pinned), func(d Dial[I]) bool { return math.IsNaN(d.Value(w.lab.Inputs)) })
	if w.lab.Runs.shown != nil {
		own := slices.DeleteFunc(w.lab.system.Screen().Dials, func(d Dial[I]) bool {
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

func (w *dials[I]) row() app.UI {
	all := w.dials()
	return app.Div().Class("dials").Body(app.Range(all).Slice(func(i int) app.UI { return w.dial(all[i]) }))
}

func (w *dials[I]) dial(d Dial[I]) app.UI {
	id, value := w.lab.id("dial-"+d.ID), d.Value(w.lab.Inputs)
	at := math.Round(dialSteps * (value - d.Low) / (d.High - d.Low))
	text := ui.Number(value)
	slide := ui.Taking(ui.Showing(app.Input().Type("range").ID(id).Min(0).Max(dialSteps).Step(1), strconv.Itoa(int(max(0, min(at, dialSteps))))).
		Aria("valuetext", text), "input", func(ctx app.Context, position string) {
		p, _ := strconv.ParseFloat(position, 64)
		w.turn(d, d.text(d.Low+p/dialSteps*(d.High-d.Low)))
		if w.Following() { // the result shows the value, too
			ctx.PreventUpdate()
		}
	}, d.ID).OnChange(func(app.Context, app.Event) { w.released() }, app.EventScope(d.ID))
	return app.Div().Class("dial").DataSet("testid", "dial").DataSet("dial", d.ID).Body(
		app.Label().For(id).Text(show.Words(d.Label)), slide, app.Span().Class("figures").Text(text),
		ui.IconButton("curve", "Vary this: "+d.Label).Class("vary-this").DataSet("testid", "vary-this").
			OnClick(func(app.Context, app.Event) { w.lab.Varying.openCurve(d) }, app.EventScope("vary", d.ID)),
		app.If(slices.ContainsFunc(w.pinned, func(p Dial[I]) bool { return p.ID == d.ID }), func() app.UI {
			return ui.IconButton("close", "Remove the dial "+d.Label).OnClick(func(app.Context, app.Event) { w.unpin(d.ID) }, app.EventScope("unpin", d.ID))
		}),
	)
}

// turn sets a value while the user drags. The whole drag is one undo step.
func (w *dials[I]) turn(d Dial[I], text string) {
	follows := w.lab.took < followBelow
	if follows && w.lab.Phase == Running {
		w.next = func() { w.turn(d, text) }
		return
	}
	in := w.lab.Inputs.Clone()
	if d.Set(in, text) != nil || in.SameWork(w.lab.Inputs) {
		return // the range may exceed the values that the engine accepts
	}
	if w.at != d.ID {
		w.lab.replace("drag “"+d.Label+"”", in)
		w.at = d.ID
	} else {
		w.lab.become(in, true)
	}
	w.lab.Address.place, w.says = nil, d.Label+" "+ui.Number(d.Value(in))
	if follows {
		w.lab.Edited(0)
	} else {
		w.lab.Tell()
	}
}

// dragged reports whether the user is dragging a dial and the result follows.
func (w *dials[I]) dragged() bool { return w.at != "" && w.lab.took < followBelow }

// Following reports whether the result follows a drag. It stays true until the run after the drag
// shows its first result.
func (w *dials[I]) Following() bool { return w.dragged() || w.settles }

// completed records that a batch shows a result or has failed.
func (w *dials[I]) completed(b *Batch[I]) { w.settles = w.settles && b.light }

// Current reports whether the result on screen belongs to the inputs, or follows them during a
// drag.
func (w *dials[I]) Current() bool {
	return w.lab.Phase == Done || w.lab.Phase != Failed && w.Following()
}

// released is called when the user releases a dial. If the last value waits for a run to finish,
// the drag ends after that value is applied.
func (w *dials[I]) released() {
	if last := w.next; last != nil {
		w.next = func() { last(); w.letGo() }
	} else if w.at != "" {
		w.letGo()
	}
}

// letGo ends a drag and starts a full run of its last value. The runs during the drag are light
// ones.
func (w *dials[I]) letGo() {
	w.settles = w.dragged()
	w.at = ""
	w.lab.Draft.KeepDraft()
	if w.lab.Phase == Idle {
		w.lab.Edited(0)
	}
	w.follow()
}

// follow applies the latest value of the drag or, after the drag, runs its last value in full.
func (w *dials[I]) follow() {
	switch next, b := w.next, w.lab.Runs.shown; {
	case w.lab.Runs.Busy():
	case next != nil:
		w.next = nil
		next()
	case w.at == "" && w.lab.Phase == Done && b != nil && b.light:
		w.lab.Runs.Run()
	}
}

// flip writes the sentence about the object that moved when the user last turned the dial.
func (w *dials[I]) flip(last, b *Batch[I]) {
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

// forget clears the drag and its sentence, and keeps the pinned dials.
func (w *dials[I]) forget() { *w = dials[I]{lab: w.lab, pinned: w.pinned} }

// Pinnable is a field for a number with a button that pins the number as a dial.
func (w *dials[I]) Pinnable(field app.UI, d Dial[I]) app.UI {
	return app.Div().Class("pinnable").Body(field, w.pinButton(d))
}

// DialOf makes a dial for a number of at least 0 that text formats and set parses.
func DialOf[I any](id, label string, whole bool, text func(in I) string, set Setter[I]) Dial[I] {
	return Dial[I]{ID: id, Label: show.Capital(label), High: math.Inf(1), Whole: whole, Set: set, Value: func(in I) float64 {
		x, _ := strconv.ParseFloat(text(in), 64)
		return x
	}}
}

// noRow replaces the text of a number in a row that was removed. It parses as NaN,
// which hides the dial until the row returns.
const noRow = "NaN"

func (w *dials[I]) pinButton(d Dial[I]) app.UI {
	on := slices.ContainsFunc(w.pinned, func(p Dial[I]) bool { return p.ID == d.ID })
	return ui.IconButton("pin", "Pin "+d.Label+" as a dial").Class("pin-dial").DataSet("testid", "pin-dial").Aria("pressed", on).
		OnClick(func(app.Context, app.Event) {
			if on {
				w.unpin(d.ID)
				return
			}
			w.toDial(d)
		}, app.EventScope(d.ID, on))
}

// toDial pins a dial whose range is 0 to twice its value. If that makes more than mostDials, the
// dial that was pinned first is removed.
func (w *dials[I]) toDial(d Dial[I]) {
	least := 1.0 // shortest range
	if d.Whole {
		least = 10
	}
	d.Low, d.High = max(d.Low, 0), min(d.High, max(2*d.Value(w.lab.Inputs), least))
	p := append(w.pinned, d)
	w.pinned = p[max(0, len(p)-mostDials):]
}

// Renumber drops the refused texts and the dials of rows whose ids have a prefix. Call it when a
// row is removed, because that changes the ids of the later rows.
func (w *dials[I]) Renumber(prefix string) {
	w.lab.Form.Forgive(prefix)
	w.pinned = slices.DeleteFunc(w.pinned, func(d Dial[I]) bool { return strings.HasPrefix(d.ID, prefix) })
}

func (w *dials[I]) unpin(id string) {
	w.pinned = slices.DeleteFunc(w.pinned, func(d Dial[I]) bool { return d.ID == id })
}
