package ui

import (
	"encoding/json"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/engine/diag"
	"berth/engine/show"
)

const (
	// editable is the size in bytes of the largest text that can be edited. lab.Take reads no
	// larger file into the page.
	editable = 512 << 10

	// settleTime is the pause after the last key before a change counts.
	settleTime = 300 * time.Millisecond

	listedDiagnostics = 100
	markedDiagnostics = 1000
)

// Heights of an editor in CSS pixels.
const leastHeight, usualHeight, mostHeight = 124, 248, 1200

// severityIcons are the icons of the severities, and the names of their styles.
var severityIcons = [diag.Severities]string{diag.Note: "info", diag.Warning: "warning", diag.Error: "error"}

// Word is a completion that the editor offers.
type Word struct {
	Text   string `json:"label"`
	Note   string `json:"detail,omitempty"` // shown next to it, such as a unit
	Quoted bool   `json:"quoted,omitempty"` // a key inside label="…" instead of an attribute
}

// Editor edits a text with line numbers, colours, marked diagnostics, completion and search. The
// script editor.js provides these when an editor is first needed. Until then, and if the script
// cannot be loaded, the editor is a text area, which scripts find in either case. The diagnostics
// are listed below the text, with links to their places. A text above 512 KB cannot be edited: the
// editor shows its beginning and offers the whole as a file.
type Editor struct {
	app.Compo

	ID          string // id of the text area
	TestID      string
	MessagesID  string // data-testid of the list of problems; "" for none
	Label       string
	Placeholder string
	FileName    string // file name for downloading a large text

	// Text is the text that the editor shows. A value other than the last one given to OnChange
	// replaces the text, but never while the user types.
	Text        string
	Diagnostics diag.List

	// Nodes and Edges are the attributes of a graph in DOT; nil for other texts.
	Nodes, Edges []Word

	// OnChange gets the text 300 ms after the last key, and at once if the editor loses the focus
	// or [Settle] is called.
	OnChange func(ctx app.Context, text string)

	first string    // initial text of the text area
	shown string    // last text that the owner and the text area have in common
	ready bool      // the text area is in the document and holds shown
	live  app.Value // editor of editor.js; nil until it is loaded
	full  bool      // in full screen
	timer *time.Timer
}

// OnInit creates the text area with its text, because a text set later would replace the user's
// input.
func (e *Editor) OnInit() {
	if len(e.Text) <= editable {
		e.first, e.shown, e.ready = e.Text, e.Text, true
	}
}

// OnMount loads the script that replaces the text area.
func (e *Editor) OnMount(ctx app.Context) {
	Await(app.Window().Get("berth").Call("editor"),
		func(app.Value) { ctx.Dispatch(func(ctx app.Context) { ctx.Defer(e.sync) }) },
		func(app.Value) {}) // keep the text area
}

// OnUpdate copies the text and the diagnostics into the editor, once go-app has drawn
// it.
func (e *Editor) OnUpdate(ctx app.Context) { ctx.Defer(e.sync) }

// OnDismount drops a pending change, because its receiver is gone.
func (e *Editor) OnDismount() {
	if e.timer != nil {
		e.timer.Stop()
	}
	e.leave()
}

func (e *Editor) leave() {
	if e.live != nil {
		e.live.Call("destroy")
	}
	e.live = nil
}

// Render draws the editor. It renders only the first text. sync fills in later ones, because go-app
// would replace the user's input after every key.
func (e *Editor) Render() app.UI {
	class := "editor"
	if e.full {
		class += " editor-full"
	}
	return app.Div().Class(class).DataSet("rove", "yes").Body(
		app.If(len(e.Text) > editable, e.excerpt).Else(e.frame),
		e.messages(),
	)
}

