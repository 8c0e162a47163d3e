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

// askCluster is what people ask a cluster about its own pods, without a deployment.
type askCluster struct {
	asked   lab.Latest
	of      *bridge.Result // whose clusters are asked
	query   placementkind.ClusterQuery
	node    string         // that is typed
	nodes   []kube.NodeUse // of the last answer that has some
	answer  *placementkind.ClusterAnswer
	rows    []ui.Row
	problem string
	film    decisions
}

// askAbout asks the files of nodes of the shown result.
func (v *View) askAbout(action string) {
	x := &v.clusterAsk
	query := v.clusterQuery(action)
	if action == placementkind.AskDrain {
		query.Nodes = strings.Fields(x.node)
		if len(query.Nodes) == 0 {
			x.problem, x.answer = "Enter the name of a node.", nil
			return
		}
	}
	v.askCluster(query)
}

func (v *View) clusterQuery(action string) placementkind.ClusterQuery {
	return placementkind.ClusterQuery{Action: action, Pools: v.Inputs.options.Pools}
}

func (v *View) askCluster(query placementkind.ClusterQuery) {
	x := &v.clusterAsk
	x.begin(v.result.first, query)
	lab.AskOf(v.Lab, &x.asked, x.of, placementkind.ClusterQuestion, query, func(answer *placementkind.ClusterAnswer, err error) {
		x.take(answer, err)
		v.Tell()
	})
}

// begin asks clusters. The last answer about them stays until the next one comes.
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

// askFields are the first actions of a what-if where nodes are known. In the view of nodes they
// are beside the picture.
func (v *View) askFields() app.UI {
	if s := v.shownReport(); s == nil || !slices.ContainsFunc(s.Clusters, knowsNodes) || v.pictureView() == nodesView {
		return ui.None()
	}
	return app.Div().Body(v.askButtons(), v.clusterAnswer())
}

// nodesCard is the answer beside the picture of the nodes, above further questions.
func (v *View) nodesCard() app.UI {
	if v.result == nil {
		return ui.None()
	}
	question := map[string]string{
		placementkind.AskDrain: "Where do the pods go?", placementkind.AskFail: "Where do the pods go?",
		placementkind.AskRollout: "What does the rollout do?", placementkind.AskConsolidate: "Which nodes can be emptied?", placementkind.AskProvision: "Which nodes to add?",
	}[v.clusterAsk.query.Action]
	return app.Div().Class(v.Dimmed("card")).Body(
		app.Div().Class("card-head").Body(app.H2().Text(cmp.Or(question, "Why are pods pending?"))),
		v.clusterAnswer(),
		app.Details().Class("ask-more").Body(app.Summary().Class("button").Text("Ask more"), v.askButtons()),
	)
}

// askButtons ask a cluster.
func (v *View) askButtons() app.UI {
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
			app.If(!v.Inputs.alone(), func() app.UI {
				return button("play", placementkind.AskRollout, "See what a rollout does")
			}),
		),
		app.Div().Class("row").Body(
			ui.Field("ask-node", "nodes to drain", ui.Taking(node, "input", func(_ app.Context, text string) { x.node = text }, "ask-node")),
			button("play", placementkind.AskDrain, "See where their pods go"),
		),
		v.poolsTable(),
		app.Div().Class("row").Body(button("plus", placementkind.AskProvision, "Find the cheapest nodes to add")),
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
		app.If(v.pictureView() != nodesView, func() app.UI { // the headline and the picture say it there
			return app.Div().Body(app.P().Class("figures").Text(show.Words(x.answer.Headline)),
				app.P().Class("hint").Hidden(len(x.answer.Details) == 0).Text(strings.Join(x.answer.Details, " ")), v.decisionsPlayer())
		}),
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
