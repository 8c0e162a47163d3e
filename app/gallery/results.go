package gallery

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"

	"berth/engine/scenario"
	"berth/engine/study"
	"berth/wasm/store"
)

// results are those of runs by the hashes of their scenarios, whichever experiment
// asked for them: what two experiments have in common is run once. Its methods may be
// called from any goroutine.
type results struct {
	mu      sync.Mutex
	byHash  map[string]*study.Result
	fresh   map[string]*study.Result // those of this visit
	fetched sync.Once
}

func newResults() *results {
	return &results{byHash: map[string]*study.Result{}, fresh: map[string]*study.Result{}}
}

// Get implements [study.Store].
func (r *results) Get(_ context.Context, key string) (*study.Result, error) { return r.of(key), nil }

// Put implements [study.Store]. What failed is tried again in the next visit.
func (r *results) Put(_ context.Context, key string, result *study.Result) error {
	if result.Error == "" {
		r.keep(key, result)
	}
	return nil
}

func (r *results) of(hash string) *study.Result {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.byHash[hash]
}

func (r *results) keep(hash string, result *study.Result) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.byHash[hash], r.fresh[hash] = result, result
}

// The results are kept in the browser on so many shelves, by the last digit of the
// hash. One that gets larger than that begins again with the experiment at hand.
const (
	shelves   = 4
	shelfSize = 3 << 20 // bytes
)

func shelfOf(hash string) int { return int(hash[len(hash)-1]) % shelves }

func shelfKey(shelf int) string { return fmt.Sprintf("runs/%d", shelf) }

// fetch takes up what the browser keeps, the first time, of this version of the
// engine. It blocks.
func (r *results) fetch(ctx context.Context, from *store.Store) {
	r.fetched.Do(func() {
		for shelf := range shelves {
			record, err := from.Result(ctx, shelfKey(shelf))
			var kept map[string]json.RawMessage
			if err != nil || json.Unmarshal(record, &kept) != nil {
				continue // nothing, or another version's
			}
			for hash, text := range kept {
				result, err := study.DecodeResult(text)
				if err == nil && result.Engine == scenario.Engine && r.of(hash) == nil {
					r.keep(hash, result)
				}
			}
		}
	})
}

// save keeps results in the browser, those of this visit before others. It blocks.
func (r *results) save(ctx context.Context, to *store.Store, now int64) error {
	var own [shelves]map[string]*study.Result
	r.mu.Lock()
	for hash, result := range r.fresh {
		if own[shelfOf(hash)] == nil {
			own[shelfOf(hash)] = map[string]*study.Result{}
		}
		own[shelfOf(hash)][hash] = result
	}
	r.mu.Unlock()
	for shelf := range shelves {
		if own[shelf] == nil {
			continue
		}
		record, err := json.Marshal(r.onShelf(shelf))
		if err == nil && len(record) > shelfSize {
			record, err = json.Marshal(own[shelf])
		}
		if err == nil {
			err = to.PutResult(ctx, shelfKey(shelf), record, now)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (r *results) onShelf(shelf int) map[string]*study.Result {
	r.mu.Lock()
	defer r.mu.Unlock()
	all := map[string]*study.Result{}
	for hash, result := range r.byHash {
		if shelfOf(hash) == shelf {
			all[hash] = result
		}
	}
	return all
}
