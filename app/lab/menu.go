package lab

import "github.com/maxence-charriere/go-app/v10/pkg/app"

// Menu is a button that opens a list of entries. Esc, or moving the focus elsewhere,
// closes it.
func Menu(class string, button app.HTMLSummary, entries ...app.UI) app.UI {
	return app.Details().Class("menu "+class).
		OnKeyDown(pressInMenu).
		On("focusout", leaveMenu).
		Body(button.Class("button"), app.Ul().Body(entries...))
}

// MenuEntry is a button that closes its menu and calls do. The id must be unique
// among the entries of all menus.
func MenuEntry(id string, do func(), body ...app.UI) app.UI {
	return app.Li().Body(app.Button().Type("button").DataSet("testid", id).
		OnClick(func(ctx app.Context, _ app.Event) {
			closeMenu(ctx.JSSrc())
			do()
		}, app.EventScope(id)).
		Body(body...))
}

func pressInMenu(ctx app.Context, e app.Event) {
	ctx.PreventUpdate()
	if e.Get("key").String() == "Escape" {
		closeMenu(ctx.JSSrc())
	}
}

func leaveMenu(ctx app.Context, e app.Event) {
	ctx.PreventUpdate()
	if !ctx.JSSrc().Call("contains", e.Get("relatedTarget")).Bool() {
		ctx.JSSrc().Call("removeAttribute", "open")
	}
}

// closeMenu closes the menu around an element and returns the focus to its button.
func closeMenu(inside app.Value) {
	details := inside.Call("closest", "details")
	details.Call("querySelector", "summary").Call("focus")
	details.Call("removeAttribute", "open")
}
