package federate

import (
	"cmp"
	"math"
	"slices"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/chart"
	"berth/app/ui"
	"berth/engine/federate/federatekind"
	"berth/engine/figure"
)

const usualMetric = "allocation.p99"

// sweepCharts show a metric over one swept parameter, or two.
func (v *View) sweepCharts() app.UI {
	if !v.swept() {
		return ui.Empty("Choose a parameter under Sweep and press Run to see its effect.")
	}
	body := []app.UI{app.Div().Class("row fed-point").Body(
		app.Label().For("fed-metric").Text("Show"), v.metricSelect(),
		app.If(len(v.result.Inputs.options.Sweep) == 2, func() app.UI { return v.schedulerOfSweep() }),
	)}
	if len(v.result.Inputs.options.Sweep) == 2 {
		return app.Div().Body(append(body, v.sweepMap())...)
	}
	return app.Div().Body(append(body, v.sweepLines())...)
}

func (v *View) metric() *figure.Figure {
	return cmp.Or(figure.Named(federatekind.Figures, v.metricName), figure.Named(federatekind.Figures, usualMetric))
}

func (v *View) metricSelect() app.UI {
	var options []app.UI
	for _, m := range figure.Labelled(federatekind.Figures) {
		options = append(options, ui.Option(m.Name, m.Heading()))
	}
	return ui.Select("fed-metric", v.metric().Name, func(name string) { v.metricName = name }, options...).
		Class("inline").DataSet("testid", "fed-metric")
}

// sweepLines is the metric of every scheduler over one parameter.
func (v *View) sweepLines() app.UI {
	m, swept := v.metric(), v.result.Inputs.options.Sweep[0]
	parameter := parameterOf(swept.Parameter)
	series := make([]chart.Series, len(v.result.Inputs.options.Schedulers))
	for i, name := range v.result.Inputs.options.Schedulers {
		series[i].Name, series[i].Style = name, styleOf(name)
		for _, p := range v.result.report.Points {
			if e, ok := p.Schedulers[i].Metrics[m.Name]; ok {
				low, high := e.Interval()
				series[i].Points = append(series[i].Points, chart.Point{X: p.Values[0] * parameter.Scale(), Y: float64(e.Mean), Low: low, High: high})
			}
		}
	}
	return &chart.Lines{ID: "fed-sweep", TestID: "fed-sweep", Title: m.Title + " over " + sweepName(v.result.Inputs.options.Sweep),
		Empty: "No point of the sweep has run yet.", XLabel: labelOf(parameter), YLabel: m.Heading(),
		LogX: wide(swept.Values), Series: series}
}

// wide reports whether values are best shown on a logarithmic axis.
func wide(values []float64) bool {
	least, most := math.Inf(1), 0.0
	for _, x := range values {
		least, most = min(least, x), max(most, x)
	}
	return least > 0 && most >= 20*least
}

// schedulerOfSweep chooses the scheduler of a map.
func (v *View) schedulerOfSweep() app.UI {
	var options []app.UI
	for _, name := range v.result.Inputs.options.Schedulers {
		options = append(options, ui.Option(name, name))
	}
	return ui.Select("fed-sweep-scheduler", v.mapped(), v.showScheduler, options...).
		Class("inline").DataSet("testid", "fed-sweep-scheduler").Aria("label", "Scheduler to show")
}

// mapped is the scheduler whose map is shown.
func (v *View) mapped() string {
	all := v.result.Inputs.options.Schedulers
	if has(all, v.shown) {
		return v.shown
	}
	return all[0]
}

// sweepMap is the metric of one scheduler over two parameters.
func (v *View) sweepMap() app.UI {
	m, sweep := v.metric(), v.result.Inputs.options.Sweep
	scheduler := slices.Index(v.result.Inputs.options.Schedulers, v.mapped())
	values := make([]float64, len(v.result.report.Points))
	for i, p := range v.result.report.Points {
		values[i] = math.NaN()
		if e, ok := p.Schedulers[scheduler].Metrics[m.Name]; ok {
			values[i] = float64(e.Mean)
		}
	}
	return &chart.Heatmap{ID: "fed-sweep", TestID: "fed-sweep", None: "not run", Title: m.Heading() + " under " + v.mapped(),
		RowLabel: labelOf(parameterOf(sweep[0].Parameter)), ColumnLabel: labelOf(parameterOf(sweep[1].Parameter)),
		Rows: shownValues(sweep[0]), Columns: shownValues(sweep[1]), Values: values}
}
