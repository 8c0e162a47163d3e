package gallery

import (
	"fmt"
	"slices"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/chart"
	"berth/app/ui"
	"berth/engine/experiment"
)

// Bounds of the charts of an experiment; all figures are in its table.
const (
	mostCharts = 6
	mostBars   = 40
)

// charts are small multiples: a metric each, with a bar and its interval for each cell.
func (v *View) charts(x *exhibit) app.UI {
	r := x.result
	if r == nil || len(r.Cells) < 2 || len(r.Cells) > mostBars {
		return app.Div()
	}
	var all []app.UI
	for _, m := range r.Metrics[:min(len(r.Metrics), mostCharts)] {
		bars := &chart.Bars{
			ID: fmt.Sprintf("chart-%s-%s", x.id, strings.ReplaceAll(m.Name, ".", "-")), Title: m.Title, Unit: m.Unit, Empty: "No run gave this figure.",
		}
		for i := range r.Cells {
			a := r.Cells[i].Metrics[m.Name]
			if low, high, ok := interval(a); ok {
				bars.Items = append(bars.Items, chart.Bar{Label: cellName(r, i), Value: *a.Mean, Low: low, High: high, Style: styleOf(r, i)})
			}
		}
		all = append(all, bars)
	}
	more := ""
	if n := len(r.Metrics) - mostCharts; n > 0 {
		more = ui.Counted(n, "more metric") + " in the table."
	}
	return app.Div().Class("sweep-charts").DataSet("testid", "sweep-charts").Body(append(all, app.Small().Text(more))...)
}

// cellName has the levels in which cells differ.
func cellName(r *experiment.Report, cell int) string {
	var parts []string
	for _, f := range r.Factors {
		if len(f.Levels) > 1 {
			parts = append(parts, strings.TrimSpace(levelLead(&f)+fmt.Sprint(r.Cells[cell].Levels[f.Name])))
		}
	}
	return strings.Join(parts, ", ")
}

// levelLead names a factor before its level, unless that is a subject, which says what
// it is.
func levelLead(f *experiment.FactorSummary) string {
	if f.Subjects {
		return ""
	}
	return f.Name + " "
}

// styleOf gives the bars of one subject the same look.
func styleOf(r *experiment.Report, cell int) chart.Style {
	for _, f := range r.Factors {
		if f.Subjects {
			subject := fmt.Sprint(r.Cells[cell].Levels[f.Name])
			place := slices.IndexFunc(f.Levels, func(level any) bool { return fmt.Sprint(level) == subject })
			return chart.StyleOf(subject, max(0, place))
		}
	}
	return chart.StyleAt(0)
}
