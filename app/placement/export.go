package placement

import (
	"context"
	"slices"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/chart"
	"berth/app/lab"
	"berth/app/shell"
	"berth/app/ui"
	"berth/engine/placement/drawing"
	"berth/engine/placement/placementkind"
	"berth/engine/scenario"
	"berth/wasm/bridge"
)

type exported struct{ label, format, extension string }

// exports are the files that a worker writes, with the endings of their names.
var exports = []exported{
	{"Result .dot, thesis dialect", placementkind.DOTThesis, ".dot"},
	{"Result .dot, plain attributes", placementkind.DOTPlain, ".dot"},
	{"Placement as CSV", placementkind.CSV, ".placement.csv"},
	{"Figures as CSV", placementkind.FiguresCSV, ".figures.csv"},
}

// manifestExports are the exports of jobs that came from manifests.
var manifestExports = []exported{
	{"Karmada policies", "karmada", ".karmada.yaml"},
	{"Manifests of each cluster, for kubectl", "kubectl", ".kubectl.yaml"},
}

func (p *picture) exportMenu() app.UI {
	var entries []lab.Export
	all := exports
	if p.view.result != nil && slices.ContainsFunc(p.view.result.Inputs.deployments, beyond) {
		all = slices.Concat(exports, manifestExports)
	}
	for _, e := range all {
		entries = append(entries, lab.Export{Name: e.format, Label: e.label, Do: func() { p.exportAs(e.format, e.extension) }})
	}
	return p.view.Exports.Menu(append(entries,
		p.view.Exports.SaveReport("json", ".report.json"),
		p.view.Exports.SavePage(".report.html", func() ([]chart.Picture, bool) {
			svg, ok := p.framed()
			return []chart.Picture{{SVG: svg}}, ok
		}),
		lab.Export{Name: "svg", Label: "Drawing as SVG", Do: p.exportSVG},
		lab.Export{Name: "png", Label: "Drawing as PNG", Do: func() { p.paintPNG(func(png app.Value) { ui.Offer(p.view.Exports.FileName(".png"), png) }) }},
		lab.Export{Name: "png-copy", Label: "Copy the drawing as PNG", Do: func() {
			p.paintPNG(func(png app.Value) {
				shell.Copy(p.view.Page, png, "The drawing was copied.", "The browser does not allow copying pictures. Save the PNG instead.")
			})
		}},
	)...)
}

// exportAs saves the placement of the shown strategy or, for
// [placementkind.FiguresCSV], the figures of all strategies.
func (p *picture) exportAs(format, extension string) {
	run, strategy := p.view.result.at(p.view.shown)
	if format == placementkind.FiguresCSV {
		run = p.view.result.whole()
	} else {
		extension = "." + p.view.result.strategies()[p.view.shown].StrategyName() + extension
	}
	query := placementkind.ExportQuery{Strategy: strategy, Deployment: placementkind.AllDeployments, Format: format}
	p.view.Exports.Export(p.view.Exports.FileName(extension), func(ctx context.Context) (*scenario.Export, error) {
		return bridge.Ask(ctx, p.view.Engine, run, placementkind.ExportQuestion, query)
	})
}

func (p *picture) exportSVG() {
	if svg, ok := p.framed(); ok {
		ui.Download(p.view.Exports.FileName(".svg"), "image/svg+xml", []byte(scenario.CarryInSVG(svg, p.view.Exports.Carried())))
	}
}

// framed returns the drawing with its title and legend as SVG; false after an error,
// which it reports.
func (p *picture) framed() (string, bool) {
	title := p.view.sentence()
	if p.view.Inputs.name != "" {
		title = p.view.Inputs.name + ": " + title
	}
	svg, err := drawing.Framed(p.svg, title, p.legend(), p.moved)
	if err != nil {
		p.view.Complain("The drawing could not be written", err)
	}
	return svg, err == nil
}
