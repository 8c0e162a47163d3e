package placement

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/chart"
	"berth/app/lab"
	"berth/app/ui"
	"berth/engine/placement"
	"berth/engine/placement/placementkind"
	"berth/engine/show"
	"berth/wasm/bridge"
)

const (
	whyRow = "PA"
	whyCM  = "CM"
	whyNAM = "NAM"

	whyElsewhere = "elsewhere"
)

// why is the state of the explanation of a step of the search.
type why struct {
	view *View

	deployment, step int
	tab              string

	asked     lab.Latest
	whyAnswer // the last answer, even while another is awaited
	rows      []ui.Row
	row       int    // row of the job in the placement table, from 0; −1 if the job was not placed
	element   string // id of the job in the drawing; "" if it was not placed
	problem   string
}

// openWhy explains a step in the search for a deployment under the shown strategy. If that search
// failed, it explains the step where it failed.
func (w *why) openWhy(deployment, step int) {
	if deployment >= len(w.view.result.report(w.view.shown).Deployments) {
		deployment, step = 0, 0
	}
	w.ask(placementkind.ExplainQuery{Deployment: deployment, Step: step, Opens: true})
}

// askWhy explains a step of the shown strategy's search, or the last step if the search ended
// earlier.
func (w *why) askWhy(deployment, step int) {
	w.ask(placementkind.ExplainQuery{Deployment: deployment, Step: max(0, step)})
}

// ask asks for the explanation of a step under the shown strategy.
func (w *why) ask(query placementkind.ExplainQuery) {
	if len(w.view.result.deployments()) == 0 {
		return
	}
	w.deployment, w.step = query.Deployment, query.Step
	q := whyQuestion{tab: w.tab, ExplainQuery: query}
	q.run, q.Strategy = w.view.result.at(w.view.shown)
	lab.Ask(&w.asked, w.view.Later, func() (whyAnswer, error) { return w.explain(q) }, w.explained)
}

// whyQuestion asks for the explanation of a step in a tab.
type whyQuestion struct {
	placementkind.ExplainQuery
	run *bridge.Result
	tab string
}

// together returns the question as part of a run. It omits the question of the tab Elsewhere, which
// needs the job in the answer.
func (q whyQuestion) together() []bridge.Asked {
	all := []bridge.Asked{bridge.Together(placementkind.ExplainQuestion, q.ExplainQuery)}
	if q.tab == whyCM || q.tab == whyNAM {
		all = append(all, bridge.Together(placementkind.MatrixQuestion, q.matrix()))
	}
	return all
}

func (q whyQuestion) matrix() placementkind.MatrixQuery {
	return placementkind.MatrixQuery{ExplainQuery: q.ExplainQuery, Which: q.tab}
}

type whyAnswer struct {
	whyQuestion
	explanation *placement.Explanation
	matrix      *placementkind.MatrixData // for the tabs CM and NAM; nil for others
	standings   *placementkind.Standings  // for the tab Elsewhere; nil for others
}

// explain asks the engine a question; it blocks.
func (w *why) explain(q whyQuestion) (a whyAnswer, err error) {
	a.whyQuestion = q
	e, err := bridge.Ask(w.view.Page, w.view.Engine, q.run, placementkind.ExplainQuestion, q.ExplainQuery)
	if err != nil {
		return a, err
	}
	a.explanation, a.Step, a.Opens = &e, e.Step, false
	switch q.tab {
	case whyCM, whyNAM:
		a.matrix, err = bridge.Ask(w.view.Page, w.view.Engine, q.run, placementkind.MatrixQuestion, q.matrix())
	case whyElsewhere:
		a.standings, err = bridge.Ask(w.view.Page, w.view.Engine, q.run, placementkind.StandingQuestion,
			placementkind.StandingQuery{Strategy: q.Strategy, Deployment: q.Deployment, Job: e.Job})
	}
	return a, err
}

