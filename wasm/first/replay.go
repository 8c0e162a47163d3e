package first

import (
	"context"
	"time"

	"berth/wasm/bridge"
)

// Engine returns workers that give recorded answers. The first call without a
// recorded answer starts a worker of next, which answers it and all later ones.
func (r *Recording) Engine(next bridge.Spawn) bridge.Spawn {
	return func(receive func(bridge.Message)) bridge.Worker {
		return &worker{record: r, start: func() bridge.Worker { return next(receive) }, receive: receive, turn: make(chan struct{}, 1)}
	}
}

type worker struct {
	record  *Recording
	start   func() bridge.Worker
	receive func(bridge.Message)
	turn    chan struct{} // guards the fields below
	ended   bool
	engine  bridge.Worker // nil until a call needs it
}

// Post answers a call in a separate goroutine, so that the caller need not wait.
func (w *worker) Post(m bridge.Message) {
	if m.Kind != bridge.KindCall || !w.record.mayHave(m) {
		w.pass(m, m.Kind == bridge.KindCall)
		return
	}
	go func() {
		key, err := callKey(context.Background(), m)
		if err == nil {
			if answer, ok := w.record.answer(key, m.ID); ok {
				w.record.pause()
				w.receive(answer)
				return
			}
		}
		w.pass(m, true)
	}()
}

// pause returns the thread to the browser for a moment, so that a series of immediate
// answers does not become one long task.
func (r *Recording) pause() {
	r.turn.Lock()
	defer r.turn.Unlock()
	time.Sleep(time.Millisecond)
}

// pass sends a message to the engine. start says whether to start the engine for it.
func (w *worker) pass(m bridge.Message, start bool) {
	w.turn <- struct{}{}
	defer func() { <-w.turn }()
	if w.engine == nil && start && !w.ended {
		w.engine = w.start()
	}
	if w.engine != nil {
		w.engine.Post(m)
	}
}

func (w *worker) Terminate() {
	w.turn <- struct{}{}
	defer func() { <-w.turn }()
	w.ended = true
	if w.engine != nil {
		w.engine.Terminate()
	}
}
