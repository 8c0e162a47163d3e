package federate

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/lab"
	"berth/app/ui"
	"berth/engine/federate/federatekind"
	"berth/engine/input/format/sniff"
	"berth/engine/input/workload"
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
		return v.whichMachines()
	}
	return app.Div().Class("sources").Body(
		app.Div().Class("source-head").Body(
			app.Span().Class("source-name").Body(ui.Icon("file"), app.Span().Text(show.Text(m.Name))), v.LeftOverBadge(m),
			app.Div().Class("source-buttons").Body(ui.IconButton("trash", "Remove "+m.Name).DataSet("testid", "fed-machines-remove").
				OnClick(func(app.Context, app.Event) {
					v.Edit("remove the machines", func(in *inputs) { in.machines = nil })
				})),
		),
		app.P().Class("hint").Text(cmp.Or(show.Capital(strings.Join(v.Inputs.readMachines().Assumed, ".")), "The number of workers is that of these machines")+"."),
		ui.DiagnosticList(v.Found(m).Errors()),
	)
}

// machineRoles are the roles of files about machines: what each one has, or when they fail.
const machineRoles = sniff.Hosts | sniff.Failures

// readMachines is what is known of the file about machines.
func (in *inputs) readMachines() (r lab.Read) {
	if in.machines != nil && sniff.Look(in.machines.Head(), machineRoles).Is(sniff.Failures) {
		r.Assumed = []string{federatekind.FailuresAssumed}
	}
	return r
}

// whichMachines asks for the machines if there is no list: a number of equal workers by their
// utilisation, or a list.
func (v *View) whichMachines() app.UI {
	const alike = "All workers are alike. A list of machines says what each one has."
	s := v.surveyed()
	if s == nil || s.Workload.Offered() == 0 || v.Inputs.options.Workers == 0 {
		return app.P().Class("hint").Text(alike)
	}
	now, offered := v.Inputs.options.Workers, s.Workload.Offered()
	var offers []lab.Offer
	last := now
	for _, percent := range lab.BusyOffers {
		n := s.Workload.WorkersFor(now, float64(percent)/100)
		if n == now || n == last || n > workload.MaxMachines {
			continue
		}
		last = n
		busy := offered * float64(now) / float64(n)
		offers = append(offers, lab.Busy("fed-", percent, ui.Counted(n, "worker")+", "+ui.Percent(busy)+" busy", func() {
			v.Edit("use "+ui.Counted(n, "worker"), func(in *inputs) { in.useWorkers(n) })
		}))
	}
	offers = append(offers, lab.Offer{TestID: "fed-example-machines", Icon: "file", Label: "Try an example list", Take: func() {
		v.Edit("use an example list of machines", func(in *inputs) { in.machines = exampleMachines(now) })
	}})
	return lab.Which("fed-which-machines", fmt.Sprintf("Which machines? %s, all alike, would be %s busy while jobs arrive.",
		ui.Counted(now, "worker"), ui.Percent(offered)), offers)
}

// useWorkers sets the number of equal workers, and reduces the masters to that number.
func (in *inputs) useWorkers(n int) {
	in.options.Workers, in.options.GMs, in.options.LMs = n, min(in.options.GMs, n), min(in.options.LMs, n)
}

// exampleMachines are workers of three sorts, in all about as many.
func exampleMachines(workers int) *lab.Source {
	part := max(workers/4, 1)
	return lab.TextSource("machines.csv", fmt.Sprintf("name,cpu,memory,attributes,count,slots,speed\nusual,64,16,,%d,1,1\nfast,64,16,,%d,1,2\nslow,64,16,,%d,1,0.5\n", max(workers-2*part, 1), part, part))
}
