package placement

import (
	"context"
	"math"
	"slices"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/lab"
	"berth/app/shell"
	"berth/engine/placement"
	"berth/engine/placement/drawing"
	"berth/engine/placement/placementkind"
	"berth/engine/scenario"
	"berth/wasm/bridge"
)

// bestName is the strategy that searches beside every result.
var bestName = placement.Improver(math.MaxInt)

const (
	followEvery     = 250 * time.Millisecond // between two drawings of a search
	mostSought      = 1_000_000              // jobs × clusters of a result beside which a search begins unasked
	mostSoughtBytes = 16 << 20               // size of its inputs, which a second worker reads
)

// searching is a search for a better placement than a result has. It runs in a worker of its
// own, beside the one that answers questions about the result, and ends when the inputs change.
// The page starts one beside each result, and adds its placement to the strategies of the
// result. The button Improve starts one that the picture follows; its inputs become the inputs
// of the page when it ends.
type searching struct {
	of     *result
	inputs *inputs        // that it runs
	cancel func()         // nil before it begins
	over   bool           // it ended, or gave way
	wanted bool           // the user stopped it to see the best placement so far
	run    *bridge.Result // its result beside that of the page; nil without one

	deployment int // that it is placing
	trace      []placementkind.TracePoint
	broken     int // constraints, while nothing is placed

	*improving // nil if the page began it
}

// improving is a search that the user began.
type improving struct {
	before  *placementkind.StrategyReport // what was shown when it began
	whole   bool                          // its costs are of all deployments, not of one after the other
	endless bool                          // it runs until it proves something or is stopped
	stopped bool                          // by the user, who keeps what it found

	cost  float64                    // of the best placement so far
	next  []placementkind.Assignment // to be drawn
	drawn lab.Latest
	asked time.Time // when it was drawn last
}

// wantsBest reports whether a search begins beside a result: none of its strategies
// searches on, and there may be something to find.
func (v *View) wantsBest(r *result) bool {
	first, o := r.report(0), &r.Inputs.options
	switch {
	case first == nil || r.first.Report.Partial || r.jobs() == 0:
		return false
	case r.jobs()*r.body().Federation.Clusters > mostSought || v.Size(r.Inputs) > mostSoughtBytes:
		return false
	case o.Keep: // the strategies move as few jobs as they can, at any cost
		return !r.priceless()
	case slices.ContainsFunc(o.Strategies, func(s placementkind.StrategyRun) bool { return improves(s.Name) }) || proved(first):
		return false
	}
	return !r.priceless() || !complete(first)
}

// seekBest begins the search beside the shown result.
func (v *View) seekBest() {
	r := v.result
	if r.best != nil && (r.best.over || r.best.cancel != nil) || !v.wantsBest(r) {
		return
	}
	s := &searching{of: r, inputs: r.Inputs.Clone()}
	o := &s.inputs.options
	o.Strategies, o.Keep, o.Pareto, s.inputs.after = []placementkind.StrategyRun{{Name: bestName}}, false, nil, ""
	r.best = s
	rest := v.Rest / 2 // while a slider moves, each result gives way to the next one
	if !v.sought {     // the page waits for it
		rest = 0
	}
	v.sought = true
	v.Page.After(rest, func(app.Context) {
		if v.result == r && r.best == s { // neither left nor replaced while it waited
			v.begin(s, bridge.Together(placementkind.SensitivityQuestion, struct{}{}))
		}
	})
}

// improve begins a search that the picture follows. With one deployment it runs until it
// proves something or is stopped. Several deployments need an end each, unless they are
// placed at once: four times the steps that they took.
func (v *View) improve() {
	if v.course != nil || v.Phase != lab.Done || v.result.priceless() {
		return
	}
	before, in, better := v.result.report(v.shown), v.Inputs.Clone(), v.improver()
	s := &searching{of: v.result, inputs: in, improving: &improving{before: before, cost: math.Inf(1)}}
	s.whole = len(before.Certificates()) == 1
	s.endless = s.whole && complete(before) && !in.options.Joint && len(in.options.WhatIf) == 0
	switch {
	case s.endless:
		in.options.Steps = placementkind.MaxBudget
	case in.strategy() == better:
		for _, c := range v.result.report(0).Certificates() {
			in.options.Steps = min(max(4, in.options.Steps, 4*c.Steps), placementkind.MaxBudget)
		}
	}
	in.setStrategy(better)
	if t := v.result.tally(before); t.Bound.Defined() {
		s.cost = float64(t.Total)
	}
	v.leaveSearches()
	v.course, v.Beside = s, time.Now()
	v.begin(s)
}

// begin runs a search.
func (v *View) begin(s *searching, asked ...bridge.Asked) {
	ctx, cancel := context.WithCancel(v.Page)
	s.cancel = cancel
	input, shown := s.inputs.Input(), s.of.first
	if s.improving != nil {
		shown, _ = s.of.at(v.shown) // whose worker draws what the search finds
	}
	input.Scenario.Body = input.Scenario.Body.One(0, 0)
	input.Joined, input.Apart, input.Asked = s.improving == nil, shown.Hash, asked
	lab.Ask(nil, v.Later, func() (*bridge.Result, error) {
		return v.Engine.Run(ctx, input, func(at scenario.Progress) {
			v.Later(func() {}, func() { v.hear(s, at) })
		})
	}, func(run *bridge.Result, err error) {
		cancel()
		if s.over {
			return
		}
		s.over = true
		if s.improving != nil {
			v.take(s, run, err)
			return
		}
		if err == nil && (s.wanted || !run.Report.Partial) {
			s.run = run
			lab.Ask(nil, v.Later, func() ([]placementkind.Sensitivity, error) {
				return bridge.Ask(v.Page, v.Engine, run, placementkind.SensitivityQuestion, struct{}{})
			}, func(all []placementkind.Sensitivity, _ error) { v.sensitive.hear(s.inputs, all) })
		}
		switch {
		case v.result != s.of:
		case s.wanted && s.run != nil:
			v.show(len(v.result.Inputs.options.Strategies))
		default:
			v.Tell()
		}
	})
}

