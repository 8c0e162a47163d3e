package federate

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/lab"
	"berth/app/ui"
	"berth/engine/scenario"
	"berth/engine/scenario/federate"
	"berth/wasm/bridge"
)

// exports are the tables that a result can be taken away as.
var exports = []struct {
	what, label string
	sweep       bool // of a sweep as a whole; the others are of what is shown
}{
	{federate.ExportSchedulers, "Figures as CSV", false},
	{federate.ExportDistribution, "Distribution of the allocation time as CSV", false},
	{federate.ExportSeries, "Shares and utilisation over time as CSV", false},
	{federate.ExportDemand, "Demand over time as CSV", false},
	{federate.ExportPoints, "Points of the sweep as CSV", true},
}

func (v *View) exportMenu() app.UI {
	if v.result == nil {
		return app.Text("")
	}
	entry := func(id, label string, do func()) app.UI { return lab.MenuEntry("fed-export-"+id, do, app.Text(label)) }
	var entries []app.UI
	for _, e := range exports {
		if e.sweep && !v.swept() {
			continue
		}
		entries = append(entries, entry(e.what, e.label, func() { v.exportTable(e.what, e.sweep) }))
	}
	if run := v.run(); run != nil {
		entries = append(entries, entry("tasks", "Every task under "+v.scheduler().Name+" as CSV", func() {
			v.Export(func() (bridge.File, error) {
				return v.Engine.Export(v.Page, run, scenario.ExportQuery{Format: federate.ExportTasks})
			})
		}))
	}
	entries = append(entries,
		entry("report", "Report as JSON", v.exportReport),
		entry("scenario", "Scenario file", v.ExportScenario),
	)
	return lab.Menu("", app.Summary().DataSet("testid", "fed-export").Body(ui.Icon("download"), app.Span().Text("Export")), entries...)
}

func (v *View) exportTable(what string, sweep bool) {
	report := v.result.shown
	if sweep {
		report = v.result.report
	}
	data, err := report.Export(what)
	if err != nil {
		v.Complain("The file could not be written", err)
		return
	}
	ui.Download(v.FileName("-"+what+".csv"), "text/csv", data)
}

// exportReport saves the report of everything that ran, as the command line
// writes it.
func (v *View) exportReport() {
	ui.Download(v.FileName("-report.json"), "application/json", scenario.EncodeReport(v.result.whole.Untimed()))
}
