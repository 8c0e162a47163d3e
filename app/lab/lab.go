package lab

import (
	"context"
	"net/url"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/library"
	"berth/app/shell"
	"berth/app/ui"
	"berth/engine/diag"
	"berth/engine/format/sniff"
	"berth/engine/scenario"
	"berth/wasm/bridge"
	"berth/wasm/store"
)

// Services are what every view needs of the world.
type Services struct {
	Engine  *bridge.Pool
	Workers int // of the engine, at most
	Shelf   *library.Shelf
	Drafts  *store.Tab
	Rest    time.Duration // of inputs before they are checked and run; tests do not wait
}

// System is what tells one system's view from the others. What it leaves nil, and groups
// that it leaves empty, are left out.
type System[I any] struct {
	Kind    *scenario.Kind             // of its scenarios
	TestID  string                     // before the ids of the shared controls, and the data-testids of Run, Cancel and the progress: "qos-"
	Inputs  func(*scenario.Scenario) I // of a scenario of this kind; of nil, to begin with and after Clear
	Screen  func() Screen[I]           // what is on screen
	Files   Files
	Checks  Checks[I]
	Runs    Runs[I]
	Places  Places
	Step    string   // what is explained one after the other: "job"; see [Lab.StepCommands]
	BuiltIn []string // names that a policy written as text must not have
	Parted  Parting  // nil: no policy can be written as text
	Tour    []string // what the tour says of picture, headline, why, player and dials
}

// Screen is what is on screen, as far as others than the view need to know.
type Screen[I any] struct {
	Says  string     // what the result comes to, or why there is none
	Short bool       // the result misses what it was to reach
	Dials []Dial[I]  // the numbers that matter most in the result, the first one most
	Place url.Values // what of the result is shown beside the tab, as the address has it; empty for the default
}

// Files are what a system reads.
type Files struct {
	Arrived func([]*Source) // takes texts that were dropped or opened, and calls FilesRead
	Limit   ui.Sizes
	Also    sniff.Role      // what is taken beside what the kind reads, though another kind would be the first to
	Reads   string          // what the files are, if each can be told by its beginning: "a graph in DOT"
	Memory  float64         // bytes that a byte of a file may take; 0: no file takes much
	Named   map[string]bool // the extensions of such files, which say so even where that cannot be told
}

// Checks find what is wrong with inputs before they run.
type Checks[I any] struct {
	Look    Look[I] // reads inputs that are to be let in, or that have settled and do not run by themselves
	Settled func()  // does the latter in place of Look
	// Control is the id of the control of what is wrong with the inputs on screen, and what is
	// said there; "" where it is none's. What is wrong with sources [Lab.Found] has.
	Control func(diag.Diagnostic) (id, text string)
	Opens   bool // the editor of the first source with errors
}

// Runs are how inputs are run; see [Batch].
type Runs[I any] struct {
	// Begins is called when a part begins. It returns the questions that the part answers
	// together with its run: what is shown of it first, with what makes a picture of the
	// answers, nil for nothing. [bridge.Ask] finds the answers in the result.
	Begins func(*Batch[I], *Part) ([]bridge.Asked, Leading)
	// Shown brings the view up to date with the batch on screen. It is called when more of it
	// has arrived, when it is over, when another result or none is pinned, when its inputs
	// come back, and when the page turns to its stage, its workbench or another tab: what
	// follows from none of these has to stay as it is. Since the last call the report of the
	// batch has changed (another), or that or the pinned one (others).
	Shown func(b *Batch[I], another, others bool)
	Alone string // path of what is wrong with one part alone, and leaves the others their worth; "": nothing is
	Looks bool   // inputs are looked at while they run, too: a long run is known before it ends
}

// Places are what can be gone to in a result.
type Places struct {
	Tabs     []ui.Tab              // of the result, the first one to begin with; the address has which is shown
	GoTo     func(url.Values) bool // shows what [Screen] names, or says false while that cannot be
	Commands []shell.Command       // that lead there, of this system alone
}

// Leading makes what is shown together with a result, and returns what puts that on screen;
// it blocks.
type Leading func(context.Context, *bridge.Result) func()

