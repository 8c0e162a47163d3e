package lab

import (
	"context"
	"net/url"
	"slices"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/library"
	"berth/app/shell"
	"berth/app/ui"
	"berth/engine/diag"
	"berth/engine/input/format/sniff"
	"berth/engine/scenario"
	"berth/examples"
	"berth/wasm/bridge"
	"berth/wasm/store"
)

// Services are the dependencies of every view.
type Services struct {
	Engine  *bridge.WorkerPool
	Workers int // maximum number of workers of the engine
	Shelf   *library.Shelf
	Drafts  *store.Tab
	Rest    time.Duration // pause between an edit and the check and run of the inputs; 0 in tests
}

// System describes the view of one system. The view lacks the features whose fields are nil or
// empty.
type System[I Inputs[I]] struct {
	Kind    *scenario.Kind             // of its scenarios
	TestID  string                     // prefix of the ids of shared controls and of the data-testids of Run, Cancel and the progress: "qos-"
	Inputs  func(*scenario.Scenario) I // makes inputs from a scenario of this kind, or blank inputs from nil
	Screen  func() Screen[I]           // describes the result on screen
	Files   Files
	Slots   []Slot // if the inputs are [Slotted]
	Checks  Checks[I]
	Runs    Runs[I]
	Places  Places
	Step    string   // singular noun for a step of the explanation: "job"; see [Lab.StepCommands]
	BuiltIn []string // names that a written policy must not have
	Parted  Parting  // nil: policies cannot be written as text
	Tour    []string // texts of the tour about picture, headline, explanation, player and dials
}

// Screen describes the result on screen to the Lab.
type Screen[I any] struct {
	Says  string             // the result in a sentence or, without a result, the reason
	Short bool               // the result misses its goal
	Dials []Dial[I]          // the most influential numbers, in decreasing order
	Read  func(*Source) Read // describes the part of a source that has been read
	Place url.Values         // the place in the result without the tab, as parameters of the address; empty for the default
}

// Read describes a source that was read.
type Read struct {
	Size    string   // "3 jobs, 2 links"
	Assumed []string // remarks beyond the diagnostics of the source
}

// Files describe the files that a system reads.
type Files struct {
	Arrived func([]*Source) // takes dropped or opened texts, and must call FilesRead
	Limit   ui.Sizes
	Accept  string          // accept attribute of the file inputs of [Slot]
	Also    sniff.Role      // roles accepted even if another kind recognises their format
	Reads   string          // name of the format, if the beginning of a file identifies it: "a graph in DOT"
	Memory  float64         // upper estimate of bytes of memory per byte of file; 0: negligible
	Named   map[string]bool // accepted extensions, for files whose beginning does not identify the format
}

// Checks find errors in inputs before they run.
type Checks[I Inputs[I]] struct {
	Look    Look[I] // reads inputs before they are accepted, and settled inputs that wait for a click
	Settled func()  // replaces Look for settled inputs
	// Control maps a diagnostic about the inputs on screen to the id of the control that corrects
	// it, and to the message at that control; "" if there is none. [entryForm.Found] holds the
	// diagnostics of sources.
	Control func(diag.Diagnostic) (id, text string)
	Repairs []Repair[I]
	Opens   bool // open the editor of the first source with errors
}

// Runs describe how inputs are run; see [Batch].
type Runs[I any] struct {
	// Begins is called when a part begins. It returns the questions that the part answers with its
	// run, for the view's first picture, and the function that draws the answers; nil for no
	// questions. [bridge.Ask] finds the answers in the result.
	Begins func(*Batch[I], *BatchRun) ([]bridge.Asked, Leading)
	// Shown updates the view for the batch on screen. It is called when the batch has more results
	// or is over, when another result is pinned or unpinned, and when an undo restores the inputs.
	Shown func(b *Batch[I])
	Alone string // path of errors that concern only one part, so that the other results remain useful; "" for none
	Looks bool   // read inputs also during their run, because a long run would report errors late
}

// Places are the locations in a result that links and commands lead to.
type Places struct {
	Tabs     []ui.Tab              // of the result, the default one first; the address names the tab on screen
	GoTo     func(url.Values) bool // shows a place that [Screen] named; false if it cannot show it yet
	Commands []shell.Command       // commands of this system that go to places
}

// Leading draws the first picture of a result from its answers, off the page's goroutine, and
// returns the function that shows the picture. It may block.
type Leading func(context.Context, *bridge.Result) func()

