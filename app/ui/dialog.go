package ui

import "github.com/maxence-charriere/go-app/v10/pkg/app"

// Dialog is a modal dialog based on the browser's dialog element, which traps the focus, closes on
// Esc and restores the focus. The first control of Body gets the focus as soon as Body has one.
type Dialog struct {
	app.Compo

	ID      string
	Title   string
	Class   string
	Open    bool
	OnClose func(ctx app.Context) // called after the dialog was closed; the owner sets Open to false
	Body    func() app.UI         // called only while the dialog is open
}

// Render draws the dialog, which controls.js shows and closes; a closed one is empty.
func (d *Dialog) Render() app.UI {
	dialog := app.Dialog().ID(d.ID).Class("dialog "+d.Class).Aria("labelledby", d.ID+"-title").DataSet("shown", d.Open).
		On("close", func(ctx app.Context, _ app.Event) { d.OnClose(ctx) })
	if !d.Open {
		return dialog
	}
	return dialog.Body(
		app.Article().Body(
			app.Header().Body(
				app.H2().ID(d.ID+"-title").Text(d.Title),
				IconButton("close", "Close"),
			),
			d.Body(),
		),
	)
}