// Lab is the part of a view that is the same for all systems. Views embed it.
type Lab[I Inputs[I]] struct {
	State[I]
	Services

	Page    app.Context         // of the view: outlives the elements that events come from
	Tab     string              // pane that a narrow screen shows
	Shows   string              // tab of the result
	Dialog  string              // name of the open dialog, "" for none
	Trouble string              // what is wrong with a file or missing, shown in the input pane
	Refused map[string]string   // what is wrong with texts that were refused, by the id of their control
	Blamed  map[string][]string // what is wrong with the inputs for the engine, as above
	Editing *Source             // whose editor is open; nil for none

	Replaced int // how often all inputs gave way to others: by an undo, an example

	RecipeForm recipeForm // of the dialog that generates

	told       map[*Source]diag.List // what is wrong or remarkable with sources, as far as it is known
	system     System[I]
	bench      bool // the workbench is shown, not the stage
	begun      bool // the work of the last visit was taken up
	asleep     bool // it was left alone: the address belongs to another view
	call       *Call
	batch      *Batch[I]           // under way; nil if there is none
	shownBatch *Batch[I]           // that is on screen; nil if there is none
	drawn      [2]*scenario.Report // that the view is up to date with: on screen, and pinned
	pair       *pair[I]            // the first one runs; nil if there is none
	pin        *Pin[I]             // nil if there is none
	writing    *Call               // the export under way
	exports    []Export            // what the menu lists, to be found by name
	Things     []shell.Command     // of the result, to be found by name: its jobs
	Complaint  string              // what went wrong elsewhere, shown above the view
	share      share
	vary       vary
	drafts     drafts
	left       left
	gone       gone[I]
	looking    looking[I]
	dialling   dialling[I]
	desk       desk
	touring    touring
	Beside     time.Time  // when other work began that runs beside the batches; zero while there is none
	bundle     *Bundle    // whose run is awaited; nil if there is none
	place      url.Values // in the result, that the address leads to; nil once it is shown
	located    int        // how often the place in the result has changed
	opening    Latest     // links
	awaited    bool       // it was not read yet
	listeners  []func()   // that end listening to the window
	saveName   string     // in the dialog that saves

	exampleHashes map[string]string // by the examples' names, of those that were compared
}

// Init begins with nothing; it is for OnInit.
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

// OnMount takes up the work that was left, the link in the address, or the first
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

// OnPreRender is OnMount for the build, where there is no browser.
func (l *Lab[I]) OnPreRender(ctx app.Context) { l.OnMount(ctx) }

// OnDismount ends listening to the window.
func (l *Lab[I]) OnDismount() {
	for _, end := range l.listeners {
		end()
	}
	l.listeners = nil
}

func (l *Lab[I]) listen(event string, handle app.EventHandler) {
	l.listeners = append(l.listeners, ui.Listen(l.Page, event, handle))
}

// OnNav opens what another view asked for.
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

// goToPane shows a pane and moves the focus there. The stage has no other than the
// result and the explanation.
func (l *Lab[I]) goToPane(pane string) {
	l.Tab = pane
	l.bench = l.bench || pane == ui.PaneCompare || pane == ui.PaneInput
	ui.Focus(l.Page, l.system.Kind.Name+"-"+pane)
}

// Later runs work away from the page's goroutine, where it may block, and then
// on it.
func (l *Lab[I]) Later(work func(), then func()) {
	l.Page.Async(func() {
		work()
		l.Page.Dispatch(func(app.Context) { then() })
	})
}

// Try is Later with the error of the work.
func (l *Lab[I]) Try(work func() error, then func(error)) {
	var err error
	l.Later(func() { err = work() }, func() { then(err) })
}

// Edit is a change by one of the controls.
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

// Edited follows every change of the inputs: once they have rested for a
// while, they are checked, kept as a draft, and run.
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
	})
}

func (l *Lab[I]) settled() {
	l.KeepDraft()
	l.Blamed = map[string][]string{}
	if l.Phase == Done { // an undo came back to what is shown, from inputs that had errors
		l.forgetErrors()
	}
	if l.runsItself() {
		l.Run()
		return
	}
	l.lookOver()
}

// lookOver finds out what is wrong or remarkable with inputs that are not run.
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

// Unname takes away the name of an example or a link whose inputs give way: it
// would be wrong for others.
func (l *Lab[I]) Unname(in I) {
	if !l.Unsaved {
		in.SetName("")
	}
}
