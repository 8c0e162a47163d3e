package ui

import "github.com/maxence-charriere/go-app/v10/pkg/app"

// Listen calls handle on the page's goroutine for every event of the window until end is called.
// The browser waits for handle, which may still prevent the event's default action.
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
