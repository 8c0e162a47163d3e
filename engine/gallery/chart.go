package gallery

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"berth/engine/study"
)

// The limits of the charts of an experiment. Its table has all figures.
const (
	mostCharts = 6
	mostMarks  = 40
)

// Chart is a chart of an experiment: bars with confidence intervals, curves over a
// numeric factor, or a table with a mark in each cell.
type Chart struct {
	Name   string `json:"name"` // unique within the experiment
	Title  string `json:"title"`
	Unit   string `json:"unit,omitempty"`
	Along  string `json:"along,omitempty"`  // factor on the x axis of curves; otherwise ""
	Across string `json:"across,omitempty"` // factor of a table's columns; otherwise ""
	Marks  []Mark `json:"marks"`
}

// Mark is one figure of a chart.
type Mark struct {
	Label   string   `json:"label,omitempty"` // name of the bar or the curve
	X       float64  `json:"x,omitempty"`     // position on the curve
	Value   float64  `json:"value"`           // mean
	Low     float64  `json:"low"`             // lower end of the confidence interval
	High    float64  `json:"high"`            // upper end of the confidence interval
	Paper   *float64 `json:"paper,omitempty"` // the paper's number; nil if it has none
	Subject string   `json:"subject,omitempty"`
	Place   int      `json:"place,omitempty"` // index of the subject
	Row     string   `json:"row,omitempty"`   // row of a table
	Column  string   `json:"column,omitempty"`
}

// digits is the number of significant digits of chart figures in a record, enough for
// the eye.
const digits = 4

// rounded returns the chart with figures cut to the digits of a record, because pages download the
// records.
func (c *Chart) rounded() *Chart {
	if c == nil {
		return nil
	}
	r := *c
	r.Marks = slices.Clone(c.Marks)
	for i := range r.Marks {
		for _, figure := range []*float64{&r.Marks[i].Value, &r.Marks[i].Low, &r.Marks[i].High} {
			*figure, _ = strconv.ParseFloat(strconv.FormatFloat(*figure, 'g', digits, 64), 64)
		}
	}
	return &r
}

// Charts returns small multiples for a report, one chart per metric, and the number
// of metrics without a chart. It returns no charts for an experiment with too many
// cells. For a single cell it compares the metrics.
func (e *Entry) Charts(d *study.Document, r *study.Report) (all []Chart, left int) {
	switch {
	case e.Contest != nil:
		return winners(d, r, e.Contest), 0
	case len(r.Cells) == 0 || len(r.Cells) > mostMarks:
		return nil, 0
	case len(r.Cells) == 1:
		return metricCharts(r), 0
	}
	for _, m := range r.Metrics {
		switch {
		case slices.ContainsFunc(e.Panels, func(p Panel) bool { _, in := p.Label(m.Name); return in }):
		case len(all) == mostCharts:
			left++
		case e.Along != "":
			all = append(all, curveChart(d, r, m, e.Along))
		default:
			all = append(all, cellChart(d, r, m))
		}
	}
	for _, p := range e.Panels {
		all = append(all, panelCharts(d, r, p)...)
	}
	return all, left
}

// Own returns an entry for an experiment outside of the gallery.
func Own(r *study.Report) *Entry { return &Entry{Along: numbers(r)} }

// Chart returns the chart for a card: the first one with the most numbers of the
// paper; nil without charts.
func (e *Entry) Chart(d *study.Document, r *study.Report) *Chart {
	all, _ := e.Charts(d, r)
	if len(all) == 0 {
		return nil
	}
	published := func(c *Chart) (n int) {
		for i := range c.Marks {
			if c.Marks[i].Paper != nil {
				n++
			}
		}
		return n
	}
	best := &all[0]
	for i := range all {
		if published(&all[i]) > published(best) {
			best = &all[i]
		}
	}
	return best
}

// winners returns, for each metric, a chart of the subject with the lowest value in each
// combination of the other factors. If several factors vary, the chart is a table; its columns are
// the levels of the last factor.
func winners(d *study.Document, r *study.Report, contest []string) (all []Chart) {
	varied := slices.DeleteFunc(slices.Clone(r.Factors), func(f study.FactorSummary) bool { return f.Subjects || len(f.Levels) < 2 })
	across := ""
	if len(varied) > 1 {
		across = varied[len(varied)-1].Name
	}
	for _, m := range r.Metrics {
		c := Chart{Name: chartName(m), Title: "Lowest " + m.Title, Unit: m.Unit, Across: across}
		var order []string
		best := map[string]Mark{}
		for i := range r.Cells {
			others := levels(r, i, func(f *study.FactorSummary) bool { return !f.Subjects })
			one, defined := mark(d, r, i, m.Name, others)
			if !defined || !slices.Contains(contest, one.Subject) {
				continue
			}
			was, known := best[others]
			if !known {
				order = append(order, others)
			}
			if !known || one.Value < was.Value {
				one.Label += ": " + one.Subject
				if across != "" {
					one.Row = levels(r, i, func(f *study.FactorSummary) bool { return !f.Subjects && f.Name != across })
					one.Column = r.Cells[i].Level(across)
				}
				best[others] = one
			}
		}
		for _, others := range order {
			c.add(best[others], true)
		}
		all = append(all, c)
	}
	return all
}

