package lab

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/shell"
	"berth/app/ui"
	"berth/engine/diag"
	"berth/engine/runs"
	"berth/engine/scenario"
	"berth/wasm/bridge"
)

const (
	// atOnce limits the parts that the pool gets at a time. The pool has no more workers, and with
	// more parts in its queue the questions about the screen would wait longer.
	atOnce = 8
	// showBelow is the time after which an unfinished batch is shown part by part.
	showBelow = time.Second
)

// Batch is a run of inputs: their parts, each run by a worker, and the combined
// result so far.
type Batch[I any] struct {
	Work[I]
	Parts   []*BatchRun
	Report  *scenario.Report // of the results on screen; nil before the first
	Over    bool             // no more results will come unless Resume is called
	Stopped bool             // the user stopped it
	Waits   bool             // the parts after the leading one wait for the user; the view sets it when it shows the leading part

	light      bool  // the user is still dragging a dial: no document, hashes, record or parts after the leading one; the run at the end of the drag adds them
	noDocument error // why the workers could not write the document

	call   *Call
	lasted time.Duration // total running time, including resumed runs
	whole  scenario.Scenario
	shown  int    // number of parts with a result when the screen was last updated
	led    func() // shows the picture of the latest part; may be nil
	left   ui.Left
	json   []byte // encoded report; nil until JSON is called
}

// BatchRun is one run of a batch: one subject, or all subjects, with one seed.
type BatchRun struct {
	scenario.Row
	Input  bridge.Input
	Result *bridge.Result // nil before it arrives
	Err    error          // why it has no result; nil if it was stopped

	lead        Leading
	begun, back bool
	progress    scenario.Progress
	read        time.Duration // time spent on reading inputs, by the worker's clock
	since       time.Time     // when the work after reading began
	speed       float64       // in events per second
}

// partResult is the outcome of running a part.
type partResult struct {
	result *bridge.Result
	err    error
	led    func() // shows the picture of the leading part; may be nil
	keep   bool
}

func (rs *runner[I]) newBatch(c *Call) *Batch[I] {
	in := rs.lab.Inputs.Input()
	in.Careful = rs.lab.Policies.careful()
	b := &Batch[I]{Work: Work[I]{Inputs: rs.lab.Inputs}, call: c, whole: in.Scenario, light: rs.lab.Dials.dragged()}
	for _, part := range scenario.Parts(in.Scenario) {
		p := &BatchRun{Row: part.Row, Input: in}
		p.Input.Scenario = part.Scenario
		b.Parts = append(b.Parts, p)
	}
	return b
}

// First returns the first part of a subject that has a result, in the order of the
// seeds; nil if none has.
func (b *Batch[I]) First(subject int) *BatchRun {
	i := slices.IndexFunc(b.Parts, func(p *BatchRun) bool { return p.Subject == subject && p.there() })
	if i < 0 {
		return nil
	}
	return b.Parts[i]
}

// Partial reports whether the result on screen is incomplete.
func (b *Batch[I]) Partial() bool {
	return b.Report.Partial || b.count((*BatchRun).there) < len(b.Parts)
}

func (p *BatchRun) there() bool   { return p.Result != nil }
func (p *BatchRun) ended() bool   { return p.there() && !p.Result.Report.Partial }
func (p *BatchRun) running() bool { return p.begun && !p.back }

func (b *Batch[I]) count(is func(*BatchRun) bool) int {
	n := 0
	for _, p := range b.Parts {
		if is(p) {
			n++
		}
	}
	return n
}

// ends reports whether the batch was cancelled or replaced, in which case its workers only hand
// over their partial results.
func (b *Batch[I]) ends() bool { return b.call.ctx.Err() != nil }

func (b *Batch[I]) allBack() bool {
	return b.count(func(p *BatchRun) bool { return p.back }) == len(b.Parts)
}

// Ended counts the parts that ran to their end.
func (b *Batch[I]) Ended() int { return b.count((*BatchRun).ended) }

// runAll begins a batch of the current inputs.
func (rs *runner[I]) runAll(c *Call) {
	rs.stopLooking()
	rs.lab.Policies.remarks, rs.lab.Policies.asks = nil, ""
	b := rs.newBatch(c)
	rs.batch, rs.lab.Form.Blamed = b, map[string][]string{}
	if rs.lab.system.Runs.Looks && !b.light { // a worker that reads would delay the runs
		rs.Look()
	}
	rs.goOn(b)
}

// Resume runs the parts of a stopped batch that did not finish.
func (rs *runner[I]) Resume(b *Batch[I]) {
	b.call, b.Over, b.Stopped, b.left = rs.NewCall(), false, false, ui.Left{}
	rs.batch = b
	for _, p := range b.Parts {
		if !p.ended() {
			*p = BatchRun{Row: p.Row, Input: p.Input}
		}
	}
	rs.lab.Tell()
	rs.goOn(b)
}

