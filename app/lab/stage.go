package lab

import (
	"maps"
	"net/url"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/ui"
	"berth/engine/show"
)

// Stage is the simple view of a laboratory: a large picture of the result and its
// explanation. The workbench has everything else.
type Stage struct {
	About   string // purpose of the laboratory, shown until the user has inputs of their own
	Picture func() app.UI
	Card    func() app.UI // short explanation
	Player  func() app.UI // controls below the picture; nil if the picture puts them into [Lab.PlayerID]

	Rests bool // the card keeps what it says during a drag of a dial

	Compare  func() // shows two results, or one again
	Compares bool   // two results are on screen
}

// arrangementKey is the parameter of a link that selects the stage or the workbench.
const (
	arrangementKey = "at"
	onWorkbench    = "workbench"
)

// OnStage reports whether the laboratory shows its stage, not its workbench.
func (l *Lab[I]) OnStage() bool { return !l.bench }

func (l *Lab[I]) stageKey() string { return "berth.stage." + l.system.Kind.Name }

// switchStage toggles between stage and workbench, and stores the choice in the
// browser.
func (l *Lab[I]) switchStage() {
	l.bench, l.Tab = !l.bench, ""
	kept := map[bool]string{false: "stage", true: onWorkbench}[l.bench]
	ui.Store(l.stageKey(), kept)
	ui.Focus(l.Page, l.toggleID())
	l.Located()
}

// Work opens a pane of the workbench.
func (l *Lab[I]) Work(pane string) {
	l.bench = true
	l.goToPane(pane)
	l.Located()
}

// takeArrangement switches to stage or workbench as the link demands, and removes
// that parameter from its place. A link to a tab leads to the workbench, since the
// stage has no tabs.
func (l *Lab[I]) takeArrangement(place url.Values) url.Values {
	if at := place.Get(arrangementKey); at != "" || place.Has("tab") {
		l.bench, l.Tab = at == onWorkbench || at == "", ""
		place.Del(arrangementKey)
	}
	return place
}

// whereabouts is the place in the result and the arrangement of the page, as
// parameters of the address.
func (l *Lab[I]) whereabouts() url.Values {
	place := l.tabPlace()
	maps.Copy(place, l.system.Screen().Place)
	if l.OnStage() {
		place.Del("tab") // the stage has no tabs
	} else if ui.Stored(l.stageKey()) != onWorkbench {
		place.Set(arrangementKey, onWorkbench) // otherwise a reload would open the stage
	}
	return place
}

// arrange turns the workbench into the stage.
func (l *Lab[I]) arrange(w *ui.Workbench, s Stage) {
	w.Result.Body, w.Why.Body = s.Picture, func() app.UI {
		return app.Div().Class("why-card").DataSet("testid", "why-card").Body(s.Card())
	}
	w.Input.Tools, w.Result.Tools, w.Why.Tools = nil, nil, nil
	w.Stage = &ui.Stage{
		Lead:    func() app.UI { return l.stageLead(s.About) },
		Foot:    func() app.UI { return l.stageFoot(s) },
		Actions: func() app.UI { return l.stageActions(s) },
	}
	if !l.Following() {
		return
	}
	w.Stage.Lead, w.Stage.Actions = nil, nil
	if l.Tab != ui.PaneInput {
		w.Input.Body = nil
	}
	if l.Tab != ui.PaneCompare {
		w.Compare.Body = nil
	}
	if s.Rests {
		w.Why.Body = nil
	}
}

// stageLead is the row above the picture: the purpose of the laboratory, or the name
// of the user's own inputs, and buttons.
func (l *Lab[I]) stageLead(about string) app.UI {
	if l.Unsaved {
		about = l.Inputs.Name()
	}
	return app.Div().Body(
		app.P().Class("stage-about").Text(about),
		&ui.DropZone{ID: l.id("stage-files"), TestID: l.id("stage-files"), Label: "Open files", OnFiles: l.TakeAll},
		l.exampleMenu(),
		l.tourButton(),
		historyButton("undo", "Undo", l.undo.CanUndo(), l.GoBack),
		historyButton("redo", "Redo", l.undo.CanRedo(), l.GoForth),
		app.If(l.Trouble != "", func() app.UI { return ui.Problem(l.Trouble) }),
		l.consent(),
	)
}

func (l *Lab[I]) stageFoot(s Stage) app.UI {
	player := app.UI(app.Div().ID(l.PlayerID()).DataSet("testid", "player"))
	if s.Player != nil {
		player = s.Player()
	}
	return app.Div().Body(app.Div().Class("stage-player").Body(player), l.dialRow(), l.tour())
}

func (l *Lab[I]) stageActions(s Stage) app.UI {
	show := func(icon, label, title, pane string) app.HTMLButton {
		on := l.Tab == pane
		return ui.Button(icon, label).Title(title).Aria("expanded", on).Aria("controls", l.system.Kind.Name+"-"+pane).OnClick(func(app.Context, app.Event) {
			if l.Tab = pane; on {
				l.Tab = ""
			}
		}, app.EventScope(pane, on))
	}
	return app.Div().Class("row").Body(
		l.runButton(),
		ui.Button("pin", "Compare").Title("Show two results side by side").Aria("pressed", s.Compares).DataSet("testid", "stage-compare").
			OnClick(func(app.Context, app.Event) { s.Compare() }),
		show("table", "Numbers", "See all numbers of the result", ui.PaneCompare).DataSet("testid", "stage-numbers"),
		show("plus", "Policy", "Write a policy of your own, and compare it with these", ui.PaneInput).DataSet("testid", "stage-policy"),
		l.stageToggle(),
	)
}

func (l *Lab[I]) toggleID() string { return l.id("stage-toggle") }

// stageToggle switches between stage and workbench.
func (l *Lab[I]) stageToggle() app.UI {
	icon, label, title := "collapse", "Workbench", "Show all inputs, tables and settings (w)"
	if !l.OnStage() {
		icon, label, title = "fit", "Stage", "Show the picture, large (w)"
	}
	return ui.Button(icon, label).Aria("label", label).ID(l.toggleID()).Title(title).DataSet("testid", "stage-toggle").
		OnClick(func(app.Context, app.Event) { l.switchStage() })
}

// PlayerID is the id of the element below the picture on the stage for its controls.
func (l *Lab[I]) PlayerID() string { return l.id("player") }

// StagePane has the headline and, once there is a result, its picture.
func (l *Lab[I]) StagePane(status app.UI, doing string, picture func() app.UI) app.UI {
	return app.Div().Class("result").Body(status, l.RunProgress(doing), Picture(app.If(l.Shown != nil, picture)))
}

// mostRefused limits the refusals in a card.
const mostRefused = 4

// Refused lists the first of n refusals, each with its reason, and counts the others.
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

// Card is a short explanation: a question, its answer, and buttons to the other
// steps.
func (l *Lab[I]) Card(question string, step, steps int, answer ...app.UI) app.UI {
	return app.Div().Class(l.Dimmed("card")).Body(
		app.Div().Class("card-head").Body(
			app.H2().Text(show.Words(question)),
			app.If(steps > 1, func() app.UI {
				return app.Div().Class("card-steps").Body(l.StepButton(-1, step == 0), l.StepButton(+1, step == steps-1))
			}),
		),
		app.Div().Role("status").Body(answer...),
	)
}
