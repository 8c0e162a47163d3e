package gallery

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/chart"
	"berth/app/ui"
	"berth/engine/gallery"
	"berth/engine/study"
)

// Bounds of the charts of an experiment; all figures are in its table.
const (
	mostCharts = 6
	mostBars   = 40
)

// charts are small multiples: a metric each, with a bar and its interval for each cell.
// What a single cell has to compare is its metrics.
func (v *View) charts(x *exhibit) app.UI {
	r := x.result
	if r == nil || len(r.Cells) == 0 || len(r.Cells) > mostBars {
		return app.Div()
	}
	var all []app.UI
	more := ""
	if len(r.Cells) == 1 {
		all = metricCharts(x.id, r)
	} else {
		entry := gallery.Entry{Along: numbers(r)} // which has no part of the visitor's experiment
		if x.entry != nil {
			entry = *x.entry
		}
		var left int
		if all, left = cellCharts(x.id, r, &entry); left > 0 {
			more = ui.Counted(left, "more metric") + " in the table."
		}
	}
	return app.Div().Class("sweep-charts").DataSet("testid", "sweep-charts").Body(append(all, app.Small().Text(more))...)
}

// cellCharts are the panels, and a chart each for what is in none of them, as far as
// there is room; how many metrics are left is returned, too.
func cellCharts(id string, r *study.Report, e *gallery.Entry) (all []app.UI, left int) {
	for _, m := range r.Metrics {
		switch {
		case slices.ContainsFunc(e.Panels, func(p gallery.Panel) bool { _, in := p.Label(m.Name); return in }):
		case len(all) < mostCharts && e.Along != "":
			all = append(all, curves(id, r, m, e.Along))
		case len(all) < mostCharts:
			all = append(all, cellChart(id, r, m))
		default:
			left++
		}
	}
	for _, p := range e.Panels {
		all = append(all, panelCharts(id, r, p)...)
	}
	return all, left
}

// panelCharts have the metrics of a panel side by side, the subjects within each: a chart
// for each combination of the other factors.
func panelCharts(id string, r *study.Report, p gallery.Panel) (all []app.UI) {
	var charts []*chart.Bars
	byOthers := map[string]*chart.Bars{}
	for _, m := range r.Metrics {
		label, in := p.Label(m.Name)
		if !in {
			continue
		}
		for i := range r.Cells {
			others := levelsOf(r, i, func(f *study.FactorSummary) bool { return !f.Subjects })
			bars := byOthers[others]
			if bars == nil {
				bars = &chart.Bars{
					ID: fmt.Sprintf("chart-%s-%s-%d", id, p.Metrics, len(charts)), Title: joined(p.Title, others), Unit: m.Unit, Empty: "No run has these figures.",
				}
				byOthers[others] = bars
				charts = append(charts, bars)
			}
			subject := levelsOf(r, i, func(f *study.FactorSummary) bool { return f.Subjects })
			bars.Items = addBar(bars.Items, joined(label, subject), r.Cells[i].Of(m.Name), styleOf(r, i))
		}
	}
	for _, bars := range charts {
		all = append(all, bars)
	}
	return all
}

// numbers is the first factor of at least three levels that are all numbers.
func numbers(r *study.Report) string {
	for _, f := range r.Factors {
		if len(f.Levels) >= 3 && !slices.ContainsFunc(f.Levels, func(level any) bool { _, err := strconv.ParseFloat(fmt.Sprint(level), 64); return err != nil }) {
			return f.Name
		}
	}
	return ""
}

func joined(a, b string) string {
	if b == "" {
		return a
	}
	return a + ", " + b
}

