package placement

import (
	"context"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/lab"
	"berth/app/ui"
	"berth/engine/placement/placementkind"
	"berth/engine/scenario"
	"berth/wasm/bridge"
)

// exports are the files that the worker writes.
var exports = []struct{ label, format string }{
	{"Result .dot, thesis dialect", placementkind.DOTThesis},
	{"Result .dot, plain attributes", placementkind.DOTPlain},
	{"Placement as CSV", placementkind.CSV},
	{"Figures as CSV", placementkind.FiguresCSV},
}

func (v *View) exportMenu() app.UI {
	var entries []lab.Export
	for _, e := range exports {
		entries = append(entries, lab.Export{Name: e.format, Label: e.label, Do: func() { v.exportAs(e.format) }})
	}
	return v.ExportMenu(append(entries,
		lab.Export{Name: "json", Label: "Report as JSON", Do: v.exportReport},
		lab.Export{Name: "svg", Label: "Drawing as SVG", Do: v.exportSVG},
		lab.Export{Name: "png", Label: "Drawing as PNG", Do: v.exportPNG},
	)...)
}

func (v *View) exportAs(format string) {
	run, strategy := v.result.at(v.shown)
	deployment := placementkind.AllDeployments
	if format == placementkind.FiguresCSV {
		run = v.result.whole()
	}
	query := placementkind.ExportQuery{Strategy: strategy, Deployment: deployment, Format: format}
	v.Export(func(ctx context.Context) (*scenario.Export, error) {
		return bridge.Ask(ctx, v.Engine, run, placementkind.ExportQuestion, query)
	})
}

// exportReport saves the report as the command line writes it.
func (v *View) exportReport() {
	ui.Download("berth.json", "application/json", v.result.JSON())
}

func (v *View) exportSVG() {
	ui.Download(v.FileName(".svg"), "image/svg+xml", []byte(v.picture.svg))
}
