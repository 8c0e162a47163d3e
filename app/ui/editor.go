package ui

import (
	"html"
	"strconv"
	"strings"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/engine/show"
)

const (
	// editable is the largest text, in bytes, that is put into a textarea;
	// beyond it browsers stumble at every key.
	editable = 256 << 10

	// prompt is the largest text, in bytes, that is read from the text area at
	// every key, to number a new line at once; a longer one is read when the
	// keyboard rests.
	prompt = 32 << 10

	// settleTime is how long the keyboard must rest before a change counts.
	settleTime = 300 * time.Millisecond

	// lineHeight is the height of a line in CSS pixels, as berth.css sets it.
	lineHeight = 20

	listedDiagnostics = 100
)

// The severities of a [Diagnostic], which are also the names of their icons.
const (
	SeverityError   = "error"
	SeverityWarning = "warning"
	SeverityNote    = "info"
)

var severityNames = map[string]string{SeverityError: "error", SeverityWarning: "warning", SeverityNote: "note"}

// Diagnostic is a remark about one place of a text.
type Diagnostic struct {
	Line, Column int    // from 1; a Line of 0 means the text as a whole, a Column of 0 the line
	Severity     string // SeverityError, SeverityWarning or SeverityNote
	Message      string
}

// Editor is a text area with numbered lines, a mark on each line that has a
// diagnostic, and the list of diagnostics below; each leads to its line. A text
// above 256 KB is not put into the text area: its head is shown, and the whole
// is offered as a file to be edited elsewhere.
type Editor struct {
	app.Compo

	ID          string // id of the text area
	TestID      string
	Label       string
	Placeholder string
	FileName    string // of the download that is offered for a large text

	// Text is what the editor shows. Setting a text other than the one last
	// given to OnChange replaces that, but never what is being typed.
	Text        string
	Diagnostics []Diagnostic

	// OnChange gets the text 300 ms after the last key, or at once when the
	// editor loses the focus or something is asked for meanwhile (see [Settle]).
	OnChange func(ctx app.Context, text string)

	first string // the text that the text area is made with
	shown string // the text that the owner and the text area agree on
	ready bool   // the text area is in the document and holds shown
	lines int
	timer *time.Timer
}

// OnInit has the text area made with its text: one that came later would
// replace what was typed meanwhile.
func (e *Editor) OnInit() {
	if len(e.Text) <= editable {
		e.first, e.shown, e.ready = e.Text, e.Text, true
		e.lines = countLines(e.Text)
	}
}

// OnMount numbers the lines.
func (e *Editor) OnMount(ctx app.Context) { ctx.Defer(e.sync) }

// OnUpdate brings the text area up to date.
func (e *Editor) OnUpdate(ctx app.Context) { ctx.Defer(e.sync) }

// OnDismount drops a change that nobody would hear.
func (e *Editor) OnDismount() {
	if e.timer != nil {
		e.timer.Stop()
	}
}

// Render draws the editor; the gutter, and any text but the first, are filled in
// by sync, since go-app would replace them with every key.
func (e *Editor) Render() app.UI {
	return app.Div().Class("editor").Body(
		app.If(len(e.Text) > editable, e.excerpt).Else(e.area),
		e.messages(),
	)
}

func (e *Editor) area() app.UI {
	area := app.Textarea().Class("editor-text").ID(e.ID).
		Aria("label", show.Text(e.Label)).
		Aria("describedby", e.ID+"-messages").
		Attr("wrap", "off").Attr("autocomplete", "off").Attr("autocapitalize", "off").
		Placeholder(e.Placeholder).
		Spellcheck(false).
		DataSet("testid", e.TestID).
		Text(e.first).
		OnInput(e.input).
		OnChange(e.settleNow).
		OnScroll(e.scroll, app.PassiveEvent())
	if e.worst() == SeverityError {
		area.Aria("invalid", true)
	}
	return app.Div().Class("editor-frame").Body(
		app.Div().Class("gutter").Aria("hidden", true).Body(app.Div().Class("gutter-rows").ID(e.ID+"-gutter")),
		area,
	)
}

func (e *Editor) excerpt() app.UI {
	return app.Div().Class("editor-large").Body(
		app.P().Class("note").Body(
			Icon("info"),
			app.Span().Text("This text has "+Bytes(int64(len(e.Text)))+", too much to edit here; its first lines are shown. "+
				"Edit it as a file and drop it again."),
		),
		app.Pre().TabIndex(0).Role("region").Aria("label", show.Text(e.Label)+", first lines").Text(head(e.Text)),
		Button("download", "Save as a file").OnClick(e.download),
	)
}

func (e *Editor) messages() app.UI {
	listed := min(len(e.Diagnostics), listedDiagnostics)
	rest := len(e.Diagnostics) - listed
	return app.Ul().Class("diagnostics").ID(e.ID+"-messages").Aria("label", "Problems in "+show.Text(e.Label)).Body(
		app.Range(e.Diagnostics[:listed]).Slice(func(i int) app.UI { return e.message(e.Diagnostics[i]) }),
		app.If(rest > 0, func() app.UI { return app.Li().Text("and " + Count(int64(rest)) + " more") }),
	)
}

