package handler

import (
	"context"
	"fmt"
	"slices"

	"berth/engine/scenario"
	"berth/wasm/bridge"
)

// prepared is a scenario that has run, or whose inputs were read.
type prepared struct {
	*scenario.Prepared
	hash    string
	report  *scenario.Report // nil before a run
	careful bool             // its policies may use few steps; see [bridge.Input]
}

// about returns the kept scenario of a call, or prepares the scenario that came with
// the call. It runs the scenario if the question needs results.
func (h *Handler) about(ctx context.Context, s *scenario.Scenario, careful bool, call bridge.Message, needs scenario.Needs, p progress) (*prepared, error) {
	e := h.recall(call.Scenario, careful)
	if e == nil && s == nil {
		return nil, &bridge.Error{
			Kind: bridge.UnknownScenario, Message: fmt.Sprintf("no result of the scenario %q is at hand", call.Scenario),
		}
	}
	if e == nil {
		var err error
		e, err = h.prepare(ctx, s, careful, call.Files, p)
		if err != nil {
			return nil, err
		}
		e.hash = e.Hash()
	}
	if needs == scenario.Results && e.report == nil {
		return e, h.carryOut(ctx, e)
	}
	h.remember(e)
	return e, nil
}

// carryOut runs a prepared scenario. After a success, questions can refer to the scenario by its
// hash.
func (h *Handler) carryOut(ctx context.Context, e *prepared) (err error) {
	e.report, err = e.Run(ctx)
	if err == nil {
		e.hash = e.report.Scenario
		h.remember(e)
	}
	return err
}

// recall returns the kept scenario with this hash, or nil. A scenario that was
// prepared as careful serves only careful calls.
func (h *Handler) recall(hash string, careful bool) *prepared {
	i := slices.IndexFunc(h.recent, func(e *prepared) bool { return e.hash == hash && (careful || !e.careful) })
	if i < 0 {
		return nil
	}
	return h.recent[i]
}

// prepare reads the inputs of a scenario.
func (h *Handler) prepare(ctx context.Context, s *scenario.Scenario, careful bool, files map[string]bridge.Blob, p progress) (*prepared, error) {
	if s == nil {
		return nil, errNoScenario
	}
	// Drop the oldest scenario first, because its memory may be needed.
	h.recent = slices.Delete(h.recent, min(len(h.recent), bridge.Remembered-1), len(h.recent))
	h.shared.Next()
	load := scenario.NewLoad(0)
	if err := bridge.Attach(ctx, s, files, load); err != nil {
		return nil, err
	}
	for _, t := range scenario.Texts(s) {
		t.Careful = careful
	}
	ready, err := scenario.Prepare(ctx, *s, scenario.Env{
		Budget: load, Progress: p, Now: h.now, Beside: bridge.Beside(files), Cold: func(subject string) bool { return h.cold(s.Kind + "/" + subject) },
	})
	if err != nil {
		return nil, err
	}
	return &prepared{Prepared: ready, careful: careful}, nil
}

// cold reports, on the first call for a subject, that the browser still has to
// compile the subject's code.
func (h *Handler) cold(subject string) bool {
	before := h.warm[subject]
	if h.warm == nil {
		h.warm = map[string]bool{}
	}
	h.warm[subject] = true
	return !before
}

// remember makes e the most recent scenario, instead of an older one with its hash.
func (h *Handler) remember(e *prepared) {
	h.recent = slices.DeleteFunc(h.recent, func(old *prepared) bool { return old.hash == e.hash })
	h.recent = append([]*prepared{e}, h.recent...)
}
