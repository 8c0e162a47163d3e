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

// bestName is the strategy that the page also runs for every result, to search for the best
// placement.
var bestName = placement.Improver(math.MaxInt)

const (
	followEvery     = 250 * time.Millisecond // time between two drawings of a search
	mostSought      = 1_000_000              // limit of jobs × clusters for a search started by the page
	mostSoughtBytes = 16 << 20               // limit of the size of its inputs in bytes, because a second worker has to read them
)

// searching is a search for a placement that is better than the result. It runs in a separate
// worker, so that another worker can answer questions about the result. It ends when the inputs
// change.
//
// The page starts a search for each result and adds its placement to the strategies of the result.
// The button Improve starts a search that the picture follows; when it ends, its inputs become the
// inputs of the page.
type searching struct {
	of     *result
	inputs *inputs        // inputs that the search runs
	cancel func()         // nil before it begins
	over   bool           // the search has ended or was dropped
	wanted bool           // the user stopped it to see the best placement so far
	run    *bridge.Result // result, if the page started the search; nil before it ends

	deployment int // index of the deployment that is being placed
	trace      []placementkind.TracePoint
	broken     int // number of violated constraints while nothing is placed

	*improving // nil if the page started the search
}

// improving is the state of a search that the user started.
type improving struct {
	before  *placementkind.StrategyReport // the shown strategy's report at the start
	whole   bool                          // the costs cover all deployments, not one at a time
	endless bool                          // runs until a proof is found or the user stops it
	stopped bool                          // the user stopped it and keeps its best placement

	cost  float64                    // of the best placement so far
	next  []placementkind.Assignment // placements to draw next
	drawn lab.Latest
	asked time.Time // time of the last drawing
}

// searches are the searches that run in addition to the result's own.
type searches struct {
	view *View

	sought   bool       // the page has already started a search
	course   *searching // the search that the user started; nil for none
	improved *searching // the last search that take accepted
}

// wantsBest reports whether the page searches for a better placement of a result. It
// does not if the result is large, if one of its strategies searches itself, or if the
// first strategy's result is proved optimal or infeasible.
func (ss *searches) wantsBest(r *result) bool {
	first, o := r.report(0), &r.Inputs.options
	switch {
	case first == nil || r.first.Report.Partial || r.jobs() == 0:
		return false
	case r.jobs()*r.body().Federation.Clusters > mostSought || ss.view.Files.Size(r.Inputs) > mostSoughtBytes:
		return false
	case o.Keep: // with Keep, strategies move as few jobs as possible at any cost
		return !r.priceless()
	case slices.ContainsFunc(o.Strategies, func(s placementkind.StrategyRun) bool { return improves(s.Name) }) || proved(first):
		return false
	}
	return !r.priceless() || !complete(first)
}

// seekBest starts the search for a better placement of the shown result.
func (ss *searches) seekBest() {
	r := ss.view.result
	if r.best != nil && (r.best.over || r.best.cancel != nil) || !ss.wantsBest(r) {
		return
	}
	s := &searching{of: r, inputs: r.Inputs.Clone()}
	o := &s.inputs.options
	o.Strategies, o.Keep, o.Pareto, s.inputs.after = []placementkind.StrategyRun{{Name: bestName}}, false, nil, ""
	r.best = s
	rest := ss.view.Rest / 2 // during a drag, the next result makes this search useless
	if !ss.sought {          // the first search of a visit starts at once
		rest = 0
	}
	ss.sought = true
	ss.view.Page.After(rest, func(app.Context) {
		if ss.view.result == r && r.best == s { // the result is still on screen and has the same search
			ss.begin(s, bridge.Together(placementkind.SensitivityQuestion, struct{}{}))
		}
	})
}

