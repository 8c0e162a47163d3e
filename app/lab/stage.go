package lab

import (
	"maps"
	"net/url"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/ui"
	"berth/engine/show"
)

// Stage is the simple view of a laboratory: a large picture of the result and its explanation. The
// workbench shows everything else.
type Stage struct {
	About   string // purpose of the laboratory, shown until the user has inputs of their own
	Picture func() app.UI
	Card    func() app.UI // short explanation
	Player  func() app.UI // controls below the picture; nil if the picture puts them into [arrangement.PlayerID]

	Rests bool // the text of the card does not change during a drag

	Also func() app.UI // an additional button; nil for none

	Compare  func() // toggles between one result and two
	Compares bool   // two results are on screen
}

// arrangementKey is the parameter of a link that selects the stage or the workbench.
const (
	arrangementKey = "at"
	onWorkbench    = "workbench"
)

type arrangement[I Inputs[I]] struct {
	lab   *Lab[I]
	bench bool // show the workbench
}

// OnStage reports whether the laboratory shows its stage, not its workbench.
func (a *arrangement[I]) OnStage() bool { return !a.bench }

func (a *arrangement[I]) stageKey() string { return "berth.stage." + a.lab.system.Kind.Name }

// switchOver toggles between stage and workbench, and stores the choice in the browser.
func (a *arrangement[I]) switchOver() {
	a.bench, a.lab.Tab = !a.bench, ""
	kept := map[bool]string{false: "stage", true: onWorkbench}[a.bench]
	ui.Store(a.stageKey(), kept)
	ui.Focus(a.lab.Page, a.toggleID())
	a.lab.Address.Located()
}

// Work opens a pane of the workbench.
func (a *arrangement[I]) Work(pane string) {
	a.bench = true
	a.lab.goToPane(pane)
	a.lab.Address.Located()
}

// takeArrangement switches to the stage or the workbench, as the link requests, and removes that
// parameter from place. A link to a tab leads to the workbench, because the stage has no tabs.
func (a *arrangement[I]) takeArrangement(place url.Values) url.Values {
	if at := place.Get(arrangementKey); at != "" || place.Has(tabKey) {
		a.bench, a.lab.Tab = at == onWorkbench || at == "", ""
		place.Del(arrangementKey)
	}
	return place
}

// whereabouts returns the place in the result and the arrangement of the page, as
// parameters of the address.
func (a *arrangement[I]) whereabouts() url.Values {
	place := url.Values{}
	if tabs := a.lab.system.Places.Tabs; len(tabs) > 0 && a.lab.Shows != tabs[0].ID { // the first tab is the default
		place.Set(tabKey, a.lab.Shows)
	}
	maps.Copy(place, a.lab.system.Screen().Place)
	if a.OnStage() {
		place.Del(tabKey) // the stage has no tabs
	} else if ui.Stored(a.stageKey()) != onWorkbench {
		place.Set(arrangementKey, onWorkbench) // otherwise a reload would open the stage
	}
	return place
}

// arrange turns the workbench into the stage.
func (a *arrangement[I]) arrange(w *ui.Workbench, s Stage) {
	w.Result.Body, w.Why.Body = s.Picture, func() app.UI {
		return app.Div().Class("why-card").DataSet("testid", "why-card").Body(s.Card())
	}
	w.Input.Tools, w.Result.Tools, w.Why.Tools = nil, nil, nil
	w.Stage = &ui.Stage{
		Lead:    func() app.UI { return a.stageLead(s.About) },
		Foot:    func() app.UI { return a.stageFoot(s) },
		Actions: func() app.UI { return a.stageActions(s) },
	}
	if !a.lab.Dials.Following() {
		return
	}
	w.Stage.Lead, w.Stage.Actions = nil, nil
	if a.lab.Tab != ui.PaneInput {
		w.Input.Body = nil
	}
	if a.lab.Tab != ui.PaneCompare {
		w.Compare.Body = nil
	}
	if s.Rests {
		w.Why.Body = nil
	}
}

// stageLead is the row above the picture: the purpose of the laboratory, or the name
// of the user's own inputs, and buttons.
func (a *arrangement[I]) stageLead(about string) app.UI {
	if a.lab.Unsaved {
		about = a.lab.Inputs.Name()
	}
	return app.Div().Body(
		app.P().Class("stage-about").Text(about),
		&ui.DropZone{ID: a.lab.id("stage-files"), TestID: a.lab.id("stage-files"), Label: "Open files", OnFiles: a.lab.Files.TakeAll},
		a.lab.Opening.exampleMenu(),
		a.lab.Tour.button(),
		historyButton("undo", "Undo", a.lab.undo.CanUndo(), a.lab.GoBack),
		app.If(a.lab.undo.CanRedo() != "", func() app.UI { return historyButton("redo", "Redo", a.lab.undo.CanRedo(), a.lab.GoForth) }),
		app.If(a.lab.Files.Trouble != "", func() app.UI { return ui.Problem(a.lab.Files.Trouble) }),
		a.lab.Policies.consent(),
	)
}

