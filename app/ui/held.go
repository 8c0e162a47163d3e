package ui

import (
	"cmp"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/engine/show"
)

// Controls in which a person changes a value: what they show comes from the
// page's state, but a text that somebody is writing must not be written over,
// and go-app would do that whenever the state changes. So no control is given a
// value attribute. It carries its value as data-value, and [FillControls] puts
// that into it, after each update of the page, unless the control is the
// person's. That tell, beside the focus, two properties of the element: put is
// the value that was put there last or handed over, and written, which controls.js
// sets, whether the person has changed it since.

// element is what the elements of go-app have that can be a control.
type element[T any] interface {
	DataSet(name string, value any) T
	On(event string, h app.EventHandler, options ...app.EventOption) T
}

// Showing has a control show a value: a text, the value of an option, or for a
// checkbox "true" or "false".
func Showing[T element[T]](control T, value string) T {
	return control.DataSet("control", true).DataSet("value", value) // go-app leaves out the empty value
}

// Taking hands over what the person changes the value of a control to, at an
// event, "change" or "input". The scope tells the control from its like, and
// what take does from what it did before.
func Taking[T element[T]](control T, event string, take func(ctx app.Context, value string), scope ...any) T {
	return control.On(event, func(ctx app.Context, e app.Event) {
		control := e.Get("target") // whose place another may have taken
		value := valueOf(control)
		if !taken(control, value) {
			take(ctx, value)
		}
	}, app.EventScope(scope...))
}

// Select is a list of options to choose from. It shows the one with this value.
func Select(id, value string, take func(value string), options ...app.UI) app.HTMLSelect {
	list := Showing(app.Select().ID(id), cmp.Or(value, noValue))
	return Taking(list, "change", func(_ app.Context, value string) {
		if value == noValue {
			value = ""
		}
		take(value)
	}, id).Body(options...)
}

// noValue stands for the empty value of an option: go-app leaves the attribute out, and
// the option would have its text as value.
const noValue = "-"

// Option is an entry of a [Select].
func Option(value, text string) app.UI {
	return app.Option().Value(cmp.Or(value, noValue)).Text(show.Words(text))
}

// Options are so many entries of a list, each with its value and its text.
func Options(n int, entry func(i int) (value, text string)) []app.UI {
	all := make([]app.UI, n)
	for i := range all {
		all[i] = Option(entry(i))
	}
	return all
}

// Named are entries whose values are their texts.
func Named(names []string) []app.UI {
	return Options(len(names), func(i int) (value, text string) { return names[i], names[i] })
}

// Checkbox is a box that is ticked or not.
func Checkbox(id string, on bool, take func(on bool)) app.HTMLInput {
	box := Showing(app.Input().Type("checkbox").ID(id), map[bool]string{true: "true", false: "false"}[on])
	return Taking(box, "change", func(_ app.Context, value string) { take(value == "true") }, id)
}

// WatchControls has the page updated when a person leaves a control, until end is
// called. It is called once, by the page.
func WatchControls(page app.Context) (end func()) {
	return listen("focusout", true, func(app.Value) { page.Dispatch(func(app.Context) {}) })
}

// FillControls puts their values into the controls that are not the person's.
// Where all values gave way to others, the one with the focus is not either. A
// script does it, since there are dozens of them.
func FillControls(all bool) { app.Window().Get("berth").Call("fillControls", all) }

// Settle has what is being written taken over, and goes on then: what the person
// asks for with a key, a dropped file or an address is about what they see.
func Settle(ctx app.Context, then func(app.Context)) {
	control := app.Window().Get("document").Get("activeElement")
	if !control.Truthy() || !written(control) {
		then(ctx)
		return
	}
	control.Call("dispatchEvent", app.Window().Get("Event").New("change", map[string]any{"bubbles": true}))
	ctx.Dispatch(then) // behind the event
}

// taken notes that the value of a control is handed over, and reports whether
// it was before.
func taken(control app.Value, value string) (before bool) {
	last := control.Get("put")
	before = !last.IsUndefined() && last.String() == value
	control.Set("put", value)
	control.Set("written", false)
	return before
}

func written(control app.Value) bool { return control.Get("written").Truthy() }

func isCheckbox(control app.Value) bool { return control.Get("type").String() == "checkbox" }

func valueOf(control app.Value) string {
	if isCheckbox(control) {
		return map[bool]string{true: "true", false: "false"}[control.Get("checked").Bool()]
	}
	return control.Get("value").String()
}
