package lab

import (
	"cmp"
	"context"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/shell"
	"berth/app/ui"
	"berth/engine/figure"
	"berth/engine/scenario"
	"berth/wasm/bridge"
)

// exports is the menu of exports.
type exports[I Inputs[I]] struct {
	lab     *Lab[I]
	writing *Call    // current export; nil for none
	entries []Export // of the menu, for the command palette
}

// document encodes the scenario of inputs; it blocks.
func (x *exports[I]) document(in I) (d bridge.Document, text []byte, err error) {
	d, err = x.lab.Engine.Document(x.lab.Page, in.Input())
	if err == nil {
		text, err = d.JSON.Bytes(x.lab.Page)
	}
	return d, text, err
}

// scenario returns the whole scenario of inputs; it blocks.
func (x *exports[I]) scenario(in I) (scenario.Scenario, error) {
	_, text, err := x.document(in)
	if err != nil {
		return scenario.Scenario{}, err
	}
	return scenario.Decode(text)
}

// Export is an entry of the export menu, which saves or copies a file.
type Export struct {
	Name, Label string // Name identifies the export within the menu
	Do          func()
}

// SaveTable returns the export of a table of the report as CSV. The file has the name
// of the scenario and the given extension.
func (x *exports[I]) SaveTable(t figure.Listing, body any, extension string) Export {
	return Export{t.Name, t.Label, func() { ui.Download(x.FileName(extension), "text/csv", t.CSV(body)) }}
}

// SaveReport returns the export of the report of all runs, in the JSON that the command
// line writes.
func (x *exports[I]) SaveReport(name, extension string) Export {
	return Export{name, "Report as JSON", func() { ui.Download(x.FileName(extension), "application/json", x.lab.Runs.shown.JSON()) }}
}

// Menu lists the exports of the result and of the scenario. While an export takes
// long, a button to cancel it replaces the menu.
func (x *exports[I]) Menu(exports ...Export) app.UI {
	if x.lab.Shown == nil {
		return ui.None()
	}
	if x.writing != nil && x.writing.long {
		return app.Div().Body(ui.Button("close", "Cancel the export").DataSet("testid", x.lab.id("export-cancel")).
			OnClick(func(app.Context, app.Event) { x.cancelExport() }))
	}
	exports = append(exports,
		Export{"markdown", "Copy the comparison as Markdown", func() { x.copyTable(markdownTable) }},
		Export{"latex", "Copy the comparison as LaTeX (booktabs)", func() { x.copyTable(latexTable) }},
		Export{"scenario", "Scenario file", x.exportScenario})
	x.entries = exports
	entries := make([]app.UI, len(exports))
	for i, e := range exports {
		entries[i] = MenuEntry(x.lab.id("export-"+e.Name), func() { x.do(e.Name) }, app.Text(e.Label))
	}
	return Menu("", app.Summary().DataSet("testid", x.lab.id("export")).Body(ui.Icon("download"), app.Span().Text("Export")), entries...)
}

// do runs the current export with this name. The button in the page keeps the handler of its first
// drawing, which may belong to an earlier result.
func (x *exports[I]) do(name string) {
	for _, e := range x.entries {
		if e.Name == name {
			e.Do()
		}
	}
}

// Export saves the file that write produces. write runs off the page's goroutine and may take as
// long as a run. If name is "", the file keeps the name that write gave it. The user or the next
// export may cancel it.
func (x *exports[I]) Export(name string, write func(context.Context) (*scenario.Export, error)) {
	x.stopExport()
	c := x.lab.Runs.beginCall()
	x.writing = c
	Ask(nil, x.lab.Later, func() (*scenario.Export, error) { return write(c.ctx) }, func(file *scenario.Export, err error) {
		if x.writing != c {
			return
		}
		x.stopExport()
		if err != nil {
			x.lab.Complain("The file could not be written", err)
			return
		}
		ui.Download(cmp.Or(name, file.Name), file.Type, file.Data)
		for _, remark := range file.Remarks {
			shell.Announce(x.lab.Page, remark+".")
		}
	})
}

// stopExport cancels the current export.
func (x *exports[I]) stopExport() {
	if x.writing != nil {
		x.writing.end()
		x.writing = nil
	}
}

// cancelExport stops the current export at the user's request and announces it.
func (x *exports[I]) cancelExport() {
	x.stopExport()
	shell.Announce(x.lab.Page, "The export was cancelled.")
}

// exportScenario saves the current inputs, even if they have not run.
func (x *exports[I]) exportScenario() {
	in := x.lab.Inputs
	x.Export("", func(context.Context) (*scenario.Export, error) {
		d, data, err := x.document(in)
		return &scenario.Export{Name: fileName(in.Name(), d.Hash, ".json"), Type: "application/json", Data: data}, err
	})
}

// FileName returns a file name with the given extension for a file made from the result
// on screen.
func (x *exports[I]) FileName(extension string) string {
	return fileName(x.lab.Shown.Inputs.Name(), x.lab.Shown.Document.Hash, extension)
}

// fileName turns the name of a scenario, or its hash if unnamed, into a valid file
// name.
func fileName(name, hash, extension string) string {
	name = cmp.Or(name, "berth-"+hash)
	return strings.Map(func(r rune) rune {
		if r < ' ' || strings.ContainsRune(`/\:*?"<>|`, r) {
			return '-'
		}
		return r
	}, name) + extension
}
