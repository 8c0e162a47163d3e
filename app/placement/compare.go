package placement

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/lab"
	"berth/app/ui"
	"berth/engine/figure"
	"berth/engine/placement"
	"berth/engine/placement/placementkind"
	"berth/engine/plugin"
	"berth/engine/show"
	"berth/wasm/bridge"
)

// comparePane holds the strategies side by side and where each job went.
func (v *View) comparePane() app.UI {
	if v.result == nil {
		return ui.Empty("Run the inputs to compare what the strategies cost.")
	}
	pane := app.Div().Class(v.Dimmed("compare"))
	if v.Inputs.alone() {
		return pane.Body(v.clusterTable(), v.nodesPanel())
	}
	return pane.Body(
		v.whatIfDifference(),
		v.wouldText(),
		v.clusterTable(),
		v.nodesPanel(),
		v.comparison(),
		v.improvement(),
		v.tradeoffsPanel(),
		v.deploymentTable(),
		v.placementTable(),
	)
}

// measure is one row of the comparison.
type measure struct {
	name, title string
	of          func(s *placementkind.StrategyReport, r *placementkind.Report) string // nil of the time, which is no part of the report
	figure      *figure.Figure                                                        // whose change against the pinned result is told; nil of none
	testID      string
}

// outcomes are the rows about the placed deployments.
var outcomes = []measure{
	{name: "status", title: "Whether all deployments were placed; with several seeds, in how many runs", of: statusOf},
	{name: "deployments", title: "Number of placed deployments; with several seeds, the mean", of: deploymentsOf},
}

// tallied are rows of the figures of a group.
func tallied(group figure.Group) (rows []measure) {
	for _, f := range placementkind.Labelled(group) {
		name, title := heading(&f)
		m := measure{name: name, title: title, of: func(s *placementkind.StrategyReport, r *placementkind.Report) string {
			if s.Summary != nil && f.Key != "" {
				return ui.Estimate(f.Form, s.Summary.At(f.Key)).Text
			}
			return shown(&f, r.Certified(s))
		}}
		if group == placementkind.OfCertificate {
			m.name = strings.ToLower(f.Title)
		} else {
			m.figure = &f
		}
		if group != placementkind.OfCost {
			m.testID = "result-" + name
		}
		rows = append(rows, m)
	}
	return rows
}

// common are the rows of costs of the deployments alone that all strategies placed.
func common() []measure {
	rows := tallied(placementkind.OfCost)
	for i := range rows {
		f := rows[i].figure
		rows[i] = measure{name: f.Label, title: f.About + ", of these deployments; with several seeds, the mean", of: func(s *placementkind.StrategyReport, r *placementkind.Report) string {
			return shown(f, r.TallyIn(s, r.Common()))
		}}
	}
	return rows
}

// shown is a figure in a table, in the steps of the strategy itself.
func shown(f *figure.Figure, t *placementkind.Tally) string {
	if f.Words != nil {
		return cmp.Or(f.Words(t), "–")
	}
	return ui.Formed(f.Form, t.Own(f))
}

// heading is the name of a figure at the head of its row or column, and its description: the
// page calls expansions steps.
func heading(f *figure.Figure) (name, title string) {
	if f.Name == "expansions" {
		return "steps", "How often the search took up a job; for strategies that improve, their own steps"
	}
	return f.Label, f.About
}

// ordered compares all deployments at once with one after the other, of the first seed.
var ordered = []measure{
	{name: "in this order", title: "Cost if the same strategy places the deployments one after the other", testID: "joint-in-order", of: inOrderOf},
	{name: "order costs", title: "How much more that costs than all at once", testID: "joint-order-costs", of: func(s *placementkind.StrategyReport, _ *placementkind.Report) string {
		return show.Money(s.Joint.OrderCosts)
	}},
}

