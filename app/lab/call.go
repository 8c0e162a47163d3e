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
	follow     *time.Timer // sets long after followAfter
	generation int         // of the inputs that the call works on
	repeats    string      // hash of the results on screen if the call repeats their inputs; "" otherwise
}

// runner runs the inputs, and checks them without a run.
type runner[I Inputs[I]] struct {
	lab *Lab[I]

	Looked Looked[I]
	Beside time.Time // start of a long calculation outside a batch; zero if none runs

	call     *Call
	batch    *Batch[I] // running; nil for none
	shown    *Batch[I] // on screen; nil for none
	stopLook func()    // cancels the current look; nil for none
}

// NewCall cancels the current call and begins another.
func (rs *runner[I]) NewCall() *Call {
	rs.stop()
	rs.call = rs.beginCall()
	return rs.call
}

// beginCall begins a call that a later NewCall does not cancel.
func (rs *runner[I]) beginCall() *Call {
	c := &Call{begun: time.Now(), generation: rs.lab.generation}
	c.ctx, c.cancel = context.WithCancel(rs.lab.Page)
	c.follow = time.AfterFunc(followAfter, func() { rs.lab.Page.Dispatch(func(app.Context) { c.long = true }) })
	return c
}

func (c *Call) end() {
	c.cancel()
	c.follow.Stop()
}

// followAfter is the time after which a call shows its progress. A progress bar for shorter calls
// would only make the page jump.
const followAfter = 400 * time.Millisecond

// TakesLong reports whether the progress of the current call is shown.
func (rs *runner[I]) TakesLong() bool { return rs.call != nil && rs.call.long }

// Busy reports whether a call is under way.
func (rs *runner[I]) Busy() bool { return rs.call != nil }

// Run starts a run of the current inputs, or says why it cannot.
func (rs *runner[I]) Run() {
	if rs.lab.reading > 0 {
		rs.lab.waiting = true
		return
	}
	if rs.lacks() || rs.lab.Policies.asksFirst() {
		return
	}
	c := rs.NewCall()
	if b := rs.shown; rs.lab.Phase == Done && b != nil && !b.light && b.Report != nil && !b.Partial() {
		c.repeats = b.Report.Results
	}
	rs.lab.started()
	rs.lab.Tell()
	rs.runAll(c)
}

// Confirmation is the announcement after a rerun of the inputs on screen; "" after any other run.
func (rs *runner[I]) Confirmation(b *Batch[I]) string {
	switch {
	case b.call.repeats == "" || b.Report == nil || b.Partial():
		return ""
	case b.Report.Results == b.call.repeats:
		return "Same input, same result: " + rs.lab.system.Screen().Says
	}
	return "Same input, different result. This is a bug in Berth: save the report and send it to the authors."
}

// lacks reports whether an input is missing, and says which.
func (rs *runner[I]) lacks() bool {
	missing := rs.lab.Inputs.Missing()
	if missing != "" {
		rs.lab.Files.Trouble = missing
	}
	return missing != ""
}

// Failed ends a run with an error. If the run was cancelled or replaced, it shows nothing and
// returns false.
func (rs *runner[I]) Failed(c *Call, err error) bool {
	wanted := c.ctx.Err() == nil && rs.lab.ended(c.generation, err)
	rs.End(c)
	return wanted
}

// End ends a call, whether it has a result or not.
func (rs *runner[I]) End(c *Call) {
	if rs.call == c {
		rs.stop()
	}
	rs.lab.Tell()
	rs.lab.Dials.follow()
}

// stop cancels the current call and its run. Invariant: without a call the phase is
// not Running.
func (rs *runner[I]) stop() {
	if rs.call != nil {
		rs.call.end()
		rs.call = nil
	}
	rs.lab.givenUp()
}

func (rs *runner[I]) markOf(s Screen[I]) string {
	switch {
	case !rs.lab.Dials.Current():
		return string(rs.lab.Phase)
	case s.Short:
		return shell.Partial
	}
	return shell.Done
}

// Status is the status line of the frame for the result on screen.
func (l *Lab[I]) Status() shell.Status {
	screen := l.system.Screen()
	s := shell.Status{State: l.Runs.markOf(screen), Message: screen.Says, Title: l.Inputs.Name()}
	if b := l.Runs.shown; b != nil {
		s.Engine, s.Scenario = b.Report.Engine, b.Document.Hash
		if d, ok := b.whole.Body.(scenario.Seeded); ok {
			s.Seed = strconv.FormatUint(*d.FirstSeed(), 10)
		}
		if !b.Partial() { // a stopped run is not repeatable
			s.Result = b.Report.Results
		}
	}
	return s
}

// Tell updates the frame: status line, error region and title of the page.
func (l *Lab[I]) Tell() {
	shell.SetStatus(l.Page, l.path(), l.Status())
	shell.SetError(l.Page, l.path(), l.problems())
	l.Intake.askAboutLeftOver()
	l.Address.goToPlace()
}

// Pending says why the result on screen does not belong to the inputs; "" if it does.
// running names the work of a run, such as "Running heuristic".
func (rs *runner[I]) Pending(running string) string {
	switch {
	case rs.lab.Dials.Current():
		return ""
	case rs.lab.Phase == Running:
		return running + " …" + rs.former()
	case rs.lab.Phase == Failed:
		return "The run failed. The result on screen is from earlier inputs."
	case rs.lab.waitsForRun() && rs.lab.Form.errors() > 0:
		return "Changed, with " + ui.Counted(rs.lab.Form.errors(), "error") + " to fix before it can run." + rs.former()
	case rs.lab.waitsForRun():
		return "Changed. The last run was long, so press Run to start this one." + rs.former()
	case rs.isOpening():
		return opening
	case rs.lab.Shown == nil:
		return cmp.Or(rs.lab.Inputs.Missing(), "Not run yet.")
	}
	return cmp.Or(rs.lab.Inputs.Missing(), "Changed.") + rs.former()
}

// opening is shown while inputs are being loaded.
const opening = "Opening …"

// isOpening reports whether inputs are being loaded, so that the user need not choose
// any.
func (rs *runner[I]) isOpening() bool {
	return rs.lab.Inputs.Blank() && (!rs.lab.Draft.begun || rs.lab.Address.awaited)
}

// Absent draws a message where an input is missing. The text what asks the user for that input.
func (rs *runner[I]) Absent(what string) app.UI {
	if rs.isOpening() {
		what = opening
	}
	return ui.Empty(what)
}

// former names the inputs of the result on screen, if that name differs from the current one.
func (rs *runner[I]) former() string {
	if rs.lab.Shown == nil || rs.lab.Shown.Inputs.Name() == rs.lab.Inputs.Name() {
		return ""
	}
	former := "other inputs"
	if name := rs.lab.Shown.Inputs.Name(); name != "" {
		former = "“" + show.Text(name) + "”"
	}
	return " The result on screen is still from " + former + "."
}

// Complain shows an error in the error region. what names the failure: "The link could
// not be opened".
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
