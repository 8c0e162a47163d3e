package qos

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/lab"
	"berth/app/ui"
	"berth/engine/qos"
	"berth/engine/qos/qoskind"
)

// View is the go-app component of the QoS laboratory.
type View struct {
	app.Compo
	*lab.Lab[*inputs] // a pointer, because go-app compares and copies the fields of components

	result *result // the result on screen; nil before the first

	beside lab.Beside // side-by-side view of two policies in the picture

	fields fields
	charts charts
	why    why
}

func New(s lab.Services) *View { return &View{Lab: &lab.Lab[*inputs]{Services: s}} }

// OnInit sets up the view with blank inputs.
func (v *View) OnInit() {
	v.fields.view, v.charts.view, v.why.view = v, v, v
	v.fields.openVariant = noVariant
	v.why.decision = -1
	v.Init(lab.System[*inputs]{
		Kind: qoskind.Kind, TestID: "qos-", Inputs: inputsOf, Screen: v.screen,
		Files:   lab.Files{Arrived: v.takeTexts, Limit: ui.AtMost(maxFile), Accept: acceptedFiles, Memory: requestMemory},
		Slots:   slots,
		Checks:  lab.Checks[*inputs]{Look: v.look, Control: v.blamed},
		Runs:    lab.Runs[*inputs]{Begins: v.begins, Shown: v.arrive},
		Places:  lab.Places{Tabs: v.tabs(), GoTo: v.why.goTo, Commands: lab.StepCommands("decision", v.why.stepDecision)},
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
		Says: v.sentence(), Short: v.result != nil && (v.result.Partial() || !v.result.report().Met()), Dials: v.dials(), Read: v.read, Place: v.why.shownPlace(),
	}
}

// Render draws the workbench or the stage with the panes of this view.
func (v *View) Render() app.UI {
	return v.Workbench(lab.Panes{
		Input: func() app.UI { return v.InputPane(v.sourceFields(), v.fields.optionFields()) }, Result: v.resultPane, Compare: v.charts.comparePane, Why: v.why.whyPane,
		ResultTools: func() []app.UI { return []app.UI{v.Address.ResultTabs("qos-result-tabs"), v.exportMenu()} }, WhyTools: v.why.whyTools,
		Stage: lab.Stage{
			About:   "Which requests run now, so that each gets the availability it was promised? Drop a trace, or play with this example.",
			Picture: func() app.UI { return v.Stage.StagePane(v.resultStatus(), "Simulating", v.stagePicture) }, Card: v.whyCard, Rests: true, Compare: v.compareOnStage, Compares: v.beside.Open,
		},
	})
}