// curves are a metric over a factor of numbers, one for each combination of the others.
func curves(id string, r *study.Report, m study.MetricSummary, along string) *chart.Lines {
	lines := &chart.Lines{
		ID: chartID(id, m), Title: m.Title, XLabel: along, YLabel: ui.WithUnit(m.Title, m.Unit), Empty: "No run has this figure.",
	}
	for i := range r.Cells {
		a := r.Cells[i].Of(m.Name)
		low, high, ok := interval(a)
		x, err := strconv.ParseFloat(fmt.Sprint(r.Cells[i].Levels[along]), 64)
		if !ok || err != nil {
			continue
		}
		name := levelsOf(r, i, func(f *study.FactorSummary) bool { return f.Name != along })
		place := slices.IndexFunc(lines.Series, func(s chart.Series) bool { return s.Name == name })
		if place < 0 {
			place = len(lines.Series)
			lines.Series = append(lines.Series, chart.Series{Name: name, Style: chart.StyleAt(place)})
		}
		s := &lines.Series[place]
		s.Points = append(s.Points, chart.Point{X: x, Y: float64(a.Mean), Low: low, High: high})
	}
	return lines
}

func chartID(id string, m study.MetricSummary) string {
	return fmt.Sprintf("chart-%s-%s", id, strings.ReplaceAll(m.Name, ".", "-"))
}

// cellChart has a bar for each cell.
func cellChart(id string, r *study.Report, m study.MetricSummary) *chart.Bars {
	bars := &chart.Bars{
		ID: chartID(id, m), Title: m.Title, Unit: m.Unit, Empty: "No run has this figure.",
	}
	for i := range r.Cells {
		bars.Items = addBar(bars.Items, cellName(r, i), r.Cells[i].Of(m.Name), styleOf(r, i))
	}
	return bars
}

// metricCharts have a bar for each metric of the only cell, one chart for each unit that
// several share. Metrics without a unit may be counts and parts, which no chart compares.
func metricCharts(id string, r *study.Report) (all []app.UI) {
	var units []string
	for _, m := range r.Metrics {
		if m.Unit != "" && !slices.Contains(units, m.Unit) {
			units = append(units, m.Unit)
		}
	}
	for i, unit := range units {
		bars := &chart.Bars{ID: fmt.Sprintf("chart-%s-%d", id, i), Title: "Metrics in " + unit, Unit: unit}
		for _, m := range r.Metrics {
			if m.Unit == unit {
				bars.Items = addBar(bars.Items, m.Title, r.Cells[0].Of(m.Name), chart.StyleAt(0))
			}
		}
		if len(bars.Items) > 1 {
			all = append(all, bars)
		}
	}
	return all
}

// addBar adds a figure that is defined.
func addBar(bars []chart.Bar, label string, a study.Aggregate, style chart.Style) []chart.Bar {
	low, high, ok := interval(a)
	if !ok {
		return bars
	}
	return append(bars, chart.Bar{Label: label, Value: float64(a.Mean), Low: low, High: high, Style: style})
}

// cellName has the levels in which cells differ.
func cellName(r *study.Report, cell int) string {
	return levelsOf(r, cell, func(*study.FactorSummary) bool { return true })
}

func levelsOf(r *study.Report, cell int, wanted func(*study.FactorSummary) bool) string {
	var parts []string
	for _, f := range r.Factors {
		c := &r.Cells[cell]
		if _, known := c.Levels[f.Name]; known && len(f.Levels) > 1 && wanted(&f) {
			parts = append(parts, strings.TrimSpace(levelLead(&f)+c.Level(f.Name)))
		}
	}
	return strings.Join(parts, ", ")
}

// levelLead names a factor before its level, unless that is a subject or a word, which
// say what they are.
func levelLead(f *study.FactorSummary) string {
	word, isText := f.Levels[0].(string)
	_, err := strconv.ParseFloat(word, 64)
	if f.Subjects || isText && err != nil {
		return ""
	}
	return f.Name + " "
}

// styleOf gives the bars of one subject the same look.
func styleOf(r *study.Report, cell int) chart.Style {
	for _, f := range r.Factors {
		if f.Subjects {
			subject := r.Cells[cell].Level(f.Name)
			place := slices.IndexFunc(f.Levels, func(level any) bool { return fmt.Sprint(level) == subject })
			return chart.StyleOf(subject, max(0, place))
		}
	}
	return chart.StyleAt(0)
}
