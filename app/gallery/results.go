package gallery

import (
	"context"
	"encoding/json"

	"berth/app/library"
	"berth/engine/scenario"
	"berth/engine/study"
)

// results keeps the results of runs by key, over all experiments, so that a run that two
// experiments share is executed once. Its methods may be called from any goroutine.
type results struct{ shelf *library.Shelf }

// Get implements [study.Store].
func (r *results) Get(ctx context.Context, key string) (*study.Result, error) {
	text := r.shelf.Row(ctx, key)
	if text == nil {
		return nil, nil
	}
	result, err := study.DecodeResult(text)
	if err != nil || result.Engine != scenario.Engine {
		return nil, nil
	}
	return result, nil
}

// Put implements [study.Store]. It drops failed results, so that their runs are tried
// again.
func (r *results) Put(_ context.Context, key string, result *study.Result) error {
	if result.Error != "" {
		return nil
	}
	text, err := json.Marshal(result)
	if err == nil {
		r.shelf.PutRow(key, text)
	}
	return err
}

// has reports whether the result of a run is known, without decoding it.
func (r *results) has(ctx context.Context, plan *study.Plan, run int) bool {
	key, err := plan.Key(run)
	return err == nil && r.shelf.Row(ctx, key) != nil
}
