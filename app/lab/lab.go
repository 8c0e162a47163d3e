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
	Rest    time.Duration // between an edit and the check and run of the inputs; 0 in tests
}

// System describes one system's view. Nil fields and empty groups leave the feature
// out.
type System[I Inputs[I]] struct {
	Kind    *scenario.Kind             // of its scenarios
	TestID  string                     // prefix of the ids of shared controls and of the data-testids of Run, Cancel and the progress: "qos-"
	Inputs  func(*scenario.Scenario) I // makes inputs of a scenario of this kind; of nil, blank ones for the start and for Clear
	Screen  func() Screen[I]           // describes the result on screen
	Files   Files
	Checks  Checks[I]
	Runs    Runs[I]
	Places  Places
	Step    string   // singular of the things that are explained one by one: "job"; see [Lab.StepCommands]
	BuiltIn []string // names that a written policy must not have
	Parted  Parting  // nil: policies cannot be written as text
	Tour    []string // texts of the tour about picture, headline, explanation, player and dials
}

// Screen describes the result on screen to the Lab.
type Screen[I any] struct {
	Says  string             // the result in a sentence, or why there is none
	Short bool               // the result misses its goal
	Dials []Dial[I]          // the most influential numbers, in decreasing order
	Read  func(*Source) Read // what is known of a source
	Place url.Values         // the place in the result without the tab, as parameters of the address; empty for the default
}

// Read is what a reader has said of a source.
type Read struct {
	Size    string   // "3 jobs, 2 links"
	Assumed []string // remarks beside the diagnostics of the source
}

// Files describe the files that a system reads.
type Files struct {
	Arrived func([]*Source) // takes dropped or opened texts, and must call FilesRead
	Limit   ui.Sizes
	Also    sniff.Role      // roles accepted beyond the formats of the kind, although another kind recognises them first
	Reads   string          // name of the format, if the beginning of a file identifies it: "a graph in DOT"
	Memory  float64         // upper estimate of bytes of memory per byte of file; 0: negligible
	Named   map[string]bool // extensions of the accepted files, used where the beginning does not identify the format
}

// Checks find errors in inputs before they run.
type Checks[I Inputs[I]] struct {
	Look    Look[I] // reads inputs on trial, and inputs that have settled and do not run by themselves
	Settled func()  // replaces Look for settled inputs
	// Control maps a diagnostic about the inputs on screen to the id of the control
	// that corrects it and the message there; "" if no control does. [Lab.Found]
	// holds the diagnostics of sources.
	Control func(diag.Diagnostic) (id, text string)
	Repairs []Repair[I]
	Opens   bool // open the editor of the first source with errors
}

// Runs describe how inputs are run; see [Batch].
type Runs[I any] struct {
	// Begins is called when a part begins. It returns the questions that the part
	// answers together with its run, for the view's first picture, and the function
	// that draws the answers; nil for no questions. [bridge.Ask] finds the answers in
	// the result.
	Begins func(*Batch[I], *BatchRun) ([]bridge.Asked, Leading)
	// Shown updates the view for the batch on screen. It is called when more of the
	// batch has arrived or it is over, when another result is pinned or unpinned, and
	// when an undo restores its inputs.
	Shown func(b *Batch[I])
	Alone string // path of errors that concern one part alone, so that the results of other parts remain useful; "": no such errors
	Looks bool   // look at inputs also while they run, since a long run would report errors late
}

// Places are the locations in a result that links and commands lead to.
type Places struct {
	Tabs     []ui.Tab              // of the result, the default one first; the address names the tab on screen
	GoTo     func(url.Values) bool // shows a place that [Screen] named; false if it cannot yet
	Commands []shell.Command       // commands of this system that go to places
}

// Leading draws the first picture of a result from the answers in it, off the page's
// goroutine, and returns the function that puts the picture on screen. It may block.
type Leading func(context.Context, *bridge.Result) func()

