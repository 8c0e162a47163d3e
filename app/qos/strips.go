package qos

import (
	"cmp"
	"slices"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/chart"
	"berth/app/lab"
	"berth/engine/qos/qoskind"
)

// availability draws the availability of each controller and each request (figures 4
// and 5), and its distribution.
func (w *why) availability() []app.UI {
	f := w.view.charts.drawn()
	all := []app.UI{w.view.charts.controlled(), w.stripsChart()}
	var spread []app.UI
	for _, class := range w.view.result.classNames() {
		spread = append(spread, &chart.Chart{ID: "qos-histogram-" + slug(class), Title: "Availability of " + class,
			Of: chart.Histogram{XLabel: "availability", YLabel: "requests", Edges: f.edges, Series: f.counts[class]}})
	}
	return append(all, app.Div().Class("tiles").Body(spread...))
}

// stripsChart draws the availability of each request, grouped by class. The strips appear before
// their values arrive, so that the chart keeps its height.
func (w *why) stripsChart() app.UI {
	c := &chart.Chart{ID: "qos-strips", Title: "Availability of each request, in order of arrival"}
	var items []chart.Strip
	for _, class := range w.view.result.classNames() {
		for _, one := range w.view.result.there() {
			known := lab.KnowOf(w.view.Lab, one.Result, qoskind.SpreadQuestion, qoskind.PolicyQuery{})
			c.Empty, c.Waiting = cmp.Or(c.Empty, known.Problem), c.Waiting || known.Waits
			if one.did.Run.Class(class) == nil {
				continue
			}
			strip := chart.Strip{Group: class, Name: one.policy.Title()}
			if k := slices.IndexFunc(known.Answer, func(s qoskind.Spread) bool { return s.Name == class }); k >= 0 {
				strip.Values, strip.Limit = known.Answer[k].Strip, known.Answer[k].SLO
			}
			items = append(items, strip)
		}
	}
	c.Of = chart.Strips{Item: "request", Value: "availability", Items: items}
	return c
}