func (e *Editor) frame() app.UI {
	return app.Div().Class("editor-body").Body(
		e.tools(),
		app.Div().Class("editor-frame").ID(e.ID+"-frame").Style("height", strconv.Itoa(usualHeight)+"px").Body(
			e.area(),
			app.Div().Class("editor-live"),
		),
		separator{
			label: "Height of the editor", controls: e.ID + "-frame", property: "height",
			usual: usualHeight, min: leastHeight, max: mostHeight,
		}.draw(),
	)
}

// tools are the buttons of the editor, and a hint about keys.
func (e *Editor) tools() app.UI {
	screen := "Full screen"
	if e.full {
		screen = "Leave full screen"
	}
	return app.Div().Class("editor-tools").Body(
		app.Small().ID(e.ID+"-help").Text("Press Esc, then Tab to leave the editor."),
		Disabled(IconButton("search", "Find in the text (Ctrl+F)"), e.live == nil).OnClick(func(app.Context, app.Event) { e.live.Call("find") }),
		IconButton("fit", screen).Class("editor-full-button").Aria("pressed", e.full).OnClick(func(app.Context, app.Event) { e.full = !e.full }),
	)
}

func (e *Editor) area() app.UI {
	area := app.Textarea().Class("editor-text").ID(e.ID).
		Aria("label", show.Text(e.Label)).
		Aria("describedby", e.ID+"-help "+e.ID+"-messages").
		Attr("wrap", "off").Attr("autocomplete", "off").Attr("autocapitalize", "off").
		Placeholder(e.Placeholder).
		Spellcheck(false).
		DataSet("testid", e.TestID).
		Text(e.first).
		OnInput(e.input).
		OnChange(func(ctx app.Context, _ app.Event) { e.take(ctx, ctx.JSSrc()) })
	if e.Diagnostics.Err() != nil {
		area.Aria("invalid", true)
	}
	return area
}

func (e *Editor) excerpt() app.UI {
	return app.Div().Class("editor-large").Body(
		app.P().Class("note").Body(
			Icon("info"),
			app.Span().Text("This text has "+Bytes(int64(len(e.Text)))+", too much to edit here. Its first lines are shown. "+
				"Edit it as a file and drop the file again."),
		),
		app.Pre().TabIndex(0).Role("region").Aria("label", show.Text(e.Label)+", first lines").Text(head(e.Text)),
		Button("download", "Save as a file").OnClick(func(app.Context, app.Event) { Download(e.FileName, "text/vnd.graphviz", []byte(e.Text)) }),
	)
}

func (e *Editor) messages() app.UI {
	listed := min(len(e.Diagnostics), listedDiagnostics)
	rest := len(e.Diagnostics) - listed
	return app.Ul().Class("diagnostics").ID(e.ID+"-messages").DataSet("testid", e.MessagesID).Aria("label", "Problems in "+show.Text(e.Label)).Body(
		app.Range(e.Diagnostics[:listed]).Slice(func(i int) app.UI { return e.message(e.Diagnostics[i]) }),
		app.If(rest > 0, func() app.UI { return app.Li().Text("and " + Count(int64(rest)) + " more") }),
	)
}

func (e *Editor) message(d diag.Diagnostic) app.UI {
	where := ""
	if d.Line > 0 {
		where = strconv.Itoa(d.Line)
	}
	if d.Column > 0 {
		where += ":" + strconv.Itoa(d.Column)
	}
	return app.Li().Class("diagnostic diagnostic-" + severityIcons[d.Severity]).Body(
		app.Button().Type("button").Title("Go to this problem").
			OnClick(func(ctx app.Context, _ app.Event) { e.jump(d) }, app.EventScope(d.Line, d.Column)).
			Body(
				Icon(severityIcons[d.Severity]),
				app.Span().Class("figures").Text(where),
				app.Span().Text(d.Severity.String()+": "+show.Words(d.Text())),
			),
	)
}

func (e *Editor) sync(ctx app.Context) {
	area := app.Window().GetElementByID(e.ID)
	if !area.Truthy() || len(e.Text) > editable {
		e.ready = false
		e.leave()
		return
	}
	if !e.ready || e.Text != e.shown && !written(area) {
		area.Set("value", e.Text)
		e.shown, e.ready = e.Text, true
	}
	e.enliven(ctx, area)
}

