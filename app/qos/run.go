package qos

import (
	"context"
	"errors"
	"math"
	"strings"
	"time"

	"berth/app/lab"
	"berth/app/ui"
	"berth/engine/diag"
	"berth/engine/qos/qoskind"
	"berth/engine/scenario"
	"berth/wasm/bridge"
)

// showBelow is how soon all policies must be back for them to be shown at once;
// later each is shown as it comes.
const showBelow = time.Second

// run is one policy of a call, in a worker of its own.
type run struct {
	policy   qoskind.PolicyRun
	input    bridge.Input
	begun    time.Time // when it was first heard of
	heard    time.Time
	progress scenario.Progress
	speed    float64 // events a second
	result   *bridge.Result
	err      error
	back     bool
	timeline *timeline // nil until it is asked for
}

// report is what the policy did, nil if that is not known.
func (r *run) report() *qoskind.PolicyReport {
	if r.result == nil || len(qoskind.ReportOf(r.result.Report).Policies) == 0 {
		return nil
	}
	return &qoskind.ReportOf(r.result.Report).Policies[0]
}

// start runs all policies of the present inputs beside each other.
func (v *View) start(c *lab.Call) {
	v.stopInspecting()
	in := v.Inputs
	r := &result{Work: lab.Work[inputs]{Inputs: in}}
	whole := in.Message()
	for _, part := range scenario.Parts(whole.Scenario) {
		r.runs = append(r.runs, &run{
			policy: qoskind.Of(part).Policies[0], input: bridge.Input{Scenario: part, Texts: whole.Texts},
		})
	}
	v.running, v.problems = r, map[string]diag.List{}
	begun := time.Now()
	for _, one := range r.runs {
		var result *bridge.Result
		var err error
		v.Later(func() {
			result, err = v.Engine.Run(c.Context(), one.input, func(p scenario.Progress) { v.progressed(c, one, p) })
		}, func() {
			one.result, one.err, one.back = result, err, true
			v.cameBack(c, r, one, time.Since(begun))
		})
	}
}

// progressed notes how far a run is; it is called by the run's goroutine.
func (v *View) progressed(c *lab.Call, one *run, p scenario.Progress) {
	now := time.Now()
	v.Later(func() {}, func() {
		if c.Context().Err() == nil {
			one.hear(p, now)
		}
	})
}

func (r *run) hear(p scenario.Progress, now time.Time) {
	if r.begun.IsZero() {
		r.begun, r.heard = now, now
	}
	if passed := now.Sub(r.heard).Seconds(); passed > 0 && p.Events > r.progress.Events {
		r.speed = float64(p.Events-r.progress.Events) / passed
	}
	r.progress, r.heard = p, now
}

// cameBack takes up the run of one policy.
func (v *View) cameBack(c *lab.Call, r *result, one *run, since time.Duration) {
	if v.running != r {
		return
	}
	if one.err != nil && !errors.Is(one.err, context.Canceled) && v.Failed(c, one.err) {
		v.blame(one.err)
		v.running = nil
		return
	}
	switch {
	case r.complete():
		v.running = nil
		v.conclude(c, r)
	case one.result != nil && since > showBelow:
		v.show(c, r)
	}
}

func (r *result) complete() bool {
	for _, one := range r.runs {
		if !one.back {
			return false
		}
	}
	return true
}

// show puts on screen what there is of a result.
func (v *View) show(c *lab.Call, r *result) {
	if r.join() == nil && v.Show(c, &r.Work) {
		v.take(r)
		v.Tell()
	}
}

// conclude takes up a result to which nothing more will come.
func (v *View) conclude(c *lab.Call, r *result) {
	if err := r.join(); err != nil {
		v.End(c) // cancelled before any run began
		return
	}
	var document bridge.Document
	var err error
	v.Later(func() { document, err = v.Engine.Document(v.Page, r.Inputs.Message()) }, func() {
		r.Document = document
		switch {
		case err != nil:
			v.Failed(c, err)
		case c.Context().Err() != nil:
			v.show(c, r) // as a part
		case v.Finished(c, &r.Work, r.took()):
			v.take(r)
			v.KeepRun(&r.Work, scenario.EncodeReport(r.whole.Untimed()))
			v.KeepDraft()
		}
		v.End(c)
	})
}

// take makes a result the one on screen and asks for the rest of it.
func (v *View) take(r *result) {
	v.result = r
	v.why.forget()
	v.askPairs(r)
	v.askStrips(r)
	v.askShapes(r)
	v.askTimeline(r)
}

// took is how long the longest run needed by the worker's own clock.
func (r *result) took() time.Duration {
	longest := 0.0
	for _, one := range r.runs {
		if one.result != nil && one.result.Timings != nil {
			longest = max(longest, one.result.Timings.Total)
		}
	}
	return time.Duration(longest * float64(time.Millisecond))
}

// blame puts what a failed run says about a source beside it.
func (v *View) blame(err error) {
	var e *bridge.Error
	if !errors.As(err, &e) {
		return
	}
	for slot, s := range v.Inputs.sources {
		for _, d := range e.Diagnostics {
			if d.Severity == diag.Error && (d.File == s.Name || strings.HasPrefix(d.Field, fieldOf(slot))) {
				v.problems[slot] = append(v.problems[slot], d)
			}
		}
	}
	for _, d := range e.Diagnostics {
		if strings.HasPrefix(d.Field, fieldOf(controllersPart)) {
			v.problems[controllersPart] = append(v.problems[controllersPart], d)
		}
	}
}

// fieldOf is the JSON path of the source in a slot.
func fieldOf(slot string) string {
	name, of, found := strings.Cut(slot, "-")
	if !found {
		return qoskind.Name + "." + slot
	}
	return qoskind.Name + "." + name + strings.ToUpper(of[:1]) + of[1:]
}

// meter measures all runs together by the parts of them that are done.
func (r *result) meter(now time.Time) ui.Meter {
	m := ui.Meter{}
	var begun time.Time
	fraction := 0.0
	for _, one := range r.runs {
		if !one.begun.IsZero() && (begun.IsZero() || one.begun.Before(begun)) {
			begun = one.begun
		}
		if m.Unit == "" && !one.back {
			m.Unit, m.Total = one.progress.Unit, float64(one.progress.Total)
			if one.progress.Phase != "reading" {
				m.Total *= float64(max(1, r.Inputs.options.Seeds))
			}
		}
		if one.back {
			fraction++
		} else {
			fraction += one.progress.Fraction
		}
	}
	m.Done = math.Floor(m.Total * fraction / float64(len(r.runs)))
	if !begun.IsZero() {
		m.Elapsed = now.Sub(begun)
	}
	return m
}