// explained puts an explanation on screen. After an error the last explanation stays.
func (w *why) explained(a whyAnswer, err error) {
	w.problem = problemOf(err)
	if err != nil {
		return
	}
	w.deployment, w.step = a.Deployment, a.Step
	w.whyAnswer, w.rows, w.element = a, candidateRows(a.explanation), ""
	w.view.Address.Located()
	w.row = slices.IndexFunc(w.view.picture.jobs, func(j placedJob) bool { return j.at[0] == a.Deployment && j.job == a.explanation.Job })
	if w.row >= 0 {
		w.element = w.view.picture.jobs[w.row].element()
	}
	w.view.play.wantPlayed()
	if a.matrix != nil {
		blank(a.tab, a.matrix.Values)
	}
}

// stepWhy goes to the next (+1) or previous (−1) job or, while the player is on screen, to its next
// or previous step.
func (w *why) stepWhy(by int) {
	if w.view.picture.pictureView() == playView {
		w.view.play.playOn(by)
		return
	}
	w.goToStep(w.step + by)
}

func (w *why) goToStep(step int) {
	if w.view.result == nil {
		return
	}
	w.askWhy(w.deployment, max(0, min(step, w.steps()-1)))
}

// steps returns the number of steps that can be explained: all jobs, or the jobs that a
// failed search reached.
func (w *why) steps() int {
	if len(w.view.result.deployments()) == 0 {
		return 0
	}
	d := w.view.result.report(w.view.shown).Deployments[w.deployment]
	if e := w.explanation; e != nil && !d.Placed() {
		return min(e.Reached, len(d.Order))
	}
	return len(d.Order)
}

func (w *why) whyTools() []app.UI {
	if w.view.result == nil || w.steps() == 0 {
		return nil
	}
	tabs := &ui.Tabs{ID: "why-tabs", Label: "Parts of the explanation", Selected: w.tab, OnSelect: w.selectWhy, Items: []ui.Tab{
		{ID: whyRow, Title: "Row of PA"}, {ID: whyElsewhere, Title: "Elsewhere"}, {ID: whyCM, Title: "Whole CM"}, {ID: whyNAM, Title: "Whole NAM"},
	}}
	if w.whyPlayed() {
		return []app.UI{w.whyDeploymentSelect(), tabs} // the player has the buttons for steps
	}
	return slices.Concat([]app.UI{w.whyDeploymentSelect()}, lab.Steps(w.view.StepButton, "Step of the search", w.step, w.steps(), "input", w.goToStep), []app.UI{tabs})
}

// whyPlayed reports whether the explanation follows the player.
func (w *why) whyPlayed() bool {
	return w.view.picture.pictureView() == playView && w.tab == whyRow && w.view.play.shown != nil && w.view.play.shown.Row != nil
}

func (w *why) whyDeploymentSelect() app.UI {
	if len(w.view.result.deployments()) < 2 {
		return ui.None()
	}
	return ui.Numbered("why-deployment", w.deployment, lab.FirstOf(len(w.view.result.deployments())), w.deploymentName, func(i int) { w.openWhy(i, 0) }).Class("inline").Aria("label", "Deployment to explain")
}

func (w *why) deploymentName(i int) string {
	if i == placementkind.AllDeployments {
		return "all deployments"
	}
	return w.view.result.deployments()[i].Name
}

func (w *why) selectWhy(_ app.Context, id string) {
	w.tab = id
	w.askWhy(w.deployment, w.step)
}

func (w *why) whyPane() app.UI {
	pane := app.Div().Class(w.view.Form.Dimmed("why")).DataSet("testid", "explain")
	switch {
	case w.view.result == nil:
		return pane.Body(ui.Empty("Run the inputs to see why each job went to its cluster."))
	case w.view.picture.pictureView() == nodesView:
		return pane.Body(w.view.clusterAsk.nodesCard())
	case w.problem != "":
		return pane.Body(ui.Problem(w.problem))
	case w.explanation == nil:
		return pane.Body(app.P().Text("Explaining …"))
	case w.whyPlayed():
		return pane.Body(whyHead(w.view.play.shown.Row), priorities(show.Words(neighbourhood(w.view.play.shown.Row))+" "),
			w.candidateTable("Clusters in the order in which they are tried, then those that refuse the job", w.view.play.rows))
	case w.tab == whyElsewhere && w.standings != nil:
		return pane.Body(w.whyHead(w.explanation), w.attemptNote(), w.view.elsewherePane(w.standings))
	case w.tab != whyRow && w.matrix != nil:
		return pane.Body(w.whyHead(w.explanation), w.attemptNote(), priorities(w.view.forms.priceNote()), w.view.matrixPane())
	}
	return pane.Body(
		w.whyHead(w.explanation),
		w.attemptNote(),
		priorities(show.Words(neighbourhood(w.explanation))+" "+w.view.forms.priceNote()),
		w.candidateTable(w.candidatesCaption(), w.rows),
	)
}

