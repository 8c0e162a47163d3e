package handler

import (
	"context"

	"berth/engine/federate/federatekind"
	"berth/wasm/bridge"
)

// survey reads the trace of a scenario and does not run it.
func survey(_ context.Context, e *experiment, _ struct{}) (answer, error) {
	x, err := e.Federate()
	if err != nil {
		return answer{}, err
	}
	r, err := x.Survey()
	return answer{body: r}, err
}

func playback(ctx context.Context, e *experiment, q federatekind.PlaybackQuery) (answer, error) {
	x, err := e.Federate()
	if err != nil {
		return answer{}, err
	}
	played, err := x.Playback(ctx, q)
	if err != nil {
		return answer{}, err
	}
	return answer{
		body:  played,
		files: map[string]bridge.Blob{bridge.ColumnsFile: bridge.Moved(played.Pack())},
	}, nil
}

func task(ctx context.Context, e *experiment, q federatekind.TaskQuery) (answer, error) {
	x, err := e.Federate()
	if err != nil {
		return answer{}, err
	}
	t, err := x.Task(ctx, q)
	return answer{body: t}, err
}
