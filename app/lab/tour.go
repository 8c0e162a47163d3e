package lab

import (
	"fmt"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/shell"
	"berth/app/ui"
)

// touring is the user's progress in the tour of the stage.
type touring struct {
	step   int    // from 1; 0 outside the tour
	result string // hash of the result at the start of the current step
}

// tourParts are the subjects of the tour's steps, in order.
var tourParts = [...]string{"The picture", "The headline", "Why", "The player", "The dials"}

// tourButton starts the tour; it is hidden once the user has inputs of their own.
func (l *Lab[I]) tourButton() app.UI {
	if shell.Embedded() || l.Unsaved || len(l.system.Tour) != len(tourParts) || l.touring.step > 0 {
		return ui.None()
	}
	return ui.Button("help", "Tour").Title("See in five steps what is on this page").DataSet("testid", "tour-start").
		OnClick(func(app.Context, app.Event) { l.GoOnTour(1) })
}

// GoOnTour shows a step of the tour, or ends the tour for step 0. A style highlights
// the part of the page that the step describes.
func (l *Lab[I]) GoOnTour(step int) {
	l.touring = touring{step: step, result: l.resultHash()}
	ui.MarkRoot("tour", step)
	if step > 0 {
		ui.Focus(l.Page, l.id("tour"))
	}
}

func (l *Lab[I]) resultHash() string {
	if l.shownBatch == nil || l.shownBatch.Report == nil {
		return ""
	}
	return l.shownBatch.Report.Results
}

// tour draws the current step; the last step is done once the result has changed.
func (l *Lab[I]) tour() app.UI {
	step := l.touring.step
	if step == 0 || !l.OnStage() {
		return ui.None()
	}
	last := step == len(tourParts)
	changed := last && l.resultHash() != l.touring.result && l.Phase == Done
	text := l.system.Tour[step-1]
	if changed {
		text = "The result has changed: " + l.system.Screen().Says + " " + l.dialling.moved + " Undo takes it back; Share sends it as a link."
	}
	move := func(label string, to int) app.UI {
		return app.Button().Type("button").Class("button").DataSet("testid", "tour-"+strings.ToLower(label)).Text(label).OnClick(func(app.Context, app.Event) { l.GoOnTour(to) }, app.EventScope(label, to))
	}
	return app.Section().Class("tour").ID(l.id("tour")).TabIndex(-1).DataSet("testid", "tour").DataSet("step", step).Aria("label", "Tour").
		OnKeyDown(func(_ app.Context, e app.Event) {
			if e.Get("key").String() == "Escape" {
				l.GoOnTour(0)
			}
		}).Body(
		app.Div().Role("status").Body(
			app.H2().Text(fmt.Sprintf("%s, step %d of %d", tourParts[step-1], step, len(tourParts))),
			app.P().Text(text),
		),
		app.Label().Class("check").Body(ui.Checkbox(l.id("tour-terms"), ui.NewHere(), ui.SetNewHere).DataSet("testid", "new-here"), app.Text("Explain words where they stand")),
		app.Div().Class("row").Body(
			app.If(step > 1, func() app.UI { return move("Back", step-1) }),
			app.If(!last, func() app.UI { return move("Next", step+1) }),
			app.If(last && !changed, func() app.UI {
				return app.Button().Type("button").Class("button").DataSet("testid", "tour-turn").Text("Turn it for me").OnClick(func(app.Context, app.Event) { l.TurnFirstDial() })
			}),
			move(map[bool]string{false: "Close", true: "Done"}[changed], 0),
		),
	)
}

// TurnFirstDial turns the first dial to the end of its range that is farther from its
// value.
func (l *Lab[I]) TurnFirstDial() {
	all := l.dials()
	if len(all) == 0 {
		return
	}
	d := all[0]
	to := d.High
	if value := d.Value(l.Inputs); d.High-value < value-d.Low {
		to = d.Low
	}
	l.turn(d, d.text(to))
	l.released()
}
