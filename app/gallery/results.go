package gallery

import (
	"context"
	"encoding/json"
	"maps"
	"sync"

	"berth/engine/scenario"
	"berth/engine/study"
	"berth/wasm/store"
)

// results stores the results of runs by key, over all experiments, so that a run that
// two experiments share is executed once. The results are in memory, and the browser
// keeps those that did not fail. Its methods may be called from any goroutine.
type results struct {
	study.Memory
	mu      sync.Mutex
	kept    map[string][]byte // results in the browser that were not requested yet; nil before fetch
	fresh   map[string][]byte // results not yet saved in the browser
	writing sync.Mutex
}

func newResults() *results { return &results{fresh: map[string][]byte{}} }

// Get implements [runs.Store].
func (r *results) Get(ctx context.Context, key string) (*study.Result, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	text, ok := r.kept[key]
	if !ok {
		return r.Memory.Get(ctx, key)
	}
	delete(r.kept, key)
	result, err := study.DecodeResult(text)
	if err != nil || result.Engine != scenario.Engine {
		return nil, nil
	}
	return result, r.Memory.Put(ctx, key, result)
}

// Put implements [runs.Store]. It drops failed results, so that those runs are tried
// again.
func (r *results) Put(ctx context.Context, key string, result *study.Result) error {
	if result.Error != "" {
		return nil
	}
	text, err := json.Marshal(result)
	if err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.fresh[key] = text
	return r.Memory.Put(ctx, key, result)
}

// has reports whether the result of a run is known, without decoding it.
func (r *results) has(plan *study.Plan, run int) bool {
	key, err := plan.Key(run)
	if err != nil {
		return false
	}
	r.mu.Lock()
	_, kept := r.kept[key]
	r.mu.Unlock()
	known, _ := r.Memory.Get(context.Background(), key)
	return kept || known != nil
}

// fetch loads the results in the browser on its first call, and returns how many were
// not requested yet. It blocks.
func (r *results) fetch(ctx context.Context, from *store.Store) int {
	r.writing.Lock()
	defer r.writing.Unlock()
	if r.kept == nil {
		kept, err := from.Rows(ctx, scenario.Engine)
		if err != nil {
			kept = map[string][]byte{}
		}
		r.mu.Lock()
		r.kept = kept
		r.mu.Unlock()
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.kept)
}

// save stores the new results in the browser. It blocks.
func (r *results) save(ctx context.Context, to *store.Store, now int64) error {
	r.writing.Lock()
	defer r.writing.Unlock()
	r.mu.Lock()
	fresh := maps.Clone(r.fresh)
	r.mu.Unlock()
	if len(fresh) == 0 {
		return nil
	}
	if err := to.KeepRows(ctx, scenario.Engine, now, fresh); err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for key := range fresh {
		delete(r.fresh, key)
	}
	return nil
}
