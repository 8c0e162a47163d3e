package federate

import (
	"context"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/lab"
	"berth/app/ui"
	"berth/engine/federate/federatekind"
	"berth/engine/scenario"
	"berth/wasm/bridge"
)

// exports are the tables that a result can be taken away as.
var exports = []struct {
	what, label string
}{
	{federatekind.ExportSchedulers, "Figures as CSV"},
	{federatekind.ExportDistribution, "Distribution of the allocation time as CSV"},
	{federatekind.ExportSeries, "Shares and utilisation over time as CSV"},
	{federatekind.ExportDemand, "Demand over time as CSV"},
}

func (v *View) exportMenu() app.UI {
	if v.result == nil {
		return app.Text("")
	}
	var entries []lab.Export
	for _, e := range exports {
		entries = append(entries, lab.Export{Name: e.what, Label: e.label, Do: func() { v.exportTable(e.what) }})
	}
	if run := v.run(); run != nil {
		entries = append(entries, lab.Export{Name: "tasks", Label: "Every task under " + v.scheduler().Name + " as CSV", Do: func() {
			v.Export("", func(ctx context.Context) (*scenario.Export, error) {
				return bridge.Ask(ctx, v.Engine, run, federatekind.TasksQuestion, federatekind.TasksQuery{})
			})
		}})
	}
	return v.ExportMenu(append(entries, lab.Export{Name: "report", Label: "Report as JSON", Do: v.exportReport})...)
}

func (v *View) exportTable(what string) {
	data, err := v.result.report.Export(what)
	if err != nil {
		v.Complain("The file could not be written", err)
		return
	}
	ui.Download(v.FileName("-"+what+".csv"), "text/csv", data)
}

// exportReport saves the report of everything that ran, as the command line
// writes it.
func (v *View) exportReport() {
	ui.Download(v.FileName("-report.json"), "application/json", v.result.JSON())
}
