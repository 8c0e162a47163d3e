package lab

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/shell"
	"berth/app/ui"
	"berth/engine/scenario"
	"berth/engine/show"
	"berth/wasm/bridge"
)

// lecture is a list of saved steps. The card on the stage edits them.
type lecture[I Inputs[I]] struct {
	lab *Lab[I]

	steps   []scenario.LectureStep
	editing bool   // the card is open
	says    string // sentence that the user types for the next step
	packing Latest
	link    string // fragment of the lecture; "" before it is made
	problem string // why the link cannot be made

	at   int      // presented step, from 1; 0 for no presentation
	ends []func() // remove the listeners of the presentation from the window
}

// lectureKey is the key of the browser's storage for the lecture of this laboratory.
func (lc *lecture[I]) lectureKey() string { return "berth.lecture." + lc.lab.system.Kind.Name }

// toggle opens or closes the card. It opens with the lecture of the last visit.
func (lc *lecture[I]) toggle() {
	lc.editing = !lc.editing
	if !lc.editing {
		return
	}
	if lc.lab.Stage.bench {
		lc.lab.Stage.switchOver()
	}
	if len(lc.steps) == 0 && !shell.Embedded() {
		_ = json.Unmarshal([]byte(ui.Stored(lc.lectureKey())), &lc.steps) // a browser's storage may hold anything
	}
	lc.pack()
	ui.Focus(lc.lab.Page, lc.lab.id("lecture-says"))
}

// save adds the inputs and the place on screen as a step with the typed sentence.
func (lc *lecture[I]) save(_ app.Context, e app.Event) {
	e.PreventDefault()
	says := strings.TrimSpace(lc.says)
	if says == "" || len(lc.steps) >= scenario.MaxLecture || lc.lab.Runs.lacks() {
		return
	}
	input, place := lc.lab.Inputs.Input(), lc.place()
	Ask(nil, lc.lab.Later, func() (string, error) { return lc.lab.LinkTo(lc.lab.Page, lc.lab.system.Kind, input) }, func(address string, err error) {
		if err != nil {
			lc.lab.Complain("The step was not saved", err)
			return
		}
		_, link, _ := strings.Cut(address, LinkLead)
		lc.says = ""
		lc.lab.Page.Defer(func(app.Context) { ui.FillControls(true) }) // also into the focused field
		lc.change(append(slices.Clip(lc.steps), scenario.LectureStep{Link: link, Place: place, Says: says}))
		shell.Announce(lc.lab.Page, fmt.Sprintf("Saved as step %d.", len(lc.steps)))
	})
}

// place returns the place in the result as the stage shows it.
func (lc *lecture[I]) place() string {
	place := maps.Clone(lc.lab.system.Screen().Place)
	place.Del(tabKey)
	return place.Encode()
}

// change replaces the steps, and stores them in this browser.
func (lc *lecture[I]) change(steps []scenario.LectureStep) {
	lc.steps = steps
	if text, err := json.Marshal(steps); err == nil && !shell.Embedded() {
		ui.Store(lc.lectureKey(), string(text))
	}
	lc.pack()
}

// pack has a worker make the link of the lecture.
func (lc *lecture[I]) pack() {
	lc.link, lc.problem = "", ""
	steps := lc.steps
	if len(steps) == 0 {
		lc.packing.Drop()
		return
	}
	Ask(&lc.packing, lc.lab.Later, func() (string, error) {
		return bridge.AskTool(lc.lab.Page, lc.lab.Engine, scenario.PackLecture, steps, nil)
	}, func(link string, err error) {
		lc.link = link
		if err != nil {
			lc.problem = "The link could not be made: " + err.Error()
		}
	})
}

func (lc *lecture[I]) remove(i int) {
	lc.change(slices.Delete(slices.Clone(lc.steps), i, i+1))
	ui.Focus(lc.lab.Page, lc.lab.id("lecture-says"))
}

// moveUp swaps step i with the step before it.
func (lc *lecture[I]) moveUp(i int) {
	steps := slices.Clone(lc.steps)
	steps[i-1], steps[i] = steps[i], steps[i-1]
	lc.change(steps)
	ui.Focus(lc.lab.Page, lc.stepID(i-1))
}

