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

// comparison compares strategies, placements and trade-offs.
type comparison struct {
	view *View

	beside    beside
	tradeoffs *tradeoffs // of the result that the user last asked about
}

// comparePane draws the comparison of the strategies and the tables of the placement.
func (c *comparison) comparePane() app.UI {
	if c.view.result == nil {
		return ui.Empty("Run the inputs to compare what the strategies cost.")
	}
	pane := app.Div().Class(c.view.Form.Dimmed("compare"))
	if c.view.Inputs.alone() {
		return pane.Body(c.view.nodes.clusterTable(), c.view.nodes.nodesPanel())
	}
	return pane.Body(
		c.view.whatIf.whatIfDifference(),
		c.view.clusterAsk.wouldText(),
		c.view.nodes.clusterTable(),
		c.view.nodes.nodesPanel(),
		c.comparison(),
		c.view.searches.improvement(),
		c.tradeoffsPanel(),
		c.deploymentTable(),
		c.placementTable(),
	)
}

// measure is a row of the comparison.
type measure struct {
	name, title string
	of          func(s *placementkind.StrategyReport, r *placementkind.Report) string // nil for the time, which is not in the report
	figure      *figure.Figure                                                        // figure to compare with the pinned result; nil for none
	testID      string
}

// outcomes are the rows about the placed deployments.
var outcomes = []measure{
	{name: "status", title: "Whether all deployments were placed; with several seeds, in how many runs", of: statusOf},
	{name: "deployments", title: "Number of placed deployments; with several seeds, the mean", of: deploymentsOf},
}

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

// common returns the rows for the costs of the deployments that all strategies placed.
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

// shown formats a figure for a table. For a strategy's search it counts the strategy's own steps,
// not expansions.
func shown(f *figure.Figure, t *placementkind.Tally) string {
	if f.Words != nil {
		return cmp.Or(f.Words(t), "–")
	}
	return ui.Formed(f.Form, t.Own(f))
}

// heading returns the heading of a figure and its description. The page calls
// expansions steps.
func heading(f *figure.Figure) (name, title string) {
	if f.Name == "expansions" {
		return "steps", "How often the search took up a job; for strategies that improve, their own steps"
	}
	return f.Label, f.About
}

// ordered compares the cost of placing all deployments at once with the cost of placing them one
// after the other, for the first seed.
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

