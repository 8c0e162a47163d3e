package lab

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"berth/app/shell"
	"berth/app/ui"
	"berth/engine/diag"
	"berth/engine/scenario"
	"berth/wasm/bridge"
)

const (
	// atOnce is how many parts are given to the pool at a time: it has no more
	// workers than that, and questions about what is on screen wait behind them.
	atOnce = 8
	// showBelow is how soon all parts must be back for them to be shown at once;
	// later they are shown as they come.
	showBelow = time.Second
)

// Batch is a run of inputs: the parts that they stand for, each in a worker, and
// the result of them so far.
type Batch[I any] struct {
	Work[I]
	Parts   []*Part
	Report  *scenario.Report // of what is shown; nil until something is
	Over    bool             // it has no more results to come, unless it is resumed
	Stopped bool             // since the user wished so
	Waits   bool             // with a part that leads, the rest waits to be asked for; a view says so when that part is shown

	noDocument error // why its document could not be made

	call   *Call
	lasted time.Duration // that it ran, however often it was resumed
	whole  scenario.Scenario
	shown  int // parts that were there when something was shown last
	left   ui.Left
	json   []byte // of the report; nil until it was written
}

// Part is one part of a batch: a subject with a seed, or all of them.
type Part struct {
	scenario.Row
	Input  bridge.Input
	Result *bridge.Result // nil while it is not there
	Err    error          // why it will not be; nil for one that was stopped

	begun, back bool
	progress    scenario.Progress
	read        time.Duration // that it read its inputs, by the clock of its worker
	since       time.Time     // when it began to do more than read
	speed       float64       // events a second
}

// newBatch is a batch of the present inputs.
func (l *Lab[I]) newBatch(c *Call) *Batch[I] {
	in := l.Inputs.Input()
	in.Careful = l.careful()
	b := &Batch[I]{Work: Work[I]{Inputs: l.Inputs}, call: c, whole: in.Scenario}
	for _, part := range scenario.Parts(in.Scenario) {
		p := &Part{Row: part.Row, Input: in}
		p.Input.Scenario = part.Scenario
		b.Parts = append(b.Parts, p)
	}
	return b
}

// First is the part of a subject with the first of its seeds that is back, nil if none is.
func (b *Batch[I]) First(subject int) *Part {
	i := slices.IndexFunc(b.Parts, func(p *Part) bool { return p.Subject == subject && p.there() })
	if i < 0 {
		return nil
	}
	return b.Parts[i]
}

// Partial reports whether something is missing in what is shown.
func (b *Batch[I]) Partial() bool { return b.Report.Partial || b.count((*Part).there) < len(b.Parts) }

func (p *Part) there() bool   { return p.Result != nil }
func (p *Part) ended() bool   { return p.there() && !p.Result.Report.Partial }
func (p *Part) running() bool { return p.begun && !p.back }

func (b *Batch[I]) count(is func(*Part) bool) int {
	n := 0
	for _, p := range b.Parts {
		if is(p) {
			n++
		}
	}
	return n
}

// ends reports whether the batch was cancelled or given up, and has only to hand
// over what it has done.
func (b *Batch[I]) ends() bool { return b.call.ctx.Err() != nil }

// allBack reports whether no part is left to wait for.
func (b *Batch[I]) allBack() bool {
	return b.count(func(p *Part) bool { return p.back }) == len(b.Parts)
}

// Ended counts the parts that have run to their end.
func (b *Batch[I]) Ended() int { return b.count((*Part).ended) }

// runAll begins a batch of the present inputs.
func (l *Lab[I]) runAll(c *Call) {
	l.stopLooking()
	l.desk.remarks, l.desk.asks = nil, ""
	b := l.newBatch(c)
	l.batch, l.Blamed = b, map[string][]string{}
	if l.system.Runs.Looks {
		l.Look()
	}
	l.goOn(b)
}

// Resume goes on with a batch that is over, where it has parts that did not run
// to their end.
func (l *Lab[I]) Resume(b *Batch[I]) {
	b.call, b.Over, b.Stopped, b.left = l.NewCall(), false, false, ui.Left{}
	l.batch = b
	for _, p := range b.Parts {
		if !p.ended() {
			*p = Part{Row: p.Row, Input: p.Input}
		}
	}
	l.Tell()
	l.goOn(b)
}

