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
	items := make([]app.UI, 0, len(exports)+3)
	for _, e := range exports {
		items = append(items, v.exportItem(e.label, func() { v.exportAs(e.format) }))
	}
	items = append(items,
		v.exportItem("Drawing as SVG", v.exportSVG),
		v.exportItem("Drawing as PNG", v.exportPNG),
		v.exportItem("Scenario file", v.exportScenario),
	)
	return app.Details().Class("menu").Body(
		app.Summary().Class("button").Body(ui.Icon("download"), app.Span().Text("Export")),
		app.Ul().Body(items...),
	)
}

// exportItem is an entry of the menu, which closes with it.
func (v *View) exportItem(label string, do func()) app.UI {
	return app.Li().Body(app.Button().Type("button").Class("link").Text(label).
		OnClick(func(ctx app.Context, _ app.Event) {
			closeMenu(ctx)
			do()
		}, app.EventScope(label)))
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

func (v *View) exportScenario() {
	document := v.result.document
	var data []byte
	var err error
	v.later(func() { data, err = document.JSON.Bytes(v.page) }, func() {
		if err != nil {
			v.complain("The scenario could not be written", err)
			return
		}
		ui.Download(v.fileName(".json"), "application/json", data)
	})
}

// fileName is the scenario's name as that of a file.
func (v *View) fileName(extension string) string {
	name := strings.Map(func(r rune) rune {
		if r < ' ' || strings.ContainsRune(`/\:*?"<>|`, r) {
			return '-'
		}
		return r
	}, v.inputs.name)
	if name == "" {
		name = "berth-" + v.result.document.Hash
	}
	return name + extension
}

func (v *View) exportSVG() {
	ui.Download(v.fileName(".svg"), "image/svg+xml", []byte(v.picture.svg))
}