func (c *comparison) comparison() app.UI {
	r := c.view.result
	head := []app.UI{app.Th().Scope("col").Text("strategy")}
	if c.deltas() {
		head = append(head, app.Th().Scope("col").Class("number").Title("Against the pinned result").Text("Δ "+r.strategies()[c.view.shown].StrategyName()))
	}
	for i, run := range r.strategies() {
		head = append(head, app.Th().Scope("col").Class("number").Body(c.strategyHead(i, run)))
	}
	var rows []app.UI
	add := func(measures []measure) {
		for _, m := range measures {
			rows = append(rows, c.row(m))
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
		c.comparisonState(),
		app.If(len(notes) > 0, func() app.UI { return lab.Remarks("placement-remarks", nil, notes) }),
	)
}

// counters returns a row for each counter that a strategy defines itself.
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

// body returns the report of all strategies that have run, followed by the search for
// the best placement.
func (r *result) body() *placementkind.Report {
	body, found := placementkind.ReportOf(r.whole().Report), r.found()
	if found == nil {
		return body
	}
	all := *body
	all.Strategies = append(slices.Clip(body.Strategies), *found)
	return &all
}

func (r *result) deployments() []placementkind.DeploymentSummary {
	return placementkind.ReportOf(r.first.Report).Deployments
}

// jointly reports whether several deployments were placed at once.
func (r *result) jointly() bool { return r.Inputs.options.Joint && len(r.deployments()) > 1 }

// commonText names the deployments that every strategy placed in every run; "" if that is no
// distinction.
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

// strategyHead names a strategy. Once the strategy has a result, the name is a button
// that shows it in the other panes.
func (c *comparison) strategyHead(i int, run placementkind.StrategyRun) app.UI {
	name := run.Title()
	s := c.view.result.report(i)
	switch {
	case run.Seeds > 1 && c.view.result.Over && s != nil && s.Seeds < run.Seeds:
		name = fmt.Sprintf("%s ×%d of %d", name, s.Seeds, run.Seeds)
	case run.Seeds > 1:
		name = fmt.Sprintf("%s ×%d", name, run.Seeds)
	}
	if s == nil {
		return app.Text(name)
	}
	p, _ := placement.Lookup(run.Name)
	return app.Button().Type("button").Class("link").Aria("pressed", i == c.view.shown).
		Title("Show what "+run.StrategyName()+" did: "+p.Description).
		OnClick(func(app.Context, app.Event) { c.view.picture.show(i) }, app.EventScope("strategy", i)).
		Text(name)
}

func (c *comparison) comparisonState() app.UI {
	switch r := c.view.result; {
	case c.view.Phase != lab.Done:
		return ui.None()
	case !r.Over:
		return c.view.Runs.BatchProgress("Comparing")
	case r.failed() != nil:
		return ui.Problem("The other strategies failed: " + r.failed().Error())
	case !r.Partial():
		return ui.None()
	}
	return app.Div().Class("row").Body(
		ui.Button("play", "Compare").DataSet("testid", "compare").OnClick(func(app.Context, app.Event) { c.view.Runs.Resume(c.view.result.Batch) }),
		app.Small().Class("hint").Text("This runs all strategies and seeds, in about "+ui.Duration(c.view.comparisonTime())+"."),
	)
}

// failed returns the error of the comparison; nil if it did not fail.
func (r *result) failed() error { return r.Parts[len(r.Parts)-1].Err }

// report returns the report of strategy i; nil while it has not run. Once all
// strategies have run or were stopped, the report summarises all seeds that ran.
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

// at returns the run that contains strategy i, and its index there.
func (r *result) at(i int) (run *bridge.Result, strategy int) {
	switch i {
	case 0:
		return r.first, 0
	case len(r.Inputs.options.Strategies):
		return r.best.run, 0
	}
	return r.all, i
}

// whole returns the run of all strategies or, until that has a result, the run of the first
// strategy.
func (r *result) whole() *bridge.Result {
	if r.all != nil {
		return r.all
	}
	return r.first
}

// none is the text for a missing figure: "…" if the figure will arrive, "not run" if the user
// stopped the strategies.
func (r *result) none() string {
	if r.Stopped || r.best != nil && r.best.over && r.all != nil {
		return "not run"
	}
	return "…"
}

// deltas reports whether the table compares the shown strategy with the pinned result.
// It does not compare means over several seeds.
func (c *comparison) deltas() bool {
	return c.view.Pins.Pinned() != nil && c.view.result.report(c.view.shown).Summary == nil
}

func (c *comparison) row(m measure) app.UI {
	r, body := c.view.result, c.view.result.body()
	cells := []app.UI{app.Th().Scope("row").Title(m.title).Text(m.name)}
	if c.deltas() {
		cells = append(cells, app.Td().Class("number").Text(c.deltaOf(m.figure)))
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

// deltaOf formats the difference of a figure of the shown strategy from the pinned result. The
// steps of a strategy that improves have no difference, because reports count expansions.
func (c *comparison) deltaOf(f *figure.Figure) string {
	s, r := c.view.result.report(c.view.shown), c.view.result
	switch {
	case f == nil:
		return ""
	case f.Group == placementkind.OfSearch && r.body().Tally(s).Steps > 0:
		return ui.Number(math.NaN())
	}
	return c.view.Pins.Delta(f.Name, r.strategies()[c.view.shown].Title())
}

// timeOf formats the search time of strategy i with its first seed, from the run of all
// strategies if it has a result.
func (r *result) timeOf(i int) string {
	run, strategy := r.at(i)
	if i == 0 {
		run = r.whole()
	}
	if run.Report.Timings == nil {
		return "–" // the page stored the result without timings
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

// searchTime returns the time that a strategy searched with its first seed.
func searchTime(run *bridge.Result, strategy int) time.Duration {
	total := 0.0
	for _, ms := range searchTimes(run, strategy) {
		total += ms
	}
	return milliseconds(total)
}

// searchTimes returns the search times of the deployments in milliseconds; nil if
// unknown.
func searchTimes(run *bridge.Result, strategy int) []float64 {
	if t := run.Report.Timings; t != nil && strategy < len(t.Placing) { // without deployments, Placing is empty
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

// deploymentsOf returns the number of placed deployments, or its mean over several seeds.
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

func fullyPlaced(s *placementkind.StrategyReport) bool {
	if s.Summary != nil {
		return s.Summary.Placed == s.Summary.Runs
	}
	return complete(s)
}
