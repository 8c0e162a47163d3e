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

// suit chooses for a trace of a file what suits it: the workers of the machine that it is a log of,
// unless own machines are there, and schedulers that run its jobs as they ran.
func (in *inputs) suit(trace *lab.Source) {
	s := federatekind.Suggest(trace.Head())
	if s.Workers > 0 && in.machines == nil {
		in.options.Workers, in.options.Classes = s.Workers, nil
	}
	if s.Schedulers != nil {
		in.options.Schedulers = s.Schedulers
	}
}

// ample is the utilisation of as many workers as a workload gets whose tasks ask for more than there is.
const ample = 0.8

// suitWork chooses what a workload needs: a worker for each task of the largest gang, more workers
// than an example has where its tasks ask for more, and schedulers that count more than slots if the
// tasks do.
func (in *inputs) suitWork(w *federatekind.Workload, examples bool) {
	if in.machines == nil {
		if examples && w.Offered() > 1 && federatekind.Suggest(in.trace.Head()).Workers == 0 {
			in.options.Workers = min(w.WorkersFor(in.options.Workers, ample), workload.MaxMachines)
		}
		in.options.Workers = max(in.options.Workers, w.Widest)
	}
	if !slices.Equal(w.Resources, []string{workload.SlotResource}) {
		able := slices.DeleteFunc(slices.Clone(in.options.Schedulers), slotsOnly)
		if len(able) > 0 {
			in.options.Schedulers = able
		}
	}
}

func slotsOnly(name string) bool {
	p, _ := federate.Lookup(name)
	return p.Facts.Slots
}

// suited says what was chosen for the trace, while it is so.
func (in *inputs) suited(w *federatekind.Workload) (all []string) {
	if in.trace == nil || in.trace.Recipe != nil {
		return nil
	}
	s := federatekind.Suggest(in.trace.Head())
	if s.Workers > 0 && s.Workers == in.options.Workers && in.machines == nil {
		all = append(all, ui.Counted(s.Workers, "worker")+", as many as the machine of the log has processors")
	}
	if in.machines == nil && w.Widest > s.Workers && w.Widest == in.options.Workers {
		all = append(all, ui.Counted(w.Widest, "worker")+", as many as the largest job takes")
	}
	if n := in.options.Workers; in.machines == nil && n > w.Widest && s.Workers == 0 && n == w.WorkersFor(n, ample) {
		all = append(all, fmt.Sprintf("%s, which are %s busy while jobs arrive", ui.Counted(n, "worker"), ui.Percent(w.Offered())))
	}
	if s.Schedulers != nil && slices.Equal(s.Schedulers, in.options.Schedulers) {
		all = append(all, fmt.Sprintf("%s, so these run: %s", s.Why, show.Joined(s.Schedulers, ", ", title)))
	}
	return all
}

func title(name string) string {
	p, _ := federate.Lookup(name)
	return p.Title
}