// goOn gives parts to the pool. After the leading one the others go where its
// inputs were read.
func (l *Lab[I]) goOn(b *Batch[I]) {
	most := atOnce
	if l.leads() {
		most = 1
	}
	running := b.count((*Part).running)
	for _, p := range b.Parts {
		if !p.begun && running < most {
			l.run(b, p)
			running++
		}
	}
}

func (l *Lab[I]) run(b *Batch[I], p *Part) {
	p.begun = true
	lead := l.instruct(b, p)
	var result *bridge.Result
	var err error
	c, led := b.call, func() {}
	l.Later(func() {
		result, err = l.Engine.Run(c.ctx, p.Input, func(at scenario.Progress) { l.progressed(b, p, at) })
		if err == nil && lead != nil {
			led = lead(c.ctx, result)
		}
	}, func() {
		if b.call != c {
			return // it was resumed meanwhile
		}
		p.Result, p.Err, p.back = result, err, true
		b.takeDocument(result)
		if errors.Is(err, context.Canceled) {
			p.Err = nil
		}
		if c.generation == l.generation {
			l.blameTexts(p.Err)
		}
		l.arrived(b, p, led)
	})
}

// leads reports whether the first part of a batch is a result by itself.
func (l *Lab[I]) leads() bool { return l.system.Kind.Leads }

// instruct says what a part answers beside its result: what the view shows of it first,
// and, once for a batch, its document. That is the part that leads, or else the last one,
// so that it holds up no other. It returns what is to be made of the answers.
func (l *Lab[I]) instruct(b *Batch[I], p *Part) (lead Leading) {
	leads := l.leads()
	p.Input.Joined = !leads
	with := b.Parts[len(b.Parts)-1]
	switch {
	case !leads:
	case p == b.Parts[0]:
		with = p
	default:
		p.Input.After, with = b.Parts[0].Result.Hash, nil
	}
	if p == with {
		p.Input.Whole = &b.whole
	}
	if read := l.lookedAt(b.Inputs); read != nil && p == b.Parts[0] && p.Input.After == "" {
		p.Input.After, p.Input.Prefers = read.Hash, true
	}
	if l.system.Runs.Begins != nil {
		p.Input.Asked, lead = l.system.Runs.Begins(b, p)
	}
	return lead
}

// takeDocument takes up the document of the batch, if it came with a part.
func (b *Batch[I]) takeDocument(r *bridge.Result) {
	switch {
	case r == nil:
	case r.Document != nil:
		b.Document = *r.Document
	default:
		b.noDocument = cmp.Or(r.NoDocument, b.noDocument)
	}
}

// arrived takes up a part that is back: it shows what there is, and goes on. What
// a batch brings whose place another one took is dropped.
func (l *Lab[I]) arrived(b *Batch[I], p *Part, led func()) {
	running, stopped := b.count((*Part).running), b.ends()
	all := !stopped && b.allBack()
	switch {
	case l.batch != b:
		return
	case p.Err != nil && !stopped && l.hopeless(b, p.Err):
		l.broken(b, p.Err)
		return
	case all || stopped && running == 0 || l.worthShowing(b):
		if !l.showBatch(b, led) {
			l.over(b)
			return
		}
	}
	switch {
	case stopped && running > 0:
	case stopped || all || b.Waits:
		l.conclude(b)
	default:
		l.goOn(b)
	}
}

// hopeless reports whether an error of one part is one of all.
func (l *Lab[I]) hopeless(b *Batch[I], err error) bool {
	e, ok := errors.AsType[*bridge.Error](err)
	tooMuch := ok && e.Kind == bridge.TooMuch // others do not share it
	switch {
	case b.count((*Part).there) > 0:
		return !l.leads() && l.system.Runs.Alone == "" && !tooMuch
	case tooMuch:
		return l.leads() || b.allBack()
	case b.allBack(), l.system.Runs.Alone == "":
		return true
	}
	return !slices.ContainsFunc(DiagnosticsOf(err), func(d diag.Diagnostic) bool { return d.Path == l.system.Runs.Alone })
}