// Lab is the part of a view that all systems share: the inputs with their history, and one field
// for each task. Views embed it.
type Lab[I Inputs[I]] struct {
	State[I]
	Services

	Page      app.Context     // context of the view; outlives the elements that events come from
	Tab       string          // pane on a narrow screen, or the stage beside its picture
	Shows     string          // id of the tab of the result
	Dialog    string          // name of the open dialog, "" for none
	Complaint string          // an error with no control or source, shown above the view
	Replaced  int             // how often all inputs were replaced, by an undo or an example
	Things    []shell.Command // objects of the result for the command palette, such as its jobs

	Runs      runner[I]
	Form      entryForm[I]
	Files     fileReader[I]
	Slots     slotForm[I]
	Intake    intakes[I]
	Generator generating[I]
	Policies  desk[I]
	Dials     dials[I]
	Pins      comparison[I]
	Varying   varying[I]
	Opening   opener[I]
	Draft     drafts[I]
	Address   address[I]
	Sharing   sharing[I]
	Lecture   lecture[I]
	Exports   exports[I]
	Stage     arrangement[I]
	Tour      tour[I]

	system    System[I]
	listeners []func()    // remove the listeners from the window
	known     map[any]any // answers about the result on screen and values computed from it; see [Know] and [Once]
}

// Init sets up blank inputs; views call it in OnInit.
func (l *Lab[I]) Init(s System[I]) {
	l.system = s
	l.Inputs, l.Phase = s.Inputs(nil), Idle
	l.Runs.lab, l.Form.lab, l.Files.lab, l.Slots.lab, l.Intake.lab, l.Generator.lab, l.Policies.lab, l.Dials.lab, l.Pins.lab = l, l, l, l, l, l, l, l, l
	l.Varying.lab, l.Opening.lab, l.Draft.lab, l.Address.lab, l.Sharing.lab, l.Exports.lab, l.Stage.lab, l.Tour.lab, l.Lecture.lab = l, l, l, l, l, l, l, l, l
	if len(s.Places.Tabs) > 0 {
		l.Shows = s.Places.Tabs[0].ID
	}
	l.Form.Refused, l.Form.Blamed, l.Opening.exampleHashes = map[string]string{}, map[string][]string{}, map[string]string{}
	l.Intake.kept, l.Policies.asked = map[string]bool{}, map[string]bool{}
	l.Form.ForgetFound()
}

// OnMount loads the draft of the last visit, the link in the address, or the first
// example.
func (l *Lab[I]) OnMount(ctx app.Context) {
	l.Page = ctx
	l.Stage.bench = ui.Stored(l.Stage.stageKey()) == onWorkbench && !shell.Embedded()
	shell.SetCommands(ctx, l.path(), l.commands())
	shell.SetFinder(ctx, l.path(), l.found)
	if l.system.Files.Arrived != nil {
		shell.OnFiles(ctx, l.path(), l.Files.TakeAll)
	}
	l.Address.listen()
	l.Draft.listenToLeaving()
	l.Shelf.Tell(ctx)
	l.Draft.begin()
}

// OnPreRender is OnMount for the static build, which has no browser.
func (l *Lab[I]) OnPreRender(ctx app.Context) { l.OnMount(ctx) }

// OnDismount removes the listeners from the window.
func (l *Lab[I]) OnDismount() {
	for _, end := range l.listeners {
		end()
	}
	l.listeners = nil
}

// Listen is [ui.Listen] while the view is mounted.
func (l *Lab[I]) Listen(event string, handle app.EventHandler) {
	l.listeners = append(l.listeners, ui.Listen(l.Page, event, handle))
}

// OnNav handles a pending request of another view.
func (l *Lab[I]) OnNav(app.Context) {
	if !l.Draft.begun || l.Opening.takeRequest() {
		return
	}
	if l.active() {
		l.Address.Located()
	} else {
		l.Lecture.end()
	}
	if l.Address.asleep && l.active() {
		l.Address.asleep = false
		l.settle(0)
	}
}

func (l *Lab[I]) path() string { return l.system.Kind.Path }

func (l *Lab[I]) active() bool { return shell.Active(l.Page, l.path()) }

func (l *Lab[I]) commands() []shell.Command {
	do := func(f func()) func(app.Context) { return func(app.Context) { f() } }
	commands := []shell.Command{
		{ID: shell.CommandRun, Name: "Run", Keys: []string{"r", "Ctrl+Enter"}, Do: do(l.Runs.Run)},
		{ID: "cancel", Name: "Cancel the run", Do: do(l.Runs.Cancel)},
		{ID: shell.CommandShare, Name: "Share as a link", Keys: []string{"s"}, Do: do(l.Sharing.open)},
		{ID: "save", Name: "Save to the library", Keys: []string{"Ctrl+s"}, Do: do(l.Draft.openSave)},
		{ID: "vary", Name: "Vary a field over several values and seeds", Do: do(l.Varying.open)},
		{ID: "undo", Name: "Undo", Keys: []string{"u", "Ctrl+z"}, Do: do(l.GoBack)},
		{ID: "redo", Name: "Redo", Keys: []string{"y", "Ctrl+y", "Ctrl+Shift+z"}, Do: do(l.GoForth)},
		{ID: "present", Name: "Save steps and present them", Do: do(l.Lecture.toggle)},
		{ID: "clear", Name: "Clear all inputs", Do: do(l.clear)},
		{ID: "stage", Name: "Switch between stage and workbench", Keys: []string{"w"}, Do: do(l.Stage.switchOver)},
	}
	for _, p := range []struct{ pane, name string }{{ui.PaneResult, "result"}, {ui.PaneCompare, "comparison"}, {ui.PaneWhy, "explanation"}} {
		commands = append(commands, shell.Command{ID: l.system.Kind.Name + "-" + p.pane, Name: "Go to the " + p.name, Part: p.name, Do: do(func() { l.goToPane(p.pane) })})
	}
	return append(commands, l.system.Places.Commands...)
}

