package ui

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/engine/show"
)

// Button returns a button with a visible label and an icon, or no icon for "".
func Button(icon, label string) app.HTMLButton {
	if icon == "" {
		return app.Button().Type("button").Class("button").Text(label)
	}
	return app.Button().Type("button").Class("button").Body(
		Icon(icon),
		app.Span().Text(label),
	)
}

// IconButton returns a button that shows only an icon. label is its name for screen readers and its
// tooltip.
func IconButton(icon, label string) app.HTMLButton {
	return app.Button().Type("button").Class("button button-icon").
		Aria("label", show.Words(label)).Title(show.Words(label)).
		Body(Icon(icon))
}

// None returns an invisible element that keeps a place among its siblings. An empty text node would
// vanish when a script normalises the page.
func None() app.UI { return app.Span().Hidden(true) }

// Disabled disables a button if off is set. Setting the attribute to false would disable it in a
// pre-rendered page.
func Disabled(button app.HTMLButton, off bool) app.HTMLButton {
	if off {
		button.Disabled(true)
	}
	return button
}

// Field puts a label above the form control with this id.
func Field(id, label string, control app.UI) app.UI {
	return app.Div().Class("field").Body(
		app.Label().For(id).Text(show.Words(label)),
		control,
	)
}

// Empty is the content of an empty pane: a text and the actions that fill the pane.
func Empty(what string, actions ...app.UI) app.UI {
	return app.Div().Class("empty").Body(
		app.P().Text(what),
		app.Div().Class("row").Body(actions...),
	)
}

// Problem shows an error that screen readers announce at once.
func Problem(text string) app.HTMLP {
	return app.P().Class("problem").Role("alert").Body(Icon("error"), app.Span().Text(show.Words(text)))
}

// Badge shows a word in a coloured frame, with an icon so that colour is not the only sign. kind is
// "good", "bad", "warn" or "plain".
func Badge(kind, text string) app.UI {
	mark := map[string]string{"good": "check", "bad": "error", "warn": "warning"}[kind]
	return app.Span().Class("badge badge-"+kind).Body(
		app.If(mark != "", func() app.UI { return Icon(mark) }),
		app.Span().Text(show.Words(text)),
	)
}