func (a *arrangement[I]) stageFoot(s Stage) app.UI {
	player := app.UI(app.Div().ID(a.PlayerID()).DataSet("testid", "player"))
	if s.Player != nil {
		player = s.Player()
	}
	return app.Div().Body(app.Div().Class("stage-player").Body(player), a.lab.Dials.row(), a.lab.Lecture.card(), a.lab.Tour.card())
}

func (a *arrangement[I]) stageActions(s Stage) app.UI {
	show := func(icon, label, title, pane string) app.HTMLButton {
		on := a.lab.Tab == pane
		return ui.Button(icon, label).Title(title).Aria("expanded", on).Aria("controls", a.lab.system.Kind.Name+"-"+pane).OnClick(func(app.Context, app.Event) {
			if a.lab.Tab = pane; on {
				a.lab.Tab = ""
			}
		}, app.EventScope(pane, on))
	}
	return app.Div().Class("row").Body(
		a.lab.Runs.runButton(),
		ui.Button("pin", "Compare").Title("Show two results side by side").Aria("pressed", s.Compares).DataSet("testid", "stage-compare").
			OnClick(func(app.Context, app.Event) { s.Compare() }),
		show("table", "Numbers", "See all numbers of the result", ui.PaneCompare).DataSet("testid", "stage-numbers"),
		show("plus", "Policy", "Write a policy of your own, and compare it with these", ui.PaneInput).DataSet("testid", "stage-policy"),
		a.toggle(),
		a.lab.Lecture.button(),
		app.If(s.Also != nil, func() app.UI { return s.Also() }),
	)
}

func (a *arrangement[I]) toggleID() string { return a.lab.id("stage-toggle") }

func (a *arrangement[I]) toggle() app.UI {
	icon, label, title := "collapse", "Workbench", "Show all inputs, tables and settings (w)"
	if !a.OnStage() {
		icon, label, title = "fit", "Stage", "Show the picture, large (w)"
	}
	return ui.Button(icon, label).Aria("label", label).ID(a.toggleID()).Title(title).DataSet("testid", "stage-toggle").
		OnClick(func(app.Context, app.Event) { a.switchOver() })
}

// PlayerID is the id of the element below the picture on the stage that holds the controls of the
// picture.
func (a *arrangement[I]) PlayerID() string { return a.lab.id("player") }

// StagePane draws the headline and, once there is a result, its picture.
func (a *arrangement[I]) StagePane(status app.UI, doing string, picture func() app.UI) app.UI {
	return app.Div().Class("result").Body(status, a.lab.Runs.RunProgress(doing), Picture(app.If(a.lab.Shown != nil, picture)))
}

// mostRefused limits the refusals in a card.
const mostRefused = 4

// Refused lists the first of n refusals, each with its reason, and counts the rest.
func Refused(n int, others string, at func(i int) (name, why string)) app.UI {
	listed := min(n, mostRefused)
	return app.Div().Hidden(n == 0).Body(
		app.H3().Text("Refused"),
		app.Dl().Body(app.Range(make([]struct{}, listed)).Slice(func(i int) app.UI {
			name, why := at(i)
			return app.Div().Body(app.Dt().Text(show.Text(name)), app.Dd().Text(show.Words(why)))
		})),
		app.P().Class("hint").Hidden(n == listed).Text("and "+ui.Counted(n-listed, others)+"."),
	)
}

// Picture wraps the parts of the stage's picture in one element.
func Picture(parts ...app.UI) app.UI {
	return app.Div().Class("stage-picture").DataSet("testid", "stage-picture").Body(parts...)
}

// Card is a short explanation: a question, its answer, and buttons for the other steps.
func (a *arrangement[I]) Card(question string, step, steps int, answer ...app.UI) app.UI {
	return app.Div().Class(a.lab.Form.Dimmed("card")).Body(
		app.Div().Class("card-head").Body(
			app.H2().Text(show.Words(question)),
			app.If(steps > 1, func() app.UI {
				return app.Div().Class("card-steps").Body(a.lab.StepButton(-1, step == 0), a.lab.StepButton(+1, step == steps-1))
			}),
		),
		app.Div().Role("status").Body(answer...),
	)
}
