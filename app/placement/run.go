package placement

import (
	"context"
	"errors"
	"fmt"
	"time"

	"berth/app/lab"
	"berth/app/shell"
	"berth/engine/placement/placementkind"
	"berth/wasm/bridge"
)

// pictureTime is how long a result waits for its picture.
const pictureTime = time.Second

// compareBelow is how long a comparison may take to start by itself.
const compareBelow = 30 * time.Second

// start runs the first strategy on the present inputs, and then all of them.
func (v *View) start(c *lab.Call) {
	r := &result{Work: lab.Work[inputs]{Inputs: v.Inputs}}
	if v.picture.deployment >= len(v.Inputs.deployments) {
		v.picture.deployment = placementkind.AllDeployments
	}
	query := v.pictureQuery(0)
	query.Expand = nil
	var err error
	v.Later(func() { err = v.place(c, r, query) }, func() { v.placed(c, r, err) })
}

// place fills in what running the first strategy alone gives, the document of
// the whole, and the picture.
func (v *View) place(c *lab.Call, r *result, query placementkind.DrawQuery) (err error) {
	input := r.Inputs.Message()
	r.first, err = v.Engine.Run(c.Context(), firstStrategy(input), v.Measure(c))
	if err != nil {
		return err
	}
	if p := r.Inputs.options; len(p.Strategies) == 1 && p.Strategies[0].Seeds <= 1 {
		r.all = r.first
	}
	if r.Document, err = v.Engine.Document(c.Context(), input); err != nil {
		return err
	}
	// All panes change at once where the picture is quick.
	ctx, cancel := context.WithTimeout(c.Context(), pictureTime)
	defer cancel()
	if s, err := v.sketch(ctx, r.first, query); err == nil {
		r.picture = &s
	}
	return nil
}

// firstStrategy is the same input with one strategy and one seed: its result is
// there sooner than that of twenty random runs.
func firstStrategy(in bridge.Input) bridge.Input {
	p := *placementkind.Of(in.Scenario)
	p.Strategies = []placementkind.StrategyRun{{Name: p.Strategies[0].Name}}
	in.Scenario.Body = &p
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

func (v *View) placed(c *lab.Call, r *result, err error) {
	if err != nil {
		if v.Failed(c, err) {
			v.blame(r.Inputs, err)
			v.checkAll()
		}
		return
	}
	if !v.Finished(c, &r.Work, runTime(r.first)) {
		v.End(c)
		return
	}
	v.result = r
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
	v.KeepRun(&r.Work, r.whole().JSON)
	v.KeepDraft()
	if r.all != nil || v.comparisonTime() > compareBelow {
		v.End(c)
		return
	}
	v.Tell()
	v.compare(c, r)
}

// comparisonTime guesses how long all strategies and seeds take from how long
// the first one took. The graphs are read once for all of them.
func (v *View) comparisonTime() time.Duration {
	runs := 0
	for _, s := range v.result.Inputs.options.Strategies {
		runs += max(1, s.Seeds)
	}
	return time.Duration(runs) * searchTime(v.result.first, 0)
}

// compareNow compares when the user asks for it.
func (v *View) compareNow() { v.compare(v.NewCall(), v.result) }

// compare runs all strategies on inputs whose first result is on screen.
func (v *View) compare(c *lab.Call, r *result) {
	var all *bridge.Result
	var err error
	v.Later(func() { all, err = v.Engine.Run(c.Context(), r.Inputs.Message(), v.Measure(c)) }, func() {
		r.all, r.allErr = all, err
		v.End(c)
	})
}

// blame puts the diagnostics of a failed run beside the graphs they are about,
// and opens the first one that has an error.
func (v *View) blame(in inputs, err error) {
	var e *bridge.Error
	if !errors.As(err, &e) {
		return
	}
	for _, g := range in.graphs() {
		found := e.Diagnostics.Of(g.Name)
		if len(found) == 0 {
			continue
		}
		v.checks[g] = &check{diagnostics: found}
		if v.editing == nil && found.Err() != nil && !g.Large() {
			v.editing = g
		}
	}
}

// status is the frame's status line.
func (v *View) status() shell.Status {
	s := shell.Status{State: v.mark(), Message: v.sentence(), Title: v.Inputs.name}
	if r := v.result; r != nil {
		s.Engine = r.first.Report.Engine
		s.Scenario = r.Document.Hash
		if r.all != nil {
			s.Result = r.all.Report.Results
		}
		s.Seed = fmt.Sprint(r.Inputs.options.Seed)
	}
	return s
}