// improve starts a search that the picture follows. For a single deployment it runs until a proof
// is found or the user stops it. Otherwise the search of each deployment must end without the user.
// If the strategy has searched before, the new search gets at least four times the steps.
func (ss *searches) improve() {
	if ss.course != nil || ss.view.Phase != lab.Done || ss.view.result.priceless() {
		return
	}
	before, in, better := ss.view.result.report(ss.view.shown), ss.view.Inputs.Clone(), ss.improver()
	s := &searching{of: ss.view.result, inputs: in, improving: &improving{before: before, cost: math.Inf(1)}}
	s.whole = len(before.Certificates()) == 1
	s.endless = s.whole && complete(before) && !in.options.Joint && len(in.options.WhatIf) == 0
	switch {
	case s.endless:
		in.options.Steps = placementkind.MaxBudget
	case in.strategy() == better:
		for _, c := range ss.view.result.report(0).Certificates() {
			in.options.Steps = min(max(4, in.options.Steps, 4*c.Steps), placementkind.MaxBudget)
		}
	}
	in.setStrategy(better)
	if t := ss.view.result.tally(before); t.Bound.Defined() {
		s.cost = float64(t.Total)
	}
	ss.leaveSearches()
	ss.course, ss.view.Runs.Beside = s, time.Now()
	ss.begin(s)
}

// begin runs search s in a separate worker. The run also answers the questions in asked.
func (ss *searches) begin(s *searching, asked ...bridge.Asked) {
	ctx, cancel := context.WithCancel(ss.view.Page)
	s.cancel = cancel
	input, shown := s.inputs.Input(), s.of.first
	if s.improving != nil {
		shown, _ = s.of.at(ss.view.shown) // its worker draws the placements that the search finds
	}
	input.Scenario.Body = input.Scenario.Body.One(0, 0)
	input.Joined, input.Apart, input.Asked = s.improving == nil, shown.Hash, asked
	lab.Ask(nil, ss.view.Later, func() (*bridge.Result, error) {
		return ss.view.Engine.Run(ctx, input, func(at scenario.Progress) {
			ss.view.Later(func() {}, func() { ss.hear(s, at) })
		})
	}, func(run *bridge.Result, err error) {
		cancel()
		if s.over {
			return
		}
		s.over = true
		if s.improving != nil {
			ss.take(s, run, err)
			return
		}
		if err == nil && (s.wanted || !run.Report.Partial) {
			s.run = run
			lab.Ask(nil, ss.view.Later, func() ([]placementkind.Sensitivity, error) {
				return bridge.Ask(ss.view.Page, ss.view.Engine, run, placementkind.SensitivityQuestion, struct{}{})
			}, func(all []placementkind.Sensitivity, _ error) { ss.view.sensitive.hear(s.inputs, all) })
		}
		switch {
		case ss.view.result != s.of:
		case s.wanted && s.run != nil:
			ss.view.picture.show(len(ss.view.result.Inputs.options.Strategies))
		default:
			ss.view.Tell()
		}
	})
}

// showSoFar stops a search that the page started, to show its best placement so far.
func (s *searching) showSoFar() {
	s.wanted = true
	s.cancel()
}

