package placement

import (
	"cmp"
	"slices"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/lab"
	"berth/app/ui"
	"berth/engine/kube"
	"berth/engine/placement/placementkind"
	"berth/engine/show"
	"berth/wasm/bridge"
)

// askCluster is the state of the questions about a cluster's own pods, which need no
// deployment.
type askCluster struct {
	view *View

	asked   lab.Latest
	of      *bridge.Result // result that the questions are about
	query   placementkind.ClusterQuery
	node    string         // text of the field for nodes
	nodes   []kube.NodeUse // of the last answer with nodes
	answer  *placementkind.ClusterAnswer
	rows    []ui.Row
	problem string
	film    decisions
}

// askAbout asks the clusters of the shown result a question. action is one of the Ask
// constants of placementkind.
func (x *askCluster) askAbout(action string) {
	query := x.clusterQuery(action)
	if action == placementkind.AskDrain {
		query.Nodes = strings.Fields(x.node)
		if len(query.Nodes) == 0 {
			x.problem, x.answer = "Enter the name of a node.", nil
			return
		}
	}
	x.askCluster(query)
}

func (x *askCluster) clusterQuery(action string) placementkind.ClusterQuery {
	return placementkind.ClusterQuery{Action: action, Pools: x.view.Inputs.options.Pools}
}

func (x *askCluster) askCluster(query placementkind.ClusterQuery) {
	x.begin(x.view.result.first, query)
	lab.AskOf(x.view.Lab, &x.asked, x.of, placementkind.ClusterQuestion, query, func(answer *placementkind.ClusterAnswer, err error) {
		x.take(answer, err)
		x.view.Tell()
	})
}

// begin records a new question. The last answer about the same clusters stays on screen until the
// next one arrives.
func (x *askCluster) begin(run *bridge.Result, query placementkind.ClusterQuery) {
	if x.of != run {
		x.of, x.answer, x.nodes = run, nil, nil
	}
	x.query, x.problem = query, ""
}

func (x *askCluster) take(answer *placementkind.ClusterAnswer, err error) {
	x.film.Pause()
	x.answer, x.rows, x.film.fallen = answer, nil, 0
	if x.problem = problemOf(err); answer == nil {
		return
	}
	if answer.Nodes != nil {
		x.nodes = answer.Nodes
	}
	for _, cells := range answer.Rows {
		var row ui.Row
		for _, text := range cells {
			row.Cells = append(row.Cells, ui.Text(text))
		}
		x.rows = append(x.rows, row)
	}
}

// askFields draws the questions that a cluster with known nodes can answer. The view of
// nodes shows them beside its picture instead.
func (x *askCluster) askFields() app.UI {
	if s := x.view.whatIf.shownReport(); s == nil || !slices.ContainsFunc(s.Clusters, knowsNodes) || x.view.picture.pictureView() == nodesView {
		return ui.None()
	}
	return app.Div().Body(x.askButtons(), x.clusterAnswer())
}

// nodesCard draws the answer beside the picture of the nodes, with further questions
// below it.
func (x *askCluster) nodesCard() app.UI {
	if x.view.result == nil {
		return ui.None()
	}
	question := map[string]string{
		placementkind.AskDrain: "Where do the pods go?", placementkind.AskFail: "Where do the pods go?",
		placementkind.AskRollout: "What does the rollout do?", placementkind.AskConsolidate: "Which nodes can be emptied?", placementkind.AskProvision: "Which nodes to add?",
	}[x.query.Action]
	return app.Div().Class(x.view.Form.Dimmed("card")).Body(
		app.Div().Class("card-head").Body(app.H2().Text(cmp.Or(question, "Why are pods pending?"))),
		x.clusterAnswer(),
		app.Details().Class("ask-more").Body(app.Summary().Class("button").Text("Ask more"), x.askButtons()),
	)
}

// askButtons draws a button for each question to a cluster, with a field if the question needs one.
func (x *askCluster) askButtons() app.UI {
	button := func(icon, action, text string) app.UI {
		return ui.Button(icon, text).DataSet("testid", "ask-"+action).Disabled(x.asked.Waits()).
			OnClick(func(app.Context, app.Event) { x.askAbout(action) }, app.EventScope("ask", action))
	}
	node := ui.Showing(app.Input().Type("text").ID("ask-node").DataSet("testid", "ask-node"), x.node)
	return app.Div().DataSet("testid", "ask-cluster").Body(
		app.P().Class("hint").Text("Ask the cluster as it is: kube-scheduler is replayed, pod by pod. The changes of a what-if place all jobs again instead."),
		app.Div().Class("row").Body(
			button("search", placementkind.AskPending, "Why are pods pending?"),
			button("minus", placementkind.AskConsolidate, "Find nodes to empty"),
			app.If(!x.view.Inputs.alone(), func() app.UI {
				return button("play", placementkind.AskRollout, "See what a rollout does")
			}),
		),
		app.Div().Class("row").Body(
			ui.Field("ask-node", "nodes to drain", ui.Taking(node, "input", func(_ app.Context, text string) { x.node = text }, "ask-node")),
			button("play", placementkind.AskDrain, "See where their pods go"),
		),
		x.view.forms.poolsTable(),
		app.Div().Class("row").Body(button("plus", placementkind.AskProvision, "Find the cheapest nodes to add")),
	)
}

// clusterAnswer draws the last answer, in the order of the scheduler's decisions.
func (x *askCluster) clusterAnswer() app.UI {
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
		app.If(x.view.picture.pictureView() != nodesView, func() app.UI { // there the headline and the picture show the answer
			return app.Div().Body(app.P().Class("figures").Text(show.Words(x.answer.Headline)),
				app.P().Class("hint").Hidden(len(x.answer.Details) == 0).Text(strings.Join(x.answer.Details, " ")), x.decisionsPlayer())
		}),
		app.If(len(x.rows) > 0, func() app.UI {
			return &ui.Table{ID: "cluster-answer", TestID: "cluster-answer-table", Caption: "Pods in the order of decisions", Columns: columns, Rows: x.rows}
		}),
	)
}

// wouldText lists the decisions that the scheduler of each cluster would make about the
// shown jobs.
func (x *askCluster) wouldText() app.UI {
	s := x.view.whatIf.shownReport()
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