func (lc *lecture[I]) stepID(i int) string { return lc.lab.id(fmt.Sprint("lecture-step-", i)) }

// open shows the first step of a lecture from a link, as a presentation. Without steps it does
// nothing.
func (lc *lecture[I]) open(steps []scenario.LectureStep) {
	if steps != nil {
		lc.steps = steps
		lc.begin()
		lc.lab.Address.place = lc.placeOf(0)
	}
}

// placeOf is the place of a step, never nil.
func (lc *lecture[I]) placeOf(i int) url.Values {
	place, err := url.ParseQuery(lc.steps[i].Place)
	if err != nil {
		place = url.Values{}
	}
	return place
}

// show shows a step.
func (lc *lecture[I]) show(i int) {
	if lc.at > 0 {
		lc.lab.Unsaved = false // turning dials during a lecture is not unsaved work
	}
	lc.lab.Address.followAddress(LinkLead+lc.steps[i].Link, lc.placeOf(i))
}

func (lc *lecture[I]) button() app.UI {
	return ui.Button("play", "Present").ID(lc.lab.id("present")).Title("Save steps with a sentence each, and present them on the full screen").
		Aria("expanded", lc.editing).DataSet("testid", "present").OnClick(func(app.Context, app.Event) { lc.toggle() })
}

// card draws the field that saves a step, and the list of steps.
func (lc *lecture[I]) card() app.UI {
	if !lc.editing {
		return ui.None()
	}
	id, n := lc.lab.id("lecture-says"), len(lc.steps)
	field := ui.Showing(app.Input().Type("text").ID(id).MaxLength(scenario.MaxSentence).DataSet("testid", "lecture-says"), lc.says)
	return app.Section().Class("lecture").DataSet("testid", "lecture").Aria("label", "Lecture").Body(
		app.Form().Class("row").OnSubmit(lc.save).Body(
			app.Label().For(id).Text("What this step shows"),
			ui.Taking(field, "input", func(_ app.Context, says string) { lc.says = says }),
			ui.Disabled(app.Button().Type("submit").Class("button").DataSet("testid", "lecture-save").Text("Save this step"), n >= scenario.MaxLecture),
			ui.IconButton("close", "Close the lecture").OnClick(func(app.Context, app.Event) { lc.toggle() }),
		),
		app.P().Class("hint").Hidden(n > 0).Text("A step keeps the inputs with their dials, the position of the player, and your sentence."),
		app.Ol().Hidden(n == 0).TabIndex(0).Aria("label", "Steps").Body(app.Range(lc.steps).Slice(lc.row)),
		app.If(lc.problem != "", func() app.UI { return ui.Problem(lc.problem) }),
		app.Div().Class("row").Hidden(n == 0).Body(
			ui.Button("play", "Present from the first step").Class("primary").DataSet("testid", "lecture-present").OnClick(func(app.Context, app.Event) { lc.present() }),
			ui.Disabled(ui.Button("copy", "Copy the link"), lc.link == "").DataSet("testid", "lecture-copy").OnClick(func(ctx app.Context, _ app.Event) {
				shell.Copy(ctx, lc.address(), "The link to the lecture was copied.", "The browser does not allow copying.")
			}),
			app.If(lc.link != "", func() app.UI { return app.Span().Class("hint").Text(lengthText(len(lc.address()))) }),
		),
	)
}

// address is the full address that opens the lecture; "" before it is made.
func (lc *lecture[I]) address() string { return addressOf(lc.lab.path(), lc.link) }

// row draws a step in the list.
func (lc *lecture[I]) row(i int) app.UI {
	says := show.Words(lc.steps[i].Says)
	return app.Li().DataSet("testid", "lecture-step").Body(
		app.Button().Type("button").Class("link").ID(lc.stepID(i)).Text(says).OnClick(func(app.Context, app.Event) { lc.show(i) }, app.EventScope("show", i)),
		ui.Disabled(ui.IconButton("up", fmt.Sprintf("Move step %d up", i+1)), i == 0).OnClick(func(app.Context, app.Event) { lc.moveUp(i) }, app.EventScope("up", i)),
		ui.IconButton("trash", fmt.Sprintf("Remove step %d", i+1)).OnClick(func(app.Context, app.Event) { lc.remove(i) }, app.EventScope("remove", i)),
	)
}
