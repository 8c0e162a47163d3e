package placement

import (
	"context"

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
	var entries []lab.Export
	for _, e := range exports {
		entries = append(entries, lab.Export{Name: e.format, Label: e.label, Do: func() { v.exportAs(e.format) }})
	}
	return v.ExportMenu(append(entries,
		lab.Export{Name: "svg", Label: "Drawing as SVG", Do: v.exportSVG},
		lab.Export{Name: "png", Label: "Drawing as PNG", Do: v.exportPNG},
	)...)
}

func (v *View) exportAs(format string) {
	run, strategy := v.result.at(v.shown)
	deployment := scenario.AllDeployments
	if format == scenario.JSON || format == scenario.FiguresCSV {
		run = v.result.whole()
	}
	query := scenario.ExportQuery{Strategy: strategy, Deployment: deployment, Format: format}
	v.Export(func(ctx context.Context) (bridge.File, error) { return v.Engine.Export(ctx, run, query) })
}

func (v *View) exportSVG() {
	ui.Download(v.FileName(".svg"), "image/svg+xml", []byte(v.picture.svg))
}
