package placement

import (
	"slices"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/lab"
	"berth/app/ui"
	"berth/engine/placement/placementkind"
	"berth/engine/show"
)

// askCluster is what people ask a cluster about its own pods, without a deployment.
type askCluster struct {
	asked   lab.Latest
	node    string // that is drained
	answer  *placementkind.ClusterAnswer
	rows    []ui.Row
	problem string
	film    decisions
}

// askAbout asks the files of nodes of the shown result.
func (v *View) askAbout(action string) {
	x := &v.clusterAsk
	query := placementkind.ClusterQuery{Action: action, Pools: v.Inputs.options.Pools}
	if action == placementkind.AskDrain {
		query.Nodes = strings.Fields(x.node)
		if len(query.Nodes) == 0 {
			x.problem, x.answer = "Enter the name of a node.", nil
			return
		}
	}
	run := v.result.first
	x.problem = ""
	lab.AskOf(v.Lab, &x.asked, run, placementkind.ClusterQuestion, query, func(answer *placementkind.ClusterAnswer, err error) {
		x.film.Pause()
		x.answer, x.rows, x.film.fallen = answer, nil, 0
		if x.problem = problemOf(err); answer != nil {
			for _, cells := range answer.Rows {
				var row ui.Row
				for _, text := range cells {
					row.Cells = append(row.Cells, ui.Text(text))
				}
				x.rows = append(x.rows, row)
			}
		}
	})
}

// askFields are the first actions of a what-if where nodes are known.
func (v *View) askFields() app.UI {
	if s := v.shownReport(); s == nil || !slices.ContainsFunc(s.Clusters, knowsNodes) {
		return ui.None()
	}
	x := &v.clusterAsk
	button := func(icon, action, text string) app.UI {
		return ui.Button(icon, text).DataSet("testid", "ask-"+action).Disabled(x.asked.Waits()).
			OnClick(func(app.Context, app.Event) { v.askAbout(action) }, app.EventScope("ask", action))
	}
	node := ui.Showing(app.Input().Type("text").ID("ask-node").DataSet("testid", "ask-node"), x.node)
	return app.Div().DataSet("testid", "ask-cluster").Body(
		app.P().Class("hint").Text("Ask the cluster as it is: kube-scheduler is replayed, pod by pod. The changes of a what-if place all jobs again instead."),
		app.Div().Class("row").Body(
			button("search", placementkind.AskPending, "Why are pods pending?"),
			button("minus", placementkind.AskConsolidate, "Find nodes to empty"),
		),
		app.Div().Class("row").Body(
			ui.Field("ask-node", "nodes to drain", ui.Taking(node, "input", func(_ app.Context, text string) { x.node = text }, "ask-node")),
			button("play", placementkind.AskDrain, "See where their pods go"),
		),
		v.poolsTable(),
		app.Div().Class("row").Body(button("plus", placementkind.AskProvision, "Find the cheapest nodes to add")),
		v.clusterAnswer(),
	)
}

// clusterAnswer is the last answer, in the order in which the scheduler decides.
func (v *View) clusterAnswer() app.UI {
	x := &v.clusterAsk
	switch {
	case x.problem != "":
		return ui.Problem(x.problem)
	case x.answer == nil:
		return ui.None()
	}
	columns := make([]ui.Column, len(x.answer.Columns))
	for i, name := range x.answer.Columns {
		columns[i] = ui.Column{Name: name, Prose: i == len(columns)-1, Numeric: name == "Order" || name == "Round"}
	}
	return app.Div().DataSet("testid", "cluster-answer").Aria("live", "polite").Body(
		app.P().Class("figures").Text(show.Words(x.answer.Headline)),
		app.If(len(x.answer.Details) > 0, func() app.UI { return app.P().Class("hint").Text(strings.Join(x.answer.Details, " ")) }),
		v.decisionsPlayer(),
		app.If(len(x.rows) > 0, func() app.UI {
			return &ui.Table{ID: "cluster-answer", TestID: "cluster-answer-table", Caption: "Pods in the order of decisions", Columns: columns, Rows: x.rows}
		}),
	)
}

// wouldText lists the decisions of each cluster's scheduler about the shown jobs.
func (v *View) wouldText() app.UI {
	s := v.shownReport()
	if s == nil {
		return ui.None()
	}
	var lines []app.UI
	for i := range s.Deployments {
		for _, line := range s.Deployments[i].WouldLines() {
			lines = append(lines, app.Li().Text(show.Capital(show.Words(line))))
		}
	}
	return app.Ul().DataSet("testid", "would").Hidden(len(lines) == 0).Body(lines...)
}
