package library

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"berth/engine/scenario"
	"berth/wasm/store"
)

// openTime bounds the wait for the browser's storage.
const openTime = 5 * time.Second

// largestResult is the size in bytes of the largest report that is kept; what
// is larger is quickly computed again, compared with reading it.
const largestResult = 1 << 20

// Shelf is the one store of the page, opened when it is first needed. Where the
// browser stores nothing it goes on in memory. Its methods block.
type Shelf struct {
	open func(context.Context) (*store.Store, error)

	mu      sync.Mutex
	store   *store.Store
	refusal error // why it is in memory; told once
}

// NewShelf returns a shelf that is opened with open.
func NewShelf(open func(context.Context) (*store.Store, error)) *Shelf { return &Shelf{open: open} }

func (s *Shelf) get(ctx context.Context) *store.Store {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.store == nil {
		ctx, cancel := context.WithTimeout(ctx, openTime)
		defer cancel()
		if s.store, s.refusal = s.open(ctx); s.refusal != nil {
			s.store = store.Memory()
		}
	}
	return s.store
}

// Refusal says once that, and why, nothing survives a reload here; "" else.
func (s *Shelf) Refusal(ctx context.Context) string {
	s.get(ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.refusal == nil {
		return ""
	}
	defer func() { s.refusal = nil }()
	return fmt.Sprintf("What you save here is lost when the page is closed: %v. Everything else works.", s.refusal)
}

// Save puts a scenario into the library under its name, in place of what had
// that name. Document is its canonical text.
func (s *Shelf) Save(ctx context.Context, name, hash string, document []byte) error {
	named, err := rename(document, name)
	if err != nil {
		return err
	}
	return s.get(ctx).Save(ctx, store.Entry{Name: name, Hash: hash, Saved: time.Now().UnixMilli(), Scenario: named})
}

// rename gives a document the name under which it is saved.
func rename(document []byte, name string) ([]byte, error) {
	var s scenario.Scenario
	if err := json.Unmarshal(document, &s); err != nil {
		return nil, err
	}
	if s.Name == name {
		return document, nil
	}
	s.Name = name
	return scenario.Encode(s), nil
}

// Record puts a scenario on top of the history, with its report unless that is
// nil.
func (s *Shelf) Record(ctx context.Context, name, hash string, document, report []byte) error {
	now := time.Now().UnixMilli()
	if err := s.get(ctx).Record(ctx, store.Entry{Name: name, Hash: hash, Saved: now, Scenario: document}); err != nil {
		return err
	}
	if report == nil || len(report) > largestResult {
		return nil
	}
	return s.get(ctx).PutResult(ctx, hash, report, now)
}

// Recorded returns the scenario of the history with this hash.
func (s *Shelf) Recorded(ctx context.Context, hash string) (scenario.Scenario, error) {
	list, err := s.get(ctx).History(ctx)
	if err != nil {
		return scenario.Scenario{}, err
	}
	for _, e := range list {
		if e.Hash == hash {
			return s.load(ctx, e.ID)
		}
	}
	return scenario.Scenario{}, store.ErrNotFound
}

func (s *Shelf) load(ctx context.Context, id string) (scenario.Scenario, error) {
	e, err := s.get(ctx).Load(ctx, id)
	if err != nil {
		return scenario.Scenario{}, err
	}
	return scenario.Decode(e.Scenario)
}
