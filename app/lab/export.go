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

// document encodes the scenario of inputs; it blocks.
func (l *Lab[I]) document(in I) (d bridge.Document, text []byte, err error) {
	d, err = l.Engine.Document(l.Page, in.Input())
	if err == nil {
		text, err = d.JSON.Bytes(l.Page)
	}
	return d, text, err
}

// Export is an entry of the export menu, which saves or copies a file.
type Export struct {
	Name, Label string // Name identifies the export within the menu
	Do          func()
}

// SaveTable is to save a table of a report under the name of the scenario with an extension.
func (l *Lab[I]) SaveTable(t figure.Listing, body any, extension string) Export {
	return Export{t.Name, t.Label, func() { ui.Download(l.FileName(extension), "text/csv", t.CSV(body)) }}
}

// SaveReport is to save the report of everything that ran, as the command line writes it.
func (l *Lab[I]) SaveReport(name, extension string) Export {
	return Export{name, "Report as JSON", func() { ui.Download(l.FileName(extension), "application/json", l.shownBatch.JSON()) }}
}

// ExportMenu lists what there is to export of the result, and the scenario.
func (l *Lab[I]) ExportMenu(exports ...Export) app.UI {
	if l.Shown == nil {
		return ui.None()
	}
	if l.writing != nil && l.writing.long {
		return app.Div().Body(ui.Button("close", "Cancel the export").DataSet("testid", l.id("export-cancel")).
			OnClick(func(app.Context, app.Event) { l.cancelExport() }))
	}
	exports = append(append(exports, l.tableExports()...), Export{"scenario", "Scenario file", l.exportScenario})
	l.exports = exports
	entries := make([]app.UI, len(exports))
	for i, e := range exports {
		entries[i] = MenuEntry(l.id("export-"+e.Name), e.Do, app.Text(e.Label))
	}
	return Menu("", app.Summary().DataSet("testid", l.id("export")).Body(ui.Icon("download"), app.Span().Text("Export")), entries...)
}

// Export saves a file that write has a worker produce, which may take as long as a
// run. The file is called name or, if name is "", as the worker calls it. The user
// may cancel it, and another export cancels it.
func (l *Lab[I]) Export(name string, write func(context.Context) (*scenario.Export, error)) {
	l.stopExport()
	c := l.beginCall()
	l.writing = c
	Ask(nil, l.Later, func() (*scenario.Export, error) { return write(c.ctx) }, func(file *scenario.Export, err error) {
		if l.writing != c {
			return
		}
		l.stopExport()
		if err != nil {
			l.Complain("The file could not be written", err)
			return
		}
		ui.Download(cmp.Or(name, file.Name), file.Type, file.Data)
		for _, remark := range file.Remarks {
			shell.Announce(l.Page, remark+".")
		}
	})
}

// stopExport cancels the current export.
func (l *Lab[I]) stopExport() {
	if l.writing != nil {
		l.writing.end()
		l.writing = nil
	}
}

// cancelExport is stopExport at the user's request.
func (l *Lab[I]) cancelExport() {
	l.stopExport()
	shell.Announce(l.Page, "The export was cancelled.")
}

// exportScenario saves the current inputs, which need not have run.
func (l *Lab[I]) exportScenario() {
	in := l.Inputs
	l.Export("", func(context.Context) (*scenario.Export, error) {
		d, data, err := l.document(in)
		return &scenario.Export{Name: fileName(in.Name(), d.Hash, ".json"), Type: "application/json", Data: data}, err
	})
}

// FileName is the name, with this extension, for a file made from the result on
// screen.
func (l *Lab[I]) FileName(extension string) string {
	return fileName(l.Shown.Inputs.Name(), l.Shown.Document.Hash, extension)
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
