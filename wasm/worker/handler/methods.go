package handler

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"

	"berth/engine/scenario"
	"berth/wasm/bridge"
)

func (h *Handler) run(ctx context.Context, call bridge.Message, p progress) (answer, error) {
	var q bridge.Question[bridge.RunQuery]
	if err := call.DecodeBody(&q); err != nil {
		return answer{}, err
	}
	e, err := h.prepare(ctx, q.Scenario, call.Files, p)
	if err != nil {
		return answer{}, err
	}
	if err := h.carryOut(ctx, e); err != nil {
		return answer{}, err
	}
	report := e.report.Untimed()
	slim, lists := report.Detach()
	line, err := slim.MarshalJSON()
	if err != nil {
		return answer{}, err
	}
	files := map[string]bridge.Blob{
		bridge.SlimFile:  bridge.Moved(line),
		bridge.ListsFile: bridge.Moved(lists),
	}
	if !q.Query.Joined {
		files[bridge.ReportFile] = bridge.Moved(scenario.EncodeReport(report))
	}
	for name, array := range e.Arrays() {
		files[name] = bridge.Moved(array)
	}
	return answer{body: bridge.RunAnswer{Timings: e.report.Timings, Memory: memory()}, files: files, scenario: e.hash}, nil
}

// memory returns how many bytes this process has from the system.
func memory() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.Sys
}

// document answers with the whole scenario, which need not be complete.
func (h *Handler) document(ctx context.Context, call bridge.Message, _ progress) (answer, error) {
	var q bridge.Question[json.RawMessage]
	if err := call.DecodeBody(&q); err != nil {
		return answer{}, err
	}
	if q.Scenario == nil {
		return answer{}, errNoScenario
	}
	left, err := bridge.AttachAll(ctx, q.Scenario, call.Files)
	if err != nil {
		return answer{}, err
	}
	body := bridge.DocumentAnswer{Left: left}
	link, err := scenario.EncodeLink(*q.Scenario)
	if err != nil {
		body.NoLink = err.Error()
	}
	body.Link = link
	return answer{
		body:     body,
		files:    map[string]bridge.Blob{bridge.DocumentFile: bridge.Moved(scenario.Encode(*q.Scenario))},
		scenario: q.Scenario.Hash(),
	}, nil
}

// changes answers with the changes from one scenario to another.
func (h *Handler) changes(_ context.Context, call bridge.Message, _ progress) (answer, error) {
	var pair bridge.Pair
	if err := call.DecodeBody(&pair); err != nil {
		return answer{}, err
	}
	return answer{body: scenario.Changes(pair.Before, pair.After)}, nil
}

var errNoScenario = errors.New("the body has no scenario")

// question answers a question of a kind.
func (h *Handler) question(ctx context.Context, call bridge.Message, p progress) (answer, error) {
	question, err := scenario.LookupQuestion(string(call.Method))
	if err != nil {
		return answer{}, &bridge.Error{Kind: bridge.NeedsReaders, Message: fmt.Sprintf("unknown method %q", call.Method)}
	}
	var q bridge.Question[json.RawMessage]
	if err := call.DecodeBody(&q); err != nil {
		return answer{}, err
	}
	e := &prepared{}
	if question.Needs() != scenario.Nothing {
		e, err = h.about(ctx, q.Scenario, call, question.Needs(), p)
		if err != nil {
			return answer{}, err
		}
	}
	files := scenario.Files{}
	for name, file := range call.Files {
		files[name] = file
	}
	decode := func(query any) error { return bridge.Message{Body: q.Query}.DecodeBody(query) }
	body, err := question.Reply(ctx, e.Prepared, decode, files)
	if err != nil {
		return answer{}, err
	}
	a := answer{body: body, scenario: e.hash}
	if packed, ok := body.(scenario.Packed); ok {
		a.files = map[string]bridge.Blob{bridge.PackedFile: bridge.Moved(packed.Pack())}
	}
	return a, nil
}
