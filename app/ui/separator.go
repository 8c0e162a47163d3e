package ui

import "github.com/maxence-charriere/go-app/v10/pkg/app"

// separatorStep is the distance in CSS pixels that an arrow key moves a separator.
const separatorStep = 16

// Separator is the line between two panes that resizes one of them. The user drags it, or focuses
// it and presses the arrow keys, Home or End; Enter and a double click collapse the pane.
type Separator struct {
	app.Compo

	Label    string // name of the pane, for screen readers
	Controls string // id of the pane
	Vertical bool   // a vertical line, which moves sideways
	Reverse  bool   // the pane is to the right of the line or below it
	Value    int    // size of the pane in CSS pixels
	Min, Max int

	// OnMove is called with settled false while the line is dragged, and once with settled true at
	// the end.
	OnMove   func(ctx app.Context, value int, settled bool)
	OnToggle func(ctx app.Context)

	dragging   bool
	origin     float64
	start, now int
}

// Render draws the line.
func (s *Separator) Render() app.UI {
	orientation := "horizontal"
	if s.Vertical {
		orientation = "vertical"
	}
	return app.Div().Class("separator separator-"+orientation).
		Role("separator").TabIndex(0).
		Aria("label", s.Label).
		Aria("orientation", orientation).
		Aria("controls", s.Controls).
		Aria("valuenow", s.Value).Aria("valuemin", s.Min).Aria("valuemax", s.Max).
		On("pointerdown", s.grab).
		On("pointermove", s.drag).
		On("pointerup", s.release).
		On("pointercancel", s.release).
		OnDblClick(s.toggle).
		OnKeyDown(s.press)
}

func (s *Separator) position(e app.Event) float64 {
	if s.Vertical {
		return e.Get("clientX").Float()
	}
	return e.Get("clientY").Float()
}

func (s *Separator) grab(ctx app.Context, e app.Event) {
	e.PreventDefault()
	ctx.JSSrc().Call("setPointerCapture", e.Get("pointerId"))
	ctx.JSSrc().Call("focus")
	s.dragging, s.origin, s.start, s.now = true, s.position(e), s.Value, s.Value
}

func (s *Separator) drag(ctx app.Context, e app.Event) {
	ctx.PreventUpdate()
	if !s.dragging {
		return
	}
	moved := int(s.position(e) - s.origin)
	if s.Reverse {
		moved = -moved
	}
	s.now = s.clamp(s.start + moved)
	s.OnMove(ctx, s.now, false)
}

func (s *Separator) release(ctx app.Context, _ app.Event) {
	if s.dragging && s.now != s.start {
		s.settle(ctx, s.now)
	}
	s.dragging = false
}

// settle applies the new size at once, because the next key may come before the page is drawn.
func (s *Separator) settle(ctx app.Context, value int) {
	s.Value = value
	s.OnMove(ctx, value, true)
}

func (s *Separator) toggle(ctx app.Context, _ app.Event) { s.OnToggle(ctx) }

func (s *Separator) press(ctx app.Context, e app.Event) {
	grow, shrink := "ArrowDown", "ArrowUp"
	if s.Vertical {
		grow, shrink = "ArrowRight", "ArrowLeft"
	}
	if s.Reverse {
		grow, shrink = shrink, grow
	}
	value := s.Value
	switch e.Get("key").String() {
	case grow:
		value += separatorStep
	case shrink:
		value -= separatorStep
	case "Home":
		value = s.Min
	case "End":
		value = s.Max
	case "Enter":
		s.OnToggle(ctx)
		return
	default:
		return
	}
	e.PreventDefault()
	s.settle(ctx, s.clamp(value))
}

func (s *Separator) clamp(value int) int { return max(s.Min, min(value, s.Max)) }
