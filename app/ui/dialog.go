package ui

import "github.com/maxence-charriere/go-app/v10/pkg/app"

// Dialog is a modal dialog on the browser's dialog element, which traps the focus, closes on Esc
// and restores the focus. The first control of Body gets the focus as soon as Body has one.
type Dialog struct {
	app.Compo

	ID      string
	Title   string
	Class   string
	Open    bool
	OnClose func(ctx app.Context) // called after the dialog was closed; the owner sets Open to false
	Body    func() app.UI         // called only while the dialog is open

	shown   bool
	focused bool // a control of Body has had the focus
}

// OnMount opens a dialog whose Open is already true.
func (d *Dialog) OnMount(ctx app.Context) { d.follow(ctx) }

// OnUpdate opens or closes the dialog after Open has changed.
func (d *Dialog) OnUpdate(ctx app.Context) { d.follow(ctx) }

func (d *Dialog) follow(ctx app.Context) {
	ctx.Defer(func(app.Context) {
		switch {
		case d.Open && !d.shown:
			d.JSValue().Call("showModal")
			d.focused = false
			// Chromium would focus a scrollable element before a button.
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

// firstControl selects the first enabled control outside of the dialog's header.
const firstControl = "article > :not(header) :is(input, select, textarea, button, a[href]):not(:disabled)"

func (d *Dialog) focusFirst() {
	if control := d.JSValue().Call("querySelector", firstControl); control.Truthy() {
		control.Call("focus")
		d.focused = true
	}
}

// Render draws the dialog; a closed one is empty.
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

// click closes the dialog after a click on the backdrop, whose target is the dialog element itself.
func (d *Dialog) click(ctx app.Context, e app.Event) {
	if e.Get("target").Equal(d.JSValue()) {
		d.dismiss(ctx, e)
	}
}
