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

// The tabs of the explanation.
const (
	whyRow = "PA"
	whyCM  = "CM"
	whyNAM = "NAM"

	whyElsewhere = "elsewhere"
)

// why is the step of the search that is explained.
type why struct {
	deployment, step int
	tab              string

	asked     lab.Latest
	whyAnswer // the last one, while another step is awaited
	rows      []ui.Row
	row       int    // of the job in the placement table, from 0; -1 if it was not placed
	element   string // of the job in the drawing
	problem   string
}

// openWhy explains another search: at the step that is explained now, or at the
// one that failed where the search found no placement.
func (v *View) openWhy(deployment, step int) {
	if deployment >= len(v.result.report(v.shown).Deployments) {
		deployment, step = 0, 0
	}
	v.ask(placementkind.ExplainQuery{Deployment: deployment, Step: step, Opens: true})
}

// askWhy explains a step of the shown strategy's search, or the last one that
// the search reached if it did not come so far.
func (v *View) askWhy(deployment, step int) {
	v.ask(placementkind.ExplainQuery{Deployment: deployment, Step: max(0, step)})
}

// ask explains a step under the shown strategy.
func (v *View) ask(query placementkind.ExplainQuery) {
	if len(v.result.deployments()) == 0 {
		return
	}
	v.why.deployment, v.why.step = query.Deployment, query.Step
	q := whyQuestion{tab: v.why.tab, ExplainQuery: query}
	q.run, q.Strategy = v.result.at(v.shown)
	lab.Ask(&v.why.asked, v.Later, func() (whyAnswer, error) { return v.explain(q) }, v.explained)
}

// whyQuestion is a step that is to be explained.
type whyQuestion struct {
	placementkind.ExplainQuery
	run *bridge.Result
	tab string
}

// together is the question as part of a run. It lacks the tab Elsewhere, whose question needs
// the job in the answer.
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

// whyAnswer is its explanation.
type whyAnswer struct {
	whyQuestion
	explanation *placement.Explanation
	matrix      *placementkind.MatrixData // of the tabs CM and NAM
	standings   *placementkind.Standings  // of the tab Elsewhere
}

// explain answers a question; it blocks.
func (v *View) explain(q whyQuestion) (a whyAnswer, err error) {
	a.whyQuestion = q
	e, err := bridge.Ask(v.Page, v.Engine, q.run, placementkind.ExplainQuestion, q.ExplainQuery)
	if err != nil {
		return a, err
	}
	a.explanation, a.Step, a.Opens = &e, e.Step, false
	switch q.tab {
	case whyCM, whyNAM:
		a.matrix, err = bridge.Ask(v.Page, v.Engine, q.run, placementkind.MatrixQuestion, q.matrix())
	case whyElsewhere:
		a.standings, err = bridge.Ask(v.Page, v.Engine, q.run, placementkind.StandingQuestion,
			placementkind.StandingQuery{Strategy: q.Strategy, Deployment: q.Deployment, Job: e.Job})
	}
	return a, err
}

// explained shows an explanation.
func (v *View) explained(a whyAnswer, err error) {
	w := &v.why
	w.problem = problemOf(err)
	if err != nil {
		return
	}
	w.deployment, w.step = a.Deployment, a.Step
	w.whyAnswer, w.rows, w.element = a, candidateRows(a.explanation), ""
	v.Located()
	w.row = slices.IndexFunc(v.picture.jobs, func(j placedJob) bool { return j.at[0] == a.Deployment && j.job == a.explanation.Job })
	if w.row >= 0 {
		w.element = v.picture.jobs[w.row].element()
	}
	v.wantPlayed()
	if a.matrix != nil {
		blank(a.tab, a.matrix.Values)
	}
}

// stepWhy goes to the next job, or to the next step of the player.
func (v *View) stepWhy(by int) {
	if v.pictureView() == playView {
		v.playOn(by)
		return
	}
	v.goToStep(v.why.step + by)
}

func (v *View) goToStep(step int) {
	if v.result == nil {
		return
	}
	v.askWhy(v.why.deployment, max(0, min(step, v.steps()-1)))
}

// steps is how many steps can be explained.
func (v *View) steps() int {
	if len(v.result.deployments()) == 0 {
		return 0
	}
	d := v.result.report(v.shown).Deployments[v.why.deployment]
	if e := v.why.explanation; e != nil && !d.Placed() {
		return min(e.Reached, len(d.Order))
	}
	return len(d.Order)
}

func (v *View) whyTools() []app.UI {
	if v.result == nil || v.steps() == 0 {
		return nil
	}
	tabs := &ui.Tabs{ID: "why-tabs", Label: "Parts of the explanation", Selected: v.why.tab, OnSelect: v.selectWhy, Items: []ui.Tab{
		{ID: whyRow, Title: "Row of PA"}, {ID: whyElsewhere, Title: "Elsewhere"}, {ID: whyCM, Title: "Whole CM"}, {ID: whyNAM, Title: "Whole NAM"},
	}}
	if v.whyPlayed() {
		return []app.UI{v.whyDeploymentSelect(), tabs} // the player has the steps
	}
	return slices.Concat([]app.UI{v.whyDeploymentSelect()}, lab.Steps(v.StepButton, "Step of the search", v.why.step, v.steps(), "input", v.goToStep), []app.UI{tabs})
}