// showSoFar stops a search that the page began, to show the best placement that it found.
func (s *searching) showSoFar() {
	s.wanted = true
	s.cancel()
}

// hear records the progress of a search.
func (v *View) hear(s *searching, at scenario.Progress) {
	var r placementkind.Reached
	if s.over || at.Interim == nil || at.Interim.Decode(&r) != nil {
		return
	}
	if s.deployment != r.Deployment {
		s.deployment, s.trace = r.Deployment, nil
	}
	better := s.improving != nil && r.Placements != nil && float64(r.Cost) < s.cost
	if s.improving != nil && s.whole { // until it passes what is known already
		if t := s.of.tally(s.before); t.Bound.Defined() {
			if !(r.Cost <= t.Total) {
				r.Cost = t.Total
			}
			r.Bound = max(r.Bound, float64(t.Bound))
		}
	}
	s.note(r.TracePoint)
	s.broken = r.Broken
	if better {
		s.next = r.Placements
		if s.whole {
			s.cost = float64(r.Cost)
		}
	}
	if s.improving != nil {
		v.follow(s)
	}
}

// note adds a point to the trace.
func (s *searching) note(p placementkind.TracePoint) {
	n := len(s.trace)
	if n > 1 && same(s.trace[n-2], s.trace[n-1]) && same(s.trace[n-2], p) {
		s.trace[n-1] = p
		return
	}
	s.trace = append(s.trace, p)
}

// same says that two points look alike in the chart, so that a long search has few.
func same(a, b placementkind.TracePoint) bool {
	return b.Bound-a.Bound <= 1e-4*b.Bound && (a.Cost == b.Cost || !a.Cost.Defined() && !b.Cost.Defined())
}

// reached is the last point of the trace, nil before there is one.
func (s *searching) reached() *placementkind.TracePoint {
	if len(s.trace) == 0 {
		return nil
	}
	return &s.trace[len(s.trace)-1]
}

// follow draws the latest placement as the result, once the drawing before it is there and
// not too new.
func (v *View) follow(s *searching) {
	if s.next == nil || s.drawn.Waits() || time.Since(s.asked) < followEvery || v.pictureQuery(0).View != drawing.ResultView {
		return
	}
	placements := s.next
	s.next, s.asked = nil, time.Now()
	lab.Ask(&s.drawn, v.Later, v.sketchOf(placements), func(drawn sketch, err error) {
		if err == nil && !s.over {
			v.picture.replace(drawn)
			v.picture.moved = movedBetween(s.before, placements)
		}
	})
}

// movedBetween are the ids, in the drawing, of the jobs on another cluster than before.
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

// stopImproving stops the search and keeps its best placement.
func (v *View) stopImproving() {
	if v.course == nil {
		v.Cancel()
		return
	}
	v.course.stopped = true
	v.course.cancel()
	shell.Announce(v.Page, "Stopped. Berth keeps the best placement so far.")
}

// take makes the inputs of a search, with its number of steps, the inputs of the page; its
// worker has their result and answers at once. A search without a better placement changes
// nothing.
func (v *View) take(s *searching, run *bridge.Result, err error) {
	v.course, v.Beside = nil, time.Time{}
	current, in := v.Inputs.SameWork(s.of.Inputs), s.inputs
	if current && err != nil && !s.stopped {
		v.Complain("The placement could not be improved", err)
	}
	if !current || err != nil || run.Report.Partial && !s.endless {
		v.draw()
		v.seekBest()
		return
	}
	if s.endless {
		in.options.Steps = placementkind.ReportOf(run.Report).Strategies[0].Deployments[0].Steps
	}
	in.after = run.Hash
	v.improved = s
	if v.why.tab == whyRow {
		v.why.tab = whyElsewhere
	}
	v.Edit("improve", func(now *inputs) { *now = *in })
	v.Run()
}

// leaveSearches ends the searches under way, whose results are no longer wanted.
func (v *View) leaveSearches() {
	leave := func(s *searching) {
		s.over = true
		if s.cancel != nil {
			s.cancel()
		}
	}
	if v.course != nil {
		leave(v.course)
		v.course, v.Beside = nil, time.Time{}
	}
	if v.result != nil && v.result.seeks() {
		leave(v.result.best)
		v.result.best = nil
	}
}

// foundBefore is the search beside the result on screen if b repeats its run; nil if it
// found nothing.
func (v *View) foundBefore(b *lab.Batch[*inputs]) *searching {
	if v.result == nil || v.result.found() == nil || !v.result.Inputs.SameWork(b.Inputs) {
		return nil
	}
	return v.result.best
}

// seeks reports whether a search is under way beside the result.
func (r *result) seeks() bool { return r.best != nil && !r.best.over }

// found is the report of the search beside the result, nil without one.
func (r *result) found() *placementkind.StrategyReport {
	if r.best == nil || r.best.run == nil {
		return nil
	}
	return &placementkind.ReportOf(r.best.run.Report).Strategies[0]
}