// priorities explains the order of the clusters. before is the text before the explanation.
func priorities(before string) app.UI {
	return app.Div().Class("claim").Body(ui.Explained(before + "Its PA has the clusters by CM over NAM.")...)
}

// whyHead draws the title of the explained step and the select that moves the job.
func (w *why) whyHead(e *placement.Explanation) app.UI {
	return app.Div().Class("why-row").Body(whyHead(e), w.view.moveTo())
}

func whyHead(e *placement.Explanation) app.UI {
	return app.Div().Class("why-head").Role("status").Body(ui.Explained(show.Words(headOf(e)))...)
}

// attemptNote warns that the steps of a failed search are not a placement.
func (w *why) attemptNote() app.UI {
	d := w.view.result.report(w.view.shown).Deployments[w.deployment]
	if d.Placed() {
		return ui.None()
	}
	return app.P().Class("note attempt").Body(ui.Icon("warning"), app.Span().Text(show.Words(attemptText(&d, w.explanation))))
}

func attemptText(d *placementkind.DeploymentReport, e *placement.Explanation) string {
	if d.Expansions == 0 {
		return "Not placed, without a search: " + d.Reason + "."
	}
	text := fmt.Sprintf("Not placed (%s). This is the longest attempt, not a placement: it ended at job %d of %d",
		d.Status.Words(), e.Reached, e.Jobs)
	if e.Step+1 == e.Reached {
		text += ", this one"
	}
	return text + "."
}

// headOf returns the title of an explained step: "job api: 1st of 20 in SJ (y = 1
// 930)".
func headOf(e *placement.Explanation) string {
	name := e.Job
	if e.Name != e.Job {
		name += " (" + e.Name + ")"
	}
	head := fmt.Sprintf("job %s: %s of %d in SJ (y = %s)", name, ordinal(e.Rank), e.Jobs, ui.Number(e.Y))
	if e.Order != "" && e.Step+1 != e.Rank { // the order is known only for some strategies
		head += fmt.Sprintf(", tried %s", ordinal(e.Step+1))
	}
	switch {
	case e.Reached == 0: // the search is still running
		return head
	case e.Cluster == "":
		return head + ", not placed"
	}
	return head + ", on cluster " + e.Cluster
}

// ordinal writes 1st, 2nd, 3rd, 4th, 11th, 21st.
func ordinal(n int) string {
	suffix := "th"
	if n%100/10 != 1 {
		switch n % 10 {
		case 1:
			suffix = "st"
		case 2:
			suffix = "nd"
		case 3:
			suffix = "rd"
		}
	}
	return strconv.Itoa(n) + suffix
}

// neighbourhood describes the requests of the job and its neighbours.
func neighbourhood(e *placement.Explanation) string {
	text := "It requests " + cmp.Or(show.Joined(e.Requests, ", ", func(r placement.Request) string { return r.Resource + " " + ui.Number(r.Request) }), "nothing")
	placed := 0
	for _, n := range e.Neighbours {
		if n.Cluster != "" {
			placed++
		}
	}
	switch of := len(e.Neighbours); {
	case of == 0:
		return text + ". It has no neighbours in the deployment."
	case of == 1 && placed == 0:
		return text + ". Its one neighbour in the deployment was not placed before it."
	case of == 1:
		return text + ". Its one neighbour in the deployment was placed before it."
	case placed == 0:
		return text + fmt.Sprintf(". None of its %s in the deployment was placed before it.", ui.Counted(of, "neighbour"))
	default:
		return text + fmt.Sprintf(". Of its %s in the deployment, %d %s placed before it.", ui.Counted(of, "neighbour"), placed, show.Verb(placed, "was", "were"))
	}
}