func inOrderOf(s *placementkind.StrategyReport, _ *placementkind.Report) string {
	text := show.Money(s.Joint.InOrder.Total)
	if !s.Joint.InOrder.Total.Defined() && s.Joint.Placed > 0 {
		return fmt.Sprintf("%d of %d placed", s.Joint.Placed, len(s.Deployments))
	}
	if placed := s.Joint.Placed; placed < len(s.Deployments) {
		text += fmt.Sprintf(" for %d of %d", placed, len(s.Deployments))
	}
	return text
}

func (v *View) comparison() app.UI {
	r := v.result
	head := []app.UI{app.Th().Scope("col").Text("strategy")}
	if v.deltas() {
		head = append(head, app.Th().Scope("col").Class("number").Title("Against the pinned result").Text("Δ "+r.strategies()[v.shown].StrategyName()))
	}
	for i, run := range r.strategies() {
		head = append(head, app.Th().Scope("col").Class("number").Body(v.strategyHead(i, run)))
	}
	var rows []app.UI
	add := func(measures []measure) {
		for _, m := range measures {
			rows = append(rows, v.row(m))
		}
	}
	add(outcomes[:min(len(outcomes), len(r.deployments()))])
	add(tallied(placementkind.OfCost))
	if r.jointly() {
		add(ordered)
	}
	add(tallied(placementkind.OfCertificate))
	add(tallied(placementkind.OfSearch))
	add(r.counters())
	notes, _ := r.body().Remarks()
	add([]measure{{name: "time", title: "Time of the search alone, first seed, without reading and drawing. Berth times the first short search of a strategy twice, because the browser compiles its code during the first"}})
	if text := r.commonText(); text != "" {
		rows = append(rows, app.Tr().Class("group").Body(app.Th().Scope("rowgroup").ColSpan(len(head)).DataSet("testid", "common").Text(text)))
		if len(r.body().Common()) > 0 {
			add(common())
		}
	}
	return ui.Scrolled("table", "Comparison",
		app.Table().Class("comparison").Body(
			app.Caption().Text(r.caption()),
			app.THead().Body(app.Tr().Body(head...)),
			app.TBody().Body(rows...),
		),
		v.comparisonState(),
		app.If(len(notes) > 0, func() app.UI { return lab.Remarks("placement-remarks", nil, notes) }),
	)
}

// counters are the rows of what strategies count in words of their own.
func (r *result) counters() (rows []measure) {
	var own []*plugin.Own
	for i := range r.body().Strategies {
		of := r.body().Strategies[i].Told()
		own = append(own, &of)
	}
	for _, name := range plugin.Names(own) {
		rows = append(rows, measure{name: name, title: "Counted by the strategy, of the first seed", of: func(s *placementkind.StrategyReport, _ *placementkind.Report) string {
			of := s.Told()
			return of.Shown(name)
		}})
	}
	return rows
}

// caption explains the figures.
func (r *result) caption() string {
	text := "Strategies side by side."
	if r.priceless() {
		text += " Their costs are unknown, because clusters have no prices."
	}
	if slices.ContainsFunc(r.Inputs.options.Strategies, func(s placementkind.StrategyRun) bool { return s.Seeds > 1 }) {
		text += fmt.Sprintf(" ± is the 95 %% confidence interval of the mean over the seeds; the drawing and Why show seed %d.", r.Inputs.options.Seed)
	}
	for i := range r.Inputs.options.Strategies {
		if s := r.report(i); s != nil && !fullyPlaced(s) && !r.priceless() {
			return text + " Costs count placed deployments only: a strategy that places fewer costs less."
		}
	}
	return text
}

// body is the report of all strategies that have run, and of the best behind them.
func (r *result) body() *placementkind.Report {
	body, found := placementkind.ReportOf(r.whole().Report), r.found()
	if found == nil {
		return body
	}
	all := *body
	all.Strategies = append(slices.Clip(body.Strategies), *found)
	return &all
}

