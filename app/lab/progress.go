package lab

import (
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/ui"
	"berth/engine/scenario"
)

// shownParts limits the running parts that have their own line.
const shownParts = 6

// reading is the phase in which a part reads its inputs. Its speed says nothing about
// the remaining time.
const reading = "reading"

// progressed records the progress of a part. It is called on the part's goroutine.
func (rs *runner[I]) progressed(b *Batch[I], p *BatchRun, at scenario.Progress) {
	now := time.Now()
	rs.lab.Later(func() {}, func() {
		if !b.ends() {
			p.hear(at, now)
		}
		rs.showProgress()
	})
}

// showProgress ends a change that only affects the progress of a call: it draws nothing unless the
// progress is on screen.
func (rs *runner[I]) showProgress() {
	if !rs.TakesLong() {
		rs.lab.Page.PreventUpdate()
	}
}

// hear records a progress report, which contains the elapsed time of the work. A report may wait
// while the page is busy, so the one that waited least gives the best estimate of when the work
// began.
func (p *BatchRun) hear(at scenario.Progress, now time.Time) {
	before := p.progress
	p.progress = at
	elapsed := time.Duration(at.Elapsed * float64(time.Millisecond))
	if at.Phase == reading {
		p.read = elapsed
		return
	}
	if since := now.Add(p.read - elapsed); p.since.IsZero() || since.Before(p.since) {
		p.since = since
	}
	if at.Events > before.Events && before.Phase == at.Phase {
		p.speed = 1000 * float64(at.Events-before.Events) / (at.Elapsed - before.Elapsed)
	}
}

// fraction is the completed fraction of a part, in [0, 1].
func (p *BatchRun) fraction() float64 {
	switch {
	case p.back:
		return 1
	case p.progress.Phase == reading:
		return 0
	}
	return p.progress.Fraction
}

// text describes the progress of a part: "45 % · at 6.1 h · 1.2 M events/s".
func (p *BatchRun) text() string {
	at := p.progress
	switch {
	case p.back:
		return "done"
	case at.Phase == "":
		return "waits"
	case at.Phase == reading:
		return ui.Percent(at.Fraction) + " read"
	case at.Events == 0 && at.Total > 0:
		return ui.Percent(at.Fraction) + " · " + ui.Count(at.Done) + " of " + ui.Count(at.Total) + " " + at.Unit
	}
	text := ui.Percent(at.Fraction) + " · at " + ui.Simulated(at.Time)
	if p.speed > 0 {
		text += " · " + ui.Number(p.speed) + " events/s"
	}
	return text
}

// progress is the completed fraction of the batch, in [0, 1], and its description: "42 % · 2 of 5
// runs · 800 000 events/s · 3 s left". If alone is set, it describes only the running part.
func (b *Batch[I]) progress(alone bool, now time.Time) (fraction float64, text string) {
	var since time.Time
	speed, last := 0.0, b.Parts[0]
	for _, p := range b.Parts {
		if !p.since.IsZero() && (since.IsZero() || p.since.Before(since)) {
			since = p.since
		}
		if p.running() {
			speed += p.speed
			last = p
		}
		fraction += p.fraction() / float64(len(b.Parts))
	}
	if alone {
		fraction, text, since = last.fraction(), last.text(), last.since
	} else {
		text = ui.Percent(fraction) + " · " + ui.Count(int64(b.count(func(p *BatchRun) bool { return p.back }))) + " of " + ui.Counted(len(b.Parts), "run")
		if speed > 0 {
			text += " · " + ui.Number(speed) + " events/s"
		}
	}
	if !since.IsZero() {
		if left := b.left.Text(fraction, now.Sub(since), now); left != "" {
			text += " · " + left
		}
	}
	return fraction, text
}

// RunProgress shows the progress of a run that takes long. label names the work: "Running
// heuristic".
func (rs *runner[I]) RunProgress(label string) app.UI {
	if rs.lab.Phase != Running || !rs.TakesLong() || rs.lab.Dials.dragged() { // the picture keeps its size during a drag
		return ui.None()
	}
	return rs.BatchProgress(label)
}

// BatchProgress shows the progress of the current batch: all parts together, and each
// running part.
func (rs *runner[I]) BatchProgress(label string) app.UI {
	b := rs.batch
	if b == nil {
		return ui.None()
	}
	alone := len(b.Parts) == 1 || rs.leads()
	fraction, text := b.progress(alone, time.Now())
	bar := &ui.ProgressBar{Label: label, TestID: rs.lab.system.TestID, Fraction: fraction, Text: text, OnCancel: func(app.Context) { rs.Cancel() }}
	if alone {
		return bar
	}
	var lines []app.UI
	for _, p := range b.Parts {
		if few := len(b.Parts) <= shownParts; (few || p.running()) && len(lines) < shownParts {
			lines = append(lines, p.line())
		}
	}
	return app.Div().Class("runs").Body(bar, app.Ul().Body(lines...))
}

func (p *BatchRun) line() app.UI {
	return app.Li().Body(
		app.Span().Text(p.Name),
		app.Progress().Max(1000).Value(int(1000*p.fraction())).Aria("label", p.Name).Aria("valuetext", p.text()),
		app.Span().Class("figures").Text(p.text()),
	)
}
