package handler

import (
	"context"
	"fmt"
	"slices"

	"berth/engine/scenario"
	"berth/wasm/bridge"
)

// remembered is how many experiments a worker keeps.
const remembered = 2

// experiment is one that has run, or whose inputs were read where that is enough
// for questions.
type experiment struct {
	*scenario.Experiment
	hash   string
	report *scenario.Report // nil if it was not run
}

// question reads the body of a call about a scenario and finds the experiment
// that is meant, which it makes where the call brought the scenario along: it
// runs it if the call is about its result.
func question[Query any](ctx context.Context, h *Handler, call bridge.Message, p progress) (Query, *experiment, error) {
	var q bridge.Question[Query]
	if err := call.DecodeBody(&q); err != nil {
		return q.Query, nil, err
	}
	if e := h.recall(call.Scenario); e != nil {
		return q.Query, e, nil
	}
	if q.Scenario == nil {
		return q.Query, nil, &bridge.Error{
			Kind: bridge.UnknownScenario, Message: fmt.Sprintf("no experiment with the scenario %q is at hand", call.Scenario),
		}
	}
	e, err := h.prepare(ctx, q.Scenario, call.Files, p)
	if err != nil {
		return q.Query, nil, err
	}
	// Questions about a simulation repeat it as far as they need.
	if call.Method == bridge.MethodRun || q.Scenario.Kind == scenario.KindPlacement {
		if e.report, err = e.Run(ctx); err != nil {
			return q.Query, nil, err
		}
		e.hash = e.report.Scenario
	} else {
		e.hash = e.Hash()
	}
	h.remember(e)
	return q.Query, e, nil
}

// about is the method of a question about an experiment.
func about[Query any](reply func(context.Context, *experiment, Query) (answer, error)) method {
	return func(h *Handler, ctx context.Context, call bridge.Message, p progress) (answer, error) {
		q, e, err := question[Query](ctx, h, call, p)
		if err != nil {
			return answer{}, err
		}
		a, err := reply(ctx, e, q)
		a.scenario = e.hash
		return a, err
	}
}

// asked is the method of a question that needs no experiment.
func asked[Query any](reply func(ctx context.Context, q Query, files map[string]bridge.Blob) (answer, error)) method {
	return func(_ *Handler, ctx context.Context, call bridge.Message, _ progress) (answer, error) {
		var q Query
		if err := call.DecodeBody(&q); err != nil {
			return answer{}, err
		}
		return reply(ctx, q, call.Files)
	}
}

// recall returns an experiment by the hash of its scenario and makes it the
// most recent one; nil if it is not remembered.
func (h *Handler) recall(hash string) *experiment {
	i := slices.IndexFunc(h.recent, func(e *experiment) bool { return e.hash == hash })
	if i < 0 {
		return nil
	}
	e := h.recent[i]
	h.recent = slices.Insert(slices.Delete(h.recent, i, i+1), 0, e)
	return e
}

// prepare reads the inputs of a scenario.
func (h *Handler) prepare(ctx context.Context, s *scenario.Scenario, files map[string]bridge.Blob, p progress) (*experiment, error) {
	// The memory of the oldest one may be needed.
	h.recent = slices.Delete(h.recent, min(len(h.recent), remembered-1), len(h.recent))
	if err := bridge.Attach(ctx, s, files); err != nil {
		return nil, err
	}
	prepared, err := scenario.Prepare(ctx, *s, scenario.Env{Progress: p, Now: h.now, Beside: bridge.Beside(files)})
	if err != nil {
		return nil, err
	}
	return &experiment{Experiment: prepared}, nil
}

// remember makes an experiment the most recent one.
func (h *Handler) remember(e *experiment) {
	h.recent = slices.DeleteFunc(h.recent, func(old *experiment) bool { return old.hash == e.hash })
	h.recent = slices.Insert(h.recent, 0, e)
}
