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

// results are those of runs by key, whichever experiment asked for them: what two
// experiments have in common is run once. They are in memory, and those that did not fail
// are kept in the browser. Its methods may be called from any goroutine.
type results struct {
	study.Memory
	mu      sync.Mutex
	kept    map[string][]byte // what the browser has and nothing asked for yet; nil until it was read
	fresh   map[string][]byte // what it has not yet
	writing sync.Mutex
}

func newResults() *results { return &results{fresh: map[string][]byte{}} }

// Get implements [study.Store].
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

// Put implements [study.Store]. What failed is tried again.
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

// has says whether the result of a run is known, without reading it.
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

// fetch takes up what the browser keeps, the first time, and returns how much it is. It
// blocks.
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

// save keeps in the browser what came since the last time. It blocks.
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
