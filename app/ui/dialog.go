package ui

import "github.com/maxence-charriere/go-app/v10/pkg/app"

// Dialog is a modal dialog. It stands on the browser's own dialog element,
// which keeps the focus inside, closes on Esc, and gives the focus back. The first
// control of Body gets the focus, once there is one.
type Dialog struct {
	app.Compo

	ID      string
	Title   string
	Class   string
	Open    bool
	OnClose func(ctx app.Context) // the dialog was closed; the owner sets Open to false
	Body    func() app.UI         // not called while the dialog is closed

	shown   bool
	focused bool // a control of Body has had the focus
}

// OnMount opens a dialog that is born open.
func (d *Dialog) OnMount(ctx app.Context) { d.follow(ctx) }

// OnUpdate opens or closes the dialog when Open has changed.
func (d *Dialog) OnUpdate(ctx app.Context) { d.follow(ctx) }

func (d *Dialog) follow(ctx app.Context) {
	ctx.Defer(func(app.Context) {
		switch {
		case d.Open && !d.shown:
			d.JSValue().Call("showModal")
			d.focused = false
			// Chromium focuses what scrolls before a button.
			if button := d.JSValue().Call("querySelector", "article > header button"); button.Truthy() {
				button.Call("focus")
			}
		case !d.Open && d.shown:
			d.JSValue().Call("close")
		}
		d.shown = d.Open
		if d.Open && !d.focused {
			d.focusFirst()
		}
	})
}

// firstControl is what there is to do first in a dialog: not its Close.
const firstControl = "article > :not(header) :is(input, select, textarea, button, a[href]):not(:disabled)"

func (d *Dialog) focusFirst() {
	if control := d.JSValue().Call("querySelector", firstControl); control.Truthy() {
		control.Call("focus")
		d.focused = true
	}
}

// Render draws the dialog, empty while it is closed.
func (d *Dialog) Render() app.UI {
	dialog := app.Dialog().ID(d.ID).Class("dialog "+d.Class).Aria("labelledby", d.ID+"-title").
		On("close", d.closed).
		OnClick(d.click)
	if !d.Open {
		return dialog
	}
	return dialog.Body(
		app.Article().Body(
			app.Header().Body(
				app.H2().ID(d.ID+"-title").Text(d.Title),
				IconButton("close", "Close").OnClick(d.dismiss),
			),
			d.Body(),
		),
	)
}

func (d *Dialog) closed(ctx app.Context, _ app.Event) {
	d.shown = false
	d.OnClose(ctx)
}

func (d *Dialog) dismiss(ctx app.Context, _ app.Event) { d.JSValue().Call("close") }

// click closes the dialog when it hits the backdrop, which counts as the
// dialog element itself.
func (d *Dialog) click(ctx app.Context, e app.Event) {
	if e.Get("target").Equal(d.JSValue()) {
		d.dismiss(ctx, e)
	}
}
