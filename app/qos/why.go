package qos

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/lab"
	"berth/app/ui"
	"berth/engine/qos"
	"berth/engine/qos/qoskind"
	"berth/engine/show"
	"berth/wasm/bridge"
)

// why is the state of the explanation of a decision.
type why struct {
	view    *View
	follows int // index of the followed policy

	decision int            // index in the followed timeline; −1 for none
	of       *bridge.Result // run of decision and query; for another run, find chooses a decision
	query    qoskind.WhyQuery
	request  int                    // index of a request, from 1, whose first decision is wanted; 0 for none
	last     *lab.Known[*explained] // of the same run, shown until the next one arrives
}

// explained is the explanation of a decision, prepared for the page.
type explained struct {
	*qos.Explanation
	at        float64 // time of the decision, in seconds from the first arrival
	order     []int   // indices of the candidates, the chosen one first
	rows      []ui.Row
	host      int // row of the candidate that has residents
	residents []ui.Row
}

func (w *why) askWhy(decision int) {
	t := w.followedTimeline().Answer
	w.decision, w.query = decision, qoskind.WhyQuery{Request: int(t.stays[decision].Thing), Time: t.Start + t.Since(t.stays[decision].From)}
	w.turnTo(w.followed().Result)
}

// turnTo makes run the explained one. It drops the last explanation if that belongs to another run.
func (w *why) turnTo(run *bridge.Result) {
	if w.of != run {
		w.last = nil
	}
	w.of, w.request = run, 0
}

// find chooses the decision to explain when another run is followed: the wanted one, the decision
// with the same index, or the timeline's opening decision.
func (w *why) find() {
	one, t := w.followed(), w.followedTimeline().Answer
	if t == nil || len(t.stays) == 0 || w.of == one.Result {
		return
	}
	if decision := t.first(w.request - 1); decision >= 0 {
		w.askWhy(decision)
		return
	}
	w.query = qoskind.WhyQuery{Opens: true, Decision: w.decision}
	if w.decision < 0 || w.decision >= len(t.stays) {
		w.decision = t.Opening(t.stays, -1)
	}
	w.turnTo(one.Result)
}

// sought returns the time of the explained decision, in seconds from the first arrival.
func (w *why) sought() float64 {
	if w.decisions() == 0 {
		return 0
	}
	t := w.followedTimeline().Answer
	return t.Since(t.stays[w.decision].From)
}

// explained returns the explanation of the current decision, or the previous explanation until that
// arrives.
func (w *why) explained() *lab.Known[*explained] {
	one := w.followed()
	if w.decisions() == 0 || w.inexact() {
		return &lab.Known[*explained]{}
	}
	query, at := w.query, w.sought()
	return lab.KnowAs(w.view.Lab, one.Result, qoskind.WhyQuestion, query, func(e *qos.Explanation) *explained { return explain(e, at) }).Or(&w.last)
}

func explain(found *qos.Explanation, at float64) *explained {
	e := &explained{Explanation: found, at: at, order: lab.FirstOf(len(found.Candidates))}
	slices.SortStableFunc(e.order, e.compare)
	for _, c := range e.order {
		e.rows = append(e.rows, e.row(c))
	}
	e.list(0)
	return e
}

// compare orders candidates by [explained.place] and, within a place, by the policy's preference:
// by cost, by score, by rank.
func (w *explained) compare(i, j int) int {
	a, b := &w.Candidates[i], &w.Candidates[j]
	return cmp.Or(
		cmp.Compare(w.place(i), w.place(j)),
		slices.Compare(b.Cost, a.Cost),
		cmp.Compare(b.Score, a.Score),
		cmp.Compare(a.Rank, b.Rank),
	)
}

// place ranks a candidate: 0 for the chosen one, 1 for a feasible one without
// preemption, 2 for another feasible one, 3 for the rest.
func (w *explained) place(i int) int {
	switch c := &w.Candidates[i]; {
	case i == w.Chosen:
		return 0
	case c.Feasible && len(c.Victims) == 0:
		return 1
	case c.Feasible:
		return 2
	}
	return 3
}

func (w *explained) row(i int) ui.Row {
	c := &w.Candidates[i]
	row, verdict := ui.Row{}, "feasible"
	switch {
	case i == w.Chosen:
		row.Class, verdict = "chosen", "✓ chosen"
	case !c.Feasible:
		row.Class, verdict = "refused", "refused: "+string(c.Reason)
	case len(c.Victims) == 0:
		verdict = "feasible without preemption"
	}
	row.Cells = []ui.Cell{ui.Text(c.Host), ui.Text(verdict), ui.Figure(c.Score), ui.Text(membersText(c.Victims))}
	for term := range w.Terms {
		cell := ui.Text("")
		if term < len(c.Cost) {
			cell = ui.Figure(c.Cost[term])
		}
		row.Cells = append(row.Cells, cell)
	}
	return row
}

// membersText lists requests with their Q, the time until the SLO is violated.
func membersText(members []qos.Member) string {
	return show.Joined(members, ", ", func(m qos.Member) string { return fmt.Sprintf("%s (%s, Q %s)", m.ID, m.Class, ui.Unit(m.Q, "s")) })
}

