package federate

import (
	"fmt"
	"slices"

	"berth/app/lab"
	"berth/app/ui"
	"berth/engine/federate"
	"berth/engine/federate/federatekind"
	"berth/engine/input/workload"
	"berth/engine/show"
)

// suit adapts the inputs to a trace from a file. If the trace is the log of a machine and states
// its size, suit sets that number of workers, unless there is a list of machines. If the format of
// the trace needs certain schedulers, suit selects them.
func (in *inputs) suit(trace *lab.Source) {
	s := federatekind.Suggest(trace.Head())
	if s.Workers > 0 && in.machines() == nil {
		in.options.Workers, in.options.Classes = s.Workers, nil
	}
	if s.Schedulers != nil {
		in.options.Schedulers = s.Schedulers
	}
}

// ample is the utilisation that suitWork gives an example's enlarged data centre.
const ample = 0.8

// suitWork adapts the inputs to a workload. It provides a worker for each task of the largest gang.
// It enlarges the data centre of an example if the tasks request more than it has. It drops
// schedulers that count only slots if the tasks request other resources.
func (in *inputs) suitWork(w *federatekind.Workload, examples bool) {
	if in.machines() == nil {
		if examples && w.Offered() > 1 && federatekind.Suggest(in.trace().Head()).Workers == 0 {
			in.options.Workers = min(w.WorkersFor(in.options.Workers, ample), workload.MaxMachines)
		}
		in.options.Workers = max(in.options.Workers, w.Widest)
	}
	if !ofSlots(w) {
		able := slices.DeleteFunc(slices.Clone(in.options.Schedulers), slotsOnly)
		if len(able) > 0 {
			in.options.Schedulers = able
		}
	}
}

func ofSlots(w *federatekind.Workload) bool {
	return slices.Equal(w.Resources, []string{workload.SlotResource})
}

func slotsOnly(name string) bool {
	p, _ := federate.Lookup(name)
	return p.Facts.Slots
}

// suited describes the choices of suit and suitWork that are still in effect.
func (in *inputs) suited(w *federatekind.Workload) (all []string) {
	if in.trace() == nil || in.trace().Recipe != nil {
		return nil
	}
	s := federatekind.Suggest(in.trace().Head())
	if s.Workers > 0 && s.Workers == in.options.Workers && in.machines() == nil {
		all = append(all, ui.Counted(s.Workers, "worker")+", as many as the machine of the log has processors")
	}
	if in.machines() == nil && w.Widest > s.Workers && w.Widest == in.options.Workers {
		all = append(all, ui.Counted(w.Widest, "worker")+", as many as the largest job takes")
	}
	if n := in.options.Workers; in.machines() == nil && n > w.Widest && s.Workers == 0 && n == w.WorkersFor(n, ample) {
		all = append(all, fmt.Sprintf("%s, which are %s busy while jobs arrive", ui.Counted(n, "worker"), ui.Percent(w.Offered())))
	}
	if s.Schedulers != nil && slices.Equal(s.Schedulers, in.options.Schedulers) {
		all = append(all, fmt.Sprintf("%s, so these run: %s", s.Why, show.Joined(s.Schedulers, ", ", title)))
	}
	if !ofSlots(w) && !slices.ContainsFunc(in.options.Schedulers, slotsOnly) {
		all = append(all, "schedulers that count only slots are off, since tasks ask for "+show.Joined(w.Resources, " and ", show.Text))
	}
	return all
}

func title(name string) string {
	p, _ := federate.Lookup(name)
	return p.Title
}
