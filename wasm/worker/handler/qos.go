package handler

import (
	"context"

	"berth/engine/scenario/body"
	"berth/engine/scenario/simulate"
	"berth/wasm/bridge"
)

// inspect reads the inputs of a scenario and does not run it.
func (h *Handler) inspect(ctx context.Context, call bridge.Message, p progress) (answer, error) {
	_, e, err := question[struct{}](ctx, h, call, p)
	if err != nil {
		return answer{}, err
	}
	x, err := e.QoS()
	if err != nil {
		return answer{}, err
	}
	return answer{body: x.Inputs(), scenario: e.hash}, nil
}

func (h *Handler) checkText(ctx context.Context, call bridge.Message, p progress) (answer, error) {
	var q bridge.CheckTextQuery
	if err := call.DecodeBody(&q); err != nil {
		return answer{}, err
	}
	env := body.Env{Progress: p, Beside: bridge.Beside(map[string]bridge.Blob{q.Slot: call.Files[bridge.TextFile]})}
	return answer{body: simulate.Check(ctx, q.Slot, q.Source, env)}, ctx.Err()
}

// sideOf reads the arrays of a side of a comparison.
func sideOf(ctx context.Context, files map[string]bridge.Blob, prefix string) (side simulate.Side, err error) {
	for _, array := range []struct {
		name string
		to   *[]byte
	}{{"availability", &side.Availability}, {"class", &side.Class}, {"intervals", &side.Intervals}} {
		if *array.to, err = files[prefix+array.name].Bytes(ctx); err != nil {
			return side, err
		}
	}
	return side, nil
}

func (h *Handler) pair(ctx context.Context, call bridge.Message, _ progress) (answer, error) {
	var q simulate.PairQuery
	if err := call.DecodeBody(&q); err != nil {
		return answer{}, err
	}
	first, err := sideOf(ctx, call.Files, bridge.FirstSide)
	if err != nil {
		return answer{}, err
	}
	second, err := sideOf(ctx, call.Files, bridge.SecondSide)
	if err != nil {
		return answer{}, err
	}
	pair, err := simulate.Compare(first, second, q)
	return answer{body: pair}, err
}

func (h *Handler) strips(ctx context.Context, call bridge.Message, _ progress) (answer, error) {
	var q simulate.StripsQuery
	if err := call.DecodeBody(&q); err != nil {
		return answer{}, err
	}
	side, err := sideOf(ctx, call.Files, bridge.FirstSide)
	if err != nil {
		return answer{}, err
	}
	strips, err := simulate.Strips(side, q)
	return answer{body: strips}, err
}

func (h *Handler) timeline(ctx context.Context, call bridge.Message, p progress) (answer, error) {
	q, e, err := question[simulate.TimelineQuery](ctx, h, call, p)
	if err != nil {
		return answer{}, err
	}
	x, err := e.QoS()
	if err != nil {
		return answer{}, err
	}
	t, err := x.Timeline(ctx, q)
	return answer{body: t, scenario: e.hash}, err
}

func (h *Handler) why(ctx context.Context, call bridge.Message, p progress) (answer, error) {
	q, e, err := question[simulate.WhyQuery](ctx, h, call, p)
	if err != nil {
		return answer{}, err
	}
	x, err := e.QoS()
	if err != nil {
		return answer{}, err
	}
	w, err := x.Why(ctx, q)
	return answer{body: w, scenario: e.hash}, err
}

func (h *Handler) list(ctx context.Context, call bridge.Message, p progress) (answer, error) {
	q, e, err := question[simulate.ListQuery](ctx, h, call, p)
	if err != nil {
		return answer{}, err
	}
	x, err := e.QoS()
	if err != nil {
		return answer{}, err
	}
	data, err := x.List(ctx, q)
	return answer{
		body:     bridge.ExportAnswer{Name: "berth-requests.csv", Type: "text/csv"},
		files:    map[string]bridge.Blob{bridge.DataFile: bridge.Moved(data)},
		scenario: e.hash,
	}, err
}
