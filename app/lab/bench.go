package lab

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/shell"
	"berth/app/ui"
)

// Panes holds the parts of the workbench that a view draws itself.
type Panes struct {
	Input, Result, Compare, Why func() app.UI
	ResultTools, WhyTools       func() []app.UI // in the titles of the panes
	Dialogs                     []app.UI        // in addition to the dialogs of every view
	Stage                       Stage
}

// Workbench draws the panes of p, on the stage if [arrangement.OnStage], together with the open
// dialog.
func (l *Lab[I]) Workbench(p Panes) app.UI {
	w := &ui.Workbench{ID: l.system.Kind.Name, Title: l.system.Kind.Title, Tab: l.Tab, OnTab: func(tab string) { l.Tab = tab },
		Input:   ui.Pane{Title: "Input", Beside: "Policy", Tools: l.tools, Body: p.Input},
		Result:  ui.Pane{Title: "Result", Tools: func() []app.UI { return append(p.ResultTools(), l.Stage.toggle(), l.Pins.pinButton()) }, Body: p.Result},
		Compare: ui.Pane{Title: "Compare", Beside: "Numbers", Body: func() app.UI { return app.Div().Body(l.Pins.panel(), p.Compare()) }},
		Why:     ui.Pane{Title: "Why", Tools: p.WhyTools, Body: p.Why},
	}
	if l.Stage.OnStage() {
		l.Stage.arrange(w, p.Stage)
	}
	link := "" // link to the result on screen, for saved charts
	if l.Shown != nil {
		link = l.Shown.Document.Link
	}
	return app.Div().Class(l.system.Kind.Name).DataSet("link", link).Body(append([]app.UI{
		l.Intake.Line(),
		l.Lecture.strip(),
		w,
		l.dialog(dialogShare, "Share", l.Sharing.panel),
		l.dialog(dialogVary, "Vary a field", l.Varying.form),
		l.Varying.curveDialog(),
		l.Draft.saveDialog(),
	}, append(l.Slots.dialogs(), p.Dialogs...)...)...)
}

func (l *Lab[I]) dialog(name, title string, body func() app.UI) app.UI {
	return &ui.Dialog{ID: l.id(name), Title: title, Open: l.Dialog == name, OnClose: func(app.Context) { l.Dialog = "" }, Body: body}
}

// IDs of the commands of StepCommands.
const (
	nextStep     = "next"
	previousStep = "previous"
)

// StepCommands are the commands for the next and the previous explanation. step is
// the singular in [System].Step, such as "job"; by gets +1 or −1.
func StepCommands(step string, by func(int)) []shell.Command {
	return []shell.Command{
		{ID: nextStep, Name: "Explain the next " + step, Keys: []string{"n"}, Do: func(app.Context) { by(+1) }},
		{ID: previousStep, Name: "Explain the previous " + step, Keys: []string{"p"}, Do: func(app.Context) { by(-1) }},
	}
}

// StepButton explains the next step, or for by −1 the previous one; end disables it.
func (l *Lab[I]) StepButton(by int, end bool) app.HTMLButton {
	icon, label, command := "right", "Next "+l.system.Step+" (n)", nextStep
	if by < 0 {
		icon, label, command = "left", "Previous "+l.system.Step+" (p)", previousStep
	}
	return ui.Disabled(ui.IconButton(icon, label), end).OnClick(func(ctx app.Context, _ app.Event) {
		for _, c := range l.system.Places.Commands {
			if c.ID == command {
				c.Do(ctx)
			}
		}
	}, app.EventScope("step", by))
}
