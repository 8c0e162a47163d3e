package qos

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/lab"
	"berth/app/ui"
	"berth/engine/qos"
	"berth/engine/qos/qoskind"
)

// View is the QoS laboratory.
type View struct {
	app.Compo
	*lab.Lab[*inputs] // a pointer: go-app compares and copies what fields hold

	result *result // what is on screen, nil if there is nothing yet

	pasting     string // slot that the pasted text is for
	openVariant int    // place of the variant whose fields are shown, noVariant for none
	openedAfter int    // so many times all inputs gave way to others

	controllerPages, failurePages lab.Pages // of their tables

	columns     []string // measures in the table of classes; nil until they were looked up
	paired      int      // number of the pair in the heat map
	pairedClass string   // its class; "" for the one that differs most
	follows     int      // number of the policy whose instances are followed
	why         why
	beside      lab.Beside // of the policies in the picture

	generating string // slot that the dialog that generates is for
}

// New returns the view.
func New(s lab.Services) *View { return &View{Lab: &lab.Lab[*inputs]{Services: s}} }

// OnInit begins with nothing.
func (v *View) OnInit() {
	v.openVariant = noVariant
	v.why.decision = -1
	v.Init(lab.System[*inputs]{
		Kind: qoskind.Kind, TestID: "qos-", Inputs: inputsOf, Screen: v.screen,
		Files:   lab.Files{Arrived: v.takeTexts, Limit: ui.AtMost(maxFile), Memory: requestMemory},
		Checks:  lab.Checks[*inputs]{Look: v.look, Control: v.blamed},
		Runs:    lab.Runs[*inputs]{Begins: v.begins, Shown: v.arrive},
		Places:  lab.Places{Tabs: v.tabs(), Commands: lab.StepCommands("decision", v.stepDecision)},
		Step:    "decision",
		BuiltIn: qos.Names(), Parted: v.parted,
		Tour: []string{
			"Each strip is a request: filled while it runs, red while it is preempted, empty while it waits. The bar at its end is the share of its time that it ran, with its SLO as a mark.",
			"This is how many requests met their SLO under each policy, and what the others miss.",
			"This says why a request got its host, or why no host could take it. Press a strip for another one.",
			"Play the run, or step from decision to decision: the explanation follows.",
			"These are the SLOs of the classes. Drag one, and see which requests lose what others gain.",
		},
	})
}

// screen describes the screen to the Lab.
func (v *View) screen() lab.Screen[*inputs] {
	return lab.Screen[*inputs]{
		Says: v.sentence(), Short: v.result != nil && (v.result.Partial() || !v.result.report().Met()), Dials: v.dials(), Read: v.read,
	}
}

// Render draws the four panes and the open dialog.
func (v *View) Render() app.UI {
	return v.Workbench(lab.Panes{
		Input: func() app.UI { return v.InputPane(v.sourceFields(), v.optionFields()) }, Result: v.resultPane, Compare: v.comparePane, Why: v.whyPane,
		ResultTools: func() []app.UI { return []app.UI{v.ResultTabs("qos-result-tabs"), v.exportMenu()} }, WhyTools: v.whyTools,
		Stage: lab.Stage{
			About:   "Which requests run now, so that each gets the availability it was promised? Drop a trace, or play with this example.",
			Picture: func() app.UI { return v.StagePane(v.resultStatus(), "Simulating", v.stagePicture) }, Card: v.whyCard, Rests: true, Compare: v.compareOnStage, Compares: v.beside.Open,
		},
		Dialogs: []app.UI{v.GeneratorDialog(v.generator()), v.pasteDialog()},
	})
}