// list lists the instances on the host in a row of the candidates.
func (w *explained) list(row int) {
	w.host, w.residents = row, []ui.Row{}
	if row >= len(w.order) {
		return
	}
	for _, r := range w.Candidates[w.order[row]].Instances {
		verdict := "may be preempted"
		if r.Kept != "" {
			verdict = "stays: " + r.Kept
		}
		w.residents = append(w.residents, ui.Row{Cells: []ui.Cell{
			ui.Text(r.ID), ui.Text(r.Class), ui.Figure(r.Q), ui.Figure(r.Margin), ui.Text(verdict),
		}})
	}
}

// decisions returns the number of decisions that can be explained.
func (w *why) decisions() int {
	w.find()
	if t := w.followedTimeline().Answer; t != nil {
		return len(t.stays)
	}
	return 0
}

func (w *why) stepDecision(by int) { w.goToDecision(w.decision + by) }

func (w *why) goToDecision(i int) {
	if n := w.decisions(); n > 0 {
		w.askWhy(max(0, min(i, n-1)))
	}
}

func (w *why) whyTools() []app.UI {
	n, i := w.decisions(), w.decision
	if n == 0 || i < 0 {
		return nil
	}
	return lab.Steps(w.view.StepButton, "Decision", i, n, "change", w.goToDecision)
}

func (w *why) whyPane() app.UI {
	pane := app.Div().Class(w.view.Form.Dimmed("why")).DataSet("testid", "qos-why")
	found := w.explained().Answer
	if found == nil {
		return pane.Body(w.unexplained())
	}
	columns := []ui.Column{
		{Name: "Host"},
		{Name: "why", Prose: true},
		{Name: "score", Title: "Allocation score of the host without preemptions", Numeric: true},
		{Name: "victims", Title: "Instances that would be preempted, in this order"},
	}
	for _, term := range found.Terms {
		columns = append(columns, ui.Column{Name: ui.WithUnit(term.Name, term.Unit), Title: "Term of the cost tuple; the largest tuple wins", Numeric: true})
	}
	return pane.Body(
		app.Div().Class("why-head").Role("status").Body(ui.Explained(found.head())...),
		app.Div().Class("claim").Body(ui.Explained("Terms: Q, TTV, φ.")...),
		&ui.Table{ID: "qos-candidates", TestID: "qos-candidates", Caption: "Hosts: the chosen one, other feasible ones, then refused ones; press one to see what runs there",
			Columns: columns, Rows: found.rows, Selected: found.host + 1,
			OnRow: func(_ app.Context, i int) { w.explained().Answer.list(i) }},
		&ui.Table{ID: "qos-residents", TestID: "qos-residents", Caption: found.residentsCaption(),
			Columns: []ui.Column{
				{Name: "Request"}, {Name: "class"},
				{Name: "Q (s)", Title: "Time until the SLO is violated; below 0, the time to recover. For an instance of a controller measured as a whole, that of the controller", Numeric: true},
				{Name: "φ (s)", Title: "Safety margin", Numeric: true}, {Name: "why", Prose: true},
			}, Rows: found.residents},
	)
}

// unexplained draws the reason why no explanation is on screen.
func (w *why) unexplained() app.UI {
	switch problem := w.followedTimeline().Problem; {
	case w.explained().Problem != "":
		return ui.Problem(w.explained().Problem)
	case w.inexact():
		return app.P().Class("note").Role("status").Body(ui.Icon("info"), app.Span().Text(w.inexactText()))
	case problem != "":
		return ui.Empty("Berth explains decisions only of runs with a timeline. " + problem)
	case w.decisions() > 0:
		return ui.Empty("Explaining …")
	}
	return ui.Empty("Click or tap a decision in the timeline to see why. Only small runs have one.")
}

// inexact reports whether the followed run has optimisations that may change its
// policy's decisions.
func (w *why) inexact() bool { return w.decisions() > 0 && !w.followed().policy.Exact() }

// inexactText describes the decision of an inexact run and how to get an explanation.
func (w *why) inexactText() string {
	e := w.followedTimeline().Answer.decided()[w.decision]
	return fmt.Sprintf("At %s under %s: %s. The reason is unknown, because optimisations skip hosts and requests without a record. "+
		"To see reasons, run the policy without optimisations, too.", ui.Unit(e.Time, "s"), w.followed().policy.Title(), e.Text)
}

func (w *explained) residentsCaption() string {
	if w.host >= len(w.order) {
		return "There are no hosts"
	}
	return "On " + w.Candidates[w.order[w.host]].Host + ", in the order in which they would be preempted"
}

// head describes the decision: "At 31 s under qos: request 32 (bronze), number 1 of 3 in the queue,
// Q = 0 s since it is new, goes to Host_4."
func (e *explained) head() string {
	r := &e.Request
	text := fmt.Sprintf("At %s under %s: %s (%s), number %d of %d in the queue, Q = %s",
		ui.Unit(e.at, "s"), e.Policy, qoskind.Called(r.ID, r.Controller), r.Class, e.Place+1, e.Queue, ui.Unit(r.Q, "s"))
	if r.New {
		text += " since it is new"
	}
	if e.Chosen < 0 {
		return text + ": no host can take it"
	}
	c := &e.Candidates[e.Chosen]
	text += ", goes to " + c.Host
	if len(c.Victims) > 0 {
		text += " in place of " + membersText(c.Victims)
	}
	return text + "."
}
