package ui

import "testing"

func TestUndo(t *testing.T) {
	var u Undo[string]
	if _, _, ok := u.Undo("now"); ok {
		t.Fatal("an empty history undid something")
	}
	u.Push("open example", "a")
	u.Push("clear", "b")

	state, name, ok := u.Undo("")
	if state != "b" || name != "clear" || !ok {
		t.Fatalf("Undo = %q, %q, %v; want b, clear, true", state, name, ok)
	}
	if got := u.CanUndo(); got != "open example" {
		t.Errorf("CanUndo = %q, want open example", got)
	}
	state, _, _ = u.Undo(state)
	if state != "a" {
		t.Fatalf("second Undo = %q, want a", state)
	}
	state, name, _ = u.Redo(state)
	if state != "b" || name != "open example" {
		t.Errorf("Redo = %q, %q; want b, open example", state, name)
	}
	u.Push("type", state)
	if got := u.CanRedo(); got != "" {
		t.Errorf("CanRedo after a new change = %q, want nothing", got)
	}
}

func TestUndoForgetsTheOldest(t *testing.T) {
	var u Undo[int]
	for i := range undoDepth + 10 {
		u.Push("step", i)
	}
	oldest, steps := -1, 0
	for state, _, ok := u.Undo(0); ok; state, _, ok = u.Undo(0) {
		oldest, steps = state, steps+1
	}
	if steps != undoDepth || oldest != 10 {
		t.Errorf("%d steps back to %d, want %d back to 10", steps, oldest, undoDepth)
	}
}