func (e *Editor) message(d Diagnostic) app.UI {
	where := ""
	if d.Line > 0 {
		where = strconv.Itoa(d.Line)
	}
	if d.Column > 0 {
		where += ":" + strconv.Itoa(d.Column)
	}
	return app.Li().Class("diagnostic diagnostic-" + d.Severity).Body(
		app.Button().Type("button").Title("Go to the line").
			OnClick(func(ctx app.Context, _ app.Event) { e.jump(d.Line) }, app.EventScope(d.Line)).
			Body(
				Icon(d.Severity),
				app.Span().Class("figures").Text(where),
				app.Span().Text(severityNames[d.Severity]+": "+show.Words(d.Message)),
			),
	)
}

func (e *Editor) sync(app.Context) {
	area := app.Window().GetElementByID(e.ID)
	if !area.Truthy() || len(e.Text) > editable {
		e.ready = false
		return
	}
	if !e.ready || e.Text != e.shown && !written(area) {
		area.Set("value", e.Text)
		e.shown, e.ready = e.Text, true
		e.lines = countLines(e.Text)
	}
	e.drawGutter(area)
}

func (e *Editor) input(ctx app.Context, _ app.Event) {
	ctx.PreventUpdate()
	area := ctx.JSSrc()
	if len(e.shown) <= prompt {
		e.number(area, area.Get("value").String())
	}
	if e.timer != nil {
		e.timer.Stop()
	}
	e.timer = time.AfterFunc(settleTime, func() {
		ctx.Dispatch(func(ctx app.Context) { e.take(ctx, area) })
	})
}

func (e *Editor) settleNow(ctx app.Context, _ app.Event) { e.take(ctx, ctx.JSSrc()) }

func (e *Editor) take(ctx app.Context, area app.Value) {
	text := area.Get("value").String()
	area.Set("written", false)
	e.number(area, text)
	e.settle(ctx, text)
}

// number draws the gutter anew when the text has more lines or fewer. It is not
// done needlessly, since it has the browser lay out the text at once.
func (e *Editor) number(area app.Value, text string) {
	if lines := countLines(text); lines != e.lines {
		e.lines = lines
		e.drawGutter(area)
	}
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

func (e *Editor) scroll(ctx app.Context, _ app.Event) {
	ctx.PreventUpdate()
	e.drawGutter(ctx.JSSrc())
}

// drawGutter writes the numbers and marks of the lines in sight, and no others:
// a text of 500 KB may have 50,000 lines.
func (e *Editor) drawGutter(area app.Value) {
	rows := app.Window().GetElementByID(e.ID + "-gutter")
	if !rows.Truthy() {
		return
	}
	top := area.Get("scrollTop").Float()
	first := int(top)/lineHeight + 1
	last := min(e.lines, first+area.Get("clientHeight").Int()/lineHeight+1)
	rows.Set("innerHTML", gutterMarkup(first, last, e.Diagnostics))
	offset := first*lineHeight - lineHeight - int(top)
	rows.Get("style").Set("transform", "translateY("+strconv.Itoa(offset)+"px)")
}

func (e *Editor) jump(line int) {
	area := app.Window().GetElementByID(e.ID)
	if !area.Truthy() || line < 1 {
		return
	}
	start, end := lineRange(area.Get("value").String(), line)
	area.Call("focus")
	area.Call("setSelectionRange", start, end)
	area.Set("scrollTop", max(0, (line-3)*lineHeight))
}

func (e *Editor) download(app.Context, app.Event) {
	Download(e.FileName, "text/vnd.graphviz", []byte(e.Text))
}

func (e *Editor) worst() string {
	worst := ""
	for _, d := range e.Diagnostics {
		worst = worse(worst, d.Severity)
	}
	return worst
}

// worse is the graver of two severities; "" is the least.
func worse(a, b string) string {
	rank := map[string]int{SeverityNote: 1, SeverityWarning: 2, SeverityError: 3}
	if rank[b] > rank[a] {
		return b
	}
	return a
}

// gutterMarkup is the HTML of the line numbers first to last.
func gutterMarkup(first, last int, diagnostics []Diagnostic) string {
	severity, message := map[int]string{}, map[int]string{}
	for _, d := range diagnostics {
		if first <= d.Line && d.Line <= last {
			severity[d.Line] = worse(severity[d.Line], d.Severity)
			message[d.Line] = strings.TrimPrefix(message[d.Line]+"\n"+d.Message, "\n")
		}
	}
	var b strings.Builder
	for line := first; line <= last; line++ {
		if s := severity[line]; s != "" {
			b.WriteString(`<div class="mark-` + s + `" title="` + html.EscapeString(show.Words(message[line])) + `">` + iconMarkup(s))
		} else {
			b.WriteString("<div>")
		}
		b.WriteString(strconv.Itoa(line) + "</div>")
	}
	return b.String()
}

func countLines(text string) int { return strings.Count(text, "\n") + 1 }

// head is the beginning of a large text: at most 200 lines and 32 KB.
func head(text string) string {
	text = text[:min(len(text), 32<<10)]
	lines := strings.SplitAfterN(text, "\n", 201)
	return strings.ToValidUTF8(strings.Join(lines[:min(len(lines), 200)], ""), "")
}

// lineRange is where a line, counted from 1, begins and ends, in UTF-16 units
// as the DOM counts. A line beyond the end is the end of the text.
func lineRange(text string, line int) (start, end int) {
	for ; line > 1 && text != ""; line-- {
		before, after, _ := strings.Cut(text, "\n")
		start += utf16Length(before) + 1
		text = after
	}
	before, _, _ := strings.Cut(text, "\n")
	return start, start + utf16Length(before)
}

func utf16Length(s string) int {
	n := 0
	for _, r := range s {
		n++
		if r > 0xFFFF {
			n++
		}
	}
	return n
}
