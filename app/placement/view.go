package placement

import (
	"context"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/library"
	"berth/app/shell"
	"berth/app/ui"
	"berth/engine/placement/drawing"
	"berth/engine/scenario"
	"berth/wasm/bridge"
	"berth/wasm/graphviz"
)

// Path is where the view stands in the site.
const Path = "/placement"

// settleTime is how long the inputs must rest before they are checked and run.
const settleTime = 300 * time.Millisecond

// Renderer draws DOT as SVG; it blocks.
type Renderer interface {
	Render(ctx context.Context, dot []byte, o graphviz.Options) ([]byte, error)
}

// Services are what the view needs of the world.
type Services struct {
	Engine   *bridge.Pool
	Renderer Renderer
	Shelf    *library.Shelf
}

// View is the placement laboratory.
type View struct {
	app.Compo
	Services

	state
	page app.Context // of this component: outlives the elements that events come from
	tab  string      // pane that a narrow screen shows

	begun bool // the work of the last visit was taken up

	call     *call // the run under way
	progress ui.Meter

	checks  map[*graph]*check
	editing *graph // the one whose editor is open
	dialog  string // the open dialog, "" for none

	trouble   string // what is wrong with a field or missing, shown in the input pane
	complaint string // what went wrong elsewhere, shown above the view

	shown int // number of the strategy whose result is shown

	generator generator
	picture   picture
	why       why
	share     share
	saveName  string // in the dialog that saves
}

// New returns what makes the view, for the shell.
func New(s Services) func() app.Composer {
	return func() app.Composer { return &View{Services: s} }
}

// OnInit begins with nothing.
func (v *View) OnInit() {
	v.inputs = emptyInputs()
	v.phase = idle
	v.checks = map[*graph]*check{}
	v.picture.view, v.picture.deployment = drawing.ResultView, scenario.AllDeployments
	v.why.tab = whyRow
}

// OnMount takes up the work that was left, the link in the address, or the
// first example.
func (v *View) OnMount(ctx app.Context) {
	v.page = ctx
	shell.SetCommands(ctx, Path, v.commands())
	shell.OnFiles(ctx, Path, v.dropped)
	v.listenToAddress()
	v.begin()
}

// OnNav opens what another view asked for.
func (v *View) OnNav(app.Context) {
	if v.begun {
		v.takeRequest()
	}
}

// later runs work away from the page's goroutine, where it may block, and then
// on it.
func (v *View) later(work func(), then func()) {
	v.page.Async(func() {
		work()
		v.page.Dispatch(func(app.Context) { then() })
	})
}

func (v *View) commands() []shell.Command {
	do := func(f func()) func(app.Context) { return func(app.Context) { f() } }
	return []shell.Command{
		{ID: shell.CommandRun, Name: "Run", Keys: []string{"r", "Ctrl+Enter"}, Do: do(v.run)},
		{ID: "cancel", Name: "Cancel the run", Do: do(v.cancel)},
		{ID: shell.CommandShare, Name: "Share as a link", Keys: []string{"s"}, Do: do(v.openShare)},
		{ID: "save", Name: "Save to the library", Keys: []string{"Ctrl+s"}, Do: do(v.openSave)},
		{ID: "undo", Name: "Undo", Keys: []string{"u"}, Do: do(v.goBack)},
		{ID: "redo", Name: "Redo", Keys: []string{"y"}, Do: do(v.goForth)},
		{ID: "clear", Name: "Clear all inputs", Do: do(v.clear)},
		{ID: "next", Name: "Explain the next job", Keys: []string{"n"}, Do: do(v.nextStep)},
		{ID: "previous", Name: "Explain the previous job", Keys: []string{"p"}, Do: do(v.previousStep)},
	}
}

// edited follows every change of the inputs: once they have rested for a
// while, they are checked, kept as a draft, and run.
func (v *View) edited(rest time.Duration) {
	v.trouble, v.complaint = "", ""
	v.settle(rest)
}

func (v *View) settle(rest time.Duration) {
	v.leaveLink()
	v.tell()
	v.fillFields()
	generation := v.generation
	v.page.After(rest, func(app.Context) {
		if generation == v.generation {
			v.settled()
		}
	})
}

func (v *View) settled() {
	v.keepDraft()
	if v.runsItself() {
		v.run() // which checks the graphs by the way
		return
	}
	v.checkAll()
}

// edit is a change by one of the controls.
func (v *View) edit(name string, change func(*inputs)) {
	v.change(name, change)
	v.edited(settleTime)
}

// replaceAll opens an example, a link or a saved scenario.
func (v *View) replaceAll(name string, in inputs) {
	v.open(name, in)
	v.editing = nil
	v.edited(0)
}

func (v *View) goBack()  { v.travel("Undone: ", v.back) }
func (v *View) goForth() { v.travel("Done again: ", v.forth) }

func (v *View) travel(verb string, move func() (name string)) {
	index := v.inputs.index(v.editing)
	name := move()
	if name == "" {
		return
	}
	v.editing = v.inputs.at(index)
	shell.Announce(v.page, verb+name+".")
	v.edited(0)
}

func (v *View) clear() {
	v.change("clear", func(in *inputs) { *in = emptyInputs() })
	v.editing = nil
	v.edited(0)
	shell.Announce(v.page, "Cleared. Undo brings it back.")
}

func (v *View) selectTab(tab string) { v.tab = tab }

// Render draws the four panes and the open dialog.
func (v *View) Render() app.UI {
	return app.Div().Class("placement").Body(
		&ui.Workbench{ID: "placement", Title: "Placement", Tab: v.tab, OnTab: v.selectTab,
			Input:   ui.Pane{Title: "Input", Tools: v.inputTools, Body: v.inputPane},
			Result:  ui.Pane{Title: "Result", Tools: v.resultTools, Body: v.resultPane},
			Compare: ui.Pane{Title: "Compare", Body: v.comparePane},
			Why:     ui.Pane{Title: "Why", Tools: v.whyTools, Body: v.whyPane},
		},
		v.generateDialog(),
		v.pasteDialog(),
		v.shareDialog(),
		v.saveDialog(),
	)
}
