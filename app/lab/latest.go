package lab

import (
	"berth/engine/scenario"
	"berth/wasm/bridge"
)

// Latest numbers the instances of a repeated question, so that only the latest answer
// is used. The zero value is ready for use.
type Latest struct{ asked, settled int }

// Ask calls ask off the page's goroutine, because ask may block. It then calls take with the answer
// on the page's goroutine, unless q was asked again or dropped meanwhile. If q is nil, the answer
// is always taken. later is [Lab.Later].
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

// Drop discards the answers to the questions asked so far.
func (q *Latest) Drop() {
	q.asked++
	q.settled = q.asked
}

// Waits reports whether an answer is outstanding.
func (q *Latest) Waits() bool { return q.settled != q.asked }

// AskOf is [Ask] for a question about a run.
func AskOf[I Inputs[I], Query, Answer any](l *Lab[I], q *Latest, run *bridge.Result, question *scenario.Question[Query, Answer], query Query, take func(Answer, error)) {
	Ask(q, l.Later, func() (Answer, error) { return bridge.Ask(l.Page, l.Engine, run, question, query) }, take)
}
