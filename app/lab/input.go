package lab

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/shell"
	"berth/app/ui"
	"berth/engine/scenario"
	"berth/engine/show"
)

// tools returns the controls in the title of the input pane: the examples, Undo, Redo
// and Clear.
func (l *Lab[I]) tools() []app.UI {
	return []app.UI{
		l.Opening.exampleMenu(),
		historyButton("undo", "Undo", l.undo.CanUndo(), l.GoBack),
		historyButton("redo", "Redo", l.undo.CanRedo(), l.GoForth),
		ui.IconButton("trash", "Clear all inputs").OnClick(func(app.Context, app.Event) { l.clear() }),
	}
}

func historyButton(icon, verb, what string, press func()) app.UI {
	label := verb
	if what != "" {
		label += " “" + what + "”"
	}
	return ui.Disabled(ui.IconButton(icon, label), what == "").OnClick(func(app.Context, app.Event) { press() }, app.EventScope(verb))
}

// InputPane draws the pane of inputs: the name, the fields of the view, a
// message about missing or invalid inputs, the policies, the options, and the run bar,
// which does not scroll.
func (l *Lab[I]) InputPane(fields []app.UI, options app.UI) app.UI {
	// Each part has a wrapper: go-app replaces an element whose index changes, and an
	// open group of options would close.
	return app.Div().Class("inputs").Body(
		app.Div().Class("inputs-scroll").Body(
			l.Form.nameField(),
			app.Div().Body(fields...),
			app.Div().Body(app.If(l.Files.Trouble != "", func() app.UI { return ui.Problem(l.Files.Trouble) })),
			app.Div().Body(l.Policies.panel()),
			options,
		),
		l.Runs.runBar(),
	)
}

// runButton appears in the run bar, or on the stage.
func (rs *runner[I]) runButton() app.UI {
	run := ui.Button("play", "Run").Class("primary").DataSet("testid", rs.lab.system.TestID+"run").
		Title("Run (Ctrl+Enter)").
		OnClick(func(app.Context, app.Event) {
			if rs.lab.Ready() && !rs.lab.Stage.OnStage() {
				rs.lab.Tab = ui.PaneResult
			}
			rs.Run()
		})
	if rs.lab.waitsForRun() && rs.lab.Form.errors() == 0 {
		run.Class("wanted")
	}
	return run
}

func (rs *runner[I]) runBar() app.UI {
	return app.Div().Class("run-bar").Body(
		app.If(!rs.lab.Stage.OnStage(), rs.runButton),
		ui.Button("save", "Save").DataSet("testid", "save").DataSet("stop", "yes").
			Title("Save to the library (Ctrl+S)").
			OnClick(func(app.Context, app.Event) { rs.lab.Draft.openSave() }),
		ui.Button("right", "Vary …").DataSet("testid", "vary").
			Title("Run with several values of a field and several seeds").
			OnClick(func(app.Context, app.Event) { rs.lab.Varying.open() }),
		app.Small().Class("hint").Text(rs.runHint()),
	)
}

func (rs *runner[I]) runHint() string {
	switch {
	case rs.lab.reading > 0:
		return "Reading files …"
	case rs.lab.waitsForRun() && rs.lab.Form.errors() > 0:
		return "Fix " + ui.Counted(rs.lab.Form.errors(), "error") + ", then press Run."
	case rs.lab.waitsForRun():
		return "The last run was long. Press Run to start this one."
	case rs.lab.Unsaved:
		return "Not saved to the library."
	}
	return ""
}

