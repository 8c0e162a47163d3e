package placement

import (
	"fmt"
	"math"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/lab"
	"berth/app/ui"
	"berth/engine/placement"
	"berth/engine/placement/placementkind"
	"berth/engine/scenario"
	"berth/wasm/bridge"
)

// comparePane holds the strategies side by side and where each job went.
func (v *View) comparePane() app.UI {
	if v.result == nil {
		return ui.Empty("Run the inputs to compare what the strategies cost.")
	}
	return app.Div().Class(v.Dimmed("compare")).Body(
		v.comparison(),
		v.deploymentTable(),
		v.placementTable(),
	)
}

// measureFunc writes one figure of a strategy.
type measureFunc = func(s *placementkind.StrategyReport, sizes []placementkind.DeploymentSummary) string

// measure is one row of the comparison.
type measure struct {
	name, title string
	of          measureFunc
}

var measures = []measure{
	{"status", "Whether every deployment was placed; over several seeds, how often", statusOf},
	{"node cost", "Σ request · unit cost of the cluster", costOf(nodeCost, func(s *placementkind.Summary) *scenario.Estimate { return s.Node })},
	{"link cost", "Σ cost of the links that dependencies cross", costOf(linkCost, func(s *placementkind.Summary) *scenario.Estimate { return s.Link })},
	{"total cost", "Node cost and link cost", costOf(totalCost, func(s *placementkind.Summary) *scenario.Estimate { return s.Total })},
	{"per unit", "Node cost for each requested unit", perOf(nodeCost,
		func(d placementkind.DeploymentSummary) float64 { return d.Units }, func(s *placementkind.Summary) *scenario.Estimate { return s.PerUnit })},
	{"per link", "Link cost for each dependency", perOf(linkCost,
		func(d placementkind.DeploymentSummary) float64 { return float64(d.Dependencies) }, func(s *placementkind.Summary) *scenario.Estimate { return s.PerLink })},
	{"steps", "How often the search went on to a job", stepsOf(
		func(d *placementkind.DeploymentReport) int64 { return d.Expansions }, func(s *placementkind.Summary) *scenario.Estimate { return s.Expansions })},
	{"backtracks", "How often it took a job back", stepsOf(
		func(d *placementkind.DeploymentReport) int64 { return d.Backtracks }, func(s *placementkind.Summary) *scenario.Estimate { return s.Backtracks })},
}

func nodeCost(c placementkind.Cost) *float64  { return c.Node }
func linkCost(c placementkind.Cost) *float64  { return c.Link }
func totalCost(c placementkind.Cost) *float64 { return c.Total }

func (v *View) comparison() app.UI {
	r := v.result
	head := []app.UI{app.Th().Scope("col").Text("strategy")}
	for i, run := range r.Inputs.options.Strategies {
		head = append(head, app.Th().Scope("col").Class("number").Body(v.strategyHead(i, run)))
	}
	rows := make([]app.UI, 0, len(measures)+1)
	for _, m := range measures {
		rows = append(rows, r.row(m.name, m.title, m.of))
	}
	rows = append(rows, r.times())
	return app.Div().Class("table").Body(
		app.Table().Class("comparison").Body(
			app.Caption().Text(r.caption()),
			app.THead().Body(app.Tr().Body(head...)),
			app.TBody().Body(rows...),
		),
		v.comparisonState(),
	)
}

// caption says what the figures are, and why some are missing.
func (r *result) caption() string {
	text := "Strategies side by side; ± is the 95 % confidence interval of the mean over the seeds."
	for i := range r.Inputs.options.Strategies {
		if s := r.report(i); s != nil && !fullyPlaced(s) {
			return text + " Costs are compared only where every deployment was placed in every run."
		}
	}
	return text
}

// strategyHead names a strategy; where its result is there, it is a button that
// shows it in the other panes.
func (v *View) strategyHead(i int, run placementkind.StrategyRun) app.UI {
	name := run.Name
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
	return app.Button().Type("button").Class("link").Aria("pressed", i == v.shown).
		Title("Show what "+run.Name+" did").
		OnClick(func(app.Context, app.Event) { v.show(i) }, app.EventScope("strategy", i)).
		Text(name)
}

func (v *View) comparisonState() app.UI {
	switch r := v.result; {
	case v.Phase != lab.Done:
		return app.Text("")
	case !r.Over:
		return v.BatchProgress("Comparing")
	case r.failed() != nil:
		return ui.Problem("The other strategies failed: " + r.failed().Error())
	case !r.Partial():
		return app.Text("")
	}
	return app.Div().Class("row").Body(
		ui.Button("play", "Compare").DataSet("testid", "compare").OnClick(func(app.Context, app.Event) { v.Resume(v.result.Batch) }),
		app.Small().Class("hint").Text("All strategies and seeds, perhaps "+ui.Duration(v.comparisonTime())+"."),
	)
}

// failed is why the comparison failed, nil if it did not.
func (r *result) failed() error { return r.Parts[len(r.Parts)-1].Err }

