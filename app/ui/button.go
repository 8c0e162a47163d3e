package ui

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/engine/show"
)

// Button is a button with an icon ("" for none) and a visible label.
func Button(icon, label string) app.HTMLButton {
	if icon == "" {
		return app.Button().Type("button").Class("button").Text(label)
	}
	return app.Button().Type("button").Class("button").Body(
		Icon(icon),
		app.Span().Text(label),
	)
}

// IconButton is a button that shows an icon alone; label is its name for
// screen readers and its tooltip.
func IconButton(icon, label string) app.HTMLButton {
	return app.Button().Type("button").Class("button button-icon").
		Aria("label", show.Words(label)).Title(show.Words(label)).
		Body(Icon(icon))
}

// None keeps the place of an element that is not there now. An empty text would do so, too,
// until something puts the texts of the page in order.
func None() app.UI { return app.Span().Hidden(true) }

// Disabled turns a button off where that is so. A false attribute would count
// as a true one in a page that was drawn beforehand.
func Disabled(button app.HTMLButton, off bool) app.HTMLButton {
	if off {
		button.Disabled(true)
	}
	return button
}

// Field puts a label above one form control with this id.
func Field(id, label string, control app.UI) app.UI {
	return app.Div().Class("field").Body(
		app.Label().For(id).Text(show.Words(label)),
		control,
	)
}

// Empty is what a pane shows when it has nothing yet: what to do about it.
func Empty(what string, actions ...app.UI) app.UI {
	return app.Div().Class("empty").Body(
		app.P().Text(what),
		app.Div().Class("row").Body(actions...),
	)
}

// Problem says at once what is wrong with something.
func Problem(text string) app.HTMLP {
	return app.P().Class("problem").Role("alert").Body(Icon("error"), app.Span().Text(show.Words(text)))
}

// Badge is a word in a coloured frame, with a mark beside it so that colour is
// never alone. Kind is one of "good", "bad", "warn" and "plain".
func Badge(kind, text string) app.UI {
	mark := map[string]string{"good": "check", "bad": "error", "warn": "warning"}[kind]
	return app.Span().Class("badge badge-"+kind).Body(
		app.If(mark != "", func() app.UI { return Icon(mark) }),
		app.Span().Text(show.Words(text)),
	)
}
