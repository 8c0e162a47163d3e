package handler

import (
	"context"
	"errors"
	"fmt"

	"berth/engine/format"
	"berth/engine/scenario"
	"berth/wasm/bridge"
)

// Handler serves one worker. It remembers the last experiments that it ran, so
// that questions about them neither read nor place again.
type Handler struct {
	// Yield, if it is not nil, is called after each progress message, so that the
	// wish to stop can come in.
	Yield func()

	now    func() float64
	warm   map[string]bool // subjects whose code has run, by kind and name
	recent []*experiment   // the last one first
	shared scenario.Shared
}

var _ bridge.Server = (*Handler)(nil)

// New returns a handler with the clock now, in milliseconds; nil is a clock
// that stands still: no progress, and timings of 0.
func New(now func() float64) *Handler {
	if now == nil {
		now = func() float64 { return 0 }
	}
	return &Handler{now: now}
}

// answer is what a method gives back.
type answer struct {
	body     any
	files    map[string]bridge.Blob
	scenario string // hash, of methods that take a scenario
}

type progress = func(scenario.Progress)

// Serve answers one call. Whatever happens, it sends exactly one result or
// error, after the progress.
func (h *Handler) Serve(ctx context.Context, call bridge.Message, send func(bridge.Message)) {
	reply, err := h.reply(ctx, call, send)
	if err != nil {
		// An error has nothing that JSON could not hold.
		reply, _ = call.Reply(bridge.KindError, asError(err), nil)
	}
	send(reply)
}

func (h *Handler) reply(ctx context.Context, call bridge.Message, send func(bridge.Message)) (reply bridge.Message, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			h.recent, h.shared = nil, scenario.Shared{} // what it was working on cannot be trusted
			err = &bridge.Error{Kind: bridge.Fault, Message: fmt.Sprintf(
				"the engine failed while it worked on %q (%v); your input is kept, and the engine goes on", call.Method, fault)}
		}
	}()
	method := h.question
	switch call.Method {
	case bridge.MethodRun:
		method = h.run
	case bridge.MethodDocument:
		method = h.document
	case bridge.MethodOpen:
		method = h.open
	case bridge.MethodChanges:
		method = h.changes
	}
	a, err := method(scenario.Share(ctx, &h.shared), call, h.throttle(call, send))
	if err != nil {
		return bridge.Message{}, err
	}
	call.Scenario = a.scenario
	return call.Reply(bridge.KindResult, a.body, a.files)
}

// asError gives an error the form in which it travels.
func asError(err error) *bridge.Error {
	if e, ok := errors.AsType[*bridge.Error](err); ok {
		return e
	}
	e := &bridge.Error{Message: err.Error()}
	if input, ok := errors.AsType[*scenario.InputError](err); ok {
		e.Diagnostics = input.Diagnostics
	}
	if errors.As(err, new(*format.MissingError)) {
		e.Kind = bridge.NeedsReaders
	}
	return e
}

// interval is the time between two progress messages: the page's queue is
// short.
const interval = 100 // ms

// throttle returns a function that sends progress, but not more often than
// every interval, and not within the first one.
func (h *Handler) throttle(call bridge.Message, send func(bridge.Message)) progress {
	begun := h.now()
	last := begun
	return func(p scenario.Progress) {
		now := h.now()
		if now-last < interval {
			return
		}
		last, p.Elapsed = now, now-begun
		if m, err := call.Reply(bridge.KindProgress, p, nil); err == nil {
			send(m)
		}
		if h.Yield != nil {
			h.Yield()
		}
	}
}
