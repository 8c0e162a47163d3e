package qos

import (
	"bytes"
	"context"
	"slices"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/lab"
	"berth/app/ui"
	"berth/engine/qos/qoskind"
	"berth/engine/scenario"
	"berth/wasm/bridge"
)

func (v *View) exportMenu() app.UI {
	if v.result == nil {
		return app.Text("")
	}
	exports := []lab.Export{
		{Name: "json", Label: "Report as JSON", Do: v.exportReport},
		{Name: "figures", Label: "Figures as CSV", Do: v.exportFigures},
		{Name: "requests", Label: "Requests as CSV, with penalties", Do: v.exportRequests},
	}
	if v.result.hasControllers() {
		controllers := lab.Export{Name: "controllers", Label: "Controllers as CSV", Do: v.exportControllers}
		exports = slices.Concat(exports[:2], []lab.Export{controllers}, exports[2:])
	}
	return v.ExportMenu(exports...)
}

func (v *View) exportReport() {
	ui.Download(v.FileName(".report.json"), "application/json", v.result.JSON())
}

// exportFigures writes the figures of all policies and classes.
func (v *View) exportFigures() { v.exportTable("figures", qoskind.FiguresTable) }

func (v *View) exportTable(name string, table func(*qoskind.Report) ([]byte, error)) {
	data, err := table(v.result.report)
	if err != nil {
		v.Complain("The file could not be written", err)
		return
	}
	ui.Download(v.FileName("."+name+".csv"), "text/csv", data)
}

func (v *View) exportRequests() {
	all := v.result.results()
	v.Export(v.FileName(".requests.csv"), func(ctx context.Context) (*scenario.Export, error) { return v.requestList(ctx, all) })
}

// results are those of the policies that are there.
func (r *result) results() []*bridge.Result {
	var all []*bridge.Result
	for _, one := range r.there() {
		all = append(all, one.Result)
	}
	return all
}

// requestList has one line for each policy and request; it blocks.
func (v *View) requestList(ctx context.Context, results []*bridge.Result) (*scenario.Export, error) {
	var all []byte
	for _, one := range results {
		file, err := bridge.Ask(ctx, v.Engine, one, qoskind.ListQuestion, qoskind.ListQuery{})
		if err != nil {
			return nil, err
		}
		data := file.Data
		if len(all) > 0 { // one header for all
			_, data, _ = bytes.Cut(data, []byte("\n"))
		}
		all = append(all, data...)
	}
	return &scenario.Export{Type: "text/csv", Data: all}, nil
}
