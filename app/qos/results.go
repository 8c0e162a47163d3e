package qos

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/lab"
	"berth/app/ui"
	"berth/engine/show"
)

// The tabs of the result.
const (
	tabOverview     = "overview"
	tabAvailability = "availability"
	tabPenalties    = "penalties"
	tabFairness     = "fairness"
	tabDemand       = "demand"
	tabQueue        = "queue"
)

var resultTabs = []struct {
	id, title string
	draw      func(*View) []app.UI
}{
	{tabOverview, "Overview", (*View).overview},
	{tabAvailability, "Availability", (*View).availability},
	{tabPenalties, "Penalties", (*View).penalties},
	{tabFairness, "Fairness", (*View).fairness},
	{tabDemand, "Demand", (*View).demand},
	{tabQueue, "Queue", (*View).queue},
}

func tabs() []ui.Tab {
	all := make([]ui.Tab, len(resultTabs))
	for i, t := range resultTabs {
		all[i] = ui.Tab{ID: t.id, Title: t.title, Panel: "qos-panel"}
	}
	return all
}

// resultPane shows how the run did, and one tab of charts.
func (v *View) resultPane() app.UI {
	return app.Div().Class("result").Body(
		v.resultStatus(),
		v.Claim(),
		v.RunProgress("Simulating"),
		app.If(v.result == nil, func() app.UI {
			if v.Phase == lab.Running {
				return ui.Empty("The results of each policy appear here as soon as it ends. Cancel shows the results so far.")
			}
			return ui.Empty("Give a workload or controllers, and hosts, and press Run to see the results of each class.")
		}).Else(func() app.UI {
			return app.Div().ID("qos-panel").Role("tabpanel").Class(v.Dimmed("")).Aria("label", "Charts").Body(v.charts()...)
		}),
	)
}

func (v *View) resultStatus() app.UI {
	return v.ResultStatus(v.Mark(), app.Text(show.Words(v.sentence())), v.details()).
		DataSet("partial", v.result != nil && v.result.Partial())
}

// charts has a place for each tab and fills one of them: in a single place the charts of a tab
// would turn into the charts of the next one, with their open tables.
func (v *View) charts() []app.UI {
	places := make([]app.UI, len(resultTabs))
	for i, t := range resultTabs {
		place := app.Div().Class("charts")
		if t.id == v.Shows {
			place.Body(t.draw(v)...)
		}
		places[i] = place
	}
	return places
}