// goOn runs the parts that have not finished. A leading part runs alone first. The other parts go
// to the worker that has already read its inputs.
func (rs *runner[I]) goOn(b *Batch[I]) {
	rows := slices.DeleteFunc(slices.Clone(b.Parts), func(p *BatchRun) bool { return p.back || p.there() })
	if rs.leads() && len(rows) > 1 {
		rows = rows[:1]
	}
	for _, p := range rows {
		p.lead = rs.instruct(b, p)
	}
	c := b.call
	e := runs.Executor[*BatchRun, partResult]{
		Workers: runs.AtOnce(min(atOnce, len(rows)), func(_ context.Context, p *BatchRun) (*partResult, error) { return rs.run(b, c, p), nil }),
		Ended: func(p *BatchRun, r *partResult, _ bool) {
			rs.lab.Page.Dispatch(func(app.Context) { rs.arrived(b, c, p, r) })
		},
	}
	if !b.light {
		e.Keeper = keptParts{rs.lab.Shelf}
	}
	rs.lab.Try(func() error { return e.Execute(c.ctx, rows) }, func(err error) { rs.ran(b, c, err) })
}

// run runs part p in a worker. It blocks until the part ends or call c is cancelled.
func (rs *runner[I]) run(b *Batch[I], c *Call, p *BatchRun) *partResult {
	rs.lab.Page.Dispatch(func(app.Context) {
		p.begun = true
		rs.showProgress()
	})
	r := &partResult{}
	r.result, r.err = rs.lab.Engine.Run(c.ctx, p.Input, func(at scenario.Progress) { rs.progressed(b, p, at) })
	if b.light {
		time.Sleep(time.Millisecond) // yields to the browser, so that the next task draws the report
	}
	switch {
	case errors.Is(r.err, context.Canceled):
		r.err = nil
	case r.err != nil:
	case p.lead != nil:
		r.led = p.lead(c.ctx, r.result)
	default:
		r.keep = keptParts{rs.lab.Shelf}.keeps(p, r.result)
	}
	return r
}

// leads reports whether the first part of a batch is a complete result, which the
// other parts only extend.
func (rs *runner[I]) leads() bool { return rs.lab.system.Kind.Leads }

// instruct sets the further outputs of a part: the answers that the view shows first and, for one
// part per batch, the document. The leading part produces the document or, if there is none, the
// last part, so that no other part is delayed. The returned lead draws the answers; it may be nil.
func (rs *runner[I]) instruct(b *Batch[I], p *BatchRun) (lead Leading) {
	leads := rs.leads()
	p.Input.Joined = !leads || b.light
	with := b.Parts[len(b.Parts)-1]
	switch {
	case !leads:
	case p == b.Parts[0]:
		with = p
	default:
		p.Input.After, with = b.Parts[0].Result.Hash, nil
	}
	if p == with && !b.light {
		p.Input.Whole = &b.whole
	}
	if rs.Looked.Of(b.Inputs) && p == b.Parts[0] && p.Input.After == "" {
		p.Input.After, p.Input.Prefers = rs.Looked.Read.Hash, true
	}
	if rs.lab.system.Runs.Begins != nil {
		p.Input.Asked, lead = rs.lab.system.Runs.Begins(b, p)
	}
	return lead
}

// takeDocument keeps the batch's document, if a part returned it.
func (b *Batch[I]) takeDocument(r *bridge.Result) {
	switch {
	case r == nil || r.Document == nil:
	case r.Document.Error != nil:
		b.noDocument = r.Document.Error
	default:
		b.Document = *r.Document
	}
}

// arrived handles the return of a part. It ignores parts of a batch that was resumed or
// replaced meanwhile.
func (rs *runner[I]) arrived(b *Batch[I], c *Call, p *BatchRun, r *partResult) {
	if b.call != c {
		return
	}
	p.Result, p.Err, p.back = r.result, r.err, true
	b.takeDocument(r.result)
	if c.generation == rs.lab.generation {
		rs.lab.Policies.blameTexts(r.err)
	}
	b.led = r.led
	switch {
	case rs.batch != b:
	case r.err != nil && !b.ends() && rs.hopeless(b, r.err):
		rs.broken(b, r.err)
	case !rs.leads() && !b.allBack() && rs.worthShowing(b):
		if !rs.showBatch(b) {
			rs.over(b)
		}
	case r.err == nil:
		rs.showProgress()
	}
}

// ran shows the parts that have ended. After a leading part it starts the other parts.
func (rs *runner[I]) ran(b *Batch[I], c *Call, err error) {
	switch {
	case b.call != c || rs.batch != b:
	case err != nil && c.ctx.Err() == nil:
		rs.broken(b, err)
	case !rs.showBatch(b):
		rs.over(b)
	case b.ends() || b.allBack() || b.Waits || b.light:
		rs.conclude(b)
	default:
		rs.goOn(b)
	}
}

// hopeless reports whether an error of one part dooms the whole batch.
func (rs *runner[I]) hopeless(b *Batch[I], err error) bool {
	e, ok := errors.AsType[*bridge.Error](err)
	tooMuch := ok && e.Kind == bridge.TooMuch // other parts may need less
	switch {
	case b.count((*BatchRun).there) > 0:
		return !rs.leads() && rs.lab.system.Runs.Alone == "" && !tooMuch
	case tooMuch:
		return rs.leads() || b.allBack()
	case b.allBack(), rs.lab.system.Runs.Alone == "":
		return true
	}
	return !slices.ContainsFunc(DiagnosticsOf(err), func(d diag.Diagnostic) bool { return d.Path == rs.lab.system.Runs.Alone })
}

