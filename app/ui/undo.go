package ui

// undoDepth limits the memory of the history. Typing without a pause is one step.
const undoDepth = 100

// Undo is a linear history of states of type T, for a view that undoes "open example", "open link"
// or "clear". The zero value is an empty history. The owner keeps the present state and passes it
// to each call.
type Undo[T any] struct {
	past, future []undoStep[T]
}

type undoStep[T any] struct {
	name  string
	state T
}

// Push records present, the state before the change called name, and drops the states that could be
// redone. It keeps the last 100 changes.
func (u *Undo[T]) Push(name string, present T) {
	u.past = append(u.past, undoStep[T]{name, present})
	if len(u.past) > undoDepth {
		u.past = append(u.past[:0:0], u.past[1:]...)
	}
	u.future = nil
}

// Undo returns the state before the last change and the name of that change; ok is false if there
// is no change.
func (u *Undo[T]) Undo(present T) (state T, name string, ok bool) {
	return move(&u.past, &u.future, present)
}

// Redo returns the state that the last Undo undid.
func (u *Undo[T]) Redo(present T) (state T, name string, ok bool) {
	return move(&u.future, &u.past, present)
}

// CanUndo returns the name of the change that Undo would undo, or "".
func (u *Undo[T]) CanUndo() string { return lastName(u.past) }

// CanRedo returns the name of the change that Redo would redo, or "".
func (u *Undo[T]) CanRedo() string { return lastName(u.future) }

func lastName[T any](s []undoStep[T]) string {
	if len(s) == 0 {
		return ""
	}
	return s[len(s)-1].name
}

func move[T any](from, to *[]undoStep[T], present T) (state T, name string, ok bool) {
	if len(*from) == 0 {
		return state, "", false
	}
	last := (*from)[len(*from)-1]
	*from = (*from)[:len(*from)-1]
	*to = append(*to, undoStep[T]{last.name, present})
	return last.state, last.name, true
}
