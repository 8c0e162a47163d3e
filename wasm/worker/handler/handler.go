package handler

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"berth/engine/policy"
	"berth/engine/scenario"
	"berth/wasm/bridge"
)

// Handler serves one worker. It keeps the last scenarios that it ran, so that
// questions about them neither read inputs nor run again.
type Handler struct {
	// Yield, if not nil, is called after each progress message, so that a request to
	// stop can arrive.
	Yield func()
	// Limit, if not nil, limits the memory of the worker, in bytes; 0 is no limit. A
	// worker beyond the limit is terminated.
	Limit func(bytes int)

	now    func() float64
	warm   map[string]bool // subjects whose code has run, by kind and name
	recent []*prepared     // latest first
	shared scenario.Shared

	mutex   sync.Mutex
	running context.Context // context of the policy that began last
}

var _ bridge.Server = (*Handler)(nil)

// New returns a handler with the clock now, in milliseconds. Without a clock (nil) it
// sends no progress, and timings are 0.
func New(now func() float64) *Handler {
	if now == nil {
		now = func() float64 { return 0 }
	}
	return &Handler{now: now}
}

// answer is the reply of a method to the page: a body that is encoded as JSON, and files.
type answer struct {
	body     any
	files    map[string]bridge.Blob
	scenario string // hash of the scenario, if the method has one
}

type progress = func(scenario.Progress)

// Serve answers one call. It always sends exactly one result or error, after the
// progress.
func (h *Handler) Serve(ctx context.Context, call bridge.Message, send func(bridge.Message)) {
	reply, err := h.reply(ctx, call, send)
	if err != nil {
		// An error always encodes as JSON.
		reply, _ = call.Reply(bridge.KindError, asError(err), nil)
	}
	send(reply)
}

func (h *Handler) reply(ctx context.Context, call bridge.Message, send func(bridge.Message)) (reply bridge.Message, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = h.fault(string(call.Method), fault)
		}
	}()
	method := h.question
	switch call.Method {
	case bridge.MethodRun:
		method = h.run
	case bridge.MethodRead:
		method = h.read
	case bridge.MethodDocument:
		method = h.document
	case bridge.MethodOpen:
		method = h.open
	}
	ctx = policy.Watched(scenario.Share(ctx, &h.shared), h.watch(ctx, call, send))
	a, err := method(ctx, call, h.throttle(call, send))
	if err != nil {
		return bridge.Message{}, err
	}
	call.Scenario = a.scenario
	return call.Reply(bridge.KindResult, a.body, a.files)
}

// fault turns a panic in a method into an error, and forgets the kept scenarios.
func (h *Handler) fault(method string, what any) error {
	h.recent, h.shared = nil, scenario.Shared{} // the panic may have left the cache inconsistent
	return &bridge.Error{Kind: bridge.Fault, Message: fmt.Sprintf(
		"the engine failed while it worked on %q (%v); your input is kept, and the engine goes on", method, what)}
}

// asError converts an error to the type that is sent.
func asError(err error) *bridge.Error {
	if e, ok := errors.AsType[*bridge.Error](err); ok {
		return e
	}
	e := &bridge.Error{Message: err.Error()}
	if input, ok := errors.AsType[*scenario.InputError](err); ok {
		e.Diagnostics = input.Diagnostics
	}
	return e
}

// watch reports to the pool which policy runs. It yields to the browser during the policy, so that
// requests to stop can arrive.
func (h *Handler) watch(ctx context.Context, call bridge.Message, send func(bridge.Message)) *policy.Watch {
	report := func(r bridge.RunningText) {
		if m, err := call.Reply(bridge.KindText, r, nil); err == nil {
			send(m)
		}
		if h.Limit != nil {
			h.Limit(r.Memory())
		}
	}
	yielded := h.now()
	return &policy.Watch{
		Begins: func(run context.Context, t *policy.Text) {
			h.mutex.Lock()
			defer h.mutex.Unlock()
			h.running = run
			report(bridge.RunningText{Policy: t.Name, Careful: t.Careful})
			context.AfterFunc(run, func() { // possibly after the next policy has begun
				h.mutex.Lock()
				defer h.mutex.Unlock()
				if h.running == run {
					report(bridge.RunningText{})
				}
			})
		},
		Pulse: func() {
			if now := h.now(); h.Yield == nil || now-yielded < interval {
				return
			}
			h.Yield()
			yielded = h.now()
			if ctx.Err() != nil {
				h.mutex.Lock()
				defer h.mutex.Unlock()
				report(bridge.RunningText{}) // shows the pool that the request to stop was received; the result so far follows
			}
		},
	}
}

// interval is the time between two progress messages; the page can queue only a few.
const interval = 100 // ms

// throttle returns a function that sends progress at most once an interval, beginning
// after the first interval.
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
