package ui

import (
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"
)

func fire(target app.Value, event string) {
	target.Call("dispatchEvent", app.Window().Get("Event").New(event, map[string]any{"bubbles": true}))
}

func TestListeningEnds(t *testing.T) {
	heard := 0
	end := listen("berth:test", false, func(app.Value) { heard++ })
	fire(app.Window(), "berth:test")
	end()
	fire(app.Window(), "berth:test")
	if heard != 1 {
		t.Errorf("heard %d events, want the one before the end", heard)
	}
}

// A field that is being typed in tells of its change once, and only then.
func TestTypingIsTaken(t *testing.T) {
	document := app.Window().Get("document")
	field := document.Call("createElement", "input")
	document.Get("documentElement").Call("append", field)
	defer field.Call("remove")
	defer WatchTyping()()
	changes := 0
	defer listen("change", false, func(app.Value) { changes++ })()
	want := func(n int, when string) {
		t.Helper()
		if TakeTyping(); changes != n {
			t.Errorf("%d changes %s, want %d", changes, when, n)
		}
	}
	want(0, "before anything was typed")
	fire(field, "input")
	want(1, "after a key")
	want(1, "after it was taken")
	fire(field, "input")
	fire(field, "change")
	want(2, "after the field told of it itself")
}
