package ui

import (
	"syscall/js"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"
)

// form has a control of every kind, and shows the given values.
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

// mount puts a form into the test's page.
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

// awaitFrame waits until the browser has told the scripts about changes.
func awaitFrame() {
	frame := make(chan struct{})
	done := js.FuncOf(func(js.Value, []js.Value) any { close(frame); return nil })
	defer done.Release()
	js.Global().Call("requestAnimationFrame", done)
	<-frame
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

// write types into the text field without leaving it.
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
	control("text").Call("blur") // before the page takes the change
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

	// While the field has the caret, its text stays, until the caret leaves or all values are
	// replaced.
	control("text").Call("focus")
	f.update(engine, func() { f.text = "9" })
	wantText(t, "8")
	control("elsewhere").Call("focus")
	fire("text", "focusout") // a browser without a window does not send it
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
	f.update(engine, func() { f.took = nil }) // an update before the page takes the choice
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
	fire("text", "change") // as the browser does when the person leaves the field
	engine.ConsumeAll()
	if seen != "61" || len(f.took) != 1 {
		t.Errorf("saw %q, took %q; want 61, once", seen, f.took)
	}
}

// An option with an empty value can be shown and chosen.
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

// lines has two editors, each with a line that resizes it.
type lines struct{ app.Compo }

func (l *lines) Render() app.UI {
	line := func(id string, vertical, reverse bool) app.UI {
		return app.Div().Body(app.Div().ID(id), separator{controls: id, property: "height", vertical: vertical, reverse: reverse, usual: 150, min: 100, max: 200}.draw())
	}
	return app.Div().Body(line("below", false, false), line("beside", true, true))
}

func TestASeparatorStaysWithinItsBounds(t *testing.T) {
	loadControls(t)
	Store("berth.editor", "")
	engine := app.NewTestEngine()
	if err := engine.Load(&lines{}); err != nil {
		t.Fatal(err)
	}
	awaitFrame()
	want := func(script, below, beside string) {
		t.Helper()
		got := js.Global().Get("Function").New(`
			const line = (id) => document.querySelector("[aria-controls=" + id + "]");
			const press = (id, key) => line(id).dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
			const point = (id, type, clientX, clientY) => {
				line(id).setPointerCapture = () => {};
				line(id).dispatchEvent(new PointerEvent("pointer" + type, { clientX, clientY, bubbles: true }));
			};` + script + `; return ["below", "beside"].map((id) => document.getElementById(id).style.height + line(id).getAttribute("aria-valuenow")).join()`).Invoke().String()
		if got != below+","+beside {
			t.Errorf("after %s: %s, want %s,%s", script, got, below, beside)
		}
	}
	want(`press("below", "ArrowDown"); press("below", "ArrowDown"); press("beside", "ArrowRight")`, "182px182", "134px134")
	want(`press("below", "ArrowDown"); press("below", "ArrowDown"); press("beside", "Home"); press("beside", "ArrowDown")`, "200px200", "100px100")
	want(`point("below", "down", 0, 50); point("below", "move", 0, 20)`, "170px200", "100px100") // until the button is released
	want(`point("below", "up", 0, 20); point("beside", "down", 50, 0); point("beside", "up", 20, 0)`, "170px170", "130px130")
	want(`press("below", "Enter"); line("beside").dispatchEvent(new MouseEvent("dblclick", { bubbles: true }))`, "150px150", "150px150")
	want(`press("below", "ArrowDown")`, "166px166", "150px150")
	if got := Stored("berth.editor"); got != "166" {
		t.Errorf("the browser keeps the height %q, want 166", got)
	}
}

// tabbed has three tabs.
type tabbed struct {
	app.Compo
	chosen string
}

func (d *tabbed) Render() app.UI {
	return app.Div().Body(&Tabs{ID: "t", Items: []Tab{{ID: "a"}, {ID: "b"}, {ID: "c"}}, Selected: d.chosen, OnSelect: func(_ app.Context, id string) { d.chosen = id }})
}

func TestKeysChooseTabs(t *testing.T) {
	loadControls(t)
	for _, c := range []struct{ from, key, want string }{
		{"a", "ArrowRight", "b"}, {"c", "ArrowRight", "a"}, {"a", "ArrowLeft", "c"}, {"b", "ArrowUp", "a"}, {"c", "Home", "a"}, {"a", "End", "c"}, {"b", "x", "b"},
	} {
		d, engine := &tabbed{chosen: c.from}, app.NewTestEngine()
		if err := engine.Load(d); err != nil {
			t.Fatal(err)
		}
		control("t-" + c.from).Call("focus")
		js.Global().Get("Function").New(`document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key: "` + c.key + `", bubbles: true, cancelable: true }))`).Invoke()
		engine.ConsumeAll()
		if focused := js.Global().Get("document").Get("activeElement").Get("id").String(); d.chosen != c.want || focused != "t-"+c.want {
			t.Errorf("%s at %s leads to %s, and the focus to %s, want %s", c.key, c.from, d.chosen, focused, c.want)
		}
	}
}

