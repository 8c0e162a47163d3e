package lab

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/shell"
	"berth/app/ui"
	"berth/engine/scenario"
	"berth/engine/show"
	"berth/wasm/bridge"
)

// Call is work of the engine that the user waits for and may cancel.
type Call struct {
	ctx        context.Context
	cancel     context.CancelFunc
	begun      time.Time
	long       bool        // running for followAfter or longer, so its progress is shown
	follow     *time.Timer // sets long
	generation int         // of its inputs
	repeats    string      // hash of the results on screen if the call repeats their inputs; "" otherwise
}

// NewCall cancels the current call and begins another.
func (l *Lab[I]) NewCall() *Call {
	l.stop()
	l.call = l.beginCall()
	return l.call
}

// beginCall begins a call that a later NewCall does not cancel.
func (l *Lab[I]) beginCall() *Call {
	c := &Call{begun: time.Now(), generation: l.generation}
	c.ctx, c.cancel = context.WithCancel(l.Page)
	c.follow = time.AfterFunc(followAfter, func() { l.Page.Dispatch(func(app.Context) { c.long = true }) })
	return c
}

// end cancels a call and stops its timer.
func (c *Call) end() {
	c.cancel()
	c.follow.Stop()
}

// followAfter is how long a call runs before its progress is shown. For shorter calls
// the progress bar would only make the page jump.
const followAfter = 400 * time.Millisecond

// TakesLong reports whether the progress of the current call is shown.
func (l *Lab[I]) TakesLong() bool { return l.call != nil && l.call.long }

// Busy reports whether a call is under way.
func (l *Lab[I]) Busy() bool { return l.call != nil }

// Run starts a run of the current inputs, or says why it cannot.
func (l *Lab[I]) Run() {
	if l.reading > 0 {
		l.waiting = true
		return
	}
	if l.lacks() || l.asksFirst() {
		return
	}
	c := l.NewCall()
	if b := l.shownBatch; l.Phase == Done && b != nil && b.Report != nil && !b.Partial() {
		c.repeats = b.Report.Results
	}
	l.started()
	l.Tell()
	l.runAll(c)
}

// Confirmation is the announcement after a run that repeated the inputs on screen; ""
// after any other run.
func (l *Lab[I]) Confirmation(b *Batch[I]) string {
	switch {
	case b.call.repeats == "" || b.Report == nil || b.Partial():
		return ""
	case b.Report.Results == b.call.repeats:
		return "Same input, same result: " + l.system.Screen().Says
	}
	return "Same input, different result. This is a bug in Berth: save the report and send it to the authors."
}

// lacks reports whether an input is missing, and says which.
func (l *Lab[I]) lacks() bool {
	missing := l.Inputs.Missing()
	if missing != "" {
		l.Trouble = missing
	}
	return missing != ""
}

// Failed ends a run with an error. It reports false, and shows nothing, if the run
// was cancelled or replaced.
func (l *Lab[I]) Failed(c *Call, err error) bool {
	wanted := c.ctx.Err() == nil && l.ended(c.generation, err)
	l.End(c)
	return wanted
}

// End ends a call, whether it has a result or not.
func (l *Lab[I]) End(c *Call) {
	if l.call == c {
		l.stop()
	}
	l.Tell()
	l.follow()
}

// stop cancels the current call and its run. Invariant: without a call the phase is
// not Running.
func (l *Lab[I]) stop() {
	if l.call != nil {
		l.call.end()
		l.call = nil
	}
	l.givenUp()
}

func (l *Lab[I]) markOf(s Screen[I]) string {
	switch {
	case !l.Current():
		return string(l.Phase)
	case s.Short:
		return shell.Partial
	}
	return shell.Done
}

// Status is the status line of the frame for the result on screen.
func (l *Lab[I]) Status() shell.Status {
	screen := l.system.Screen()
	s := shell.Status{State: l.markOf(screen), Message: screen.Says, Title: l.Inputs.Name()}
	if b := l.shownBatch; b != nil {
		s.Engine, s.Scenario = b.Report.Engine, b.Document.Hash
		if d, ok := b.whole.Body.(scenario.Seeded); ok {
			s.Seed = strconv.FormatUint(*d.FirstSeed(), 10)
		}
		if !b.Partial() { // a stopped run cannot be repeated
			s.Result = b.Report.Results
		}
	}
	return s
}

// Tell updates the frame: status line, error region and title of the page.
func (l *Lab[I]) Tell() {
	shell.SetStatus(l.Page, l.path(), l.Status())
	shell.SetError(l.Page, l.path(), l.problems())
	l.askAboutLeftOver()
	l.goToPlace()
}

// Pending says why the result on screen is not yet the result of the inputs; "" if it
// is. Running names the work of a run, such as "Running heuristic".
func (l *Lab[I]) Pending(running string) string {
	switch {
	case l.Current():
		return ""
	case l.Phase == Running:
		return running + " …" + l.former()
	case l.Phase == Failed:
		return "The run failed. The result on screen is from earlier inputs."
	case l.waitsForRun() && l.errors() > 0:
		return "Changed, with " + ui.Counted(l.errors(), "error") + " to fix before it can run." + l.former()
	case l.waitsForRun():
		return "Changed. The last run was long, so press Run to start this one." + l.former()
	case l.isOpening():
		return opening
	case l.Shown == nil:
		return cmp.Or(l.Inputs.Missing(), "Not run yet.")
	}
	return cmp.Or(l.Inputs.Missing(), "Changed.") + l.former()
}

// opening is shown while inputs are being loaded.
const opening = "Opening …"

// isOpening reports whether inputs are being loaded, so that the user need not choose
// any.
func (l *Lab[I]) isOpening() bool { return l.Inputs.Blank() && (!l.begun || l.awaited) }

// Absent draws a message in place of a missing input; what asks for it.
func (l *Lab[I]) Absent(what string) app.UI {
	if l.isOpening() {
		what = opening
	}
	return ui.Empty(what)
}

// former names the inputs whose result is on screen if their name differs from the
// current one.
func (l *Lab[I]) former() string {
	if l.Shown == nil || l.Shown.Inputs.Name() == l.Inputs.Name() {
		return ""
	}
	former := "other inputs"
	if name := l.Shown.Inputs.Name(); name != "" {
		former = "“" + show.Text(name) + "”"
	}
	return " The result on screen is still from " + former + "."
}

// Complain shows an error in the error region.
func (l *Lab[I]) Complain(what string, err error) {
	l.Complaint = what + ": " + err.Error()
	l.Tell()
}

// problems is the text of the error region.
func (l *Lab[I]) problems() string {
	if l.Err == nil {
		return l.Complaint
	}
	text := abridged(l.Err.Error())
	if e := (*bridge.Error)(nil); errors.As(l.Err, &e) && e.Kind == bridge.TooMuch {
		text += " The inputs are kept."
	} else if e != nil && e.Kind != bridge.BadInput {
		text = "The engine failed: " + text + ". The inputs are kept; press Run to try again."
	}
	return strings.TrimSpace(text + "\n" + l.Complaint)
}

// errorLines is how many lines of an error appear above the view; the full list is
// next to the inputs.
const errorLines = 3

func abridged(text string) string {
	lines := strings.Split(text, "\n")
	if more := len(lines) - errorLines; more > 0 {
		return strings.Join(lines[:errorLines], "\n") + fmt.Sprintf("\nand %d more", more)
	}
	return text
}
