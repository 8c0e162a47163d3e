package federate

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/lab"
	"berth/app/ui"
	"berth/engine/format/sniff"
	"berth/engine/show"
)

// machinesSection is where a list of machines comes from, in place of workers that are alike.
func (v *View) machinesSection() []app.UI {
	return []app.UI{
		app.H3().Text("Machines"),
		v.machinesItem(),
		app.Div().Class("row").Body(&ui.DropZone{ID: "fed-machines", TestID: "fed-machines", Label: "Choose machines",
			Hint: "nodes of openb, machine_events, or CSV with name,cpu,memory", Accept: acceptedFiles, OnFiles: v.TakeAll}),
	}
}

func (v *View) machinesItem() app.UI {
	m := v.Inputs.machines
	switch {
	case m == nil && len(v.Inputs.options.Classes) > 0:
		return app.P().Class("hint").Text("The scenario has " + ui.Counted(len(v.Inputs.options.Classes), "class") + " of machines: the number of workers follows from it.")
	case m == nil:
		return app.P().Class("hint").Text("All workers are alike. A list of machines says what each one has.")
	}
	return app.Div().Class("sources").Body(
		app.Div().Class("source-head").Body(
			app.Span().Class("source-name").Body(ui.Icon("file"), app.Span().Text(show.Text(m.Name))), v.LeftOverBadge(m),
			app.Div().Class("source-buttons").Body(ui.IconButton("trash", "Remove "+m.Name).DataSet("testid", "fed-machines-remove").
				OnClick(func(app.Context, app.Event) {
					v.Edit("remove the machines", func(in *inputs) { in.machines = nil })
				})),
		),
		app.P().Class("hint").Text("The number of workers is that of these machines."),
		lab.DiagnosticList(v.flaws),
	)
}

// areMachines says whether a file lists machines, not jobs.
func areMachines(t *lab.Source) bool { return sniff.Look(t.Head(), sniff.Hosts).Is(sniff.Hosts) }
