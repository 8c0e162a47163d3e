package lab

// Latest is a question that replaces the one asked before it: only the answer to the
// latest one is taken.
type Latest struct{ asked, settled int }

// Ask asks a question away from the page's goroutine, where it may block, and takes its
// answer on that goroutine unless q was asked or dropped since; if q is nil, always. Later
// is [Lab.Later].
func Ask[Answer any](q *Latest, later func(work, then func()), ask func() (Answer, error), take func(Answer, error)) {
	if q == nil {
		q = &Latest{}
	}
	q.asked++
	asked := q.asked
	var a Answer
	var err error
	later(func() { a, err = ask() }, func() {
		if asked == q.asked {
			q.settled = asked
			take(a, err)
		}
	})
}

// Drop has no answer taken of what was asked so far.
func (q *Latest) Drop() {
	q.asked++
	q.settled = q.asked
}

// Waits reports whether an answer is still to be taken.
func (q *Latest) Waits() bool { return q.settled != q.asked }
