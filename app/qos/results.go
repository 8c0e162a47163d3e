package qos

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/lab"
	"berth/app/ui"
	"berth/engine/qos/qoskind"
	"berth/engine/show"
)

func (v *View) tabs() []ui.Tab {
	const panel = "qos-panel"
	return []ui.Tab{
		{ID: "overview", Title: "Overview", Panel: panel, Draw: v.charts.overview},
		{ID: "availability", Title: "Availability", Panel: panel, Draw: v.why.availability},
		{ID: "penalties", Title: "Penalties", Panel: panel, Draw: v.charts.penalties},
		{ID: "fairness", Title: "Fairness", Panel: panel, Draw: v.charts.fairness},
		{ID: "demand", Title: "Demand", Panel: panel, Draw: v.charts.demand},
		{ID: "queue", Title: "Queue", Panel: panel, Draw: v.charts.queue},
	}
}

// resultPane draws the headline and the current tab of charts.
func (v *View) resultPane() app.UI {
	return app.Div().Class("result").Body(
		v.resultStatus(),
		v.Opening.Claim(),
		v.Runs.RunProgress("Simulating"),
		app.If(v.result == nil, func() app.UI {
			if v.Phase == lab.Running {
				return ui.Empty("The results of each policy appear here as soon as it ends. Cancel shows the results so far.")
			}
			return ui.Empty("Give a workload or controllers, and hosts, and press Run to see the results of each class.")
		}).Else(func() app.UI {
			return app.Div().ID("qos-panel").Role("tabpanel").Class(v.Form.Dimmed("")).Aria("label", "Charts").Body(v.Address.TabPanels("charts")...)
		}),
	)
}

func (v *View) resultStatus() app.UI {
	return v.Form.ResultStatus(app.Text(show.Words(v.sentence())), v.details()).
		DataSet("partial", v.result != nil && v.result.Partial())
}

// sentence returns the headline of the report or, without a result, the reason.
func (v *View) sentence() string {
	if text := v.Runs.Pending("Simulating " + v.Inputs.policyNames()); text != "" {
		return text
	}
	return v.result.Report.Headline
}

// details returns the sentences below the headline.
func (v *View) details() []string {
	if v.result == nil || !v.Dials.Current() {
		return nil
	}
	return append([]string{v.Intake.Borrowed()}, v.result.Report.Details...)
}

func (in *inputs) policyNames() string {
	return show.Joined(in.options.Policies, ", ", func(run qoskind.PolicyRun) string { return run.Title() })
}