func (w *why) candidateTable(caption string, rows []ui.Row) app.UI {
	return &ui.Table{
		ID: "candidates", Caption: caption,
		Columns: []ui.Column{
			{Name: "Cluster", Title: "DOT id of the cluster"},
			{Name: "Name"},
			{Name: "CM", Title: "Cost of the job on the cluster, with its links to neighbours placed before it", Numeric: true},
			{Name: "NAM", Title: "Φ(y − r): how well the job and its neighbours fit on the cluster", Numeric: true},
			{Name: "CM/NAM", Title: "The order of the heuristic", Numeric: true},
			{Name: "Why", Prose: true},
		},
		Rows: rows,
	}
}

// candidatesCaption describes the order in which the strategy tried the clusters.
func (w *why) candidatesCaption() string {
	switch order := w.explanation.Order; {
	case w.view.result.jointly():
		return "Clusters by CM/NAM after the deployments before this one, then the refused ones. " +
			"All deployments were placed at once, so the strategy chose by all their jobs, not by this row"
	case order == placement.InPAOrder:
		return "Clusters in the order in which they were tried, then the refused ones"
	case order == placement.InDrawnOrder:
		return "Clusters in the random order of seed " + strconv.FormatUint(w.view.result.Inputs.options.Seed, 10) + ", then the refused ones"
	}
	return "Clusters by CM/NAM, as the heuristic orders them, then the refused ones. " +
		show.Capital(w.view.result.strategies()[w.view.shown].StrategyName()) + " chose by the whole placement: see Elsewhere"
}

// takenBack is the text for a cluster that the search tried and then undid.
const takenBack = "tried before, undone: a later job could not be placed"

// notTried is the text for a cluster after the chosen one.
const notTried = "not tried"

// candidateRows lists the clusters in PA, followed by the refused clusters. All bars
// share the scale of barScale.
func candidateRows(e *placement.Explanation) []ui.Row {
	rows := make([]ui.Row, 0, len(e.PA)+len(e.Refusals))
	scale := barScale(e.PA)
	for _, c := range e.PA {
		ratio := ui.Figure(c.Ratio)
		if scale > 0 {
			ratio.After = chart.InlineBar(c.Ratio / scale)
		}
		row := ui.Row{Cells: []ui.Cell{
			ui.Text(c.Cluster), ui.Text(c.Name), ui.Figure(c.CM), ui.Figure(c.NAM), ratio, ui.Text(""),
		}}
		switch {
		case c.Chosen:
			row.Class, row.Cells[5] = "chosen", ui.Text("✓ chosen")
		case c.Tried:
			row.Cells[5] = ui.Text(takenBack)
		case e.Order != "" && e.Cluster != "":
			row.Cells[5] = ui.Text(notTried)
		}
		rows = append(rows, row)
	}
	for _, r := range e.Refusals {
		rows = append(rows, ui.Row{Class: "refused", Cells: []ui.Cell{
			ui.Text(r.Cluster), ui.Text(r.Name), undefined(), undefined(), undefined(), ui.Text("refused: " + r.Text),
		}})
	}
	return rows
}

// barScale returns the ratio that fills a bar: the largest ratio, but at most ten times the median.
// Some ratios of e^(a·x) are so large that no other bar would be visible.
func barScale(pa []placement.Candidate) float64 {
	if len(pa) == 0 {
		return 0
	}
	ratios := make([]float64, len(pa))
	for i, c := range pa {
		ratios[i] = c.Ratio
	}
	slices.Sort(ratios)
	last, middle := ratios[len(ratios)-1], ratios[len(ratios)/2]
	if middle > 0 {
		return min(last, 10*middle)
	}
	return last
}
