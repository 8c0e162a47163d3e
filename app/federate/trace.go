package federate

import (
	"fmt"
	"slices"

	"berth/app/lab"
	"berth/app/ui"
	"berth/engine/federate/federatekind"
	"berth/engine/input/format/sniff"
	"berth/engine/input/workload"
)

const acceptedFiles = ".tr,.csv,.txt,.gz,.zip,.zst,.xz,.bz2,text/plain,text/csv,application/gzip,application/zip"

// traceMemory is the memory, in bytes, that reading and running takes per byte of a
// trace. Measured: 42 MB of jobs with one task each took 2.7 GB.
const traceMemory = 70

// largestTrace is the maximum size of a file in bytes. A worker reads the file piece by
// piece.
const largestTrace = 1 << 30

// files are the trace and the machines among the inputs.
type files struct{ view *View }

// slots are the sources of the inputs.
var slots = []lab.Slot{
	{Name: federatekind.TraceSlot, Role: "trace", ID: "fed-trace", Asked: true,
		Title: "Trace", Thing: "a trace", Empty: "No trace yet: drop a file, or generate one.",
		Choose: "Choose a trace", Hint: ".tr of Sparrow and Megha, or CSV, also as .gz; or drop it anywhere",
		Format: "One job per line: arrival_s number_of_tasks mean_duration_s d1 … dn. " +
			"Or CSV with the header arrival,job,user,duration,cpu,memory,constraints,priority,after.",
		Example: "arrival_s number_of_tasks mean_duration_s d1 … dn", Editor: "fed-editor", Generator: workload.JobsGenerator, Presets: presets(),
		Sorted: true},
	{Name: federatekind.MachinesSlot, Role: "machines", ID: "fed-machines", Asked: true, Plural: true,
		Title: "Machines", Thing: "machines",
		Choose: "Choose machines", Hint: "nodes of openb, machine_events, or CSV with name,cpu,memory", Example: "name,cpu,memory", Remove: "fed-machines-remove", Sorted: true},
}

func presets() (all []lab.Preset) {
	for _, name := range workload.JobPresets() {
		all = append(all, lab.Preset{Name: name, Text: name})
	}
	return all
}

// read describes the part of the trace, or of the file about machines, that has been read.
func (f *files) read(s *lab.Source) lab.Read {
	if s != f.view.Inputs.trace() {
		return f.view.Inputs.readMachines()
	}
	r := f.view.surveyed()
	if r == nil && f.view.result != nil && f.view.result.Inputs.trace() == f.view.Inputs.trace() {
		r = f.view.result.report()
	}
	if r == nil {
		return lab.Read{}
	}
	return lab.Read{Size: ui.Counted(r.Workload.Jobs, "job") + ", " + ui.Counted(r.Workload.Tasks, "task"), Assumed: append(f.view.Inputs.suited(&r.Workload), r.Warnings...)}
}

// takeTexts takes the first trace and the first list of machines among texts, or opens
// a scenario among them.
func (f *files) takeTexts(texts []*lab.Source) {
	f.view.Files.OpenAmong(texts, f.view.Files.FilesRead, func(texts []*lab.Source) {
		trace, machines, others := sortedIn(texts)
		taken := slices.DeleteFunc([]*lab.Source{trace, machines}, func(t *lab.Source) bool { return t == nil })
		if len(taken) == 0 {
			f.view.Files.FilesRead()
			return
		}
		if others > 0 {
			f.view.Complaint = fmt.Sprintf("Berth uses one trace and one list of machines at a time: it took %s and left out %s.", taken[0].Name, ui.Counted(others, "other file"))
		}
		f.view.Files.ChangeByFiles("choose "+taken[0].Name, taken, func(in *inputs) {
			if machines != nil {
				in.sources[federatekind.MachinesSlot] = machines
			}
			if trace != nil {
				in.sources[federatekind.TraceSlot] = trace
				in.suit(trace)
			}
		}, f.view.Files.FilesRead)
	})
}

// sortedIn returns the first trace and the first list of machines, and the number of
// other texts.
func sortedIn(texts []*lab.Source) (trace, machines *lab.Source, others int) {
	for _, t := range texts {
		role := &trace
		if sniff.Look(t.Head(), machineRoles).Is(machineRoles) {
			role = &machines
		}
		if *role == nil {
			*role = t
		} else {
			others++
		}
	}
	return trace, machines, others
}
