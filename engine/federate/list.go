package federate

// List is a first-in, first-out queue of tasks, linked through next, a table with the task behind
// each task. Lists may share a table if no task is in two of them at once. The zero value is an
// empty list.
type List struct{ first, last int32 } // tasks plus 1

// First returns the first task, or [None] if the list is empty.
func (l *List) First() int32 { return l.first - 1 }

// Last returns the last task of a list that is not empty.
func (l *List) Last() int32 { return l.last - 1 }

// Push appends a task.
func (l *List) Push(next []int32, task int32) {
	next[task] = None
	if l.first == 0 {
		l.first = task + 1
	} else {
		next[l.last-1] = task
	}
	l.last = task + 1
}

// PushFront puts a task at the front.
func (l *List) PushFront(next []int32, task int32) {
	next[task] = l.First()
	if l.first == 0 {
		l.last = task + 1
	}
	l.first = task + 1
}

// Pop removes the first task of a list that is not empty.
func (l *List) Pop(next []int32) { l.first = next[l.first-1] + 1 }

// PopLast removes and returns the last task of a list that is not empty, in time proportional to
// its length.
func (l *List) PopLast(next []int32) (task int32) {
	task = l.last - 1
	if l.last == l.first {
		l.first = 0
		return task
	}
	before := l.First()
	for next[before] != task {
		before = next[before]
	}
	next[before], l.last = None, before+1
	return task
}
