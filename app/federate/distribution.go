package federate

import (
	"math"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/chart"
	"berth/engine/federate/federatekind"
)

// distributionCharts show how long tasks wait.
func (v *View) distributionCharts() app.UI {
	all := v.result.shown.Schedulers
	return app.Div().Body(
		&chart.Lines{ID: "fed-cdf", TestID: "fed-cdf", Title: "Allocation time", Empty: "No scheduler has run yet.",
			XLabel: "allocation time (s)", YLabel: "share of tasks", LogX: true, Steps: true, Plain: true, Series: v.overPinned(func(r *federatekind.Report) []chart.Series { return cdfs(r.Schedulers, r.Workload.Tasks) })},
		v.quantileChart(),
		v.countCharts(all),
	)
}

// earliest is where the curves of schedulers begin under which no task waits.
const earliest = 1e-4

// legend names a scheduler in a chart.
func legend(s *federatekind.SchedulerReport) string {
	if s.Partial {
		return s.Name + " (partial)"
	}
	return s.Name
}

// cdfs are the distributions of the allocation time over all tasks, those that
// never ended too. All of them begin and end at the same times, so that one
// without any wait is a line at the top.
func cdfs(all []federatekind.SchedulerReport, tasks int) []chart.Series {
	from, to := math.Inf(1), 0.0
	for _, s := range all {
		if d := s.Distribution; len(d.Lower) > 0 {
			from, to = min(from, d.Lower[0]), max(to, d.Upper)
		}
	}
	if to == 0 {
		from, to = earliest, 1
	}
	series := make([]chart.Series, len(all))
	for i := range all {
		s := &all[i]
		series[i] = chart.Series{Name: legend(s), Style: styleOf(s.Name), Points: cdf(s.Distribution, tasks, from, to)}
	}
	return series
}

// cdf is a distribution as a step curve from one time to another: the part of so
// many tasks.
func cdf(d federatekind.Distribution, tasks int, from, to float64) []chart.Point {
	if len(d.Lower) == 0 && d.Zero == 0 {
		return nil
	}
	done := d.Zero
	point := func(x float64) chart.Point {
		y := float64(done) / float64(max(1, tasks))
		return chart.Point{X: x, Y: y, Low: y, High: y}
	}
	points := []chart.Point{point(from)}
	for i, c := range d.Count {
		if c == 0 {
			continue
		}
		done += c
		end := d.Upper
		if i+1 < len(d.Lower) {
			end = d.Lower[i+1]
		}
		points = append(points, point(end))
	}
	if points[len(points)-1].X < to {
		points = append(points, point(to))
	}
	return points
}

// quantiles are the percentiles that are drawn, as "1 in so many waits longer".
var quantiles = []struct {
	name string
	tail float64
	of   func(q *federatekind.Quantiles) *float64
}{
	{"50", 2, func(q *federatekind.Quantiles) *float64 { return q.P50 }},
	{"90", 10, func(q *federatekind.Quantiles) *float64 { return q.P90 }},
	{"99", 100, func(q *federatekind.Quantiles) *float64 { return q.P99 }},
	{"99.9", 1000, func(q *federatekind.Quantiles) *float64 { return q.P999 }},
	{"99.99", 10000, func(q *federatekind.Quantiles) *float64 { return q.P9999 }},
}

// tail is the percentiles of a distribution, as far as a logarithmic axis has
// them.
func tail(s *federatekind.SchedulerReport, of *federatekind.Quantiles) chart.Series {
	series := chart.Series{Name: legend(s), Style: styleOf(s.Name)}
	for _, q := range quantiles {
		if x := q.of(of); x != nil && *x > 0 {
			series.Points = append(series.Points, chart.Point{X: q.tail, Y: *x, Low: *x, High: *x})
		}
	}
	return series
}

// tails are those of one time under each scheduler.
func tails(all []federatekind.SchedulerReport, of func(*federatekind.SchedulerReport) *federatekind.Quantiles) []chart.Series {
	series := make([]chart.Series, len(all))
	for i := range all {
		series[i] = tail(&all[i], of(&all[i]))
	}
	return series
}

// quantileChart shows the tail: how long the worst of so many tasks waits.
func (v *View) quantileChart() app.UI {
	series := v.overPinned(func(r *federatekind.Report) []chart.Series {
		return tails(r.Schedulers, func(s *federatekind.SchedulerReport) *federatekind.Quantiles { return &s.Allocation })
	})
	return &chart.Lines{ID: "fed-quantiles", TestID: "fed-quantiles", Title: "Percentiles 50, 90, 99, 99.9 and 99.99", Empty: "No task waits at all.",
		XLabel: "one in … tasks waits longer", YLabel: "allocation time (s)", LogX: true, LogY: true, Series: series}
}

// countCharts show how often the schedulers were at odds with the state.
func (v *View) countCharts(all []federatekind.SchedulerReport) app.UI {
	counts := []struct {
		id, title string
		of        func(s *federatekind.SchedulerReport) int64
	}{
		{"fed-inconsistencies", "Inconsistencies", func(s *federatekind.SchedulerReport) int64 { return s.Inconsistencies }},
		{"fed-repartitions", "Repartitions", func(s *federatekind.SchedulerReport) int64 { return s.Repartitions }},
		{"fed-preemptions", "Preemptions", func(s *federatekind.SchedulerReport) int64 { return s.Preemptions }},
		{"fed-messages", "Messages", func(s *federatekind.SchedulerReport) int64 { return s.Messages }},
	}
	charts := make([]app.UI, len(counts))
	for k, c := range counts {
		bars := make([]chart.Bar, len(all))
		for i := range all {
			n := float64(c.of(&all[i]))
			bars[i] = chart.Bar{Label: legend(&all[i]), Value: n, Low: n, High: n, Style: styleOf(all[i].Name)}
			if s := v.pinnedScheduler(all[i].Name); s != nil {
				was := float64(c.of(s))
				bars[i].Was = &was
			}
		}
		charts[k] = &chart.Bars{ID: c.id, TestID: c.id, Title: c.title, Items: bars}
	}
	return app.Div().Class("chart-grid").Body(charts...)
}