// report is what strategy i did, nil while it has not run. Once all strategies
// have, it sums up all seeds; when they were stopped, those that ran by then.
func (r *result) report(i int) *placementkind.StrategyReport {
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
	if i == 0 {
		return r.first, 0
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

// none stands for a figure that is not there: it comes yet, unless the strategies
// were stopped.
func (r *result) none() string {
	if r.Stopped {
		return "not run"
	}
	return "…"
}

func (r *result) row(name, title string, of measureFunc) app.UI {
	cells := []app.UI{app.Th().Scope("row").Title(title).Text(name)}
	for i := range r.Inputs.options.Strategies {
		text := r.none()
		if s := r.report(i); s != nil {
			text = of(s, placementkind.ReportOf(r.first.Report).Deployments)
		}
		cells = append(cells, app.Td().Class("number").Text(text))
	}
	return app.Tr().Body(cells...)
}

// times is the row of the search's time, which is no part of the report.
func (r *result) times() app.UI {
	cells := []app.UI{app.Th().Scope("row").Title("The search alone, of the first seed, all strategies one after the other; read and drawn graphs not counted").Text("time")}
	for i := range r.Inputs.options.Strategies {
		text := r.none()
		// A first run may also pay for the engine's start, so its time is no
		// match for those of the comparison.
		switch {
		case r.all != nil && r.report(i) != nil:
			text = shortTime(searchTime(r.all, i))
		case i == 0:
			text = shortTime(searchTime(r.first, i)) + ", cold"
		}
		cells = append(cells, app.Td().Class("number").Text(text))
	}
	return app.Tr().Body(cells...)
}

// clockTick is what the clock of a browser can tell apart.
const clockTick = 100 * time.Microsecond

func shortTime(d time.Duration) string {
	if d < clockTick {
		return "< " + ui.Duration(clockTick)
	}
	return ui.Duration(d)
}

// searchTime is how long a strategy searched with its first seed.
func searchTime(run *bridge.Result, strategy int) time.Duration {
	if run.Timings == nil {
		return 0
	}
	total := 0.0
	for _, ms := range run.Timings.Placing[strategy] {
		total += ms
	}
	return time.Duration(total * float64(time.Millisecond))
}

func statusOf(s *placementkind.StrategyReport, _ []placementkind.DeploymentSummary) string {
	if s.Summary != nil {
		mark := "✓"
		if !fullyPlaced(s) {
			mark = "✗"
		}
		return fmt.Sprintf("%s %d of %d", mark, s.Summary.Placed, s.Summary.Runs)
	}
	placed := 0
	for _, d := range s.Deployments {
		if d.Status == placement.Placed {
			placed++
		}
	}
	switch {
	case placed == len(s.Deployments):
		return "✓ placed"
	case len(s.Deployments) == 1:
		return "✗ " + statusText(s.Deployments[0].Status)
	}
	return fmt.Sprintf("✗ %d of %d", placed, len(s.Deployments))
}

type (
	costField     = func(placementkind.Cost) *float64
	estimateField = func(*placementkind.Summary) *scenario.Estimate
)

// fullyPlaced reports whether all runs of a strategy placed everything. What the
// others cost says nothing: who places less pays less.
func fullyPlaced(s *placementkind.StrategyReport) bool {
	if s.Summary != nil {
		return s.Summary.Placed == s.Summary.Runs
	}
	return complete(s)
}

func costOf(one costField, many estimateField) measureFunc {
	return func(s *placementkind.StrategyReport, _ []placementkind.DeploymentSummary) string {
		if !fullyPlaced(s) {
			return ui.Number(math.NaN())
		}
		if s.Summary != nil {
			return estimate(many(s.Summary))
		}
		return price(one(s.Total))
	}
}

// perOf is a cost by some size.
func perOf(one costField, size func(placementkind.DeploymentSummary) float64, many estimateField) measureFunc {
	return func(s *placementkind.StrategyReport, sizes []placementkind.DeploymentSummary) string {
		if !fullyPlaced(s) {
			return ui.Number(math.NaN())
		}
		if s.Summary != nil {
			return estimate(many(s.Summary))
		}
		cost, all := one(s.Total), 0.0
		for i := range s.Deployments {
			all += size(sizes[i])
		}
		if cost == nil || all == 0 {
			return ui.Number(math.NaN())
		}
		return ui.Number(*cost / all)
	}
}

func stepsOf(one func(*placementkind.DeploymentReport) int64, many estimateField) measureFunc {
	return func(s *placementkind.StrategyReport, _ []placementkind.DeploymentSummary) string {
		if s.Summary != nil {
			return estimate(many(s.Summary))
		}
		total := int64(0)
		for i := range s.Deployments {
			total += one(&s.Deployments[i])
		}
		return ui.Count(total)
	}
}

func price(v *float64) string {
	if v == nil {
		return ui.Number(math.NaN())
	}
	return money(*v)
}

func estimate(e *scenario.Estimate) string {
	if e == nil {
		return ui.Number(math.NaN())
	}
	if e.HalfWidth == nil {
		return ui.Number(e.Mean)
	}
	return ui.Number(e.Mean) + " ± " + ui.Number(*e.HalfWidth)
}
