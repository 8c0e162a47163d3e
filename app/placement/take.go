package placement

import (
	"fmt"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/shell"
	"berth/app/ui"
	"berth/engine/dot"
	"berth/engine/scenario"
	"berth/wasm/bridge"
)

// editable is the largest file, in bytes, whose text is read into the page;
// larger ones go to the worker as they are.
const editable = 256 << 10

// destination says where graphs that arrive are to go.
type destination uint8

const (
	anywhere    destination = iota // their labels decide; an example gives way to them
	deployments                    // in place of all deployments
	more                           // behind the other deployments
	federation
)

// dropped takes files that were dropped on the page.
func (v *View) dropped(_ app.Context, files []ui.File) { v.take(files, anywhere) }

func (v *View) chooseDeployments(_ app.Context, files []ui.File) { v.take(files, deployments) }
func (v *View) addDeployments(_ app.Context, files []ui.File)    { v.take(files, more) }
func (v *View) chooseFederation(_ app.Context, files []ui.File)  { v.take(files, federation) }

// take reads files and puts their graphs where they belong, all at once when
// the last one was read.
func (v *View) take(files []ui.File, to destination) {
	files, v.complaint = ui.WithinLimit(files, scenario.MaxBytes)
	v.tell()
	if len(files) == 0 {
		return
	}
	read := make([]*graph, len(files))
	left := len(files)
	v.awaitFiles()
	for i, f := range files {
		v.read(f, func(g *graph, problem string) {
			read[i] = g
			if problem != "" {
				v.complaint = strings.TrimSpace(v.complaint + " " + problem)
			}
			if left--; left == 0 {
				v.arrived(read, to)
			}
		})
	}
}

// awaitFiles notes that graphs are on their way, so that nothing runs without
// them.
func (v *View) awaitFiles() {
	v.reading++
	v.phase = idle
	v.tell()
}

func (v *View) read(f ui.File, then func(g *graph, problem string)) {
	if f.Size > editable {
		then(fileGraph(f.Name, blobOf(f.Value)), "")
		return
	}
	f.Read(v.page, func(_ app.Context, data []byte, problem string) {
		if problem != "" {
			then(nil, problem)
			return
		}
		then(textGraph(f.Name, string(data)), "")
	})
}

// arrived sorts graphs by their labels where that is asked for, and puts them
// into the inputs.
func (v *View) arrived(read []*graph, to destination) {
	var graphs []*graph
	for _, g := range read {
		if g != nil {
			graphs = append(graphs, g)
		}
	}
	if to != anywhere {
		v.put(graphs, to)
		return
	}
	if s, ok := scenarioAmong(graphs); ok {
		v.giveWay("open a scenario file", inputsOf(s))
		v.filesRead()
		return
	}
	federations := make([]bool, len(graphs))
	v.later(func() {
		for i, g := range graphs {
			found, err := v.Engine.Check(v.page, bridge.CheckQuery{Source: g.Source, Text: g.file})
			federations[i] = err == nil && found.Role == dot.Federation
		}
	}, func() { v.sortIn(graphs, federations) })
}

// scenarioAmong finds a scenario file among what was dropped; no DOT begins with
// a brace.
func scenarioAmong(graphs []*graph) (s scenario.Scenario, ok bool) {
	for _, g := range graphs {
		if !strings.HasPrefix(strings.TrimSpace(g.DOT), "{") {
			continue
		}
		if s, err := scenario.Decode([]byte(g.DOT)); err == nil {
			return s, true
		}
	}
	return s, false
}

// sortIn puts graphs in by what they are. They take the place of an example,
// and go beside work of the user's own.
func (v *View) sortIn(graphs []*graph, federations []bool) {
	v.change("drop files", func(in *inputs) {
		v.unname(in)
		replaced := v.unsaved
		for i, g := range graphs {
			switch {
			case federations[i]:
				in.setFederation(g)
			case !replaced:
				in.deployments, replaced = nil, true
				fallthrough
			default:
				in.add(g)
			}
		}
	})
	v.filesRead()
}

// put puts graphs where they were said to go.
func (v *View) put(graphs []*graph, to destination) {
	switch {
	case len(graphs) == 0:
		v.changed()
	case to == federation:
		v.change("choose "+graphs[0].Name, func(in *inputs) {
			v.unname(in)
			in.setFederation(graphs[0])
		})
		if len(graphs) > 1 {
			v.complaint = fmt.Sprintf("One federation is used at a time: %s; the other %d files were left out.", graphs[0].Name, len(graphs)-1)
		}
	default:
		v.change("choose deployments", func(in *inputs) {
			v.unname(in)
			if to == deployments {
				in.deployments = nil
			}
			in.add(graphs...)
		})
	}
	v.filesRead()
}

// unname takes away the name of an example or a link whose graphs give way: it
// would be wrong for others.
func (v *View) unname(in *inputs) {
	if !v.unsaved {
		in.name = ""
	}
}

// filesRead goes on with what waited for the files.
func (v *View) filesRead() {
	v.editing = nil
	v.settle(settleTime)
	if v.reading--; v.reading == 0 && v.waiting {
		v.run()
	}
}

// pasteDialog is the dialog for a graph as text.
func (v *View) pasteDialog() app.UI {
	return &ui.Dialog{ID: "paste", Title: "Paste a graph", Open: v.dialog == dialogPaste, OnClose: v.closeDialog, Body: func() app.UI {
		return app.Div().Body(
			app.P().Text("A deployment or a federation in DOT; its labels tell which."),
			app.Textarea().ID("paste-text").AutoFocus(true).Rows(12).Spellcheck(false).Aria("label", "DOT text"),
			app.Div().Class("row").Body(ui.Button("check", "Use it").Class("primary").OnClick(v.usePaste)),
		)
	}}
}

func (v *View) openPaste(ctx app.Context, _ app.Event) {
	v.dialog = dialogPaste
}

func (v *View) usePaste(app.Context, app.Event) {
	text := app.Window().GetElementByID("paste-text").Get("value").String()
	v.dialog = dialogNone
	if text == "" {
		return
	}
	v.awaitFiles()
	v.arrived([]*graph{textGraph("pasted.dot", text)}, anywhere)
	shell.Announce(v.page, "Pasted.")
}
