package handler

import (
	"context"

	"berth/engine/scenario/federate"
	"berth/wasm/bridge"
)

// survey reads the trace of a scenario and does not run it.
func (h *Handler) survey(ctx context.Context, call bridge.Message, p progress) (answer, error) {
	_, e, err := question[struct{}](ctx, h, call, p)
	if err != nil {
		return answer{}, err
	}
	x, err := e.Federate()
	if err != nil {
		return answer{}, err
	}
	r, err := x.Survey()
	return answer{body: r, scenario: e.hash}, err
}

func (h *Handler) playback(ctx context.Context, call bridge.Message, p progress) (answer, error) {
	q, e, err := question[federate.PlaybackQuery](ctx, h, call, p)
	if err != nil {
		return answer{}, err
	}
	x, err := e.Federate()
	if err != nil {
		return answer{}, err
	}
	played, err := x.Playback(ctx, q)
	if err != nil {
		return answer{}, err
	}
	return answer{
		body:     played,
		files:    map[string]bridge.Blob{bridge.ColumnsFile: bridge.Moved(played.Pack())},
		scenario: e.hash,
	}, nil
}

func (h *Handler) task(ctx context.Context, call bridge.Message, p progress) (answer, error) {
	q, e, err := question[federate.TaskQuery](ctx, h, call, p)
	if err != nil {
		return answer{}, err
	}
	x, err := e.Federate()
	if err != nil {
		return answer{}, err
	}
	t, err := x.Task(ctx, q)
	return answer{body: t, scenario: e.hash}, err
}
