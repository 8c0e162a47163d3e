package ui

import "github.com/maxence-charriere/go-app/v10/pkg/app"

// separator is the line between two panes that resizes one of them. The user drags it, or focuses
// it and presses the arrow keys, Home or End; Enter and a double click collapse the pane. While it
// is dragged, controls.js alone resizes the pane.
type separator struct {
	label    string // name of the pane, for screen readers
	controls string // id of the pane
	property string // style of the pane that is its size: "height", or a variable of the workbench
	vertical bool   // a vertical line, which moves sideways
	reverse  bool   // the pane is to the right of the line or below it
	value    int    // size of the pane in CSS pixels
	min, max int
	onMove   func(value int) // nil of a pane of the workbench, whose sizes controls.js keeps
	onToggle func()
}

func (s separator) draw() app.UI {
	orientation := "horizontal"
	if s.vertical {
		orientation = "vertical"
	}
	line := app.Div().Class("separator separator-"+orientation).
		Role("separator").TabIndex(0).
		Aria("label", s.label).
		Aria("orientation", orientation).
		Aria("controls", s.controls).
		Aria("valuenow", s.value).Aria("valuemin", s.min).Aria("valuemax", s.max).
		DataSet("property", s.property).DataSet("reverse", s.reverse)
	if s.onMove == nil {
		return line
	}
	return line.On("berth:moved", func(_ app.Context, e app.Event) { s.onMove(e.Get("detail").Int()) }).
		On("berth:toggled", func(app.Context, app.Event) { s.onToggle() })
}
