//go:build !js

package first

import (
	"context"
	"encoding/json"
	"sync"
	"unicode/utf8"

	"berth/wasm/bridge"
	"berth/wasm/worker/handler"
)

// Recorder returns workers in this process whose answers are recorded. Each scenario
// has its own handler, so that no handler forgets one. The handlers have no clock, so
// that the same questions always have the same answers.
func (r *Recording) Recorder() bridge.Spawn {
	s := &recorder{record: r, handlers: map[string]*handler.Handler{}}
	return bridge.Local(func() bridge.Server { return s })
}

type recorder struct {
	mu       sync.Mutex
	record   *Recording
	handlers map[string]*handler.Handler // by the hash of their scenario
}

func (s *recorder) Serve(ctx context.Context, call bridge.Message, send func(bridge.Message)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	key, err := callKey(ctx, call)
	if err == nil {
		if answer, ok := s.record.answer(key, call.ID); ok {
			send(answer)
			return
		}
	}
	h := s.handlers[call.Scenario]
	if h == nil {
		h = handler.New(nil)
	}
	h.Serve(ctx, call, func(m bridge.Message) {
		if m.Kind == bridge.KindResult {
			if call.Method == bridge.MethodRun {
				m.Body = unmeasured(m)
			}
			s.keep(ctx, key, m)
			if m.Scenario != "" {
				s.handlers[m.Scenario] = h
			}
		}
		send(m)
	})
}

// unmeasured returns the body of an answer to run without times and memory, which
// differ on each machine.
func unmeasured(m bridge.Message) []byte {
	var a bridge.RunAnswer
	if m.DecodeBody(&a) != nil {
		return m.Body
	}
	a.Timings, a.Memory = nil, 0
	body, err := json.Marshal(a)
	if err != nil {
		return m.Body
	}
	return body
}

func (s *recorder) keep(ctx context.Context, key string, m bridge.Message) {
	a := RecordedAnswer{Scenario: m.Scenario, Body: m.Body}
	for name, file := range m.Files {
		data, err := file.Bytes(ctx)
		if err != nil {
			return
		}
		if a.Files == nil {
			a.Files = map[string]File{}
		}
		a.Files[name] = fileOf(data)
	}
	s.record.keep(key, a)
}

func fileOf(data []byte) File {
	if utf8.Valid(data) {
		return File{Text: string(data)}
	}
	return File{Data: data}
}
