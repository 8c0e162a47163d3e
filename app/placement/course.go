package placement

import (
	"context"
	"math"
	"slices"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/chart"
	"berth/app/lab"
	"berth/app/shell"
	"berth/app/ui"
	"berth/engine/placement"
	"berth/engine/placement/drawing"
	"berth/engine/placement/placementkind"
	"berth/engine/scenario"
	"berth/engine/show"
	"berth/wasm/bridge"
)

// followEvery is how often the drawing follows an improvement at most.
const followEvery = 250 * time.Millisecond

// mostTrace is of how many points the chart of an improvement under way keeps all.
const mostTrace = 1000

// course is an improvement under way: a run of its own beside the result that it goes
// on from, which stays what is shown, shared and exported until it ends.
type course struct {
	begun   time.Time
	ctx     context.Context
	cancel  func()
	stopped bool // by the user: what was reached is kept

	from    result // what was shown
	before  *placementkind.StrategyReport
	inputs  *inputs // those, with the strategy that improves first
	whole   bool    // what it tells is of all that is placed, not of one deployment after the other
	endless bool    // it goes on until that proves something, or is stopped; else for some steps

	deployment  int // that is being placed
	trace       []placementkind.TracePoint
	next        []placementkind.Assignment // to be drawn
	drawn       float64                    // cost of what was drawn last
	drawing     bool
	lastDrawing time.Time
}

// improved is what the shown placement was improved from.
type improved struct {
	inputs *inputs
	before *placementkind.StrategyReport
}

// improve goes on from what is shown. One deployment goes on until something is proved
// or the user stops it. Several go on with four times the steps where they have run
// already: each needs an end before the next one begins, unless they are placed all at
// once.
func (v *View) improve() {
	if v.course != nil || v.Phase != lab.Done || v.result.priceless() {
		return
	}
	better := v.improving()
	c := &course{begun: time.Now(), from: *v.result, before: v.result.report(v.shown), inputs: v.Inputs.Clone(), drawn: math.Inf(1)}
	in := c.inputs
	c.whole = len(c.before.Certificates()) == 1
	c.endless = c.whole && complete(c.before) && !in.options.Joint && len(in.options.WhatIf) == 0
	switch {
	case c.endless:
		in.options.Steps = placementkind.MaxBudget
	case in.strategy() == better:
		in.options.Steps = min(4*max(v.stepsTaken(), 1), placementkind.MaxBudget)
	}
	if c.endless && in.strategy() == better { // it goes on where that ended
		c.trace = slices.Clone(c.before.Deployments[0].Trace)
	}
	in.setStrategy(better)
	if t := v.result.tally(c.before); t.Bound.Defined() {
		c.drawn = float64(t.Total)
	}
	c.ctx, c.cancel = context.WithCancel(v.Page)
	v.leaveBest() // the improvement goes further, and the drawing that follows it needs a worker
	v.course, v.Beside = c, time.Now()
	input := in.Input()
	input.Scenario.Body = input.Scenario.Body.One(0, 0)
	lab.Ask(nil, v.Later, func() (*bridge.Result, error) {
		return v.Engine.Run(c.ctx, input, func(at scenario.Progress) {
			v.Later(func() {}, func() { v.heard(c, at) })
		})
	}, func(r *bridge.Result, err error) { v.ended(c, r, err) })
}

// stopImproving keeps what was reached.
func (v *View) stopImproving() {
	if v.course == nil {
		v.Cancel()
		return
	}
	v.course.stopped = true
	v.course.cancel()
	shell.Announce(v.Page, "Stopped. Berth keeps the best placement so far.")
}

func proved(s *placementkind.StrategyReport) bool {
	return !slices.ContainsFunc(s.Certificates(), func(c placementkind.NamedCertificate) bool { return c.Proved == placement.NoProof })
}

// leaveCourse gives an improvement up whose inputs gave way.
func (v *View) leaveCourse() {
	if v.course != nil {
		v.course.cancel()
		v.course, v.Beside = nil, time.Time{}
	}
}

// heard notes what an improvement has reached.
func (v *View) heard(c *course, at scenario.Progress) {
	var r placementkind.Reached
	if v.course != c || at.Interim == nil || at.Interim.Decode(&r) != nil {
		return
	}
	if !v.Inputs.SameWork(c.from.Inputs) {
		v.leaveCourse()
		v.draw()
		return
	}
	if c.deployment != r.Deployment {
		c.deployment, c.trace = r.Deployment, nil
	}
	better := r.Cost.Defined()
	if c.whole { // it passes what is known already
		better = better && float64(r.Cost) < c.drawn
		if t := c.from.tally(c.before); t.Bound.Defined() {
			if !(r.Cost <= t.Total) {
				r.Cost = t.Total
			}
			r.Bound = max(r.Bound, float64(t.Bound))
		}
	}
	c.note(r.TracePoint)
	if better && r.Placements != nil {
		c.drawn, c.next = float64(r.Cost), r.Placements
		v.follow(c)
	}
}