// panelCharts returns a chart for each combination of factors other than subjects,
// with the metrics of a panel side by side and the subjects within each metric.
func panelCharts(d *study.Document, r *study.Report, p Panel) (all []Chart) {
	places := map[string]int{}
	for _, m := range r.Metrics {
		label, in := p.Label(m.Name)
		if !in {
			continue
		}
		for i := range r.Cells {
			others := levels(r, i, func(f *study.FactorSummary) bool { return !f.Subjects })
			place, known := places[others]
			if !known {
				place = len(all)
				places[others] = place
				all = append(all, Chart{Name: fmt.Sprintf("%s-%d", p.Metrics, place), Title: joined(p.Title, others), Unit: m.Unit})
			}
			subject := levels(r, i, func(f *study.FactorSummary) bool { return f.Subjects })
			all[place].add(mark(d, r, i, m.Name, joined(label, subject)))
		}
	}
	return all
}

// numbers returns the first factor with at least three levels that are all numbers,
// or "".
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

// curveChart plots a metric over a numeric factor, with a curve for each combination
// of the other factors.
func curveChart(d *study.Document, r *study.Report, m study.MetricSummary, along string) Chart {
	c := Chart{Name: chartName(m), Title: m.Title, Unit: m.Unit, Along: along}
	for i := range r.Cells {
		x, err := strconv.ParseFloat(fmt.Sprint(r.Cells[i].Levels[along]), 64)
		if err != nil {
			continue
		}
		one, ok := mark(d, r, i, m.Name, levels(r, i, func(f *study.FactorSummary) bool { return f.Name != along }))
		one.X = x
		c.add(one, ok)
	}
	return c
}

func chartName(m study.MetricSummary) string { return strings.ReplaceAll(m.Name, ".", "-") }

// cellChart has a bar for each cell.
func cellChart(d *study.Document, r *study.Report, m study.MetricSummary) Chart {
	c := Chart{Name: chartName(m), Title: m.Title, Unit: m.Unit}
	for i := range r.Cells {
		c.add(mark(d, r, i, m.Name, CellName(r, i)))
	}
	return c
}

// metricCharts returns bar charts of the metrics of the only cell: metrics that share a unit share
// a chart. It skips metrics without a unit, because counts and fractions are not comparable.
func metricCharts(r *study.Report) (all []Chart) {
	var units []string
	for _, m := range r.Metrics {
		if m.Unit != "" && !slices.Contains(units, m.Unit) {
			units = append(units, m.Unit)
		}
	}
	for i, unit := range units {
		c := Chart{Name: strconv.Itoa(i), Title: "Metrics in " + unit, Unit: unit}
		for _, m := range r.Metrics {
			if m.Unit == unit {
				c.add(mark(nil, r, 0, m.Name, m.Title))
			}
		}
		if len(c.Marks) > 1 {
			all = append(all, c)
		}
	}
	return all
}

// add adds a figure if it is defined.
func (c *Chart) add(m Mark, defined bool) {
	if defined {
		c.Marks = append(c.Marks, m)
	}
}

// mark returns a metric of a cell, with the paper's number if a criterion of d has
// one.
func mark(d *study.Document, r *study.Report, cell int, metric, label string) (m Mark, defined bool) {
	a := r.Cells[cell].Of(metric)
	m = Mark{Label: label, Value: float64(a.Mean)}
	m.Low, m.High = a.Interval()
	for _, f := range r.Factors {
		if f.Subjects {
			m.Subject = r.Cells[cell].Level(f.Name)
			m.Place = max(0, slices.IndexFunc(f.Levels, func(level any) bool { return fmt.Sprint(level) == m.Subject }))
		}
	}
	if d != nil {
		m.Paper = published(d, r, &r.Cells[cell], metric)
	}
	return m, a.Mean.Defined()
}

// published returns the paper's number for a metric of a cell, or nil. For a ratio it
// multiplies the paper's ratio by our figure of the other cell.
func published(d *study.Document, r *study.Report, c *study.Cell, metric string) *float64 {
	for i := range d.Criteria {
		t := &d.Criteria[i].Test
		if t.Metric != metric || t.Value == nil || !c.At(t.At) {
			continue
		}
		if t.Kind == study.Within {
			return t.Value
		}
		other := t.Other()
		for k := range r.Cells {
			if base := r.Cells[k].Of(other.Metric); t.Kind == study.Ratio && r.Cells[k].At(other.At) && base.Mean.Defined() {
				return new(float64(*t.Value * float64(base.Mean)))
			}
		}
	}
	return nil
}

// CellName returns the levels of a cell for the factors in which cells differ.
func CellName(r *study.Report, cell int) string {
	return levels(r, cell, func(*study.FactorSummary) bool { return true })
}

func levels(r *study.Report, cell int, wanted func(*study.FactorSummary) bool) string {
	var parts []string
	for _, f := range r.Factors {
		c := &r.Cells[cell]
		if _, known := c.Levels[f.Name]; known && len(f.Levels) > 1 && wanted(&f) {
			parts = append(parts, strings.TrimSpace(levelLead(&f)+c.Level(f.Name)))
		}
	}
	return strings.Join(parts, ", ")
}

// levelLead returns the name of a factor to show before its level; "" for subjects and for words,
// because both are clear without it.
func levelLead(f *study.FactorSummary) string {
	word, isText := f.Levels[0].(string)
	_, err := strconv.ParseFloat(word, 64)
	if f.Subjects || isText && err != nil {
		return ""
	}
	return f.Name + " "
}
