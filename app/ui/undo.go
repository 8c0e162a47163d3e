package ui

// undoDepth bounds the memory that the past may take. What was typed without a
// rest is one step.
const undoDepth = 100

// Undo is a linear history of states of type T: what a view puts back after
// "open example", "open link" or "clear". The zero value is ready to use. The
// present state stays with the owner, who hands it in at each call.
type Undo[T any] struct {
	past, future []step[T]
}

type step[T any] struct {
	name  string
	state T
}

// Push remembers present, the state before the change called name, and forgets
// what could have been redone. Only the last 100 changes are kept.
func (u *Undo[T]) Push(name string, present T) {
	u.past = append(u.past, step[T]{name, present})
	if len(u.past) > undoDepth {
		u.past = append(u.past[:0:0], u.past[1:]...)
	}
	u.future = nil
}

// Undo returns the state before the last change and that change's name; ok is
// false when there is none.
func (u *Undo[T]) Undo(present T) (state T, name string, ok bool) {
	return move(&u.past, &u.future, present)
}

// Redo returns the state that the last Undo took back.
func (u *Undo[T]) Redo(present T) (state T, name string, ok bool) {
	return move(&u.future, &u.past, present)
}

// CanUndo names the change that Undo would take back, "" when there is none.
func (u *Undo[T]) CanUndo() string { return lastName(u.past) }

// CanRedo names the change that Redo would bring back, "" when there is none.
func (u *Undo[T]) CanRedo() string { return lastName(u.future) }

func lastName[T any](s []step[T]) string {
	if len(s) == 0 {
		return ""
	}
	return s[len(s)-1].name
}

func move[T any](from, to *[]step[T], present T) (state T, name string, ok bool) {
	if len(*from) == 0 {
		return state, "", false
	}
	last := (*from)[len(*from)-1]
	*from = (*from)[:len(*from)-1]
	*to = append(*to, step[T]{last.name, present})
	return last.state, last.name, true
}