// whyPlayed says whether the explanation is of the step that is played.
func (v *View) whyPlayed() bool {
	return v.pictureView() == playView && v.why.tab == whyRow && v.play.shown != nil && v.play.shown.Row != nil
}

func (v *View) whyDeploymentSelect() app.UI {
	if len(v.result.deployments()) < 2 {
		return ui.None()
	}
	return ui.Numbered("why-deployment", v.why.deployment, lab.FirstOf(len(v.result.deployments())), v.deploymentName, func(i int) { v.openWhy(i, 0) }).Class("inline").Aria("label", "Deployment to explain")
}

func (v *View) deploymentName(i int) string {
	if i == placementkind.AllDeployments {
		return "all deployments"
	}
	return v.result.deployments()[i].Name
}

func (v *View) selectWhy(_ app.Context, id string) {
	v.why.tab = id
	v.askWhy(v.why.deployment, v.why.step)
}

func (v *View) whyPane() app.UI {
	pane := app.Div().Class(v.Dimmed("why")).DataSet("testid", "explain")
	w := &v.why
	switch {
	case v.result == nil:
		return pane.Body(ui.Empty("Run the inputs to see why each job went to its cluster."))
	case v.pictureView() == nodesView:
		return pane.Body(v.nodesCard())
	case w.problem != "":
		return pane.Body(ui.Problem(w.problem))
	case w.explanation == nil:
		return pane.Body(app.P().Text("Explaining …"))
	case v.whyPlayed():
		return pane.Body(whyHead(v.play.shown.Row), priorities(show.Words(neighbourhood(v.play.shown.Row))+" "),
			v.candidateTable("Clusters in the order in which they are tried, then those that refuse the job", v.play.rows))
	case w.tab == whyElsewhere && w.standings != nil:
		return pane.Body(v.whyHead(w.explanation), v.attemptNote(), v.elsewherePane(w.standings))
	case w.tab != whyRow && w.matrix != nil:
		return pane.Body(v.whyHead(w.explanation), v.attemptNote(), priorities(v.priceNote()), v.matrixPane())
	}
	return pane.Body(
		v.whyHead(w.explanation),
		v.attemptNote(),
		priorities(show.Words(neighbourhood(w.explanation))+" "+v.priceNote()),
		v.candidateTable(v.candidatesCaption(), v.why.rows),
	)
}

// priorities explains the order of the clusters.
func priorities(before string) app.UI {
	return app.Div().Class("claim").Body(ui.Explained(before + "Its PA has the clusters by CM over NAM.")...)
}

// whyHead is the title of the explained step, and where the job may be put by hand.
func (v *View) whyHead(e *placement.Explanation) app.UI {
	return app.Div().Class("why-row").Body(whyHead(e), v.moveTo())
}

func whyHead(e *placement.Explanation) app.UI {
	return app.Div().Class("why-head").Role("status").Body(ui.Explained(show.Words(headOf(e)))...)
}

// attemptNote warns that the steps of a search that failed are no placement.
func (v *View) attemptNote() app.UI {
	d := v.result.report(v.shown).Deployments[v.why.deployment]
	if d.Placed() {
		return ui.None()
	}
	return app.P().Class("note attempt").Body(ui.Icon("warning"), app.Span().Text(show.Words(attemptText(&d, v.why.explanation))))
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

// headOf is the title of an explained step: "job api: 1st of 20 in SJ (y = 1 930)".
func headOf(e *placement.Explanation) string {
	name := e.Job
	if e.Name != e.Job {
		name += " (" + e.Name + ")"
	}
	head := fmt.Sprintf("job %s: %s of %d in SJ (y = %s)", name, ordinal(e.Rank), e.Jobs, ui.Number(e.Y))
	if e.Order != "" && e.Step+1 != e.Rank { // of other strategies no order is known
		head += fmt.Sprintf(", tried %s", ordinal(e.Step+1))
	}
	switch {
	case e.Reached == 0: // the search is under way
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

// neighbourhood words the requests of the job and its neighbours.
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

func (v *View) candidateTable(caption string, rows []ui.Row) app.UI {
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

// candidatesCaption says in which order the strategy went through the clusters.
func (v *View) candidatesCaption() string {
	switch order := v.why.explanation.Order; {
	case v.result.jointly():
		return "Clusters by CM/NAM after the deployments before this one, then the refused ones. " +
			"All deployments were placed at once, so the strategy chose by all their jobs, not by this row"
	case order == placement.InPAOrder:
		return "Clusters in the order in which they were tried, then the refused ones"
	case order == placement.InDrawnOrder:
		return "Clusters in the random order of seed " + strconv.FormatUint(v.result.Inputs.options.Seed, 10) + ", then the refused ones"
	}
	return "Clusters by CM/NAM, as the heuristic orders them, then the refused ones. " +
		show.Capital(v.result.strategies()[v.shown].StrategyName()) + " chose by the whole placement: see Elsewhere"
}

// takenBack is the text for a cluster that the search tried before the chosen one.
const takenBack = "tried before, undone: a later job could not be placed"

// notTried is the text for a cluster behind the chosen one.
const notTried = "not tried"

// candidateRows are the row of PA and then the refused clusters. The bars share
// one scale: the largest ratio that is no outlier.
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

// barScale is the ratio of a full bar: the largest ratio, but at most ten times the median,
// since e^(a·x) makes some ratios so large that no other bar would be visible.
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
