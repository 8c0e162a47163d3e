package lab

import "github.com/maxence-charriere/go-app/v10/pkg/app"

// Menu is a button that opens a list of entries. Esc, a choice, or moving the focus
// elsewhere closes the list (controls.js).
func Menu(class string, button app.HTMLSummary, entries ...app.UI) app.UI {
	return app.Details().Class("menu "+class).Body(button.Class("button"), app.Ul().Body(entries...))
}

// MenuEntry is a button that calls do. The id must be unique among the entries of all
// menus.
func MenuEntry(id string, do func(), body ...app.UI) app.UI {
	return app.Li().Body(app.Button().Type("button").DataSet("testid", id).
		OnClick(func(app.Context, app.Event) { do() }, app.EventScope(id)).
		Body(body...))
}
