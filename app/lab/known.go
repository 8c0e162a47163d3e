package lab

import (
	"berth/engine/scenario"
	"berth/wasm/bridge"
)

// Known is the answer to a question that a view asks while it draws.
type Known[A any] struct {
	Answer  A
	Problem string // error of the question; "" for none
	Waits   bool   // the answer has not arrived
}

// Know returns the answer of ask, which may block. It calls ask off the page's
// goroutine, once for each key while a result stays on screen. The view is drawn again
// when the answer arrives.
func Know[I Inputs[I], A any](l *Lab[I], key any, ask func() (A, error)) *Known[A] {
	return Once(l, key, func() *Known[A] {
		k := &Known[A]{Waits: true}
		Ask(nil, l.Later, ask, func(a A, err error) {
			k.take(a, err)
			l.Address.goToPlace() // the place may need the answer
		})
		return k
	})
}

func (k *Known[A]) take(a A, err error) {
	k.Answer, k.Waits = a, false
	if err != nil {
		k.Problem = err.Error()
	}
}

// Or returns k or, while k waits, the previous answer in *last, so that the screen does
// not go blank. It stores k in *last once k has arrived.
func (k *Known[A]) Or(last **Known[A]) *Known[A] {
	if !k.Waits || *last == nil {
		*last = k
	}
	return *last
}

// KnowOf is [Know] for a question about a run.
func KnowOf[I Inputs[I], Query comparable, A any](l *Lab[I], run *bridge.Result, question *scenario.Question[Query, A], query Query) *Known[A] {
	return KnowAs(l, run, question, query, func(a A) A { return a })
}

// KnowAs is KnowOf with the answer converted by as. An answer that arrived with the run is
// available at once, so that its picture is drawn only once.
func KnowAs[I Inputs[I], Query comparable, A, B any](l *Lab[I], run *bridge.Result, question *scenario.Question[Query, A], query Query, as func(A) B) *Known[B] {
	key := [3]any{run, question, query}
	ask := func() (b B, err error) {
		a, err := bridge.Ask(l.Page, l.Engine, run, question, query)
		if err == nil {
			b = as(a)
		}
		return b, err
	}
	if !run.Came(bridge.Together(question, query)) {
		return Know(l, key, ask)
	}
	return Once(l, key, func() *Known[B] {
		k := &Known[B]{}
		k.take(ask())
		return k
	})
}

// Once calls make once for each key while a result stays on screen. Later calls return
// the same value, so that charts and tables are not drawn again.
func Once[I Inputs[I], T any](l *Lab[I], key any, make func() T) T {
	if value, made := l.known[key]; made {
		return value.(T)
	}
	value := make()
	l.known[key] = value
	return value
}

// Compared is the key of values that depend on the results on screen and pinned.
func (l *Lab[I]) Compared(name string) any {
	return [3]any{name, l.Runs.shown.Report, l.Pins.Pinned()}
}
