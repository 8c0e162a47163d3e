package ui

import (
	"cmp"
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/engine/show"
)

// The controls in which a person changes a value show the page's state. If they had a value
// attribute, go-app would overwrite a text that a person is writing whenever the state changes. So
// each control carries its value as data-value, and [FillControls] copies it into the control after
// each update of the page, unless the person is using the control. This depends on the focus and on
// two properties of the element: put is the value that was last copied or handed over, and written,
// which controls.js sets, is true if the person has changed the control since.

// controllable is the interface of go-app elements that can be a control.
type controllable[T any] interface {
	DataSet(name string, value any) T
	On(event string, h app.EventHandler, options ...app.EventOption) T
}

// Showing makes a control show a value: a text, the value of an option, or for a checkbox "true" or
// "false".
func Showing[T controllable[T]](control T, value string) T {
	return control.DataSet("control", true).DataSet("value", value) // go-app omits an empty value
}

// Taking calls take with the value of a control after the person has changed it, at the event
// "change" or "input". scope distinguishes handlers whose code is the same.
func Taking[T controllable[T]](control T, event string, take func(ctx app.Context, value string), scope ...any) T {
	return control.On(event, func(ctx app.Context, e app.Event) {
		control := e.Get("target") // not the outer control: another one may have taken its place
		value := valueOf(control)
		if !taken(control, value) {
			take(ctx, value)
		}
	}, app.EventScope(scope...))
}

// Select is a list of options that shows the option with this value.
func Select(id, value string, take func(value string), options ...app.UI) app.HTMLSelect {
	list := Showing(app.Select().ID(id), cmp.Or(value, noValue))
	return Taking(list, "change", func(_ app.Context, value string) {
		if value == noValue {
			value = ""
		}
		take(value)
	}, id).Body(options...)
}

// noValue replaces the empty value of an option: go-app would omit the attribute, and the browser
// would use the option's text as its value.
const noValue = "-"

// Option is an entry of a [Select].
func Option(value, text string) app.UI {
	return app.Option().Value(cmp.Or(value, noValue)).Text(show.Words(text))
}

// Options returns n entries of a list, each with a value and a text.
func Options(n int, entry func(i int) (value, text string)) []app.UI {
	all := make([]app.UI, n)
	for i := range all {
		all[i] = Option(entry(i))
	}
	return all
}

// Named returns entries whose values are their texts.
func Named(names []string) []app.UI {
	return Options(len(names), func(i int) (value, text string) { return names[i], names[i] })
}

// Numbered is a list of the numbers in all, shown by name. at is the selected number.
func Numbered(id string, at int, all []int, name func(i int) string, take func(i int)) app.HTMLSelect {
	return Select(id, strconv.Itoa(at), func(value string) {
		i, _ := strconv.Atoi(value)
		take(i)
	}, Options(len(all), func(k int) (value, text string) { return strconv.Itoa(all[k]), name(all[k]) })...)
}

// Checkbox calls take with its new state after the user has changed it.
func Checkbox(id string, on bool, take func(on bool)) app.HTMLInput {
	box := Showing(app.Input().Type("checkbox").ID(id), map[bool]string{true: "true", false: "false"}[on])
	return Taking(box, "change", func(_ app.Context, value string) { take(value == "true") }, id)
}

// WatchControls updates the page whenever the user leaves a control, until end is called. The page
// calls it once.
func WatchControls(page app.Context) (end func()) {
	return listen("focusout", true, func(app.Value) { page.Dispatch(func(app.Context) {}) })
}

// FillControls copies the values into the controls, except a control in use. If all is set, it
// fills that one too, because all values have been replaced. A script does the work, because there
// are dozens of controls.
func FillControls(all bool) { app.Window().Get("berth").Call("fillControls", all) }

// Settle commits the text that the user is typing, and then calls then. Call it before a key, a
// dropped file or an address uses the values on screen.
func Settle(ctx app.Context, then func(app.Context)) {
	control := app.Window().Get("document").Get("activeElement")
	if !control.Truthy() || !written(control) {
		then(ctx)
		return
	}
	control.Call("dispatchEvent", app.Window().Get("Event").New("change", map[string]any{"bubbles": true}))
	ctx.Dispatch(then) // runs after the event
}

// taken records that the page has the value of a control, and reports whether it already had that
// value.
func taken(control app.Value, value string) (before bool) {
	last := control.Get("put")
	before = !last.IsUndefined() && last.String() == value
	control.Set("put", value)
	control.Set("written", false)
	return before
}

func written(control app.Value) bool { return control.Get("written").Truthy() }

func valueOf(control app.Value) string {
	if control.Get("type").String() == "checkbox" {
		return map[bool]string{true: "true", false: "false"}[control.Get("checked").Bool()]
	}
	return control.Get("value").String()
}
