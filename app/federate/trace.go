package federate

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/lab"
	"berth/app/ui"
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

// traceSection draws the trace and the buttons that choose, generate or paste one.
func (f *files) traceSection() []app.UI {
	return []app.UI{
		app.H3().Text("Trace"),
		f.traceItem(),
		app.Div().Class("row").Body(
			&ui.DropZone{ID: "fed-trace", TestID: "fed-trace", Label: "Choose a trace",
				Hint: ".tr of Sparrow and Megha, or CSV, also as .gz; or drop it anywhere", Accept: acceptedFiles, OnFiles: f.view.Files.TakeAll},
			ui.Button("plus", "Generate").DataSet("testid", "fed-generate").OnClick(func(app.Context, app.Event) {
				f.view.Generator.Open(workload.Recipe{Generator: workload.JobsGenerator, Preset: workload.JobPresets()[0], Seed: 1})
			}),
			ui.Button("copy", "Paste").DataSet("testid", "fed-paste").OnClick(func(app.Context, app.Event) { f.view.Files.OpenPaste() }),
		),
	}
}

func (f *files) traceItem() app.UI {
	t := f.view.Inputs.trace
	if t == nil {
		return f.view.Runs.Absent("No trace yet: drop a file, or generate one.")
	}
	return app.Div().Class("sources").Body(app.Div().Class("source").Body(
		f.view.Files.SourceHead(t, f.traceBadge(t),
			ui.IconButton("trash", "Remove "+t.Name).OnClick(func(app.Context, app.Event) { f.view.Edit("remove the trace", func(in *inputs) { in.trace = nil }) })),
		app.If(f.view.Files.Editing == t || len(f.view.Form.Found(t).Errors()) > 0 && t.Recipe == nil && !t.Large(), func() app.UI { return f.traceBody(t) }),
	))
}

// traceBadge shows the size of the trace, or its number of errors.
func (f *files) traceBadge(t *lab.Source) app.UI {
	if n := len(f.view.Form.Found(t).Errors()); n > 0 {
		return ui.Badge("bad", ui.Counted(n, "error"))
	}
	if size := f.read(f.view.Inputs.trace).Size; size != "" {
		return ui.Badge("plain", size)
	}
	return app.Text("")
}

// read is what is known of the trace, or of the file about machines.
func (f *files) read(s *lab.Source) lab.Read {
	if s != f.view.Inputs.trace {
		return f.view.Inputs.readMachines()
	}
	r := f.view.surveyed()
	if r == nil && f.view.result != nil && f.view.result.Inputs.trace == f.view.Inputs.trace {
		r = f.view.result.report()
	}
	if r == nil {
		return lab.Read{}
	}
	return lab.Read{Size: ui.Counted(r.Workload.Jobs, "job") + ", " + ui.Counted(r.Workload.Tasks, "task"), Assumed: append(f.view.Inputs.suited(&r.Workload), r.Warnings...)}
}

func (f *files) traceBody(t *lab.Source) app.UI {
	found, note := f.view.Form.Found(t).Errors(), ""
	if !t.Large() {
		note = "The scenario refers to this file."
	}
	return t.Body(lab.SourceBody{
		Recipe: lab.RecipeName, Note: note, Errors: found,
		Change: ui.Button("plus", "Change").OnClick(func(app.Context, app.Event) { f.view.Generator.Open(*f.view.Inputs.trace.Recipe) }),
		Editor: &ui.Editor{ID: "fed-editor", Placeholder: "arrival_s number_of_tasks mean_duration_s d1 … dn", Diagnostics: found,
			OnChange: func(_ app.Context, text string) { f.view.Files.TypeIn(f.view.Inputs.trace, text, putTrace) }},
	})
}

func putTrace(in *inputs, t *lab.Source) { in.trace = t }

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
			in.trace, in.machines = cmp.Or(trace, in.trace), cmp.Or(machines, in.machines)
			if trace != nil {
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

func (f *files) pasteDialog() app.UI {
	return f.view.Files.PasteDialog(lab.Paste{
		Title: "Paste a trace",
		Hint:  "One job per line: arrival_s number_of_tasks mean_duration_s d1 … dn. Or CSV with the header arrival,job,user,duration,cpu,memory,constraints,priority,after.",
		Label: "Text of the trace", Use: f.paste,
	})
}

func (f *files) paste(text string) {
	f.view.Files.AwaitFiles()
	f.takeTexts(f.view.Files.Own([]*lab.Source{lab.TextSource("pasted.tr", text)}))
}
