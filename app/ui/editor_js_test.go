package ui

import (
	"encoding/json"
	"syscall/js"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/engine/diag"
)

// desk has an editor of a text.
type desk struct {
	app.Compo
	page    app.Context
	text    string
	marks   diag.List
	changes []string
}

func (d *desk) OnMount(ctx app.Context) { d.page = ctx }

func (d *desk) Render() app.UI {
	return app.Div().Body(&Editor{ID: "desk", TestID: "desk", Label: "Jobs", FileName: "jobs.dot", Text: d.text, Diagnostics: d.marks,
		Nodes:    []Word{{Text: "request", Note: "units"}},
		OnChange: func(_ app.Context, text string) { d.changes, d.text = append(d.changes, text), text }})
}

// script replaces editor.js and records its calls.
type script struct {
	options js.Value // of the last call
	shown   []int
	left    int
}

// loadScript puts a script where the page looks for it. If s is nil, the script cannot be loaded.
func loadScript(t *testing.T, s *script) {
	t.Helper()
	wrap := func(f func(args []js.Value) any) js.Func {
		wrapped := js.FuncOf(func(_ js.Value, args []js.Value) any { return f(args) })
		t.Cleanup(wrapped.Release)
		return wrapped
	}
	loadControls(t)
	berth := js.Global().Get("berth")
	promise, settle := js.Global().Get("Promise"), "resolve"
	if s == nil {
		settle = "reject"
	} else {
		editor := map[string]any{
			"show":    wrap(func(args []js.Value) any { s.shown = []int{args[0].Int(), args[1].Int()}; return nil }),
			"destroy": wrap(func([]js.Value) any { s.left++; return nil }),
		}
		berth.Set("edit", wrap(func(args []js.Value) any { s.options = args[1]; return editor }))
	}
	berth.Set("editor", wrap(func([]js.Value) any { return promise.Call(settle, "here") }))
	t.Cleanup(func() {
		berth.Delete("editor")
		berth.Delete("edit")
	})
}

func openDesk(t *testing.T, d *desk) (app.TestEngine, func(change func())) {
	t.Helper()
	body := js.Global().Get("document").Get("body")
	if body.Get("firstElementChild").IsNull() {
		body.Call("append", js.Global().Get("document").Call("createElement", "div"))
	}
	engine := app.NewTestEngine()
	if err := engine.Load(d); err != nil {
		t.Fatal(err)
	}
	engine.ConsumeAll()
	settled := make(chan struct{}) // promises run first
	await := js.FuncOf(func(js.Value, []js.Value) any { close(settled); return nil })
	defer await.Release()
	js.Global().Call("setTimeout", await)
	<-settled
	engine.ConsumeAll()
	return engine, func(change func()) {
		d.page.Dispatch(func(app.Context) { change() })
		engine.ConsumeAll()
	}
}

func TestTheScriptOfTheEditorIsToldWhatToShow(t *testing.T) {
	s := &script{}
	loadScript(t, s)
	d := &desk{text: "graph {}", marks: diag.List{*diag.New("", 1, 7, &diag.Code{Words: "odd"})}}
	engine, update := openDesk(t, d)
	var told struct {
		Language string
		Nodes    []struct{ Label, Detail string }
		Marks    []struct {
			Line, Column      int
			Severity, Message string
		}
	}
	read := func() {
		t.Helper()
		if err := json.Unmarshal([]byte(s.options.String()), &told); err != nil {
			t.Fatal(err)
		}
	}
	read()
	if told.Language != "dot" || len(told.Nodes) != 1 || told.Nodes[0].Label != "request" || told.Nodes[0].Detail != "units" {
		t.Errorf("told %+v", told)
	}
	if len(told.Marks) != 1 || told.Marks[0].Line != 1 || told.Marks[0].Column != 7 || told.Marks[0].Message != "odd" {
		t.Errorf("told of marks %+v", told.Marks)
	}
	js.Global().Get("document").Call("querySelector", ".diagnostic button").Call("click")
	engine.ConsumeAll()
	if len(s.shown) != 2 || s.shown[0] != 1 || s.shown[1] != 7 {
		t.Errorf("the list leads to %v, want 1:7", s.shown)
	}
	update(func() { d.marks = nil })
	read()
	if len(told.Marks) != 0 {
		t.Errorf("marks that are gone are told: %+v", told.Marks)
	}

	// The person's text is taken over once, and is not overwritten before.
	control("desk").Set("value", "graph { a }")
	fire("desk", "input")
	update(func() { d.text = "graph { b }" })
	if got := control("desk").Get("value").String(); got != "graph { a }" {
		t.Errorf("the text became %q while it was typed", got)
	}
	fire("desk", "change")
	engine.ConsumeAll()
	if len(d.changes) != 1 || d.changes[0] != "graph { a }" {
		t.Errorf("took %q", d.changes)
	}

	if err := engine.Load(&form{}); err != nil {
		t.Fatal(err)
	}
	engine.ConsumeAll()
	if s.left != 1 {
		t.Errorf("the script was told %d times that its editor is gone, want once", s.left)
	}
}

func TestWithoutItsScriptTheEditorIsATextArea(t *testing.T) {
	loadScript(t, nil)
	d := &desk{text: "graph {}", marks: diag.List{*diag.New("", 1, 7, &diag.Code{Words: "odd"})}}
	engine, _ := openDesk(t, d)
	control("desk").Call("focus")
	control("desk").Set("value", "graph { a }\nb")
	fire("desk", "input")
	fire("desk", "change")
	engine.ConsumeAll()
	if len(d.changes) != 1 || d.changes[0] != "graph { a }\nb" {
		t.Errorf("took %q", d.changes)
	}
	js.Global().Get("document").Call("querySelector", ".diagnostic button").Call("click")
	engine.ConsumeAll()
	if start, end := control("desk").Get("selectionStart").Int(), control("desk").Get("selectionEnd").Int(); start != 0 || end != 11 {
		t.Errorf("the list leads to %d to %d, want the first line", start, end)
	}
}
