package federate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"berth/app/lab"
	"berth/app/ui"
	"berth/engine/diag"
	"berth/engine/federate/federatekind"
	"berth/engine/scenario"
	"berth/wasm/bridge"
)

// atOnce is how many runs are given to the pool at a time: it has no more
// workers than that, and questions about what is on screen wait behind them.
const atOnce = 8

// result is what running some inputs gave.
type result struct {
	lab.Work[inputs]
	parts   []scenario.Scenario  // the simulations that the inputs stand for
	runs    []*bridge.Result     // of each part; nil while it has not run
	refused []error              // why a part cannot run; nil if it can
	whole   *scenario.Report     // of all that has arrived
	report  *federatekind.Report // its body
	shown   *federatekind.Report // of the shown point of a sweep, else the same
	rows    []ui.Row             // of the table of what is shown
}

func newResult(in inputs) *result {
	parts := scenario.Parts(in.Message().Scenario)
	return &result{
		Work: lab.Work[inputs]{Inputs: in}, parts: parts,
		runs: make([]*bridge.Result, len(parts)), refused: make([]error, len(parts)),
	}
}

// input is what a worker gets to run a part.
func (r *result) input(part int) bridge.Input {
	in := r.Inputs.Message()
	in.Scenario = r.parts[part]
	return in
}

// perPoint is how many parts a point of the sweep has.
func (r *result) perPoint() int {
	return len(r.Inputs.options.Schedulers) * max(r.Inputs.options.Seeds, 1)
}

// points is how many points the sweep has, one without a sweep.
func (r *result) points() int { return len(r.parts) / r.perPoint() }

// gather makes one report of what has arrived.
func (r *result) gather() (err error) {
	r.whole, err = scenario.Join(r.Inputs.Message().Scenario, reportsOf(r.runs))
	if err == nil {
		r.report = federatekind.ReportOf(r.whole)
	}
	return err
}

// reportsOf returns the reports of runs with their timings, nil of those that are
// not there.
func reportsOf(runs []*bridge.Result) []*scenario.Report {
	reports := make([]*scenario.Report, len(runs))
	for i, run := range runs {
		if run != nil {
			timed := *run.Report
			timed.Timings = run.Timings
			reports[i] = &timed
		}
	}
	return reports
}

// show picks out a point of the sweep.
func (r *result) show(point int) (err error) {
	r.rows = nil
	document := federatekind.Of(r.Inputs.Message().Scenario)
	if len(document.Sweep) == 0 {
		r.shown = r.report
		return nil
	}
	n := r.perPoint()
	at := *federatekind.Of(r.parts[point*n])
	at.Trace, at.Schedulers, at.Seed, at.Seeds = document.Trace, document.Schedulers, document.Seed, document.Seeds
	joined, err := federatekind.Join(&at, reportsOf(r.runs[point*n:(point+1)*n]), &scenario.Timings{})
	if err == nil {
		r.shown = joined.(*federatekind.Report)
	}
	return err
}

// part is the number of the first seed's run of a scheduler at a point, −1 if it
// is not among them.
func (r *result) part(point int, scheduler string) int {
	for i, name := range r.Inputs.options.Schedulers {
		if name == scheduler {
			return point*r.perPoint() + i
		}
	}
	return -1
}

// batch is the runs of a result while they are under way.
type batch struct {
	*result
	begun    time.Time
	next     int                       // the first part that was not given to the pool
	left     int                       // parts that have not ended
	progress map[int]scenario.Progress // of the parts that are running
	gathered int                       // parts that had arrived when they were gathered last
}

// start runs every part of the inputs in a worker of its own.
func (v *View) start(c *lab.Call) {
	r := newResult(v.Inputs)
	v.batch = &batch{result: r, begun: time.Now(), left: len(r.parts), progress: map[int]scenario.Progress{}}
	v.remarks, v.Blamed = nil, map[string]string{}
	b := v.batch
	err := v.Inputs.problems()
	if err != nil {
		v.broken(c, b, err)
		return
	}
	v.showSweep()
	v.survey(c.Context(), r.Inputs)
	v.Later(func() { r.Document, err = v.Engine.Document(c.Context(), r.Inputs.Message()) }, func() {
		if err != nil {
			v.broken(c, b, err)
			return
		}
		for range min(atOnce, len(r.parts)) {
			v.runNext(c, b)
		}
	})
}

// runNext gives the next part to the pool.
func (v *View) runNext(c *lab.Call, b *batch) {
	if b.next == len(b.parts) || c.Context().Err() != nil {
		return
	}
	part := b.next
	b.next++
	b.progress[part] = scenario.Progress{}
	var run *bridge.Result
	var err error
	v.Later(func() {
		run, err = v.Engine.Run(c.Context(), b.input(part), func(p scenario.Progress) { v.progressed(b, part, p) })
	}, func() {
		delete(b.progress, part)
		b.left--
		if run != nil {
			run.JSON = nil // only that of the whole is written
		}
		b.runs[part], b.refused[part] = run, err
		v.arrived(c, b, err)
	})
}

