package federate

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/lab"
	"berth/app/ui"
	"berth/engine/diag"
	"berth/engine/federate"
	"berth/engine/federate/federatekind"
	"berth/engine/parameter"
	"berth/engine/show"
	"berth/wasm/bridge"
)

// View is the go-app component of the laboratory of schedulers that share a data
// centre.
type View struct {
	app.Compo
	*lab.Lab[*inputs] // a pointer, because go-app compares and copies the fields of components

	result *result // the last result, which stays while later runs fail
	shown  string  // name of the scheduler in the panes that show only one

	worker picked
	seek   float64    // moment of the playback that the user asked for, in seconds; 0 for none
	beside lab.Beside // side-by-side view of two schedulers

	files  files
	charts charts
	why    why
}

func New(s lab.Services) *View { return &View{Lab: &lab.Lab[*inputs]{Services: s}} }

// OnInit sets up the view with blank inputs.
func (v *View) OnInit() {
	v.why.view, v.files.view, v.charts.view = v, v, v
	v.why.task = -1
	v.Init(lab.System[*inputs]{
		Kind: federatekind.Kind, TestID: "fed-", Inputs: inputsOf, Screen: v.screen,
		Files:   lab.Files{Arrived: v.files.takeTexts, Also: machineRoles, Limit: ui.AtMost(largestTrace), Accept: acceptedFiles, Memory: traceMemory},
		Slots:   slots,
		Checks:  lab.Checks[*inputs]{Look: v.look, Control: v.blamed, Opens: true},
		Runs:    lab.Runs[*inputs]{Begins: v.begins, Shown: v.arrive, Alone: "federate.schedulers[0]", Looks: true},
		Places:  lab.Places{Tabs: v.tabs(), GoTo: v.goTo, Commands: lab.StepCommands("task", v.why.stepTask)},
		Step:    "task",
		BuiltIn: federate.Names(), Parted: v.parted,
		Tour: []string{
			"Each cell is a worker, each block the workers of a Local Master; colours show the Global Master whose partition a worker is in. The curves show how long tasks waited under each scheduler.",
			"This is how long tasks waited, and below it why the slowest did.",
			"This says what one task waited for: queues, masters, messages. Press a worker for its tasks.",
			"Play the run, or step from message to message: an arrow shows who sends it.",
			"Fewer workers, more jobs, rarer heartbeats: drag one, and see who waits longer.",
		},
	})
}

// screen describes the screen to the Lab.
func (v *View) screen() lab.Screen[*inputs] {
	return lab.Screen[*inputs]{
		Says: v.sentence(), Short: v.result != nil && (v.result.Partial() || !v.result.report().Complete()), Dials: v.dials(), Read: v.files.read, Place: v.shownPlace(),
	}
}

// look reads the trace before a run. It finds the size of the workload, and the tasks
// that can never run.
func (v *View) look(ctx context.Context, in *inputs) (lab.Looked[*inputs], error) {
	input := in.Input()
	federatekind.Of(input.Scenario).Schedulers = []string{federate.Unbounded()} // suits every workload
	read, found, err := bridge.Look(ctx, v.Engine, input, federatekind.SurveyQuestion)
	looked := lab.Looked[*inputs]{Inputs: in, Read: read, Found: found}
	if err == nil {
		looked.Suits = func(in *inputs) { in.suitWork(&found.Workload, v.Intake.FromExample("workers")) }
	}
	return looked, err
}

// surveyed returns the report of the last look at the inputs on screen; nil if there is none.
func (v *View) surveyed() *federatekind.Report {
	if v.Runs.Looked.Of(v.Inputs) {
		return v.Runs.Looked.Found.(*federatekind.Report)
	}
	return nil
}

// Render draws the workbench or the stage with the panes of this view.
func (v *View) Render() app.UI {
	return v.Workbench(lab.Panes{
		Input: func() app.UI {
			return v.InputPane([]app.UI{v.Slots.Field(slots[0]), v.Slots.Field(slots[1], v.files.aboutMachines())}, v.optionFields())
		}, Result: v.resultPane, Compare: v.charts.comparePane, Why: v.why.whyPane,
		ResultTools: func() []app.UI { return []app.UI{v.Address.ResultTabs("fed-tabs"), v.exportMenu()} }, WhyTools: v.why.whyTools,
		Stage: lab.Stage{
			About:   "How do many schedulers share one data centre without a central store? Drop a trace, or play with this example.",
			Picture: func() app.UI { return v.Stage.StagePane(v.resultStatus(), "Running", v.stagePicture) }, Card: v.whyCard, Rests: true, Compare: v.compareOnStage, Compares: v.beside.Open,
		},
	})
}

