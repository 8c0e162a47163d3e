package handler

import (
	"context"

	"berth/engine/qos/qoskind"
	"berth/wasm/bridge"
)

// aboutQoS is the method of a question that a simulation of requests answers.
func aboutQoS[Query, Answer any](reply func(*qoskind.Experiment, context.Context, Query) (Answer, error)) method {
	return about(func(ctx context.Context, e *experiment, q Query) (answer, error) {
		x, err := e.QoS()
		if err != nil {
			return answer{}, err
		}
		body, err := reply(x, ctx, q)
		return answer{body: body}, err
	})
}

// inspect reads the inputs of a scenario and does not run it.
func inspect(_ context.Context, e *experiment, _ struct{}) (answer, error) {
	x, err := e.QoS()
	if err != nil {
		return answer{}, err
	}
	return answer{body: x.Inputs()}, nil
}

// sideOf reads the arrays of a side of a comparison.
func sideOf(ctx context.Context, files map[string]bridge.Blob, prefix string) (side qoskind.Side, err error) {
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

func pair(ctx context.Context, q qoskind.PairQuery, files map[string]bridge.Blob) (answer, error) {
	first, err := sideOf(ctx, files, bridge.FirstSide)
	if err != nil {
		return answer{}, err
	}
	second, err := sideOf(ctx, files, bridge.SecondSide)
	if err != nil {
		return answer{}, err
	}
	pair, err := qoskind.Compare(first, second, q)
	return answer{body: pair}, err
}

func strips(ctx context.Context, q qoskind.StripsQuery, files map[string]bridge.Blob) (answer, error) {
	side, err := sideOf(ctx, files, bridge.FirstSide)
	if err != nil {
		return answer{}, err
	}
	strips, err := qoskind.Strips(side, q)
	return answer{body: strips}, err
}

func shapes(ctx context.Context, q qoskind.ShapesQuery, files map[string]bridge.Blob) (answer, error) {
	side, err := sideOf(ctx, files, bridge.FirstSide)
	if err != nil {
		return answer{}, err
	}
	shapes, err := qoskind.Shapes(side, q)
	return answer{body: shapes}, err
}

func list(ctx context.Context, e *experiment, q qoskind.ListQuery) (answer, error) {
	x, err := e.QoS()
	if err != nil {
		return answer{}, err
	}
	data, err := x.List(ctx, q)
	return file("berth-requests.csv", "text/csv", data), err
}
