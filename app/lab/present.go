package lab

import (
	"fmt"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/ui"
	"berth/engine/show"
)

// presents reports whether a lecture is presented: the stage with large text, and the sentence of
// the step above it.
func (lc *lecture[I]) presents() bool { return lc.at > 0 }

// begin begins a presentation at the first step, which the caller shows.
func (lc *lecture[I]) begin() {
	lc.end()
	lc.at, lc.editing = 1, false
	lc.lab.Stage.bench, lc.lab.Tab = false, ""
	ui.MarkRoot("present", lc.at)
	lc.ends = []func(){
		ui.Listen(lc.lab.Page, "keydown", lc.press),
		ui.Listen(lc.lab.Page, "fullscreenchange", func(app.Context, app.Event) { // Esc leaves the full screen
			if !app.Window().Get("document").Get("fullscreenElement").Truthy() {
				lc.end()
			}
		}),
	}
	ui.Focus(lc.lab.Page, lc.lab.id("presentation"))
}

// present presents the lecture on the full screen.
func (lc *lecture[I]) present() {
	lc.begin()
	lc.show(0)
	fullScreen("documentElement", "requestFullscreen")
}

// fullScreen calls a method of the browser for full screen. If the browser lacks or refuses it, the
// presentation fills the window.
func fullScreen(of, method string) {
	element := app.Window().Get("document")
	if of != "" {
		element = element.Get(of)
	}
	if element.Get(method).Truthy() {
		ui.Await(element.Call(method), func(app.Value) {}, func(app.Value) {})
	}
}

// end ends the presentation; the last step stays on the stage.
func (lc *lecture[I]) end() {
	if !lc.presents() {
		return
	}
	for _, end := range lc.ends {
		end()
	}
	lc.at, lc.ends = 0, nil
	ui.MarkRoot("present", 0)
	if app.Window().Get("document").Get("fullscreenElement").Truthy() {
		fullScreen("", "exitFullscreen")
	}
	ui.Focus(lc.lab.Page, lc.lab.id("present"))
	lc.lab.Address.Located()
}

// stepBy goes to another step, if there is one.
func (lc *lecture[I]) stepBy(by int) {
	if to := lc.at + by; to >= 1 && to <= len(lc.steps) {
		lc.at = to
		lc.show(to - 1)
	}
}

// stepKeys are the keys that go to another step. A focused control keeps the keys that it uses
// itself. Remote controls send PageDown and PageUp.
var stepKeys = map[string]struct {
	by   int
	kept string // selector of the controls that use the key
}{
	"ArrowRight": {+1, usesArrows}, "ArrowDown": {+1, usesArrows}, " ": {+1, usesArrows + ", button, a, summary"}, "PageDown": {by: +1},
	"ArrowLeft": {-1, usesArrows}, "ArrowUp": {-1, usesArrows}, "PageUp": {by: -1},
}

const usesArrows = "input, select, textarea, [contenteditable], [role=application], [role=tab], [role=slider]"

func (lc *lecture[I]) press(ctx app.Context, e app.Event) {
	key := e.Get("key").String()
	step, known := stepKeys[key]
	target := e.Get("target")
	switch {
	case e.Get("defaultPrevented").Bool(), e.Get("ctrlKey").Bool(), e.Get("metaKey").Bool(), e.Get("altKey").Bool():
	case key == "Escape":
		lc.end()
		return
	case known && (step.kept == "" || !target.Get("closest").Truthy() || !target.Call("closest", step.kept).Truthy()):
		e.PreventDefault()
		lc.stepBy(step.by)
		return
	}
	ctx.PreventUpdate()
}

// strip draws the sentence of the step and the buttons of the presentation.
func (lc *lecture[I]) strip() app.UI {
	if !lc.presents() {
		return ui.None()
	}
	at, n := lc.at, len(lc.steps)
	return app.Section().Class("presentation").ID(lc.lab.id("presentation")).TabIndex(-1).Aria("label", "Presentation").DataSet("testid", "presentation").DataSet("step", at).Body(
		app.P().Role("status").DataSet("testid", "presentation-text").Body(
			app.Span().Class("figures").Text(fmt.Sprintf("%d of %d", at, n)), app.Text(" "+show.Words(lc.steps[at-1].Says))),
		ui.Disabled(ui.IconButton("left", "Previous step (←)"), at == 1).OnClick(func(app.Context, app.Event) { lc.stepBy(-1) }, app.EventScope("back")),
		ui.Disabled(ui.IconButton("right", "Next step (→)"), at == n).OnClick(func(app.Context, app.Event) { lc.stepBy(+1) }, app.EventScope("next")),
		ui.IconButton("fit", "Full screen").OnClick(func(app.Context, app.Event) { fullScreen("documentElement", "requestFullscreen") }),
		ui.IconButton("close", "End the presentation (Esc)").DataSet("testid", "presentation-end").OnClick(func(app.Context, app.Event) { lc.end() }),
	)
}