// progressed notes how far a part is; its goroutine calls it.
func (v *View) progressed(b *batch, part int, p scenario.Progress) {
	v.Later(func() {}, func() {
		if _, running := b.progress[part]; running {
			b.progress[part] = p
		}
	})
}

// arrived shows what has come in so far, and goes on.
func (v *View) arrived(c *lab.Call, b *batch, err error) {
	cancelled := c.Context().Err() != nil
	if err != nil && !cancelled && b.hopeless(err) {
		v.broken(c, b, err)
		return
	}
	if (b.left == 0 || cancelled || b.worthShowing()) && b.some() {
		v.show(c, b)
	}
	switch {
	case cancelled:
		if len(b.progress) == 0 {
			v.over(c, b)
		}
	case b.left == 0:
		v.finish(c, b)
	default:
		v.runNext(c, b)
	}
}

// hopeless reports whether an error of one part is one of all: what is wrong
// with the trace or the data centre, not with a scheduler for them.
func (b *batch) hopeless(err error) bool {
	if b.left == 0 && !b.some() {
		return true
	}
	var e *bridge.Error
	if b.some() || !errors.As(err, &e) {
		return false
	}
	for _, d := range e.Diagnostics {
		if d.Field == "federate.schedulers[0]" {
			return false
		}
	}
	return true
}

// some reports whether anything has arrived.
func (b *batch) some() bool { return b.arrivals() > 0 }

func (b *batch) arrivals() int {
	n := 0
	for _, run := range b.runs {
		if run != nil {
			n++
		}
	}
	return n
}

// worthShowing reports whether enough has arrived since the last time to gather
// it again.
func (b *batch) worthShowing() bool { return b.arrivals()-b.gathered >= max(1, len(b.parts)/20) }

// show puts on screen what has arrived.
func (v *View) show(c *lab.Call, b *batch) {
	if b.gathered == 0 {
		v.point = 0
	}
	b.gathered = b.arrivals()
	if err := cmp.Or(b.gather(), b.result.show(v.point)); err != nil {
		v.Complain("The results could not be put together", err)
		return
	}
	if !v.Show(c, &b.Work) {
		return
	}
	v.result = b.result
	v.forgetPlay()
	v.turnToTask()
	v.Tell()
}

// finish takes up the whole result.
func (v *View) finish(c *lab.Call, b *batch) {
	took := time.Duration(0)
	for _, run := range b.runs {
		if run != nil && run.Timings != nil {
			took += time.Duration(run.Timings.Total * float64(time.Millisecond))
		}
	}
	if v.Finished(c, &b.Work, took/2) { // there are two workers at least
		v.blameRefused(b)
		v.KeepRun(&b.Work, scenario.EncodeReport(b.whole.Untimed()))
		v.KeepDraft()
	}
	v.over(c, b)
}

// blameRefused says beside the schedulers which of them cannot run.
func (v *View) blameRefused(b *batch) {
	for _, err := range b.refused {
		if err != nil {
			v.Blamed[schedulersID] = cmp.Or(v.Blamed[schedulersID], reasonOf(err))
		}
	}
}

// broken ends a batch of which nothing can come.
func (v *View) broken(c *lab.Call, b *batch, err error) {
	if errors.Is(err, context.Canceled) {
		v.over(c, b)
		return
	}
	if v.Failed(c, err) {
		v.blame(b.Inputs, diagnosticsOf(err))
	}
	v.over(c, b)
}

// diagnosticsOf is what an error says of the inputs.
func diagnosticsOf(err error) diag.List {
	if e := (*bridge.Error)(nil); errors.As(err, &e) {
		return e.Diagnostics
	}
	if e := (*scenario.InputError)(nil); errors.As(err, &e) {
		return e.Diagnostics
	}
	return nil
}

// over ends a batch.
func (v *View) over(c *lab.Call, b *batch) {
	if v.batch != b {
		return
	}
	v.batch = nil
	v.End(c)
	v.wantPlay()
	v.followTask()
}

// reasonOf is an error without the path of its field.
func reasonOf(err error) string {
	var e *bridge.Error
	if errors.As(err, &e) && len(e.Diagnostics) > 0 {
		d := e.Diagnostics[0]
		return strings.TrimPrefix(d.Message, d.Field+": ")
	}
	return err.Error()
}

// label names a part: the scheduler, and where there are several the seed and
// the point.
func (r *result) label(part int) string {
	d := federatekind.Of(r.parts[part])
	label := d.Schedulers[0]
	if r.Inputs.options.Seeds > 1 {
		label += fmt.Sprintf(", seed %d", d.Seed)
	}
	if len(r.Inputs.options.Sweep) > 0 {
		label += ", " + r.pointName(part/r.perPoint())
	}
	return label
}
