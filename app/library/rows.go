package library

import (
	"context"
	"maps"
	"sync"

	"berth/engine/scenario"
)

// rows holds the results of single runs, by key. They survive a reload of the page, and
// experiments with common runs share them.
type rows struct {
	mu      sync.Mutex
	kept    map[string][]byte // all; nil before ReadRows
	fresh   map[string][]byte // not yet saved in the browser
	writing sync.Mutex
}

// ReadRows reads all results from the browser, which is faster than one at a time, and returns their
// number.
func (s *Shelf) ReadRows(ctx context.Context) int {
	r := &s.rows
	r.writing.Lock()
	defer r.writing.Unlock()
	all := r.kept
	if all == nil {
		var err error
		if all, err = s.get(ctx).Rows(ctx, scenario.Engine); err != nil {
			all = map[string][]byte{}
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.kept == nil {
		maps.Copy(all, r.fresh)
		r.kept = all
	}
	return len(all)
}

// Row returns a result; nil if none is stored.
func (s *Shelf) Row(ctx context.Context, key string) []byte {
	s.rows.mu.Lock()
	all, text := s.rows.kept != nil, s.rows.kept[key]
	if text == nil {
		text = s.rows.fresh[key]
	}
	s.rows.mu.Unlock()
	if text == nil && !all {
		text, _ = s.get(ctx).Row(ctx, scenario.Engine, key) // after an error, the row runs again
	}
	return text
}

// PutRow keeps a result in memory. SaveRows also stores it in the browser.
func (s *Shelf) PutRow(key string, text []byte) {
	r := &s.rows
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.fresh == nil {
		r.fresh = map[string][]byte{}
	}
	r.fresh[key] = text
	if r.kept != nil {
		r.kept[key] = text
	}
}

// SaveRows saves the new results in the browser. After an error, the next call tries
// again.
func (s *Shelf) SaveRows(ctx context.Context) error {
	r := &s.rows
	r.writing.Lock()
	defer r.writing.Unlock()
	r.mu.Lock()
	fresh := maps.Clone(r.fresh)
	r.mu.Unlock()
	if len(fresh) == 0 {
		return nil
	}
	if err := s.get(ctx).KeepRows(ctx, scenario.Engine, s.now(), fresh); err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for key := range fresh {
		delete(r.fresh, key)
	}
	return nil
}

// clearRows deletes all results from memory and from the browser.
func (s *Shelf) clearRows(ctx context.Context) error {
	s.rows.mu.Lock()
	s.rows.kept, s.rows.fresh = map[string][]byte{}, nil
	s.rows.mu.Unlock()
	return s.get(ctx).ClearRows(ctx)
}