// goToPane shows a pane and focuses it. The stage lacks the inputs, so for these it switches to the
// workbench.
func (l *Lab[I]) goToPane(pane string) {
	l.Tab = pane
	l.Stage.bench = l.Stage.bench || pane == ui.PaneInput
	ui.Focus(l.Page, l.system.Kind.Name+"-"+pane)
}

// Later is [Later] with the context of the view.
func (l *Lab[I]) Later(work, then func()) { Later(l.Page, work, then) }

// Later runs work, which may block, off the page's goroutine and then runs then on
// it.
func Later(page app.Context, work, then func()) {
	page.Async(func() {
		work()
		page.Dispatch(func(app.Context) { then() })
	})
}

// Try is Later for work that returns an error.
func (l *Lab[I]) Try(work func() error, then func(error)) {
	var err error
	l.Later(func() { err = work() }, func() { then(err) })
}

// notice shows a notice instead of the one with the same id. If text is "", it removes that notice.
func (l *Lab[I]) notice(id, text string, answers ...shell.Command) {
	shell.SetNotice(l.Page, l.path(), shell.Notice{ID: id, Text: text, Actions: answers})
}

// Edit applies a change that the user makes with a control. name labels the undo step.
func (l *Lab[I]) Edit(name string, change func(I)) {
	in := l.Inputs.Clone()
	change(in)
	l.edit(name, in)
}

func (l *Lab[I]) edit(name string, in I) {
	l.Address.place = nil
	l.Dials.forget()
	l.replace(name, in)
	l.Edited(l.Rest)
}

// Edited must follow every change of the inputs. After the pause rest, they are checked, stored as
// a draft, and run.
func (l *Lab[I]) Edited(rest time.Duration) {
	l.Files.Trouble, l.Complaint = "", ""
	l.Opening.forgetBundle()
	l.settle(rest)
}

func (l *Lab[I]) settle(rest time.Duration) {
	l.Address.leaveLink()
	l.Tell()
	generation := l.generation
	l.Page.After(rest, func(app.Context) {
		if generation == l.generation {
			l.settled()
		}
		if l.Dials.Following() {
			l.Page.PreventUpdate()
		}
	})
}

func (l *Lab[I]) settled() {
	if !l.Dials.Following() {
		l.Draft.KeepDraft()
	}
	l.Form.Blamed = map[string][]string{}
	if l.Phase == Done { // an undo of an invalid edit restored the inputs on screen
		l.Form.forgetErrors()
	}
	if l.runsItself() {
		l.Runs.Run()
		return
	}
	l.lookOver()
}

// lookOver looks for errors and remarks in inputs that do not run.
func (l *Lab[I]) lookOver() {
	switch {
	case l.system.Checks.Settled != nil:
		l.system.Checks.Settled()
	case l.Phase == Idle && l.Files.Size(l.Inputs) <= mostLooked:
		l.Runs.Look()
	}
	l.Tell()
}

// GoBack undoes the last change and GoForth redoes it.
func (l *Lab[I]) GoBack()  { l.goAlong("Undone: ", l.back) }
func (l *Lab[I]) GoForth() { l.goAlong("Redone: ", l.forth) }

func (l *Lab[I]) goAlong(verb string, move func() (name string)) {
	before := l.Inputs
	name := move()
	if name == "" {
		return
	}
	l.replaced(before)
	shell.Announce(l.Page, verb+name+".")
}

func (l *Lab[I]) clear() {
	if !l.Runs.mayGiveWay() {
		return
	}
	before := l.Inputs
	l.replace("clear", l.system.Inputs(nil))
	l.replaced(before)
	shell.Announce(l.Page, "Cleared. Undo brings it back.")
}

func (l *Lab[I]) replaced(before I) {
	l.Form.Refused = map[string]string{}
	l.Dials.forget()
	l.Page.Defer(func(app.Context) { ui.FillControls(true) })
	l.Replaced++
	l.Files.keepEditor(before)
	if l.Phase == Done {
		l.Runs.refresh()
	}
	l.Edited(0)
}

// Unname removes the name of an example or a link, because it no longer fits inputs with the user's
// own sources.
func (l *Lab[I]) Unname(in I) {
	if !l.Unsaved || slices.ContainsFunc(l.Opening.examples(), func(e examples.Example) bool { return e.Scenario.Name == in.Name() }) {
		in.SetName("")
	}
}
