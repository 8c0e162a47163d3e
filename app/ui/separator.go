package ui

import "github.com/maxence-charriere/go-app/v10/pkg/app"

// separator is the line between two panes that resizes one of them. The user drags it, or focuses
// it and presses the arrow keys, Home or End; Enter and a double click collapse the pane, or give it
// its usual size (controls.js).
type separator struct {
	label    string // name of the pane, for screen readers
	controls string // id of the pane
	property string // style that sets the size of the pane: "height", or a variable of the workbench
	vertical bool   // a vertical line, which moves sideways
	reverse  bool   // the pane is to the right of the line or below it
	usual    int    // size of the pane in CSS pixels, until the user resizes it
	min, max int
}

func (s separator) draw() app.UI {
	orientation := "horizontal"
	if s.vertical {
		orientation = "vertical"
	}
	return app.Div().Class("separator separator-"+orientation).
		Role("separator").TabIndex(0).
		Aria("label", s.label).
		Aria("orientation", orientation).
		Aria("controls", s.controls).
		Aria("valuenow", s.usual).Aria("valuemin", s.min).Aria("valuemax", s.max).
		DataSet("property", s.property).DataSet("reverse", s.reverse)
}
