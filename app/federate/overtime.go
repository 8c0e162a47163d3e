package federate

import (
	"fmt"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/chart"
	"berth/app/ui"
	"berth/engine/federate/federatekind"
)

// steps returns a step curve of values that are constant over intervals of equal width.
func steps(width float64, values []float64) []chart.Point {
	points := make([]chart.Point, 0, len(values)+1)
	for i, y := range values {
		points = append(points, chart.At(width*float64(i), y))
	}
	if n := len(values); n > 0 {
		points = append(points, chart.At(width*float64(n), values[n-1]))
	}
	return points
}

// charts are the figures and charts of the result.
type charts struct{ view *View }

// demandChart draws the resources that would be in use if every task started on arrival (figure 5).
func (cs *charts) demandChart(w federatekind.Workload) app.UI {
	var series []chart.Series
	for i, resource := range w.Resources {
		if i < len(w.Demand.Values) {
			series = append(series, chart.Series{Name: resource, Style: chart.PartAt(i), Points: steps(w.Demand.Width, w.Demand.Values[i])})
		}
	}
	var rules []chart.Guide
	label := "units asked for"
	if len(w.Resources) == 1 && len(w.Capacity) == 1 {
		rules = append(rules, chart.Guide{Label: "all workers", Value: w.Capacity[0]})
		label = w.Resources[0] + " asked for"
	}
	return &chart.Chart{ID: "fed-demand", Title: "Demand, if every task started on arrival",
		Of: chart.Lines{XLabel: "time (s)", YLabel: label, Steps: true, Plain: true, Series: series, Rules: rules}}
}

func (cs *charts) utilisationChart() app.UI {
	return &chart.Chart{ID: "fed-utilisation", Title: "Utilisation",
		Of: chart.Lines{XLabel: "time (s)", YLabel: "share in use", Steps: true, Plain: true, Series: cs.view.overPinned(utilisations)}}
}

// utilisations returns the use of each resource under each scheduler.
func utilisations(r *federatekind.Report) []chart.Series {
	var series []chart.Series
	look := looks(r.Subjects())
	for i := range r.Schedulers {
		s := &r.Schedulers[i]
		for k, values := range s.Series.Utilisation {
			name := legend(s)
			if len(s.Series.Utilisation) > 1 && k < len(r.Workload.Resources) {
				name += ", " + r.Workload.Resources[k]
			}
			series = append(series, chart.Series{Name: name, Style: look[s.Name], Variant: k, Points: steps(s.Series.Width, values)})
		}
	}
	return series
}

// shareCharts draws the share of each user under one scheduler, and the fairness of all
// schedulers.
func (cs *charts) shareCharts() app.UI {
	s := cs.view.scheduler()
	if s == nil {
		return app.Text("")
	}
	users := cs.view.overPinned(func(r *federatekind.Report) []chart.Series { return cs.shareSeries(r, s.Name) })
	var rules []chart.Guide
	for u, share := range cs.view.result.Inputs.options.Shares {
		rules = append(rules, chart.Guide{Label: fmt.Sprintf("%s: %s", cs.view.result.report().Workload.User(u), ui.Percent(share)), Value: share})
	}
	return app.Div().Body(
		app.Div().Class("row fed-point").Body(app.Label().For("fed-share-scheduler").Text("Shares under"), cs.view.schedulerSelect("fed-share-scheduler")),
		&chart.Chart{ID: "fed-shares-chart", Title: "Share in use by each user under " + s.Name, Empty: "There are too many users: the report leaves out the share of each.",
			Of: chart.Lines{XLabel: "time (s)", YLabel: "share of the data centre", Steps: true, Plain: true, Series: users, Rules: rules}},
		&chart.Chart{ID: "fed-jain", Title: "Jain's index of what users use over what is theirs",
			Of: chart.Lines{XLabel: "time (s)", YLabel: "index, 1 is fair", Steps: true, Plain: true, Series: cs.view.overPinned(jainSeries)}},
	)
}

// shareSeries returns the shares of the users under a scheduler; nil if it did not run.
func (cs *charts) shareSeries(r *federatekind.Report, scheduler string) []chart.Series {
	s := r.Scheduler(scheduler)
	if s == nil {
		return nil
	}
	users := make([]chart.Series, len(s.Series.Share))
	for u, values := range s.Series.Share {
		users[u] = chart.Series{Name: cs.view.result.report().Workload.User(u), Style: chart.StyleAt(u), Points: steps(s.Series.Width, values)}
	}
	return users
}

// jainSeries returns the fairness indices under each scheduler.
func jainSeries(r *federatekind.Report) []chart.Series {
	return curves(r, func(s *federatekind.SchedulerReport) []chart.Point { return steps(s.Series.Width, s.Series.Jain) })
}
