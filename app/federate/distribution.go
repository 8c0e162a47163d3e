package federate

import (
	"math"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/chart"
	"berth/engine/federate"
	"berth/engine/federate/federatekind"
	"berth/engine/figure"
	"berth/engine/stats"
)

// earliest is the first time on the axis if no task waits under any scheduler, in
// seconds.
const earliest = 1e-4

// legend names a scheduler in a chart.
func legend(s *federatekind.SchedulerReport) string {
	if s.Partial {
		return s.Name + " (partial)"
	}
	return s.Name
}

// cdfs returns the distributions of the allocation time, as fractions of all tasks, including tasks
// that never finished. All curves cover the same range of times, so that a scheduler without any
// waits is a line at the top.
func cdfs(r *federatekind.Report) []chart.Series {
	from, to := math.Inf(1), 0.0
	for _, s := range r.Schedulers {
		if d := s.Distribution; len(d.Lower) > 0 {
			from, to = min(from, d.Lower[0]), max(to, d.Upper)
		}
	}
	if to == 0 {
		from, to = earliest, 1
	}
	return curves(r, func(s *federatekind.SchedulerReport) []chart.Point {
		return cdf(s.Distribution, r.Workload.Tasks, from, to)
	})
}

func curves(r *federatekind.Report, points func(*federatekind.SchedulerReport) []chart.Point) (all []chart.Series) {
	look := looks(r.Subjects())
	for i := range r.Schedulers {
		s := &r.Schedulers[i]
		all = append(all, chart.Series{Name: legend(s), Style: look[s.Name], Points: points(s)})
	}
	return all
}

// cdf returns a distribution as a step curve between two times. The curve shows fractions of tasks,
// the number of all tasks.
func cdf(d stats.LogHistogram, tasks int, from, to float64) []chart.Point {
	if len(d.Lower) == 0 && d.Zero == 0 {
		return nil
	}
	done := d.Zero
	point := func(x float64) chart.Point { return chart.At(x, float64(done)/float64(max(1, tasks))) }
	points := []chart.Point{point(from)}
	for i, c := range d.Count {
		if c == 0 {
			continue
		}
		done += c
		points = append(points, point(d.End(i)))
	}
	if points[len(points)-1].X < to {
		points = append(points, point(to))
	}
	return points
}

// tails returns the percentiles of a time under each scheduler, including the pinned result. It
// omits zeros and the maximum, which the logarithmic axes cannot show.
func (cs *charts) tails(of func(*federatekind.SchedulerReport) *figure.Quantiles) []chart.Series {
	return cs.view.overPinned(func(r *federatekind.Report) []chart.Series {
		return curves(r, func(s *federatekind.SchedulerReport) (points []chart.Point) {
			for _, p := range federate.Percentiles {
				if x := float64(of(s).At(p.Name)); p.P < 1 && x > 0 {
					points = append(points, chart.At(math.Round(1/(1-p.P)), x))
				}
			}
			return points
		})
	})
}

// quantileChart draws the tail of the allocation time: the time that one in n tasks
// exceeds.
func (cs *charts) quantileChart() app.UI {
	allocation := func(s *federatekind.SchedulerReport) *figure.Quantiles { return &s.Allocation }
	return &chart.Chart{ID: "fed-quantiles", Title: "Percentiles of the allocation time", Empty: "No task waits at all.",
		Of: chart.Lines{XLabel: "one in … tasks waits longer", YLabel: "allocation time (s)", LogX: true, LogY: true, Series: cs.tails(allocation)}}
}

// countCharts draws the number of conflicts between the schedulers' copies and the state.
func (cs *charts) countCharts() app.UI {
	all := cs.view.result.report().Schedulers
	var charts []app.UI
	look := looks(cs.view.result.report().Subjects())
	for _, f := range federatekind.Figures {
		if !f.Chart {
			continue
		}
		bars := make([]chart.Bar, len(all))
		for i := range all {
			n := float64(f.Of(&all[i]))
			bars[i] = chart.Bar{Label: legend(&all[i]), Value: n, Low: n, High: n, Style: look[all[i].Name]}
			if s := cs.view.pinnedScheduler(all[i].Name); s != nil {
				was := float64(f.Of(s))
				bars[i].Was = &was
			}
		}
		id := "fed-" + f.Name
		charts = append(charts, &chart.Chart{ID: id, Title: f.Title, Of: chart.Bars{Items: bars}})
	}
	return app.Div().Class("chart-grid").Body(charts...)
}
