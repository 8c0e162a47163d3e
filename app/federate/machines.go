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

// aboutMachines describes the machines below their list or, without a list, asks which machines to
// use.
func (f *files) aboutMachines() app.UI {
	in := f.view.Inputs
	switch n := len(in.options.Classes); {
	case in.machines() == nil && n > 0:
		return app.P().Class("hint").Text("The scenario has " + ui.Counted(n, "class") + " of machines: the number of workers follows from it.")
	case in.machines() == nil:
		return f.whichMachines()
	}
	assumed := cmp.Or(show.Capital(strings.Join(in.readMachines().Assumed, ".")), "The number of workers is that of these machines")
	return app.P().Class("hint").Text(assumed + ".")
}

// machineRoles are the roles of files about machines: their capacities, or their
// failures.
const machineRoles = sniff.Hosts | sniff.Failures

// readMachines describes the file about machines.
func (in *inputs) readMachines() (r lab.Read) {
	if m := in.machines(); m != nil && sniff.Look(m.Head(), machineRoles).Is(sniff.Failures) {
		r.Assumed = []string{federatekind.FailuresAssumed}
	}
	return r
}

// whichMachines asks for the machines if there is no list. It offers equal workers, in numbers that
// lead to different utilisations, and an example list.
func (f *files) whichMachines() app.UI {
	const alike = "All workers are alike. A list of machines says what each one has."
	s := f.view.surveyed()
	if s == nil || s.Workload.Offered() == 0 || f.view.Inputs.options.Workers == 0 {
		return app.P().Class("hint").Text(alike)
	}
	now, offered := f.view.Inputs.options.Workers, s.Workload.Offered()
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
			f.view.Edit("use "+ui.Counted(n, "worker"), func(in *inputs) { in.useWorkers(n) })
		}))
	}
	offers = append(offers, lab.Offer{TestID: "fed-example-machines", Icon: "file", Label: "Try an example list", Take: func() {
		f.view.Edit("use an example list of machines", func(in *inputs) { in.sources[federatekind.MachinesSlot] = exampleMachines(now) })
	}})
	return lab.Which("fed-which-machines", fmt.Sprintf("Which machines? %s, all alike, would be %s busy while jobs arrive.",
		ui.Counted(now, "worker"), ui.Percent(offered)), offers)
}

// useWorkers sets the number of equal workers, and reduces the masters to that number.
func (in *inputs) useWorkers(n int) {
	in.options.Workers, in.options.GMs, in.options.LMs = n, min(in.options.GMs, n), min(in.options.LMs, n)
}

// exampleMachines returns a list of about this many workers, with three speeds.
func exampleMachines(workers int) *lab.Source {
	part := max(workers/4, 1)
	return lab.TextSource("machines.csv", fmt.Sprintf("name,cpu,memory,attributes,count,slots,speed\nusual,64,16,,%d,1,1\nfast,64,16,,%d,1,2\nslow,64,16,,%d,1,0.5\n", max(workers-2*part, 1), part, part))
}