// deployments are the deployments of the inputs, with their sizes.
func (r *result) deployments() []placementkind.DeploymentSummary {
	return placementkind.ReportOf(r.first.Report).Deployments
}

// jointly reports whether several deployments were placed at once.
func (r *result) jointly() bool { return r.Inputs.options.Joint && len(r.deployments()) > 1 }

// commonText says which deployments all strategies placed, where some were not and
// there is more than one to choose from; else it is "".
func (r *result) commonText() string {
	all := r.deployments()
	placed := r.body().Common()
	if r.all == nil || len(all) < 2 || len(r.Inputs.options.Strategies) < 2 || len(placed) == len(all) {
		return ""
	}
	if len(placed) == 0 {
		return "No deployment was placed by every strategy in every run, so costs cannot be compared."
	}
	names := show.Joined(placed, ", ", func(n int) string { return all[n].Name })
	return fmt.Sprintf("Only the %d of %d deployments that every strategy placed in every run: %s", len(placed), len(all), names)
}

// strategyHead names a strategy; where its result is there, it is a button that
// shows it in the other panes.
func (v *View) strategyHead(i int, run placementkind.StrategyRun) app.UI {
	name := run.Title()
	s := v.result.report(i)
	switch {
	case run.Seeds > 1 && v.result.Over && s != nil && s.Seeds < run.Seeds:
		name = fmt.Sprintf("%s ×%d of %d", name, s.Seeds, run.Seeds)
	case run.Seeds > 1:
		name = fmt.Sprintf("%s ×%d", name, run.Seeds)
	}
	if s == nil {
		return app.Text(name)
	}
	p, _ := placement.Lookup(run.Name)
	return app.Button().Type("button").Class("link").Aria("pressed", i == v.shown).
		Title("Show what "+run.StrategyName()+" did: "+p.Description).
		OnClick(func(app.Context, app.Event) { v.show(i) }, app.EventScope("strategy", i)).
		Text(name)
}

func (v *View) comparisonState() app.UI {
	switch r := v.result; {
	case v.Phase != lab.Done:
		return ui.None()
	case !r.Over:
		return v.BatchProgress("Comparing")
	case r.failed() != nil:
		return ui.Problem("The other strategies failed: " + r.failed().Error())
	case !r.Partial():
		return ui.None()
	}
	return app.Div().Class("row").Body(
		ui.Button("play", "Compare").DataSet("testid", "compare").OnClick(func(app.Context, app.Event) { v.Resume(v.result.Batch) }),
		app.Small().Class("hint").Text("This runs all strategies and seeds, in about "+ui.Duration(v.comparisonTime())+"."),
	)
}

// failed is why the comparison failed, nil if it did not.
func (r *result) failed() error { return r.Parts[len(r.Parts)-1].Err }

// report is what strategy i did, nil while it has not run. Once all strategies
// have, it sums up all seeds; when they were stopped, those that ran by then.
func (r *result) report(i int) *placementkind.StrategyReport {
	if i == len(r.Inputs.options.Strategies) {
		return r.found()
	}
	if r.all != nil {
		if all := placementkind.ReportOf(r.all.Report).Strategies; i < len(all) {
			return &all[i]
		}
	}
	if i == 0 {
		return &placementkind.ReportOf(r.first.Report).Strategies[0]
	}
	return nil
}

// at is the run that knows strategy i, and its number there.
func (r *result) at(i int) (run *bridge.Result, strategy int) {
	switch i {
	case 0:
		return r.first, 0
	case len(r.Inputs.options.Strategies):
		return r.best.run, 0
	}
	return r.all, i
}

// whole is the most that has been run.
func (r *result) whole() *bridge.Result {
	if r.all != nil {
		return r.all
	}
	return r.first
}

// none is the text of a missing figure: it will come, unless the strategies were stopped.
func (r *result) none() string {
	if r.Stopped || r.best != nil && r.best.over && r.all != nil {
		return "not run"
	}
	return "…"
}

