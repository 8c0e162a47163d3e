package lab

import (
	"cmp"
	"slices"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/shell"
	"berth/app/ui"
	"berth/engine/scenario"
	"berth/engine/show"
)

// tools are the examples, Undo, Redo and Clear, for the title of the input pane.
func (l *Lab[I]) tools() []app.UI {
	return []app.UI{
		l.exampleMenu(),
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
			l.nameField(),
			app.Div().Body(fields...),
			app.Div().Body(app.If(l.Trouble != "", func() app.UI { return ui.Problem(l.Trouble) })),
			app.Div().Body(l.policyPanel()),
			options,
		),
		l.runBar(),
	)
}

// runButton appears in the run bar, or on the stage.
func (l *Lab[I]) runButton() app.UI {
	run := ui.Button("play", "Run").Class("primary").DataSet("testid", l.system.TestID+"run").
		Title("Run (Ctrl+Enter)").
		OnClick(func(app.Context, app.Event) {
			if l.Ready() && !l.OnStage() {
				l.Tab = ui.PaneResult
			}
			l.Run()
		})
	if l.waitsForRun() && l.errors() == 0 {
		run.Class("wanted")
	}
	return run
}

func (l *Lab[I]) runBar() app.UI {
	return app.Div().Class("run-bar").Body(
		app.If(!l.OnStage(), l.runButton),
		ui.Button("save", "Save").DataSet("testid", "save").DataSet("stop", "yes").
			Title("Save to the library (Ctrl+S)").
			OnClick(func(app.Context, app.Event) { l.openSave() }),
		ui.Button("right", "Vary …").DataSet("testid", "vary").
			Title("Run with several values of a field and several seeds").
			OnClick(func(app.Context, app.Event) { l.openVary() }),
		app.Small().Class("hint").Text(l.runHint()),
	)
}

func (l *Lab[I]) runHint() string {
	switch {
	case l.reading > 0:
		return "Reading files …"
	case l.waitsForRun() && l.errors() > 0:
		return "Fix " + ui.Counted(l.errors(), "error") + ", then press Run."
	case l.waitsForRun():
		return "The last run was long. Press Run to start this one."
	case l.Unsaved:
		return "Not saved to the library."
	}
	return ""
}

// ResultStatus is the headline of the result with an icon for its state, and below it
// the non-empty sentences of details. A finished result that misses its goal is marked
// as partial.
func (l *Lab[I]) ResultStatus(headline app.UI, details []string, buttons ...app.UI) app.HTMLDiv {
	state := l.markOf(l.system.Screen())
	details = slices.DeleteFunc(append([]string{l.dialling.moved}, details...), func(text string) bool { return text == "" })
	status := app.Div().Class("result-status result-"+state).Role("status").
		DataSet("testid", cmp.Or(l.system.TestID, "result-")+"status").
		DataSet("state", l.Phase).
		Body(shell.StateIcon(state), app.Div().Body(
			app.Div().Class("headline").Body(append([]app.UI{app.Span().DataSet("testid", "headline").Body(headline)}, buttons...)...),
			app.If(len(details) > 0, func() app.UI {
				return app.Div().Class("details").Body(ui.Explained(show.Words(strings.Join(details, " ")))...)
			})))
	if l.Shown != nil {
		status.DataSet("scenario", l.Shown.Document.Hash)
	}
	if b := l.shownBatch; b != nil && !b.Partial() {
		status.DataSet("result", b.Report.Results)
	}
	return status
}

// Dimmed extends the class of an element of the result, to dim it while the result
// belongs to earlier inputs.
func (l *Lab[I]) Dimmed(class string) string {
	if l.Current() {
		return class
	}
	return class + " dimmed"
}

// id makes an element id unique among the views, which stay in the document while
// hidden.
func (l *Lab[I]) id(name string) string { return l.system.TestID + name }

func (l *Lab[I]) nameField() app.UI {
	id := l.id("scenario-name")
	name := app.Input().Type("text").MaxLength(scenario.MaxName).Placeholder("unnamed")
	return l.Field(id, "Name", name, l.Inputs.Name(), func(in I, text string) error {
		in.SetName(text)
		return nil
	})
}

// Field is a labelled field that shows a text and sets a value of the inputs. The
// view places the error message itself ([Lab.WrongText]).
func (l *Lab[I]) Field(id, label string, input app.HTMLInput, text string, set Setter[I]) app.UI {
	return ui.Field(id, label, l.Entry(id, label, input, text, set))
}

// Entry makes an input show a text and set a value of the inputs; messages call it by
// the label. A refused text stays in the input.
func (l *Lab[I]) Entry(id, label string, input app.HTMLInput, text string, set Setter[I]) app.HTMLInput {
	input = l.Marked(id, input.ID(id))
	if l.Refused[id] == "" {
		input = ui.Showing(input, text)
	}
	return ui.Taking(input, "change", func(_ app.Context, text string) { l.SetOption(id, label, text, set) }, id, label)
}

// NumberField is a field for one number of the inputs, which the user may pin as a
// dial.
func (l *Lab[I]) NumberField(id, label string, whole bool, text func(in I) string, set Setter[I]) app.UI {
	return l.Pinnable(l.Field(id, label, NumberInput(""), text(l.Inputs), set), DialOf(id, label, whole, text, set))
}

// More is a group of inputs that can be opened and closed.
func More(title string, open bool, fields ...app.UI) app.UI {
	group := app.Details().Class("more").Body(append([]app.UI{app.Summary().Text(title)}, fields...)...)
	if open {
		group.Open(true)
	}
	return group
}

// Checkbox is a labelled switch of the inputs.
func (l *Lab[I]) Checkbox(id, label string, on bool, set func(in I, on bool)) app.UI {
	box := ui.Checkbox(id, on, func(now bool) { l.Edit("change “"+label+"”", func(in I) { set(in, now) }) })
	return app.Label().Class("check").For(id).Body(box, app.Span().Text(label))
}

// NumberInput is an input for a number of 0 or more.
func NumberInput(placeholder string) app.HTMLInput {
	return app.Input().Type("number").Placeholder(placeholder).Min(0).Attr("step", "any")
}
