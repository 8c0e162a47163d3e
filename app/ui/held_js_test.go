package ui

import (
	"syscall/js"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"
)

// form has a control of every kind, and shows the values that it was given.
type form struct {
	app.Compo
	page    app.Context
	text    string
	ticked  bool
	chosen  string
	options []string
	took    []string
}

func (f *form) OnMount(ctx app.Context) { f.page = ctx }

func (f *form) Render() app.UI {
	if f.page.Context != nil {
		f.page.Defer(func(app.Context) { FillControls(false) })
	}
	options := make([]app.UI, len(f.options))
	for i, o := range f.options {
		options[i] = Option(o, o)
	}
	take := func(_ app.Context, text string) { f.took, f.text = append(f.took, text), text }
	return app.Div().Body(
		Taking(Showing(app.Input().Type("text").ID("text"), f.text), "change", take),
		Checkbox("box", f.ticked, func(on bool) { f.ticked = on }),
		Select("list", f.chosen, func(value string) { f.chosen = value }, options...),
		app.Button().ID("elsewhere"),
	)
}

// mount puts a form into the page of the test.
func mount(t *testing.T, f *form) app.TestEngine {
	t.Helper()
	loadControls(t)
	body := js.Global().Get("document").Get("body")
	if body.Get("firstElementChild").IsNull() {
		body.Call("append", js.Global().Get("document").Call("createElement", "div"))
	}
	engine := app.NewTestEngine()
	if err := engine.Load(f); err != nil {
		t.Fatal(err)
	}
	engine.ConsumeAll()
	WatchControls(f.page)
	f.update(engine, func() {})
	return engine
}

// loadControls loads the script of the controls.
func loadControls(t *testing.T) {
	t.Helper()
	if js.Global().Get("berth").Truthy() {
		return
	}
	js.Global().Set("berth", map[string]any{})
	loaded := make(chan struct{})
	done := js.FuncOf(func(js.Value, []js.Value) any { close(loaded); return nil })
	defer done.Release()
	script := js.Global().Get("document").Call("createElement", "script")
	script.Set("onload", done)
	script.Set("src", "/web/assets/controls.js")
	js.Global().Get("document").Get("head").Call("append", script)
	<-loaded
}

// update changes the state of the form without the person.
func (f *form) update(engine app.TestEngine, change func()) {
	f.page.Dispatch(func(app.Context) { change() })
	engine.ConsumeAll()
}

func control(id string) js.Value { return js.Global().Get("document").Call("getElementById", id) }

// fire sends the event of a change.
func fire(id, event string) {
	control(id).Call("dispatchEvent", js.Global().Get("Event").New(event, map[string]any{"bubbles": true}))
}

// write has a person write into the text field, without leaving it.
func write(text string) {
	control("text").Call("focus")
	control("text").Set("value", text)
	fire("text", "input")
}

func wantText(t *testing.T, want string) {
	t.Helper()
	if got := control("text").Get("value").String(); got != want {
		t.Errorf("the field shows %q, want %q", got, want)
	}
}

func TestAControlFollowsItsValueUnlessSomebodyWrites(t *testing.T) {
	f := &form{text: "6", chosen: "b", options: []string{"a", "b"}}
	engine := mount(t, f)
	wantText(t, "6")
	f.update(engine, func() { f.text = "" })
	wantText(t, "")

	write("60")
	f.update(engine, func() { f.text = "7" })
	wantText(t, "60")
	fire("text", "change")
	control("text").Call("blur") // before the change is taken
	engine.ConsumeAll()
	wantText(t, "60")
	if f.text != "60" {
		t.Errorf("took %q, want 60", f.text)
	}
	f.update(engine, func() { f.text = "8" })
	wantText(t, "8")
	write("80")
	write("8") // as it was
	control("text").Call("blur")
	f.update(engine, func() { f.text = "81" })
	wantText(t, "81")
	f.update(engine, func() { f.text = "8" })

	// The caret alone keeps a field as it is, until it goes or all values give way.
	control("text").Call("focus")
	f.update(engine, func() { f.text = "9" })
	wantText(t, "8")
	control("elsewhere").Call("focus")
	fire("text", "focusout") // which a browser without a window does not send
	engine.ConsumeAll()
	wantText(t, "9")
	control("text").Call("focus")
	f.update(engine, func() { f.text = "10"; f.page.Defer(func(app.Context) { FillControls(true) }) })
	wantText(t, "10")
}

func TestListsAndBoxesFollowTheirValues(t *testing.T) {
	f := &form{chosen: "b", options: []string{"a", "b"}}
	engine := mount(t, f)
	shown := func(want string, ticked bool) {
		t.Helper()
		if got := control("list").Get("value").String(); got != want || control("box").Get("checked").Bool() != ticked {
			t.Errorf("the list shows %q and the box %v, want %q and %v", got, control("box").Get("checked"), want, ticked)
		}
	}
	shown("b", false)
	f.update(engine, func() { f.options, f.ticked = []string{"b", "c"}, true })
	shown("b", true)
	control("list").Set("value", "c")
	fire("list", "input")
	control("box").Call("click")
	shown("c", false)
	f.update(engine, func() { f.took = nil }) // an update before the choice is taken
	shown("c", false)
	fire("list", "change")
	engine.ConsumeAll()
	shown("c", false)
	if f.chosen != "c" || f.ticked {
		t.Errorf("took %q and %v, want c and false", f.chosen, f.ticked)
	}
}

// A key or a dropped file waits until the person's text has been taken over, which happens once.
func TestWhatIsBeingWrittenIsTakenFirst(t *testing.T) {
	f := &form{text: "6"}
	engine := mount(t, f)
	seen := ""
	write("61")
	Settle(f.page, func(app.Context) { seen = f.text })
	engine.ConsumeAll()
	fire("text", "change") // as the browser does when the field is left
	engine.ConsumeAll()
	if seen != "61" || len(f.took) != 1 {
		t.Errorf("saw %q, took %q; want 61, once", seen, f.took)
	}
}

// An option with the empty value is shown, and gives that value.
func TestAnOptionWithoutValue(t *testing.T) {
	f := &form{options: []string{"", "a"}}
	engine := mount(t, f)
	list := js.Global().Get("document").Call("getElementById", "list")
	if at := list.Get("selectedIndex").Int(); at != 0 {
		t.Errorf("option %d is shown, want the first", at)
	}
	for _, at := range []int{1, 0} {
		list.Set("selectedIndex", at)
		list.Call("dispatchEvent", js.Global().Get("Event").New("change"))
		f.update(engine, func() {})
		if f.chosen != f.options[at] {
			t.Errorf("option %d gives %q, want %q", at, f.chosen, f.options[at])
		}
	}
}