// note adds a point to the trace.
func (c *course) note(p placementkind.TracePoint) {
	n := len(c.trace)
	if n > 0 && p.Steps < c.trace[n-1].Steps {
		return // what is known is done again
	}
	if n > 1 && same(c.trace[n-1], c.trace[n-2]) && same(c.trace[n-1], p) {
		c.trace[n-1] = p
		return
	}
	c.trace = append(c.trace, p)
	if len(c.trace) > mostTrace {
		for i := range mostTrace / 2 {
			c.trace[i] = c.trace[2*i]
		}
		c.trace = append(c.trace[:mostTrace/2], p)
	}
}

func same(a, b placementkind.TracePoint) bool {
	return a.Bound == b.Bound && (a.Cost == b.Cost || !a.Cost.Defined() && !b.Cost.Defined())
}

// reached is the last point of the trace, nil before there is one.
func (c *course) reached() *placementkind.TracePoint {
	if len(c.trace) == 0 {
		return nil
	}
	return &c.trace[len(c.trace)-1]
}

// name is of what is being placed.
func (c *course) name() string { return c.before.Certificates()[c.deployment].Name }

// saved says what the improvement has saved so far, and after how many steps.
func (c *course) saved() string {
	p := c.reached()
	if p == nil {
		return "Improving …"
	}
	after := "after " + ui.Counted(int(p.Steps), "step")
	now := placementkind.Certainty{Total: float64(p.Cost), Bound: p.Bound}
	switch before := c.before.Total.Total; {
	case !p.Cost.Defined():
		return after
	case c.whole && before.Defined():
		return savedText(float64(before), now) + " · " + after
	}
	now.Deployments = len(c.before.Certificates())
	return show.Words(c.name()) + ": " + now.String() + " · " + after
}

// follow draws the latest placement, once the last drawing is there and not too new.
func (v *View) follow(c *course) {
	if c.drawing || c.next == nil {
		return
	}
	c.drawing = true
	run, strategy := c.from.at(v.shown)
	v.Page.After(max(0, followEvery-time.Since(c.lastDrawing)), func(app.Context) {
		q := placementkind.FollowQuery{DrawQuery: v.pictureQuery(strategy), Placements: c.next}
		c.next, c.lastDrawing = nil, time.Now()
		lab.Ask(nil, v.Later, v.followed(c.ctx, run, q), func(s sketch, err error) {
			c.drawing = false
			if v.course != c {
				return
			}
			if err == nil {
				v.picture.sketch = s
				v.picture.moved = movedBetween(c.before, q.Placements)
			}
			v.follow(c)
		})
	})
}

// movedBetween are the ids, in the drawing, of the jobs that stand elsewhere now.
func movedBetween(before *placementkind.StrategyReport, now []placementkind.Assignment) []string {
	var ids []string
	for i, placed := range now {
		was := before.Deployments[i].Placement
		for j, a := range placed {
			if j < len(was) && was[j].Cluster != a.Cluster {
				ids = append(ids, drawing.JobID(i, j))
			}
		}
	}
	return ids
}

// ended takes up what an improvement came to: its inputs, with the steps that it took,
// become those of the page, and the worker that has the result gives it back.
func (v *View) ended(c *course, r *bridge.Result, err error) {
	if v.course != c {
		return
	}
	v.course, v.Beside = nil, time.Time{}
	c.cancel()
	in := c.inputs
	switch {
	case !v.Inputs.SameWork(c.from.Inputs):
		v.goBack()
		return
	case err != nil && !c.stopped:
		v.Complain("The placement could not be improved", err)
		v.goBack()
		return
	case err != nil || r.Report.Partial && !c.endless:
		v.goBack() // nothing was reached that could be kept
		return
	case c.endless:
		in.options.Steps = placementkind.ReportOf(r.Report).Strategies[0].Deployments[0].Steps
	}
	in.after = r.Hash
	v.improved = &improved{in, c.before}
	if v.why.tab == whyRow {
		v.why.tab = whyElsewhere
	}
	v.Edit("improve", func(now *inputs) { *now = *in })
	v.Run()
}

// goBack shows the result again that an improvement has not changed.
func (v *View) goBack() {
	v.draw()
	v.seekBest()
}

// improveChart draws the cost and the bound of a trace over its steps.
func improveChart(name string, trace []placementkind.TracePoint) *chart.Lines {
	cost, bound := chart.Series{Name: "cost"}, chart.Series{Name: "lower bound"}
	for _, p := range trace {
		x := float64(max(1, p.Steps))
		if y := float64(p.Cost); p.Cost.Defined() {
			cost.Points = append(cost.Points, chart.Point{X: x, Y: y, Low: y, High: y})
		}
		bound.Points = append(bound.Points, chart.Point{X: x, Y: p.Bound, Low: p.Bound, High: p.Bound})
	}
	return &chart.Lines{
		ID: "improve-chart", TestID: "improve-chart", Title: "Cost and bound of " + show.Words(name) + " over the steps",
		Empty: "The first steps are running.", XLabel: "steps", YLabel: "cost", LogX: true, LogY: true, Plain: true, Steps: true, Series: []chart.Series{cost, bound},
	}
}
