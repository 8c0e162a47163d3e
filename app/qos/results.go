package qos

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/lab"
	"berth/app/ui"
	"berth/engine/qos/qoskind"
	"berth/engine/show"
)

// tabs are the views of the result.
func (v *View) tabs() []ui.Tab {
	const panel = "qos-panel"
	return []ui.Tab{
		{ID: "overview", Title: "Overview", Panel: panel, Draw: v.overview},
		{ID: "availability", Title: "Availability", Panel: panel, Draw: v.availability},
		{ID: "penalties", Title: "Penalties", Panel: panel, Draw: v.penalties},
		{ID: "fairness", Title: "Fairness", Panel: panel, Draw: v.fairness},
		{ID: "demand", Title: "Demand", Panel: panel, Draw: v.demand},
		{ID: "queue", Title: "Queue", Panel: panel, Draw: v.queue},
	}
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
			return app.Div().ID("qos-panel").Role("tabpanel").Class(v.Dimmed("")).Aria("label", "Charts").Body(v.TabPanels("charts")...)
		}),
	)
}

func (v *View) resultStatus() app.UI {
	return v.ResultStatus(app.Text(show.Words(v.sentence())), v.details()).
		DataSet("partial", v.result != nil && v.result.Partial())
}

// sentence is the headline of the report, or why there is none.
func (v *View) sentence() string {
	if text := v.Pending("Simulating " + v.Inputs.policyNames()); text != "" {
		return text
	}
	return v.result.Report.Headline
}

// details are the sentences below the headline.
func (v *View) details() []string {
	if v.result == nil || !v.Current() {
		return nil
	}
	return append([]string{v.Borrowed()}, v.result.Report.Details...)
}

func (in *inputs) policyNames() string {
	return show.Joined(in.options.Policies, ", ", func(run qoskind.PolicyRun) string { return run.Title() })
}