func TestLinesOfATextAreaAreSelected(t *testing.T) {
	loadControls(t)
	for _, c := range []struct {
		text       string
		line       int
		start, end int
	}{
		{"ab\ncd\n", 1, 0, 2},
		{"ab\ncd\n", 2, 3, 5},
		{"ab\ncd\n", 3, 6, 6},
		{"ab", 9, 2, 2},
		{"", 1, 0, 0},
		{"é\nx", 2, 2, 3},
		{"🚢\nx", 2, 3, 4}, // two units of the browser
	} {
		area := js.Global().Get("document").Call("createElement", "textarea")
		area.Set("value", c.text)
		js.Global().Get("berth").Call("selectLine", area, c.line)
		if start, end := area.Get("selectionStart").Int(), area.Get("selectionEnd").Int(); start != c.start || end != c.end {
			t.Errorf("line %d of %q is from %d to %d, want %d to %d", c.line, c.text, start, end, c.start, c.end)
		}
	}
}

// bench mounts a workbench in a browser with stored sizes of the panes, and returns the actual
// sizes; a dash marks a collapsed pane.
func bench(t *testing.T, stored string) (sizes string) {
	t.Helper()
	loadControls(t)
	Store("berth.panes.w", stored)
	pane := Pane{Title: "It", Body: func() app.UI { return app.P() }}
	engine := app.NewTestEngine()
	if err := engine.Load(&Workbench{ID: "w", Input: pane, Result: pane, Compare: pane, Why: pane}); err != nil {
		t.Fatal(err)
	}
	engine.ConsumeAll()
	awaitFrame()
	return js.Global().Get("Function").New(`
		const bench = document.getElementById("w");
		return ["input", "compare", "why"].map((name) => {
			const collapsed = bench.hasAttribute("data-collapsed-" + name), button = bench.querySelector(".pane-" + name + " .pane-collapse");
			const size = bench.style.getPropertyValue("--" + name) + (collapsed ? "-" : "");
			return button.title === (collapsed ? "Open It" : "Collapse It") && button.ariaExpanded === String(!collapsed) ? size : size + ": " + button.title;
		}).join(" ")`).Invoke().String()
}

func TestPanesHaveTheSizesThatTheyHad(t *testing.T) {
	if got, want := bench(t, "input=444 compare=420 why=300-"), "444px 420px 300px-"; got != want {
		t.Errorf("the panes have %s, want %s", got, want)
	}
	js.Global().Get("Function").New(`
		document.querySelector(".separator[aria-controls=w-input]").dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
		for (const name of ["compare", "why"]) document.querySelector(".pane-" + name + " .pane-collapse").click();`).Invoke()
	if got, want := Stored("berth.panes.w"), "input=460 compare=420- why=300"; got != want {
		t.Errorf("the browser keeps %q, want %q", got, want)
	}
	for _, stored := range []string{"", "input=", "input=99999", "input=-5", "nonsense=3", "input", "input=3x", "=== -"} {
		if got, want := bench(t, stored), "320px 420px 260px"; got != want {
			t.Errorf("after %q the panes have %s, want %s", stored, got, want)
		}
	}
}

// asking has a dialog. Its body has a control once it is ready.
type asking struct {
	app.Compo
	page        app.Context
	open, ready bool
}

func (a *asking) OnMount(ctx app.Context) { a.page = ctx }

func (a *asking) Render() app.UI {
	return app.Div().Body(&Dialog{ID: "d", Title: "Share", Open: a.open, OnClose: func(app.Context) { a.open = false }, Body: func() app.UI {
		return app.Div().Body(app.If(a.ready, func() app.UI { return app.Input().ID("link") }))
	}})
}

func TestADialogIsShownAndClosed(t *testing.T) {
	loadControls(t)
	a, engine := &asking{}, app.NewTestEngine()
	if err := engine.Load(a); err != nil {
		t.Fatal(err)
	}
	engine.ConsumeAll()
	change := func(change func()) {
		a.page.Dispatch(func(app.Context) { change() })
		engine.ConsumeAll()
		for range 2 { // the browser reports it later
			awaitFrame()
			engine.ConsumeAll()
		}
	}
	want := func(open bool, focus string) {
		t.Helper()
		shown, at := control("d").Get("open").Bool(), js.Global().Get("document").Get("activeElement")
		if shown != open || a.open != open || focus != "" && at.Call("matches", focus).Bool() != true {
			t.Errorf("shown %v, open %v, the focus is on %s; want %v and %s", shown, a.open, at.Get("outerHTML").String(), open, focus)
		}
	}
	change(func() { a.open = true })
	want(true, "header button")
	change(func() { a.ready = true })
	want(true, "#link")
	change(func() { a.open = false })
	want(false, "")
	for _, press := range []string{"#d header button", "#d"} {
		change(func() { a.open = true })
		want(true, "#link")
		change(func() { js.Global().Get("document").Call("querySelector", press).Call("click") })
		want(false, "")
	}
}