// optionFields draws all inputs except the trace and the machines.
func (v *View) optionFields() app.UI {
	grid := func(rows []parameter.Parameter) app.UI { return v.group("form-grid", rows) }
	times, costs, capacity, peers := group(federate.TimeGroup), group(federate.CostGroup), group(federatekind.CapacityGroup), group(federate.SchedulerGroup)
	return app.Div().Class("options").Body(
		app.H3().Text("Data centre"),
		app.Div().Class("hint").Body(ui.Explained("A GM schedules on a copy of the state; an LM holds the true state.")...),
		v.group("fed-three", group(federate.CentreGroup)),
		app.H3().Text("Schedulers"),
		v.schedulerBoxes(),
		v.Form.WrongText(schedulersID),
		v.group("form-grid", group(federatekind.SeedGroup), v.Form.SeedField(seedID, seedLabel, func(in *inputs) *uint64 { return &in.options.Seed })), v.Form.WrongText(seedID),
		v.more("Users and shares", []string{sharesID},
			v.sharesField(), v.Form.WrongText(sharesID),
			v.optionNamed("keepProgress"),
		),
		v.more("Time and costs", idsOf(slices.Concat(times, costs)),
			v.optionNamed("preset"),
			grid(times),
			v.Form.Checkbox("fed-full-state", "each answer of an LM carries the state of all its workers, as in the paper", v.Inputs.options.State == federatekind.FullState,
				func(in *inputs, on bool) {
					in.options.State = ""
					if on {
						in.options.State = federatekind.FullState
					}
				}),
			v.optionNamed("idealProcessing"),
			grid(costs),
		),
		v.more("Capacity and constraints", append(idsOf(capacity), tablesID),
			app.P().Class("hint").Text("The capacity of each worker, for the resources that the tasks ask for."),
			grid(capacity),
			v.tablesEditor(),
		),
		v.more("Failures", v.wrongOutages(), v.outageTable()),
		v.more("Parameters of schedulers", idsOf(peers), grid(peers)),
	)
}

// group draws a row of fields, with their errors below. The fields in first come before the fields
// of rows.
func (v *View) group(class string, rows []parameter.Parameter, first ...app.UI) app.UI {
	for i := range rows {
		first = append(first, v.option(&rows[i]))
	}
	return app.Div().Body(app.Div().Class(class).Body(first...), v.Form.WrongTexts(idsOf(rows)...))
}

// more draws a group of inputs that the user can open. It is open while a control in it has an
// error.
func (v *View) more(title string, ids []string, body ...app.UI) app.UI {
	wrong := slices.ContainsFunc(ids, func(id string) bool { return v.Form.Wrong(id) != "" })
	return lab.More(title, wrong, body...)
}

// schedulersID is the id of the choice of schedulers, for errors about it.
const schedulersID = "fed-schedulers"

// blamed returns the id of the control that corrects a diagnostic, and the message there; "" for no
// control. The message begins with the label of the field, because a row of fields shows its errors
// together.
func (v *View) blamed(d diag.Diagnostic) (id, text string) {
	path := strings.TrimPrefix(d.Path, "federate.")
	list, index, _ := strings.Cut(path, "[")
	if p := parameter.At(federatekind.Parameters(), list); p != nil && p.Number() {
		return idOf(p), show.Capital(p.In(p.Unit)) + ": " + d.Message()
	}
	switch list {
	case "seed":
		return seedID, seedLabel + ": " + d.Message()
	case "shares":
		return sharesID, sharesLabel + ": " + d.Message()
	case "schedulers":
		return schedulersID, d.Message()
	case "constraints":
		return tablesID, d.Message()
	case "outages":
		index, _, _ = strings.Cut(index, "]")
		if i, err := strconv.Atoi(index); err == nil {
			return outageID(i), cmp.Or(v.Inputs.missingSubject(outageID(i)), d.Message())
		}
	}
	return "", d.Message()
}

// wrongOutages returns the ids of the failures, for errors about them.
func (v *View) wrongOutages() []string {
	list := make([]string, len(v.Inputs.options.Outages))
	for i := range list {
		list[i] = outageID(i)
	}
	return list
}
