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
	"berth/engine/show"
	"berth/wasm/bridge"
)

// Call is work of the engine that the user waits for and may cancel.
type Call struct {
	ctx        context.Context
	cancel     context.CancelFunc
	begun      time.Time
	long       bool        // it takes long enough to be followed
	follow     *time.Timer // until then
	generation int         // of the inputs that it is about
	repeats    string      // hash of the results on screen, which are those of the same inputs; "" of other ones
}

// NewCall gives up the call under way, if there is one, for another.
func (l *Lab[I]) NewCall() *Call {
	l.stop()
	l.call = l.beginCall()
	return l.call
}

// beginCall begins a call and leaves it to itself.
func (l *Lab[I]) beginCall() *Call {
	c := &Call{begun: time.Now(), generation: l.generation}
	c.ctx, c.cancel = context.WithCancel(l.Page)
	c.follow = time.AfterFunc(followAfter, func() { l.Page.Dispatch(func(app.Context) { c.long = true }) })
	return c
}

// end gives a call up, or what is left of it.
func (c *Call) end() {
	c.cancel()
	c.follow.Stop()
}

// followAfter is how long a call takes before it is shown how far it is. Shorter
// ones would only have the page jump.
const followAfter = 400 * time.Millisecond

// TakesLong reports whether the call under way is to be shown how far it is.
func (l *Lab[I]) TakesLong() bool { return l.call != nil && l.call.long }

// Busy reports whether a call is under way.
func (l *Lab[I]) Busy() bool { return l.call != nil }

// Run starts a run of the present inputs, or says why it cannot be.
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

// Confirmation answers a run of unchanged inputs, whose result is on screen already; ""
// of another run.
func (l *Lab[I]) Confirmation(b *Batch[I]) string {
	switch {
	case b.call.repeats == "" || b.Report == nil || b.Partial():
		return ""
	case b.Report.Results == b.call.repeats:
		return "Same input, same result: " + l.system.Screen().Says
	}
	return "Same input, different result. This is a bug in Berth: save the report and send it to the authors."
}

// lacks reports whether something is missing, and says what.
func (l *Lab[I]) lacks() bool {
	missing := l.Inputs.Missing()
	if missing != "" {
		l.Trouble = missing
	}
	return missing != ""
}

// Failed ends a run with an error. It reports false, and does nothing, if
// no one waits for it any more.
func (l *Lab[I]) Failed(c *Call, err error) bool {
	wanted := c.ctx.Err() == nil && l.ended(c.generation, err)
	l.End(c)
	return wanted
}

// End ends a call that has done its work, or that can have no result.
func (l *Lab[I]) End(c *Call) {
	if l.call == c {
		l.stop()
	}
	l.Tell()
	l.follow()
}

// stop gives up the call under way, and with it the run that it was, if any:
// nothing is running without a call.
func (l *Lab[I]) stop() {
	if l.call != nil {
		l.call.end()
		l.call = nil
	}
	l.givenUp()
}

// Mark is how the state of the shown result is drawn: one that is done may still have
// missed what it was to reach.
func (l *Lab[I]) Mark() string {
	return l.markOf(l.system.Screen())
}

func (l *Lab[I]) markOf(s Screen[I]) string {
	if l.Phase == Done && s.Short {
		return shell.Partial
	}
	return string(l.Phase)
}

// Status is what the frame says of what is on screen.
func (l *Lab[I]) Status() shell.Status {
	screen := l.system.Screen()
	s := shell.Status{State: l.markOf(screen), Message: screen.Says, Title: l.Inputs.Name()}
	if b := l.shownBatch; b != nil {
		s.Engine, s.Scenario = b.Report.Engine, b.Document.Hash
		if d, ok := b.whole.Body.(interface{ FirstSeed() uint64 }); ok {
			s.Seed = strconv.FormatUint(d.FirstSeed(), 10)
		}
		if !b.Partial() { // what was stopped cannot be repeated
			s.Result = b.Report.Results
		}
	}
	return s
}

// Tell brings the frame's status line, the error region and the page's title
// up to date.
func (l *Lab[I]) Tell() {
	shell.SetStatus(l.Page, l.path(), l.Status())
	shell.SetError(l.Page, l.path(), l.problems())
	l.tellLeftOver()
	l.forgetGone()
	l.goToPlace()
}

// Pending says what stands between the inputs and their result; "" when the
// result of the inputs is shown. Running is what is done in a run: "Running
// heuristic".
func (l *Lab[I]) Pending(running string) string {
	switch {
	case l.Phase == Done:
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

// opening is what is said while inputs are on their way.
const opening = "Opening …"

// isOpening reports whether inputs are on their way: no one has to choose anything.
func (l *Lab[I]) isOpening() bool { return l.Inputs.Blank() && (!l.begun || l.awaited) }

// Absent replaces an input that is not there, and says what to do.
func (l *Lab[I]) Absent(what string) app.UI {
	if l.isOpening() {
		what = opening
	}
	return ui.Empty(what)
}

// former says whose result is shown while it belongs to inputs of another name.
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

// Complain shows an error that has no place of its own.
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

// errorLines is how many lines of an error stand above the view; all of them
// are files next to the inputs.
const errorLines = 3

func abridged(text string) string {
	lines := strings.Split(text, "\n")
	if more := len(lines) - errorLines; more > 0 {
		return strings.Join(lines[:errorLines], "\n") + fmt.Sprintf("\nand %d more", more)
	}
	return text
}