// worthShowing reports whether enough parts arrived since the last update of the
// screen.
func (rs *runner[I]) worthShowing(b *Batch[I]) bool {
	return b.count((*BatchRun).there)-b.shown >= max(1, len(b.Parts)/20) && time.Since(b.call.begun) > showBelow
}

// showBatch shows the results of a batch that have arrived. It reports false if they
// are no longer wanted, or cannot be combined.
func (rs *runner[I]) showBatch(b *Batch[I]) bool {
	there := b.count((*BatchRun).there)
	if there == 0 {
		return true
	}
	if err := rs.join(b); err != nil {
		rs.lab.Complain("The results could not be combined", err)
		return false
	}
	end := rs.leads() || b.allBack()
	if end && !b.ends() && rs.lab.Phase == Running {
		if !rs.lab.finished(b.call.generation, &b.Work, b.took()) {
			return false
		}
		if there < len(b.Parts) && !b.light {
			rs.lab.Opening.note(b, nil) // now, because new inputs may replace the batch before its other parts finish
		}
	} else if !rs.lab.show(b.call.generation, &b.Work) {
		return false
	}
	b.shown = there
	rs.lab.Dials.completed(b)
	rs.lab.Form.ForgetFound()
	rs.lab.Form.find(b.Inputs, b.Report.Diagnostics)
	rs.lab.Pins.compare(b)
	rs.refresh()
	if b.led != nil {
		b.led()
	}
	rs.lab.Tell()
	return true
}

// join combines the results that have arrived into one report. If the first part
// leads, the last one that arrived covers the whole.
func (rs *runner[I]) join(b *Batch[I]) (err error) {
	reports := make([]*scenario.Report, len(b.Parts)) // nil for parts without a result
	for i, p := range b.Parts {
		if p.there() {
			reports[i], b.json = p.Result.Report, p.Result.JSON
		}
	}
	join := scenario.Join
	if b.light {
		join = scenario.Combine
	}
	b.Report, err = join(b.whole, reports)
	if err == nil && b.Document.Hash == "" {
		b.Document.Hash = b.Report.Scenario
	}
	return err
}

// JSON is the encoded report of the results on screen, without timings.
func (b *Batch[I]) JSON() []byte {
	if b.json == nil {
		b.json = scenario.EncodeReport(b.Report.Untimed())
	}
	return b.json
}

// took estimates the time that the finished parts would need on two or more workers, by the
// workers' own clocks: the longest part, or half the sum.
func (b *Batch[I]) took() time.Duration {
	longest, sum := 0.0, 0.0
	for _, p := range b.Parts {
		if p.there() && p.Result.Report.Timings != nil {
			longest, sum = max(longest, p.Result.Report.Timings.Total), sum+p.Result.Report.Timings.Total
		}
	}
	return time.Duration(max(longest, sum/2) * float64(time.Millisecond))
}

// conclude ends a batch and records it in the history.
func (rs *runner[I]) conclude(b *Batch[I]) {
	if !b.light && b.Report != nil && !b.Partial() && b.call.generation == rs.lab.generation {
		rs.lab.Opening.verify(b)
		rs.lab.Opening.note(b, b.JSON())
		rs.lab.Address.Located()
	}
	rs.over(b)
	if text := rs.Confirmation(b); text != "" {
		shell.Announce(rs.lab.Page, text)
	}
	rs.lab.Opening.goOnWithPair()
}

// broken ends a batch that cannot have a result.
func (rs *runner[I]) broken(b *Batch[I], err error) {
	if rs.Failed(b.call, err) {
		rs.lab.Form.blame(b.Inputs, err)
	}
	rs.over(b)
}

func (rs *runner[I]) over(b *Batch[I]) {
	b.Over, rs.batch = true, nil
	rs.lab.Dials.completed(b)
	b.lasted += time.Since(b.call.begun)
	rs.End(b.call)
	rs.refresh()
}

// refresh makes the view redraw everything that depends on the result or on the pinned
// result.
func (rs *runner[I]) refresh() {
	if rs.shown != nil {
		rs.lab.system.Runs.Shown(rs.shown)
	}
}

// Cancel stops the current run at the user's request. The partial results are shown
// once the workers have handed them over.
func (rs *runner[I]) Cancel() {
	if rs.call == nil {
		return
	}
	rs.lab.Dials.forget()
	if rs.batch != nil {
		rs.batch.Stopped = true
	}
	if rs.lab.Phase == Running {
		rs.lab.cancelled()
		shell.Announce(rs.lab.Page, "Stopped.")
	} else {
		shell.Announce(rs.lab.Page, "The comparison was stopped. The runs that ended are shown.")
	}
	rs.stop()
	if rs.lab.Phase == Idle { // without a run, only this look reports errors
		rs.lab.lookOver()
	}
	rs.lab.Tell()
}
