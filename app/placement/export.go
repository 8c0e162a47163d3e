package placement

import (
	"context"
	"slices"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/lab"
	"berth/app/shell"
	"berth/app/ui"
	"berth/engine/placement/drawing"
	"berth/engine/placement/placementkind"
	"berth/engine/scenario"
	"berth/wasm/bridge"
)

type exported struct{ label, format, extension string }

// exports are the files that the worker writes, with the ends of their names.
var exports = []exported{
	{"Result .dot, thesis dialect", placementkind.DOTThesis, ".dot"},
	{"Result .dot, plain attributes", placementkind.DOTPlain, ".dot"},
	{"Placement as CSV", placementkind.CSV, ".placement.csv"},
	{"Figures as CSV", placementkind.FiguresCSV, ".figures.csv"},
}

// manifestExports are the exports of jobs from manifests.
var manifestExports = []exported{
	{"Karmada policies", "karmada", ".karmada.yaml"},
	{"Manifests of each cluster, for kubectl", "kubectl", ".kubectl.yaml"},
}

func (v *View) exportMenu() app.UI {
	var entries []lab.Export
	all := exports
	if v.result != nil && slices.ContainsFunc(v.result.Inputs.deployments, beyond) {
		all = slices.Concat(exports, manifestExports)
	}
	for _, e := range all {
		entries = append(entries, lab.Export{Name: e.format, Label: e.label, Do: func() { v.exportAs(e.format, e.extension) }})
	}
	return v.ExportMenu(append(entries,
		v.SaveReport("json", ".report.json"),
		lab.Export{Name: "svg", Label: "Drawing as SVG", Do: v.exportSVG},
		lab.Export{Name: "png", Label: "Drawing as PNG", Do: func() { v.paintPNG(func(png app.Value) { ui.Offer(v.FileName(".png"), png) }) }},
		lab.Export{Name: "png-copy", Label: "Copy the drawing as PNG", Do: func() {
			v.paintPNG(func(png app.Value) {
				shell.Copy(v.Page, png, "The drawing was copied.", "The browser does not allow copying pictures. Save the PNG instead.")
			})
		}},
	)...)
}

// exportAs saves the placement of the shown strategy, or the figures of all strategies.
func (v *View) exportAs(format, extension string) {
	run, strategy := v.result.at(v.shown)
	if format == placementkind.FiguresCSV {
		run = v.result.whole()
	} else {
		extension = "." + v.result.strategies()[v.shown].StrategyName() + extension
	}
	query := placementkind.ExportQuery{Strategy: strategy, Deployment: placementkind.AllDeployments, Format: format}
	v.Export(v.FileName(extension), func(ctx context.Context) (*scenario.Export, error) {
		return bridge.Ask(ctx, v.Engine, run, placementkind.ExportQuestion, query)
	})
}

func (v *View) exportSVG() {
	if svg, ok := v.framed(); ok {
		ui.Download(v.FileName(".svg"), "image/svg+xml", []byte(svg))
	}
}

// framed is the drawing with its title and its legend.
func (v *View) framed() (string, bool) {
	title := v.sentence()
	if v.Inputs.name != "" {
		title = v.Inputs.name + ": " + title
	}
	svg, err := drawing.Framed(v.picture.svg, title, v.picture.legend(), v.picture.moved)
	if err != nil {
		v.Complain("The drawing could not be written", err)
	}
	return svg, err == nil
}
