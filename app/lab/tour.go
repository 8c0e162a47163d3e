package lab

import (
	"fmt"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/shell"
	"berth/app/ui"
)

// tourParts are the subjects of the tour's steps, in order.
var tourParts = [...]string{"The picture", "The headline", "Why", "The player", "The dials"}

// tour is the tour of the stage.
type tour[I Inputs[I]] struct {
	lab    *Lab[I]
	step   int    // from 1; 0 outside the tour
	result string // hash of the result at the start of the current step
}

// button starts the tour; it is hidden once the user has inputs of their own.
func (t *tour[I]) button() app.UI {
	if shell.Embedded() || t.lab.Unsaved || len(t.lab.system.Tour) != len(tourParts) || t.step > 0 {
		return ui.None()
	}
	return ui.Button("help", "Tour").Title("See in five steps what is on this page").DataSet("testid", "tour-start").
		OnClick(func(app.Context, app.Event) { t.Go(1) })
}

// Go shows a step of the tour, or ends the tour for step 0. A style highlights
// the part of the page that the step describes.
func (t *tour[I]) Go(step int) {
	t.step, t.result = step, t.resultHash()
	ui.MarkRoot("tour", step)
	if step > 0 {
		ui.Focus(t.lab.Page, t.lab.id("tour"))
	}
}

func (t *tour[I]) resultHash() string {
	if t.lab.Runs.shown == nil || t.lab.Runs.shown.Report == nil {
		return ""
	}
	return t.lab.Runs.shown.Report.Results
}

// card draws the current step. The last step is done once the result has changed.
func (t *tour[I]) card() app.UI {
	step := t.step
	if step == 0 || !t.lab.Stage.OnStage() {
		return ui.None()
	}
	last := step == len(tourParts)
	changed := last && t.resultHash() != t.result && t.lab.Phase == Done
	text := t.lab.system.Tour[step-1]
	if changed {
		text = "The result has changed: " + t.lab.system.Screen().Says + " " + t.lab.Dials.moved + " Undo takes it back; Share sends it as a link."
	}
	move := func(label string, to int) app.UI {
		return app.Button().Type("button").Class("button").DataSet("testid", "tour-"+strings.ToLower(label)).Text(label).OnClick(func(app.Context, app.Event) { t.Go(to) }, app.EventScope(label, to))
	}
	return app.Section().Class("tour").ID(t.lab.id("tour")).TabIndex(-1).DataSet("testid", "tour").DataSet("step", step).Aria("label", "Tour").
		OnKeyDown(func(_ app.Context, e app.Event) {
			if e.Get("key").String() == "Escape" {
				t.Go(0)
			}
		}).Body(
		app.Div().Role("status").Body(
			app.H2().Text(fmt.Sprintf("%s, step %d of %d", tourParts[step-1], step, len(tourParts))),
			app.P().Text(text),
		),
		app.Label().Class("check").Body(ui.Checkbox(t.lab.id("tour-terms"), ui.NewHere(), ui.SetNewHere).DataSet("testid", "new-here"), app.Text("Explain words where they stand")),
		app.Div().Class("row").Body(
			app.If(step > 1, func() app.UI { return move("Back", step-1) }),
			app.If(!last, func() app.UI { return move("Next", step+1) }),
			app.If(last && !changed, func() app.UI {
				return app.Button().Type("button").Class("button").DataSet("testid", "tour-turn").Text("Turn it for me").OnClick(func(app.Context, app.Event) { t.lab.Dials.TurnFirst() })
			}),
			move(map[bool]string{false: "Close", true: "Done"}[changed], 0),
		),
	)
}

// TurnFirst turns the first dial to the farther end of its range.
func (w *dials[I]) TurnFirst() {
	all := w.dials()
	if len(all) == 0 {
		return
	}
	d := all[0]
	to := d.High
	if value := d.Value(w.lab.Inputs); d.High-value < value-d.Low {
		to = d.Low
	}
	w.turn(d, d.text(to))
	w.released()
}
