package placement

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/lab"
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
	entry := func(id, label string, do func()) app.UI { return lab.MenuEntry("export-"+id, do, app.Text(label)) }
	var entries []app.UI
	for _, e := range exports {
		entries = append(entries, entry(e.format, e.label, func() { v.exportAs(e.format) }))
	}
	entries = append(entries,
		entry("svg", "Drawing as SVG", v.exportSVG),
		entry("png", "Drawing as PNG", v.exportPNG),
		entry("scenario", "Scenario file", v.ExportScenario),
	)
	return lab.Menu("", app.Summary().DataSet("testid", "export").Body(ui.Icon("download"), app.Span().Text("Export")), entries...)
}

func (v *View) exportAs(format string) {
	run, strategy := v.result.at(v.shown)
	deployment := scenario.AllDeployments
	if format == scenario.JSON || format == scenario.FiguresCSV {
		run = v.result.whole()
	}
	query := scenario.ExportQuery{Strategy: strategy, Deployment: deployment, Format: format}
	v.Export(func() (bridge.File, error) { return v.Engine.Export(v.Page, run, query) })
}

func (v *View) exportSVG() {
	ui.Download(v.FileName(".svg"), "image/svg+xml", []byte(v.picture.svg))
}
