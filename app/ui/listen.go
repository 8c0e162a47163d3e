package ui

import "github.com/maxence-charriere/go-app/v10/pkg/app"

// Listen calls handle on the page's goroutine for every such event of the window
// until end is called. The browser waits for handle, which may still prevent what
// the event stands for.
func Listen(ctx app.Context, event string, handle app.EventHandler) (end func()) {
	return listen(event, false, func(e app.Value) {
		ctx.Dispatch(func(ctx app.Context) { handle(ctx, app.Event{Value: e}) })
	})
}

func listen(event string, capture bool, handle func(e app.Value)) (end func()) {
	f := app.FuncOf(func(_ app.Value, args []app.Value) any {
		handle(args[0])
		return nil
	})
	app.Window().Call("addEventListener", event, f, capture)
	return func() {
		app.Window().Call("removeEventListener", event, f, capture)
		f.Release()
	}
}

// typed is the field that somebody has written in since it last told of a change,
// which a field does when it loses the focus.
var typed app.Value

// WatchTyping keeps note of that field until end is called.
func WatchTyping() (end func()) {
	endInput := listen("input", true, func(e app.Value) { typed = e.Get("target") })
	endChange := listen("change", true, func(app.Value) { typed = nil })
	return func() {
		endInput()
		endChange()
	}
}

// TakeTyping has that field, if there is one, tell of its change at once.
func TakeTyping() {
	if typed != nil {
		typed.Call("dispatchEvent", app.Window().Get("Event").New("change", map[string]any{"bubbles": true}))
	}
}
