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
	"berth/engine/sorting"
)

// why is the decision that is explained.
type why struct {
	decision int     // of the timeline that is followed; -1 for none
	seek     float64 // its time from the first arrival, s

	asked       lab.Latest
	explanation *qos.Explanation
	order       []int // of the candidates, the chosen one first
	rows        []ui.Row
	host        int // whose instances are listed, in order
	residents   []ui.Row
	problem     string
}

// askWhy explains a decision of the timeline that is followed.
func (v *View) askWhy(decision int) {
	t := v.followedTimeline()
	v.ask(decision, qoskind.WhyQuery{Request: int(t.stays[decision].Thing), Time: t.data.Start + t.Events[decision].Time})
}

// ask explains a decision by a query about it.
func (v *View) ask(decision int, query qoskind.WhyQuery) {
	one, w := v.result.followed(v.followed), &v.why
	w.decision, w.seek = decision, one.timeline.Events[decision].Time
	if v.inexact() {
		w.asked.Drop()
		return
	}
	lab.AskOf(v.Lab, &w.asked, one.Result, qoskind.WhyQuestion, query, func(found *qos.Explanation, err error) {
		if err != nil {
			w.problem = err.Error()
		} else {
			w.take(found)
		}
	})
}

// forget drops the explanation, and the one that is asked for: they are of
// another run. The number of the decision stays.
func (w *why) forget() {
	w.asked.Drop()
	*w = why{decision: w.decision, asked: w.asked}
}

func (w *why) take(found *qos.Explanation) {
	w.explanation, w.problem = found, ""
	w.order = make([]int, len(found.Candidates))
	for i := range w.order {
		w.order[i] = i
	}
	sorting.Stable(w.order, w.compare)
	w.rows = make([]ui.Row, len(w.order))
	for i, c := range w.order {
		w.rows[i] = w.row(c)
	}
	w.list(0)
}

// compare orders candidates by their place, and in it as the policy prefers
// them: by cost, by score, by rank.
func (w *why) compare(i, j int) int {
	a, b := &w.explanation.Candidates[i], &w.explanation.Candidates[j]
	return cmp.Or(
		cmp.Compare(w.place(i), w.place(j)),
		slices.Compare(b.Cost, a.Cost),
		cmp.Compare(b.Score, a.Score),
		cmp.Compare(a.Rank, b.Rank),
	)
}

// place orders candidates: the chosen one, those that need no preemption, the
// others that are feasible, the rest.
func (w *why) place(i int) int {
	switch c := &w.explanation.Candidates[i]; {
	case i == w.explanation.Chosen:
		return 0
	case c.Feasible && len(c.Victims) == 0:
		return 1
	case c.Feasible:
		return 2
	}
	return 3
}

func (w *why) row(i int) ui.Row {
	c := &w.explanation.Candidates[i]
	row, verdict := ui.Row{}, "feasible"
	switch {
	case i == w.explanation.Chosen:
		row.Class, verdict = "chosen", "✓ chosen"
	case !c.Feasible:
		row.Class, verdict = "refused", "refused: "+string(c.Reason)
	case len(c.Victims) == 0:
		verdict = "feasible without preemption"
	}
	row.Cells = []ui.Cell{ui.Text(c.Host), ui.Text(verdict), ui.Figure(c.Score), ui.Text(membersText(c.Victims))}
	for term := range w.explanation.Terms {
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
func (w *why) list(row int) {
	w.host, w.residents = row, []ui.Row{}
	if row >= len(w.order) {
		return
	}
	for _, r := range w.explanation.Candidates[w.order[row]].Instances {
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
	if t := v.followedTimeline(); t != nil {
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
	w := &v.why
	switch {
	case w.problem != "":
		return pane.Body(ui.Problem(w.problem))
	case v.inexact():
		return pane.Body(app.P().Class("note").Role("status").Body(ui.Icon("info"), app.Span().Text(v.inexactText())))
	case w.explanation == nil:
		return pane.Body(ui.Empty(v.noWhy()))
	}
	columns := []ui.Column{
		{Name: "Host"},
		{Name: "why", Prose: true},
		{Name: "score", Title: "Allocation score of the host without preemptions", Numeric: true},
		{Name: "victims", Title: "Instances that would be preempted, in this order"},
	}
	for _, term := range w.explanation.Terms {
		columns = append(columns, ui.Column{Name: ui.WithUnit(term.Name, term.Unit), Title: "Term of the cost tuple; the largest tuple wins", Numeric: true})
	}
	return pane.Body(
		app.Div().Class("why-head").Role("status").Body(ui.Explained(w.head())...),
		app.Div().Class("claim").Body(ui.Explained("Terms: Q, TTV, φ.")...),
		&ui.Table{ID: "qos-candidates", TestID: "qos-candidates", Caption: "Hosts: the chosen one, other feasible ones, then refused ones; press one to see what runs there",
			Columns: columns, Rows: w.rows, Selected: w.host + 1,
			OnRow: func(_ app.Context, i int) { v.why.list(i) }},
		&ui.Table{ID: "qos-residents", TestID: "qos-residents", Caption: w.residentsCaption(),
			Columns: []ui.Column{
				{Name: "Request"}, {Name: "class"},
				{Name: "Q (s)", Title: "Time until the SLO is violated; below 0, the time to recover. For an instance of a controller measured as a whole, that of the controller", Numeric: true},
				{Name: "φ (s)", Title: "Safety margin", Numeric: true}, {Name: "why", Prose: true},
			}, Rows: w.residents},
	)
}

// noWhy says why no decision is explained.
func (v *View) noWhy() string {
	switch t := v.followedTimeline(); {
	case t != nil && t.problem != "":
		return "Berth explains decisions only of runs with a timeline. " + t.problem
	case v.decisions() > 0:
		return "Explaining …"
	}
	return "Click or tap a decision in the timeline to see why. Only small runs have one."
}

// inexact reports whether the run that is followed has optimisations that may
// decide otherwise than its policy.
func (v *View) inexact() bool {
	return v.decisions() > 0 && !v.result.followed(v.followed).policy.Exact()
}

// inexactText says what such a run decided, and what to do to see why.
func (v *View) inexactText() string {
	run, t := &v.result.followed(v.followed).policy, v.followedTimeline()
	i := max(0, min(v.why.decision, v.decisions()-1))
	return fmt.Sprintf("At %s under %s: %s. The reason is unknown, because optimisations skip hosts and requests without a record. "+
		"To see reasons, run the policy without optimisations, too.",
		ui.Unit(t.Events[i].Time, "s"), run.Title(), t.Events[i].Text)
}

func (w *why) residentsCaption() string {
	if w.host >= len(w.order) {
		return "There are no hosts"
	}
	return "On " + w.explanation.Candidates[w.order[w.host]].Host + ", in the order in which they would be preempted"
}

// head words the decision: "At 31 s under qos: request 32 (bronze), 1st of 3 in the queue with
// Q = 0 s (new), goes to Host_4".
func (w *why) head() string {
	e := w.explanation
	r := &e.Request
	text := fmt.Sprintf("At %s under %s: %s (%s), number %d of %d in the queue, Q = %s",
		ui.Unit(w.seek, "s"), e.Policy, qoskind.Called(r.ID, r.Controller), r.Class, e.Place+1, e.Queue, ui.Unit(r.Q, "s"))
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

func (v *View) followedTimeline() *timeline {
	if v.result == nil || v.result.followed(v.followed) == nil {
		return nil
	}
	return v.result.followed(v.followed).timeline
}