// worthShowing reports whether enough has arrived since the last time.
func (l *Lab[I]) worthShowing(b *Batch[I]) bool {
	return b.count((*Part).there)-b.shown >= max(1, len(b.Parts)/20) && (l.leads() || time.Since(b.call.begun) > showBelow)
}

// showBatch puts on screen what there is of a batch. It reports false if no one
// waits for it any more.
func (l *Lab[I]) showBatch(b *Batch[I], led func()) bool {
	there := b.count((*Part).there)
	if there == 0 {
		return true
	}
	if err := l.join(b); err != nil {
		l.Complain("The results could not be combined", err)
		return false
	}
	end := l.leads() || b.allBack()
	if end && !b.ends() && l.Phase == Running {
		if !l.finished(b.call.generation, &b.Work, b.took()) {
			return false
		}
		if there < len(b.Parts) {
			l.note(b, nil) // the rest may be given up for other inputs
		}
	} else if !l.show(b.call.generation, &b.Work) {
		return false
	}
	b.shown = there
	l.ForgetFound()
	l.find(b.Inputs, b.Report.Diagnostics)
	l.compare(b)
	l.refresh()
	led()
	l.Tell()
	return true
}

// join makes one report of what has arrived. With a part that leads, the last one
// is the whole.
func (l *Lab[I]) join(b *Batch[I]) (err error) {
	reports := make([]*scenario.Report, len(b.Parts)) // nil of those that are not there
	for i, p := range b.Parts {
		if p.there() {
			reports[i], b.json = p.Result.Report, p.Result.JSON
		}
	}
	b.Report, err = scenario.Join(b.whole, reports)
	if err == nil && b.Document.Hash == "" {
		b.Document.Hash = b.Report.Scenario
	}
	return err
}

// JSON is the report of what is shown, as it is written everywhere.
func (b *Batch[I]) JSON() []byte {
	if b.json == nil {
		b.json = scenario.EncodeReport(b.Report.Untimed())
	}
	return b.json
}

// took is how long what is there needed by the workers' own clocks. There are at least two
// workers.
func (b *Batch[I]) took() time.Duration {
	longest, sum := 0.0, 0.0
	for _, p := range b.Parts {
		if p.there() && p.Result.Report.Timings != nil {
			longest, sum = max(longest, p.Result.Report.Timings.Total), sum+p.Result.Report.Timings.Total
		}
	}
	return time.Duration(max(longest, sum/2) * float64(time.Millisecond))
}

// conclude ends a batch, and notes it in the history.
func (l *Lab[I]) conclude(b *Batch[I]) {
	if b.Report != nil && !b.Partial() && b.call.generation == l.generation {
		l.verify(b)
		l.note(b, b.JSON())
		l.Located()
	}
	l.over(b)
	if text := l.Confirmation(b); text != "" {
		shell.Announce(l.Page, text)
	}
	l.goOnWithPair()
}

// broken ends a batch that can have no result.
func (l *Lab[I]) broken(b *Batch[I], err error) {
	if l.Failed(b.call, err) {
		l.blame(b.Inputs, err)
	}
	l.over(b)
}

func (l *Lab[I]) over(b *Batch[I]) {
	b.Over, l.batch = true, nil
	b.lasted += time.Since(b.call.begun)
	l.End(b.call)
	l.refresh()
	l.findParted()
}

// refresh has the view bring what is on screen up to date.
func (l *Lab[I]) refresh() {
	b := l.shownBatch
	if b == nil {
		return
	}
	now := [2]*scenario.Report{b.Report, l.Pinned()}
	another, others := now[0] != l.drawn[0], now != l.drawn
	l.drawn = now
	l.system.Runs.Shown(b, another, others)
}

// Cancel stops the run under way as the user's wish. What is done by then is
// shown as soon as its workers have handed it over.
func (l *Lab[I]) Cancel() {
	if l.call == nil {
		return
	}
	if l.batch != nil {
		l.batch.Stopped = true
	}
	if l.Phase == Running {
		l.cancelled()
		shell.Announce(l.Page, "Stopped.")
	} else {
		shell.Announce(l.Page, "The comparison was stopped. The runs that ended are shown.")
	}
	l.stop()
	if l.Phase == Idle { // the run would have told
		l.lookOver()
	}
	l.Tell()
}