// Lab is the part of a view that all systems share. Views embed it.
type Lab[I Inputs[I]] struct {
	State[I]
	Services

	Page    app.Context         // context of the view; outlives the elements that events come from
	Tab     string              // pane that a narrow screen shows, or the stage beside its picture
	Shows   string              // id of the tab of the result
	Dialog  string              // name of the open dialog, "" for none
	Trouble string              // an invalid file or a missing input, shown in the input pane
	Refused map[string]string   // errors about texts that a control refused, by the control's id
	Blamed  map[string][]string // errors of the engine about the inputs, by the control's id
	Editing *Source             // source whose editor is open; nil for none

	Replaced int // counts how often all inputs were replaced, by an undo or an example

	RecipeForm recipeForm // state of the generator's dialog

	diagnostics map[*Source]diag.List // errors and remarks about sources; no entry for sources not read yet
	system      System[I]
	bench       bool // show the workbench, not the stage
	begun       bool // the draft of the last visit was loaded
	asleep      bool // inputs wait unchecked, since another view is open
	call        *Call
	batch       *Batch[I]       // running; nil for none
	shownBatch  *Batch[I]       // on screen; nil for none
	pair        *pair[I]        // set while the first of a pair runs
	pin         *Pin[I]         // nil if nothing is pinned
	writing     *Call           // current export; nil for none
	exports     []Export        // entries of the export menu, for the command palette
	Things      []shell.Command // things of the result for the command palette, such as its jobs
	Complaint   string          // an error with no control or source, shown above the view
	share       share
	vary        vary
	drafts      drafts
	left        left
	lastIntake  *intake[I] // nil for none; [Lab.intake] leaves out an outdated one
	Looked      Looked[I]
	stopLook    func() // cancels the current look; nil for none
	dialling    dialling[I]
	desk        desk
	touring     touring
	Beside      time.Time   // start of other work beside the batches; zero while there is none
	bundle      *Bundle     // bundle whose repetition is awaited; nil for none
	place       url.Values  // place in the result that the address names; nil once shown
	located     int         // counts changes of the place in the result
	opening     Latest      // opening of links
	awaited     bool        // a link is being read
	listeners   []func()    // remove the listeners from the window
	known       map[any]any // answers about the result on screen and what follows from it; see [Know]
	saveName    string      // name in the dialog that saves

	exampleHashes map[string]string // by example name; only of examples that were compared
}

// Init sets up blank inputs; views call it in OnInit.
func (l *Lab[I]) Init(s System[I]) {
	l.system = s
	l.Inputs, l.Phase = s.Inputs(nil), Idle
	if len(s.Places.Tabs) > 0 {
		l.Shows = s.Places.Tabs[0].ID
	}
	l.Refused, l.Blamed, l.exampleHashes = map[string]string{}, map[string][]string{}, map[string]string{}
	l.left.kept, l.desk.asked = map[string]bool{}, map[string]bool{}
	l.ForgetFound()
}