// enliven replaces the text area by editor.js, once that is loaded, and updates its content.
func (e *Editor) enliven(ctx app.Context, area app.Value) {
	berth := app.Window().Get("berth")
	if !berth.Get("edit").Truthy() {
		return
	}
	fresh := e.live == nil
	live := berth.Call("edit", area, e.options())
	e.live = nil
	if live.Truthy() { // otherwise the user is typing in the text area
		e.live = live
	}
	if fresh && e.live != nil {
		ctx.Dispatch(func(app.Context) {}) // update the buttons
	}
}

// options returns the settings of editor.js as JSON.
func (e *Editor) options() string {
	type mark struct {
		Line     int    `json:"line"`
		Column   int    `json:"column"`
		Severity string `json:"severity"`
		Message  string `json:"message"`
	}
	marks := []mark{}
	for _, d := range e.Diagnostics[:min(len(e.Diagnostics), markedDiagnostics)] {
		marks = append(marks, mark{d.Line, d.Column, severityIcons[d.Severity], show.Words(d.Text())})
	}
	text, err := json.Marshal(map[string]any{"language": e.language(), "nodes": e.Nodes, "edges": e.Edges, "marks": marks})
	if err != nil {
		panic(err) // strings and numbers always encode
	}
	return string(text)
}

// language selects the colouring in editor.js: a graph in DOT, keys with values (JSON or YAML),
// Python, or a table.
func (e *Editor) language() string {
	text := strings.TrimSpace(e.Text)
	switch ext := path.Ext(e.FileName); {
	case ext == ".star":
		return "python"
	case slices.Contains([]string{".json", ".yaml", ".yml"}, ext), strings.HasPrefix(text, "{"), strings.HasPrefix(text, "---"):
		return "keys"
	case len(e.Nodes) > 0 && !strings.HasPrefix(text, "<"): // GraphML
		return "dot"
	}
	return "table"
}

func (e *Editor) input(ctx app.Context, _ app.Event) {
	ctx.PreventUpdate()
	area := ctx.JSSrc()
	if e.timer != nil {
		e.timer.Stop()
	}
	e.timer = time.AfterFunc(settleTime, func() {
		ctx.Dispatch(func(ctx app.Context) { e.take(ctx, area) })
	})
}

func (e *Editor) take(ctx app.Context, area app.Value) {
	area.Set("written", false)
	e.settle(ctx, area.Get("value").String())
}

func (e *Editor) settle(ctx app.Context, text string) {
	if e.timer != nil {
		e.timer.Stop()
	}
	if text != e.shown {
		e.shown = text
		e.OnChange(ctx, text)
	}
}

// jump moves to the place of a diagnostic.
func (e *Editor) jump(d diag.Diagnostic) {
	area := app.Window().GetElementByID(e.ID)
	switch {
	case !area.Truthy() || d.Line < 1:
	case e.live != nil:
		e.live.Call("show", d.Line, d.Column)
	default:
		app.Window().Get("berth").Call("selectLine", area, d.Line)
	}
}

// head returns the beginning of a large text: at most 200 lines and 32 KB.
func head(text string) string {
	text = text[:min(len(text), 32<<10)]
	lines := strings.SplitAfterN(text, "\n", 201)
	return strings.ToValidUTF8(strings.Join(lines[:min(len(lines), 200)], ""), "")
}

// DiagnosticList lists the diagnostics of a text that cannot be edited.
func DiagnosticList(all diag.List) app.UI {
	return app.Ul().Class("diagnostics").Body(app.Range(all).Slice(func(i int) app.UI {
		icon := severityIcons[all[i].Severity]
		return app.Li().Class("diagnostic diagnostic-"+icon).Body(Icon(icon), app.Span().Text(all[i].String()))
	}))
}
