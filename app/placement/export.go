package placement

import (
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/ui"
	"berth/engine/scenario"
	"berth/wasm/bridge"
)

// exports are the files that the worker writes.
var exports = []struct{ label, format string }{
	{"Result .dot, thesis dialect", scenario.DOTThesis},
	{"Result .dot, plain attributes", scenario.DOTPlain},
	{"Placement as CSV", scenario.CSV},
	{"Figures as CSV", scenario.FiguresCSV},
	{"Report as JSON", scenario.JSON},
}

func (v *View) exportMenu() app.UI {
	if v.result == nil {
		return app.Text("")
	}
	entry := func(id, label string, do func()) app.UI { return menuEntry("export-"+id, do, app.Text(label)) }
	var entries []app.UI
	for _, e := range exports {
		entries = append(entries, entry(e.format, e.label, func() { v.exportAs(e.format) }))
	}
	entries = append(entries,
		entry("svg", "Drawing as SVG", v.exportSVG),
		entry("png", "Drawing as PNG", v.exportPNG),
		entry("scenario", "Scenario file", v.exportScenario),
	)
	return menu("", app.Summary().DataSet("testid", "export").Body(ui.Icon("download"), app.Span().Text("Export")), entries...)
}

func (v *View) exportAs(format string) {
	run, strategy := v.result.at(v.shown)
	deployment := scenario.AllDeployments
	if format == scenario.JSON || format == scenario.FiguresCSV {
		run = v.result.whole()
	}
	v.export(run, scenario.ExportQuery{Strategy: strategy, Deployment: deployment, Format: format})
}

// export has the worker write a file and hands it to the user.
func (v *View) export(run *bridge.Result, q scenario.ExportQuery) {
	var file bridge.File
	var data []byte
	var err error
	v.later(func() {
		if file, err = v.Engine.Export(v.page, run, q); err == nil {
			data, err = file.Data.Bytes(v.page)
		}
	}, func() {
		if err != nil {
			v.complain("The file could not be written", err)
			return
		}
		ui.Download(file.Name, file.Type, data)
	})
}

// complain shows an error that has no place of its own.
func (v *View) complain(what string, err error) {
	v.complaint = what + ": " + err.Error()
	v.tell()
}

// exportScenario saves the inputs on screen, which need not have run.
func (v *View) exportScenario() {
	input := v.inputs.message()
	var d bridge.Document
	var data []byte
	var err error
	v.later(func() {
		if d, err = v.Engine.Document(v.page, input); err == nil {
			data, err = d.JSON.Bytes(v.page)
		}
	}, func() {
		if err != nil {
			v.complain("The scenario could not be written", err)
			return
		}
		ui.Download(fileName(input.Scenario.Name, d.Hash, ".json"), "application/json", data)
	})
}

// fileName is a scenario's name as that of a file.
func fileName(name, hash, extension string) string {
	if name == "" {
		name = "berth-" + hash
	}
	return strings.Map(func(r rune) rune {
		if r < ' ' || strings.ContainsRune(`/\:*?"<>|`, r) {
			return '-'
		}
		return r
	}, name) + extension
}

// pictureName is the name of a file with the drawing.
func (v *View) pictureName(extension string) string {
	return fileName(v.result.inputs.name, v.result.document.Hash, extension)
}

func (v *View) exportSVG() {
	ui.Download(v.pictureName(".svg"), "image/svg+xml", []byte(v.picture.svg))
}