// OnMount loads the draft of the last visit, the link in the address, or the first
// example.
func (l *Lab[I]) OnMount(ctx app.Context) {
	l.Page = ctx
	l.bench = ui.Stored(l.stageKey()) == onWorkbench && !shell.Embedded()
	shell.SetCommands(ctx, l.path(), l.commands())
	shell.SetFinder(ctx, l.path(), l.found)
	if l.system.Files.Arrived != nil {
		shell.OnFiles(ctx, l.path(), l.TakeAll)
	}
	l.listenToAddress()
	l.listenToLeaving()
	l.Shelf.Tell(ctx)
	l.begin()
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

func (l *Lab[I]) listen(event string, handle app.EventHandler) {
	l.listeners = append(l.listeners, ui.Listen(l.Page, event, handle))
}

// OnNav handles a pending request of another view.
func (l *Lab[I]) OnNav(app.Context) {
	if !l.begun || l.takeRequest() {
		return
	}
	if l.active() {
		l.Located()
	}
	if l.asleep && l.active() {
		l.asleep = false
		l.settle(0)
	}
}

func (l *Lab[I]) path() string { return l.system.Kind.Path }

func (l *Lab[I]) active() bool { return shell.Active(l.Page, l.path()) }

func (l *Lab[I]) commands() []shell.Command {
	do := func(f func()) func(app.Context) { return func(app.Context) { f() } }
	commands := []shell.Command{
		{ID: shell.CommandRun, Name: "Run", Keys: []string{"r", "Ctrl+Enter"}, Do: do(l.Run)},
		{ID: "cancel", Name: "Cancel the run", Do: do(l.Cancel)},
		{ID: shell.CommandShare, Name: "Share as a link", Keys: []string{"s"}, Do: do(l.openShare)},
		{ID: "save", Name: "Save to the library", Keys: []string{"Ctrl+s"}, Do: do(l.openSave)},
		{ID: "vary", Name: "Vary a field over several values and seeds", Do: do(l.openVary)},
		{ID: "undo", Name: "Undo", Keys: []string{"u", "Ctrl+z"}, Do: do(l.GoBack)},
		{ID: "redo", Name: "Redo", Keys: []string{"y", "Ctrl+y", "Ctrl+Shift+z"}, Do: do(l.GoForth)},
		{ID: "clear", Name: "Clear all inputs", Do: do(l.clear)},
		{ID: "stage", Name: "Switch between stage and workbench", Keys: []string{"w"}, Do: do(l.switchStage)},
	}
	for _, p := range []struct{ pane, name string }{{ui.PaneResult, "result"}, {ui.PaneCompare, "comparison"}, {ui.PaneWhy, "explanation"}} {
		commands = append(commands, shell.Command{ID: l.system.Kind.Name + "-" + p.pane, Name: "Go to the " + p.name, Part: p.name, Do: do(func() { l.goToPane(p.pane) })})
	}
	return append(commands, l.system.Places.Commands...)
}

// goToPane shows a pane and moves the focus there. For the inputs, which the stage
// lacks, it switches to the workbench.
func (l *Lab[I]) goToPane(pane string) {
	l.Tab = pane
	l.bench = l.bench || pane == ui.PaneInput
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

// noticeButton is a button of a notice.
type noticeButton struct {
	name string
	do   func()
}

// notice shows a notice in place of the one with the same id, or removes that if text
// is "".
func (l *Lab[I]) notice(id, text string, answers ...noticeButton) {
	n := shell.Notice{ID: id, Text: text}
	for _, a := range answers {
		n.Actions = append(n.Actions, shell.Command{Name: a.name, Do: func(app.Context) { a.do() }})
	}
	shell.SetNotice(l.Page, l.path(), n)
}

// Edit changes the inputs by one of the controls.
func (l *Lab[I]) Edit(name string, change func(I)) {
	in := l.Inputs.Clone()
	change(in)
	l.edit(name, in)
}

func (l *Lab[I]) edit(name string, in I) {
	l.place = nil
	l.forgetDial()
	l.replace(name, in)
	l.Edited(l.Rest)
}

// Edited must follow every change of the inputs: after the rest they are checked,
// kept as a draft, and run.
func (l *Lab[I]) Edited(rest time.Duration) {
	l.Trouble, l.Complaint = "", ""
	l.forgetBundle()
	l.settle(rest)
}

func (l *Lab[I]) settle(rest time.Duration) {
	l.leaveLink()
	l.Tell()
	generation := l.generation
	l.Page.After(rest, func(app.Context) {
		if generation == l.generation {
			l.settled()
		}
		if l.Following() {
			l.Page.PreventUpdate()
		}
	})
}

func (l *Lab[I]) settled() {
	if !l.Following() {
		l.KeepDraft()
	}
	l.Blamed = map[string][]string{}
	if l.Phase == Done { // an undo restored the inputs on screen, after inputs with errors
		l.forgetErrors()
	}
	if l.runsItself() {
		l.Run()
		return
	}
	l.lookOver()
}

// lookOver looks for errors and remarks in inputs that do not run.
func (l *Lab[I]) lookOver() {
	switch {
	case l.system.Checks.Settled != nil:
		l.system.Checks.Settled()
	case l.Phase == Idle && l.Size(l.Inputs) <= mostLooked:
		l.Look()
	}
	l.Tell()
}

// GoBack undoes the last change and GoForth redoes it.
func (l *Lab[I]) GoBack()  { l.goAlong("Undone: ", l.back) }
func (l *Lab[I]) GoForth() { l.goAlong("Redone:  ", l.forth) }

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
	if !l.mayGiveWay() {
		return
	}
	before := l.Inputs
	l.replace("clear", l.system.Inputs(nil))
	l.replaced(before)
	shell.Announce(l.Page, "Cleared. Undo brings it back.")
}

func (l *Lab[I]) replaced(before I) {
	l.Refused = map[string]string{}
	l.forgetDial()
	l.Page.Defer(func(app.Context) { ui.FillControls(true) })
	l.Replaced++
	l.keepEditor(before)
	if l.Phase == Done {
		l.refresh()
	}
	l.Edited(0)
}

// Unname removes the name of an example or a link when the user's own sources come: it would
// be wrong for them.
func (l *Lab[I]) Unname(in I) {
	if !l.Unsaved || slices.ContainsFunc(l.examples(), func(e examples.Example) bool { return e.Scenario.Name == in.Name() }) {
		in.SetName("")
	}
}
