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

// why is the decision that is explained.
type why struct {
	decision int            // of the timeline that is followed; -1 for none
	of       *bridge.Result // whose decision it is; of another run it has to be found
	query    qoskind.WhyQuery
	request  int                    // the first decision about this request, from 1, is wanted; 0 for none
	last     *lab.Known[*explained] // of the same run, shown while another decision is awaited
}

// explained is the explanation of a decision.
type explained struct {
	*qos.Explanation
	at        float64 // time of the decision, in seconds from the first arrival
	order     []int   // of the candidates, the chosen one first
	rows      []ui.Row
	host      int // whose instances are listed, in order
	residents []ui.Row
}

// askWhy explains a decision of the timeline that is followed.
func (v *View) askWhy(decision int) {
	w, t := &v.why, v.followedTimeline().Answer
	w.decision, w.query = decision, qoskind.WhyQuery{Request: int(t.stays[decision].Thing), Time: t.Start + t.Since(t.stays[decision].From)}
	w.turnTo(v.followed().Result)
}

// turnTo drops what is known of another run.
func (w *why) turnTo(run *bridge.Result) {
	if w.of != run {
		w.last = nil
	}
	w.of, w.request = run, 0
}

// find finds the decision to explain in another run: the one that is wanted, the one that was
// explained before, or the first that took a host from somebody.
func (v *View) find() {
	w, one, t := &v.why, v.followed(), v.followedTimeline().Answer
	if t == nil || len(t.stays) == 0 || w.of == one.Result {
		return
	}
	if decision := t.first(w.request - 1); decision >= 0 {
		v.askWhy(decision)
		return
	}
	w.query = qoskind.WhyQuery{Opens: true, Decision: w.decision}
	if w.decision < 0 || w.decision >= len(t.stays) {
		w.decision = t.Opening(-1)
	}
	w.turnTo(one.Result)
}

// sought is the time of the explained decision, in seconds from the first arrival.
func (v *View) sought() float64 {
	if v.decisions() == 0 {
		return 0
	}
	t := v.followedTimeline().Answer
	return t.Since(t.stays[v.why.decision].From)
}

// explained is the explanation of the decision, or the last one while that is awaited.
func (v *View) explained() *lab.Known[*explained] {
	one, w := v.followed(), &v.why
	if v.decisions() == 0 || v.inexact() {
		return &lab.Known[*explained]{}
	}
	query, at := w.query, v.sought()
	return lab.KnowAs(v.Lab, one.Result, qoskind.WhyQuestion, query, func(e *qos.Explanation) *explained { return explain(e, at) }).Or(&w.last)
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

// compare orders candidates by their place, and in it as the policy prefers
// them: by cost, by score, by rank.
func (w *explained) compare(i, j int) int {
	a, b := &w.Candidates[i], &w.Candidates[j]
	return cmp.Or(
		cmp.Compare(w.place(i), w.place(j)),
		slices.Compare(b.Cost, a.Cost),
		cmp.Compare(b.Score, a.Score),
		cmp.Compare(a.Rank, b.Rank),
	)
}

// place orders candidates: the chosen one, those that need no preemption, the
// others that are feasible, the rest.
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

// membersText lists requests with their Q.
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

// decisions is how many there are to explain.
func (v *View) decisions() int {
	v.find()
	if t := v.followedTimeline().Answer; t != nil {
		return len(t.stays)
	}
	return 0
}

func (v *View) stepDecision(by int) { v.goToDecision(v.why.decision + by) }

func (v *View) goToDecision(i int) {
	if n := v.decisions(); n > 0 {
		v.askWhy(max(0, min(i, n-1)))
	}
}

func (v *View) whyTools() []app.UI {
	n, i := v.decisions(), v.why.decision
	if n == 0 || i < 0 {
		return nil
	}
	return lab.Steps(v.StepButton, "Decision", i, n, "change", v.goToDecision)
}

func (v *View) whyPane() app.UI {
	pane := app.Div().Class(v.Dimmed("why")).DataSet("testid", "qos-why")
	w := v.explained().Answer
	if w == nil {
		return pane.Body(v.unexplained())
	}
	columns := []ui.Column{
		{Name: "Host"},
		{Name: "why", Prose: true},
		{Name: "score", Title: "Allocation score of the host without preemptions", Numeric: true},
		{Name: "victims", Title: "Instances that would be preempted, in this order"},
	}
	for _, term := range w.Terms {
		columns = append(columns, ui.Column{Name: ui.WithUnit(term.Name, term.Unit), Title: "Term of the cost tuple; the largest tuple wins", Numeric: true})
	}
	return pane.Body(
		app.Div().Class("why-head").Role("status").Body(ui.Explained(w.head())...),
		app.Div().Class("claim").Body(ui.Explained("Terms: Q, TTV, φ.")...),
		&ui.Table{ID: "qos-candidates", TestID: "qos-candidates", Caption: "Hosts: the chosen one, other feasible ones, then refused ones; press one to see what runs there",
			Columns: columns, Rows: w.rows, Selected: w.host + 1,
			OnRow: func(_ app.Context, i int) { v.explained().Answer.list(i) }},
		&ui.Table{ID: "qos-residents", TestID: "qos-residents", Caption: w.residentsCaption(),
			Columns: []ui.Column{
				{Name: "Request"}, {Name: "class"},
				{Name: "Q (s)", Title: "Time until the SLO is violated; below 0, the time to recover. For an instance of a controller measured as a whole, that of the controller", Numeric: true},
				{Name: "φ (s)", Title: "Safety margin", Numeric: true}, {Name: "why", Prose: true},
			}, Rows: w.residents},
	)
}

// unexplained says why no decision is explained.
func (v *View) unexplained() app.UI {
	switch problem := v.followedTimeline().Problem; {
	case v.explained().Problem != "":
		return ui.Problem(v.explained().Problem)
	case v.inexact():
		return app.P().Class("note").Role("status").Body(ui.Icon("info"), app.Span().Text(v.inexactText()))
	case problem != "":
		return ui.Empty("Berth explains decisions only of runs with a timeline. " + problem)
	case v.decisions() > 0:
		return ui.Empty("Explaining …")
	}
	return ui.Empty("Click or tap a decision in the timeline to see why. Only small runs have one.")
}

// inexact reports whether the run that is followed has optimisations that may
// decide otherwise than its policy.
func (v *View) inexact() bool { return v.decisions() > 0 && !v.followed().policy.Exact() }

// inexactText says what such a run decided, and what to do to see why.
func (v *View) inexactText() string {
	e := v.followedTimeline().Answer.decided()[v.why.decision]
	return fmt.Sprintf("At %s under %s: %s. The reason is unknown, because optimisations skip hosts and requests without a record. "+
		"To see reasons, run the policy without optimisations, too.", ui.Unit(e.Time, "s"), v.followed().policy.Title(), e.Text)
}

func (w *explained) residentsCaption() string {
	if w.host >= len(w.order) {
		return "There are no hosts"
	}
	return "On " + w.Candidates[w.order[w.host]].Host + ", in the order in which they would be preempted"
}

// head words the decision: "At 31 s under qos: request 32 (bronze), 1st of 3 in the queue with
// Q = 0 s (new), goes to Host_4".
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
