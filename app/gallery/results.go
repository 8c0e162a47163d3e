package gallery

import (
	"context"
	"encoding/json"

	"berth/app/library"
	"berth/engine/scenario"
	"berth/engine/study"
)

// results stores the results of runs by key, over all experiments, so that a run that
// two experiments share is executed once. The browser keeps the results that did not
// fail. Its methods may be called from any goroutine.
type results struct {
	study.Memory // of the results that were requested
	shelf        *library.Shelf
}

// Get implements [study.Store].
func (r *results) Get(ctx context.Context, key string) (*study.Result, error) {
	known, _ := r.Memory.Get(ctx, key)
	text := r.shelf.Row(ctx, key)
	if known != nil || text == nil {
		return known, nil
	}
	result, err := study.DecodeResult(text)
	if err != nil || result.Engine != scenario.Engine {
		return nil, nil
	}
	return result, r.Memory.Put(ctx, key, result)
}

// Put implements [study.Store]. It drops failed results, so that their runs are tried
// again.
func (r *results) Put(ctx context.Context, key string, result *study.Result) error {
	if result.Error != "" {
		return nil
	}
	text, err := json.Marshal(result)
	if err != nil {
		return err
	}
	r.shelf.PutRow(key, text)
	return r.Memory.Put(ctx, key, result)
}

// has reports whether the result of a run is known, without decoding it.
func (r *results) has(ctx context.Context, plan *study.Plan, run int) bool {
	key, err := plan.Key(run)
	if err != nil {
		return false
	}
	known, _ := r.Memory.Get(ctx, key)
	return known != nil || r.shelf.Row(ctx, key) != nil
}