// deltas reports whether the shown strategy is compared with a pinned result: what
// the figures of several seeds are means of is not.
func (v *View) deltas() bool { return v.Pinned() != nil && v.result.report(v.shown).Summary == nil }

func (v *View) row(m measure) app.UI {
	r, body := v.result, v.result.body()
	cells := []app.UI{app.Th().Scope("row").Title(m.title).Text(m.name)}
	if v.deltas() {
		cells = append(cells, app.Td().Class("number").Text(v.deltaOf(m.figure)))
	}
	for i := range r.strategies() {
		text := r.none()
		switch s := r.report(i); {
		case s == nil:
		case m.of == nil:
			text = r.timeOf(i)
		default:
			text = m.of(s, body)
		}
		cells = append(cells, app.Td().Class("number").Text(text))
	}
	row := app.Tr()
	if m.testID != "" {
		row.DataSet("testid", m.testID)
	}
	return row.Body(cells...)
}

// deltaOf is the difference of a figure of the shown strategy from the pinned result. Reports
// count expansions, not the steps of a strategy that improves.
func (v *View) deltaOf(f *figure.Figure) string {
	s, r := v.result.report(v.shown), v.result
	switch {
	case f == nil:
		return ""
	case f.Group == placementkind.OfSearch && r.body().Tally(s).Steps > 0:
		return ui.Number(math.NaN())
	}
	return v.Delta(f.Name, r.strategies()[v.shown].Title())
}

// timeOf is how long strategy i searched, by the run that has all of them.
func (r *result) timeOf(i int) string {
	run, strategy := r.at(i)
	if i == 0 {
		run = r.whole()
	}
	if run.Report.Timings == nil {
		return "–" // the page arrived with it
	}
	return shortTime(searchTime(run, strategy))
}

// clockTick is the resolution of a browser's clock.
const clockTick = 100 * time.Microsecond

func shortTime(d time.Duration) string {
	if d < clockTick {
		return "< " + ui.Duration(clockTick)
	}
	return ui.Duration(d)
}

// searchTime is how long a strategy searched with its first seed.
func searchTime(run *bridge.Result, strategy int) time.Duration {
	total := 0.0
	for _, ms := range searchTimes(run, strategy) {
		total += ms
	}
	return milliseconds(total)
}

// searchTimes are the search times of the deployments in milliseconds, nil if unknown.
func searchTimes(run *bridge.Result, strategy int) []float64 {
	if t := run.Report.Timings; t != nil && strategy < len(t.Placing) { // there are none without a deployment
		return t.Placing[strategy]
	}
	return nil
}

func milliseconds(ms float64) time.Duration { return time.Duration(ms * float64(time.Millisecond)) }

func statusOf(s *placementkind.StrategyReport, _ *placementkind.Report) string {
	if s.Summary != nil {
		mark := "✓"
		if !fullyPlaced(s) {
			mark = "✗"
		}
		return fmt.Sprintf("%s %d of %d", mark, s.Summary.Placed, s.Summary.Runs)
	}
	switch {
	case complete(s):
		return "✓ placed"
	case len(s.Deployments) == 1:
		return "✗ " + s.Deployments[0].Status.Words()
	}
	return "✗ not all"
}

// deploymentsOf counts the deployments that were placed.
func deploymentsOf(s *placementkind.StrategyReport, _ *placementkind.Report) string {
	placed := 0.0
	for i := range s.Deployments {
		switch d := &s.Deployments[i]; {
		case d.Summary != nil:
			placed += float64(d.Summary.Placed) / float64(d.Summary.Runs)
		case d.Placed():
			placed++
		}
	}
	return fmt.Sprintf("%s of %d", ui.Number(placed), len(s.Deployments))
}

// fullyPlaced reports whether all runs of a strategy placed everything.
func fullyPlaced(s *placementkind.StrategyReport) bool {
	if s.Summary != nil {
		return s.Summary.Placed == s.Summary.Runs
	}
	return complete(s)
}
