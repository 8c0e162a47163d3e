package placement

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"berth/app/shell"
	"berth/app/ui"
	"berth/engine/scenario"
	"berth/wasm/bridge"
)

// pictureTime is how long a result waits for its picture.
const pictureTime = time.Second

// compareBelow is how long a comparison may take to start by itself.
const compareBelow = 30 * time.Second

// call is a run under way.
type call struct {
	ctx    context.Context
	cancel context.CancelFunc
	begun  time.Time
}

func newCall(ctx context.Context) *call {
	c := &call{begun: time.Now()}
	c.ctx, c.cancel = context.WithCancel(ctx)
	return c
}

// run runs the first strategy on the present inputs, and then all of them.
func (v *View) run() {
	if v.reading > 0 {
		v.waiting = true
		return
	}
	if !v.inputs.ready() {
		v.trouble = missing(v.inputs)
		return
	}
	v.stop()
	c := newCall(v.page)
	v.call, v.progress = c, ui.Meter{}
	generation := v.started()
	v.tell()

	r := &result{inputs: v.inputs}
	if v.picture.deployment >= len(v.inputs.deployments) {
		v.picture.deployment = scenario.AllDeployments
	}
	query := v.pictureQuery(0)
	query.Expand = nil
	var err error
	v.later(func() { err = v.place(c, r, query) }, func() { v.placed(generation, c, r, err) })
}

func missing(in inputs) string {
	if in.federation == nil {
		return "There is no federation yet: choose a file, or generate one."
	}
	return "There is no deployment yet: choose a file, or generate one."
}

// place fills in what running the first strategy alone gives, the document of
// the whole, and the picture.
func (v *View) place(c *call, r *result, query scenario.DrawQuery) (err error) {
	input := r.inputs.message()
	r.first, err = v.Engine.Run(c.ctx, firstStrategy(input), func(p scenario.Progress) { v.progressed(c, p) })
	if err != nil {
		return err
	}
	if p := r.inputs.options; len(p.Strategies) == 1 && p.Strategies[0].Seeds <= 1 {
		r.all = r.first
	}
	if r.document, err = v.Engine.Document(c.ctx, input); err != nil {
		return err
	}
	// All panes change at once where the picture is quick.
	ctx, cancel := context.WithTimeout(c.ctx, pictureTime)
	defer cancel()
	if s, err := v.sketch(ctx, r.first, query); err == nil {
		r.picture = &s
	}
	return nil
}

// firstStrategy is the same input with one strategy and one seed: its result is
// there sooner than that of twenty random runs.
func firstStrategy(in bridge.Input) bridge.Input {
	p := *in.Scenario.Placement
	p.Strategies = []scenario.StrategyRun{{Name: p.Strategies[0].Name}}
	in.Scenario.Placement = &p
	return in
}

// runTime is how long a run took by the worker's own clock: that the engine had
// to be loaded for the first one says nothing about the next.
func runTime(run *bridge.Result) time.Duration {
	if run.Timings == nil {
		return 0
	}
	return time.Duration(run.Timings.Total * float64(time.Millisecond))
}

func (v *View) placed(generation int, c *call, r *result, err error) {
	if c.ctx.Err() != nil {
		return
	}
	if err != nil {
		if v.ended(generation, err) {
			v.blame(r.inputs, err)
			v.checkAll()
		}
		v.call = nil
		v.tell()
		return
	}
	if !v.finished(generation, r, runTime(r.first)) {
		return
	}
	v.shown = 0
	v.picture.asked++
	v.picture.forget()
	if r.picture != nil {
		v.hang(*r.picture, nil)
	} else {
		v.listJobs()
		v.draw()
	}
	v.openWhy(v.why.deployment, v.why.step)
	v.checked(r)
	v.keepRun(r)
	v.keepDraft()
	v.tell()
	if r.all != nil || v.comparisonTime() > compareBelow {
		v.call = nil
		return
	}
	v.compare(c, r)
}

// comparisonTime guesses how long all strategies and seeds take from how long
// the first one took. The graphs are read once for all of them.
func (v *View) comparisonTime() time.Duration {
	runs := 0
	for _, s := range v.result.inputs.options.Strategies {
		runs += max(1, s.Seeds)
	}
	return time.Duration(runs) * searchTime(v.result.first, 0)
}

// compareNow compares when the user asks for it.
func (v *View) compareNow() {
	v.stop()
	v.call = newCall(v.page)
	v.progress = ui.Meter{}
	v.compare(v.call, v.result)
}

// compare runs all strategies on inputs whose first result is on screen.
func (v *View) compare(c *call, r *result) {
	var all *bridge.Result
	var err error
	v.later(func() {
		all, err = v.Engine.Run(c.ctx, r.inputs.message(), func(p scenario.Progress) { v.progressed(c, p) })
	}, func() {
		if v.call == c {
			v.call = nil
		}
		r.all, r.allErr = all, err
		v.tell()
	})
}

// progressed shows how far a run is; it is called by the run's goroutine.
func (v *View) progressed(c *call, p scenario.Progress) {
	v.later(func() {}, func() {
		if v.call == c {
			v.progress = ui.Meter{
				Done: float64(p.Done), Total: float64(p.Total), Unit: p.Unit, Elapsed: time.Since(c.begun),
			}
		}
	})
}

// stop ends the run under way, whose worker is terminated and replaced.
func (v *View) stop() {
	if v.call != nil {
		v.call.cancel()
		v.call = nil
	}
}

// cancel is stop as the user's wish.
func (v *View) cancel() {
	if v.call == nil {
		return
	}
	v.stop()
	if v.phase == running {
		v.cancelled()
		shell.Announce(v.page, "Cancelled. What was shown before stays.")
	} else {
		shell.Announce(v.page, "The comparison was cancelled.")
	}
	v.tell()
}

// blame puts the diagnostics of a failed run beside the graphs they are about,
// and opens the first one that has an error.
func (v *View) blame(in inputs, err error) {
	var e *bridge.Error
	if !errors.As(err, &e) {
		return
	}
	for _, g := range in.graphs() {
		found := only(e.Diagnostics, g.Name)
		if len(found) == 0 {
			continue
		}
		v.checks[g] = &check{diagnostics: found}
		if v.editing == nil && found.Err() != nil && !g.large() {
			v.editing = g
		}
	}
}

// tell brings the frame's status line, the error region and the page's title
// up to date.
func (v *View) tell() {
	s := shell.Status{State: v.mark(), Message: v.sentence(), Title: v.inputs.name}
	if r := v.result; r != nil {
		s.Engine = r.first.Report.Engine
		s.Scenario = r.document.Hash
		if r.all != nil {
			s.Result = r.all.Report.Results
		}
		s.Seed = fmt.Sprint(r.inputs.options.Seed)
	}
	shell.SetStatus(v.page, Path, s)
	shell.SetError(v.page, Path, v.problems())
}

// problems is the text of the error region.
func (v *View) problems() string {
	if v.err == nil {
		return v.complaint
	}
	text := abridged(v.err.Error())
	if e := (*bridge.Error)(nil); errors.As(v.err, &e) && e.Kind != bridge.BadInput {
		text = "The engine failed: " + text + ". The inputs are kept; press Run to try again."
	}
	return strings.TrimSpace(text + "\n" + v.complaint)
}

// errorLines is how many lines of an error stand above the view; all of them
// stand beside the graphs.
const errorLines = 3

func abridged(text string) string {
	lines := strings.Split(text, "\n")
	if more := len(lines) - errorLines; more > 0 {
		return strings.Join(lines[:errorLines], "\n") + fmt.Sprintf("\nand %d more", more)
	}
	return text
}
