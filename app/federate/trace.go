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

// traceMemory is what reading and running a byte of a trace takes: 42 MB of jobs with a
// task each took 2.7 GB.
const traceMemory = 70

// largestTrace is how large a file may be in bytes; a worker reads it piece by
// piece.
const largestTrace = 1 << 30

// traceSection is where the jobs come from.
func (v *View) traceSection() []app.UI {
	return []app.UI{
		app.H3().Text("Trace"),
		v.traceItem(),
		app.Div().Class("row").Body(
			&ui.DropZone{ID: "fed-trace", TestID: "fed-trace", Label: "Choose a trace",
				Hint: ".tr of Sparrow and Megha, or CSV, also as .gz; or drop it anywhere", Accept: acceptedFiles, OnFiles: v.TakeAll},
			ui.Button("plus", "Generate").DataSet("testid", "fed-generate").OnClick(func(app.Context, app.Event) {
				v.OpenGenerator(workload.Recipe{Generator: workload.JobsGenerator, Preset: workload.JobPresets()[0], Seed: 1})
			}),
			ui.Button("copy", "Paste").DataSet("testid", "fed-paste").OnClick(func(app.Context, app.Event) { v.OpenPaste() }),
		),
	}
}

func (v *View) traceItem() app.UI {
	t := v.Inputs.trace
	if t == nil {
		return v.Absent("No trace yet: drop a file, or generate one.")
	}
	return app.Div().Class("sources").Body(app.Div().Class("source").Body(
		v.SourceHead(t, v.traceBadge(t),
			ui.IconButton("trash", "Remove "+t.Name).OnClick(func(app.Context, app.Event) { v.Edit("remove the trace", func(in *inputs) { in.trace = nil }) })),
		app.If(v.Editing == t || len(v.Found(t).Errors()) > 0 && t.Recipe == nil && !t.Large(), func() app.UI { return v.traceBody(t) }),
	))
}

// traceBadge says how large the trace is, or that something is wrong with it.
func (v *View) traceBadge(t *lab.Source) app.UI {
	if n := len(v.Found(t).Errors()); n > 0 {
		return ui.Badge("bad", ui.Counted(n, "error"))
	}
	if size := v.read(v.Inputs.trace).Size; size != "" {
		return ui.Badge("plain", size)
	}
	return app.Text("")
}

// read is what is known of the trace, or of the file about machines.
func (v *View) read(s *lab.Source) lab.Read {
	if s != v.Inputs.trace {
		return v.Inputs.readMachines()
	}
	r := v.surveyed()
	if r == nil && v.result != nil && v.result.Inputs.trace == v.Inputs.trace {
		r = v.result.report()
	}
	if r == nil {
		return lab.Read{}
	}
	return lab.Read{Size: ui.Counted(r.Workload.Jobs, "job") + ", " + ui.Counted(r.Workload.Tasks, "task"), Assumed: append(v.Inputs.suited(&r.Workload), r.Warnings...)}
}

func (v *View) traceBody(t *lab.Source) app.UI {
	found, note := v.Found(t).Errors(), ""
	if !t.Large() {
		note = "The scenario refers to this file."
	}
	return t.Body(lab.SourceBody{
		Recipe: lab.RecipeName, Note: note, Errors: found,
		Change: ui.Button("plus", "Change").OnClick(func(app.Context, app.Event) { v.OpenGenerator(*v.Inputs.trace.Recipe) }),
		Editor: &ui.Editor{ID: "fed-editor", Placeholder: "arrival_s number_of_tasks mean_duration_s d1 … dn", Diagnostics: found,
			OnChange: func(_ app.Context, text string) { v.TypeIn(v.Inputs.trace, text, putTrace) }},
	})
}

func putTrace(in *inputs, t *lab.Source) { in.trace = t }

// takeTexts takes the first of texts that has jobs as the trace, and the first list of
// machines.
func (v *View) takeTexts(texts []*lab.Source) {
	v.OpenAmong(texts, v.FilesRead, func(texts []*lab.Source) {
		trace, machines, others := sortedIn(texts)
		taken := slices.DeleteFunc([]*lab.Source{trace, machines}, func(t *lab.Source) bool { return t == nil })
		if len(taken) == 0 {
			v.FilesRead()
			return
		}
		if others > 0 {
			v.Complaint = fmt.Sprintf("Berth uses one trace and one list of machines at a time: it took %s and left out %s.", taken[0].Name, ui.Counted(others, "other file"))
		}
		v.ChangeByFiles("choose "+taken[0].Name, taken, func(in *inputs) {
			in.trace, in.machines = cmp.Or(trace, in.trace), cmp.Or(machines, in.machines)
			if trace != nil {
				in.suit(trace)
			}
		}, v.FilesRead)
	})
}

// sortedIn finds the first trace and the first list of machines, and counts the others.
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

// pasteDialog is the dialog for a trace as text.
func (v *View) pasteDialog() app.UI {
	return v.PasteDialog(lab.Paste{
		Title: "Paste a trace",
		Hint:  "One job per line: arrival_s number_of_tasks mean_duration_s d1 … dn. Or CSV with the header arrival,job,user,duration,cpu,memory,constraints,priority,after.",
		Label: "Text of the trace", Use: v.paste,
	})
}

func (v *View) paste(text string) {
	v.AwaitFiles()
	v.takeTexts(v.Own([]*lab.Source{lab.TextSource("pasted.tr", text)}))
}