// ResultStatus is the headline of the result with an icon for its state, and below it the non-empty
// sentences of details. A finished result that misses its goal looks partial.
func (f *entryForm[I]) ResultStatus(headline app.UI, details []string, buttons ...app.UI) app.HTMLDiv {
	state := f.lab.Runs.markOf(f.lab.system.Screen())
	details = slices.DeleteFunc(append([]string{f.lab.Dials.moved}, details...), func(text string) bool { return text == "" })
	status := app.Div().Class("result-status result-"+state).Role("status").
		DataSet("testid", cmp.Or(f.lab.system.TestID, "result-")+"status").
		DataSet("state", f.lab.Phase).
		Body(shell.StateIcon(state), app.Div().Body(
			app.Div().Class("headline").Body(append([]app.UI{app.Span().DataSet("testid", "headline").Body(headline)}, buttons...)...),
			app.If(len(details) > 0, func() app.UI {
				text := show.Words(strings.Join(details, " "))
				if f.lab.Dials.Following() { // definitions would be recreated for each picture
					return app.Div().Class("details").Text(text)
				}
				return app.Div().Class("details").Body(ui.Explained(text)...)
			})))
	if f.lab.Shown != nil {
		status.DataSet("scenario", f.lab.Shown.Document.Hash)
	}
	if b := f.lab.Runs.shown; b != nil && !b.Partial() {
		status.DataSet("result", b.Report.Results)
	}
	return status
}

// Dimmed extends the class of an element of the result, to dim it while the result
// belongs to earlier inputs.
func (f *entryForm[I]) Dimmed(class string) string {
	if f.lab.Dials.Current() {
		return class
	}
	return class + " dimmed"
}

// id makes an element id unique among the views, which stay in the document while
// hidden.
func (l *Lab[I]) id(name string) string { return l.system.TestID + name }

func (f *entryForm[I]) nameField() app.UI {
	id := f.lab.id("scenario-name")
	name := app.Input().Type("text").MaxLength(scenario.MaxName).Placeholder("unnamed")
	return f.Field(id, "Name", name, f.lab.Inputs.Name(), func(in I, text string) error {
		in.SetName(text)
		return nil
	})
}

// Field is a labelled field that shows a text and sets a value of the inputs. The
// view places the error message itself ([entryForm.WrongText]).
func (f *entryForm[I]) Field(id, label string, input app.HTMLInput, text string, set Setter[I]) app.UI {
	return ui.Field(id, label, f.Entry(id, label, input, text, set))
}

// Entry makes an input show a text of the inputs, and sets that text when the user changes it.
// Messages name the input by label. A refused text stays in the input.
func (f *entryForm[I]) Entry(id, label string, input app.HTMLInput, text string, set Setter[I]) app.HTMLInput {
	input = f.Marked(id, input.ID(id))
	if f.Refused[id] == "" {
		input = ui.Showing(input, text)
	}
	return ui.Taking(input, "change", func(_ app.Context, text string) { f.SetOption(id, label, text, set) }, id, label)
}

// NumberField is a field for one number of the inputs, which the user may pin as a
// dial.
func (f *entryForm[I]) NumberField(id, label string, whole bool, text func(in I) string, set Setter[I]) app.UI {
	return f.lab.Dials.Pinnable(f.Field(id, label, NumberInput("").DataSet("testid", id), text(f.lab.Inputs), set), DialOf(id, label, whole, text, set))
}

// SeedField is a field for a seed of the inputs.
func (f *entryForm[I]) SeedField(id, label string, seed func(in I) *uint64) app.UI {
	text := func(in I) string { return strconv.FormatUint(*seed(in), 10) }
	return f.NumberField(id, label, true, text, func(in I, text string) error { return SetSeed(seed(in), text) })
}

// More draws a group of inputs that the user can open and close.
func More(title string, open bool, fields ...app.UI) app.UI {
	group := app.Details().Class("more").Body(append([]app.UI{app.Summary().Text(title)}, fields...)...)
	if open {
		group.Open(true)
	}
	return group
}

// Checkbox draws a labelled checkbox that changes the inputs.
func (f *entryForm[I]) Checkbox(id, label string, on bool, set func(in I, on bool)) app.UI {
	box := ui.Checkbox(id, on, func(now bool) { f.lab.Edit("change “"+label+"”", func(in I) { set(in, now) }) })
	return app.Label().Class("check").For(id).Body(box, app.Span().Text(label))
}

// NumberInput is an input for a number of 0 or more.
func NumberInput(placeholder string) app.HTMLInput {
	return app.Input().Type("number").Placeholder(placeholder).Min(0).Attr("step", "any")
}
