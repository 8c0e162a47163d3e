package qos

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/lab"
	"berth/app/ui"
	"berth/engine/scenario"
)

func (v *View) exportMenu() app.UI {
	if v.result == nil {
		return app.Text("")
	}
	entry := func(id, label string, do func()) app.UI { return lab.MenuEntry("export-"+id, do, app.Text(label)) }
	return lab.Menu("", app.Summary().DataSet("testid", "export").Body(ui.Icon("download"), app.Span().Text("Export")),
		entry("json", "Report as JSON", v.exportReport),
		entry("figures", "Figures as CSV", v.exportFigures),
		entry("scenario", "Scenario file", v.ExportScenario),
	)
}

func (v *View) exportReport() {
	ui.Download(v.FileName(".report.json"), "application/json", scenario.EncodeReport(v.result.untimed()))
}

// exportFigures writes the table of classes with all digits.
func (v *View) exportFigures() {
	ui.Download(v.FileName(".figures.csv"), "text/csv", ui.CSV(v.result.figureRecords()))
}

func (r *result) figureRecords() [][]string {
	header := []string{"policy", "class"}
	for _, m := range measures {
		header = append(header, m.name)
	}
	records := [][]string{header}
	for _, p := range r.policies() {
		for _, class := range append(r.classNames(), "all") {
			f := classFigures(&p.Run, class)
			if f == nil {
				continue
			}
			record := []string{p.Title, class}
			for _, m := range measures {
				record = append(record, ui.Exact(m.of(f)))
			}
			records = append(records, record)
		}
	}
	return records
}