// hear records the progress of a search. It ignores a search that is over.
func (ss *searches) hear(s *searching, at scenario.Progress) {
	var r placementkind.Reached
	if s.over || at.Interim == nil || at.Interim.Decode(&r) != nil {
		return
	}
	if s.deployment != r.Deployment {
		s.deployment, s.trace = r.Deployment, nil
	}
	better := s.improving != nil && r.Placements != nil && float64(r.Cost) < s.cost
	if s.improving != nil && s.whole { // show the known cost and bound until the search finds better ones
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
	switch {
	case s.improving != nil:
		ss.follow(s)
	case ss.view.result == s.of:
		ss.view.Tell() // the status says the same as the headline
	}
}

// note adds a point to the trace. If the last two points look like the new one, it
// replaces the last one.
func (s *searching) note(p placementkind.TracePoint) {
	n := len(s.trace)
	if n > 1 && same(s.trace[n-2], s.trace[n-1]) && same(s.trace[n-2], p) {
		s.trace[n-1] = p
		return
	}
	s.trace = append(s.trace, p)
}

// same reports whether two points look alike in the chart. note merges such points, so
// that the trace of a long search stays short.
func same(a, b placementkind.TracePoint) bool {
	return b.Bound-a.Bound <= 1e-4*b.Bound && (a.Cost == b.Cost || !a.Cost.Defined() && !b.Cost.Defined())
}

// reached returns the last point of the trace; nil before the first one.
func (s *searching) reached() *placementkind.TracePoint {
	if len(s.trace) == 0 {
		return nil
	}
	return &s.trace[len(s.trace)-1]
}

// follow draws the latest placement in the result pane. It waits until the last drawing has arrived
// and is older than followEvery.
func (ss *searches) follow(s *searching) {
	if s.next == nil || s.drawn.Waits() || time.Since(s.asked) < followEvery || ss.view.picture.pictureQuery(0).View != drawing.ResultView {
		return
	}
	placements := s.next
	s.next, s.asked = nil, time.Now()
	lab.Ask(&s.drawn, ss.view.Later, ss.view.comparison.sketchOf(placements), func(drawn sketch, err error) {
		if err == nil && !s.over {
			ss.view.picture.replace(drawn)
			ss.view.picture.moved = movedBetween(placementsOf(s.before), placements)
		}
	})
}

// movedBetween returns the ids, in the drawing, of the jobs that changed their cluster.
// It skips deployments that only one of the two has placed.
func movedBetween(before, now []placementkind.Assignment) []string {
	var ids []string
	for i, placed := range now {
		for j, a := range placed {
			if j < len(before[i]) && before[i][j].Cluster != a.Cluster {
				ids = append(ids, drawing.JobID(i, j))
			}
		}
	}
	return ids
}

// stopImproving stops the search and keeps its best placement.
func (ss *searches) stopImproving() {
	if ss.course == nil {
		ss.view.Runs.Cancel()
		return
	}
	ss.course.stopped = true
	ss.course.cancel()
	shell.Announce(ss.view.Page, "Stopped. Berth keeps the best placement so far.")
}

// take makes the inputs of a search, with its number of steps, the inputs of the page. The worker
// of the search already has their result and answers the run at once. If there is no placement to
// keep, take changes nothing.
func (ss *searches) take(s *searching, run *bridge.Result, err error) {
	ss.course, ss.view.Runs.Beside = nil, time.Time{}
	current, in := ss.view.Inputs.SameWork(s.of.Inputs), s.inputs
	if current && err != nil && !s.stopped {
		ss.view.Complain("The placement could not be improved", err)
	}
	if !current || err != nil || run.Report.Partial && !s.endless {
		ss.view.picture.draw()
		ss.seekBest()
		return
	}
	if s.endless {
		in.options.Steps = placementkind.ReportOf(run.Report).Strategies[0].Deployments[0].Steps
	}
	in.after = run.Hash
	ss.improved = s
	if ss.view.why.tab == whyRow {
		ss.view.why.tab = whyElsewhere
	}
	ss.view.Edit("improve", func(now *inputs) { *now = *in })
	ss.view.Runs.Run()
}

// leaveSearches ends the current searches.
func (ss *searches) leaveSearches() {
	leave := func(s *searching) {
		s.over = true
		if s.cancel != nil {
			s.cancel()
		}
	}
	if ss.course != nil {
		leave(ss.course)
		ss.course, ss.view.Runs.Beside = nil, time.Time{}
	}
	if ss.view.result != nil && ss.view.result.seeks() {
		leave(ss.view.result.best)
		ss.view.result.best = nil
	}
}

// foundBefore returns the search for the result on screen if b runs the same inputs again; nil if
// that search found nothing.
func (ss *searches) foundBefore(b *lab.Batch[*inputs]) *searching {
	if ss.view.result == nil || ss.view.result.found() == nil || !ss.view.result.Inputs.SameWork(b.Inputs) {
		return nil
	}
	return ss.view.result.best
}

// seeks reports whether the page still searches for a better placement of the result.
func (r *result) seeks() bool { return r.best != nil && !r.best.over }

// found returns the report of the page's search; nil before its end.
func (r *result) found() *placementkind.StrategyReport {
	if r.best == nil || r.best.run == nil {
		return nil
	}
	return &placementkind.ReportOf(r.best.run.Report).Strategies[0]
}
