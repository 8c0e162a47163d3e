package library

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/shell"
	"berth/app/ui"
	"berth/engine/scenario"
	"berth/wasm/bridge"
	"berth/wasm/store"
)

// openTime limits the wait for the browser's storage.
const openTime = 5 * time.Second

// largestResult is the size in bytes of the largest report that is stored. Computing a larger one
// again takes little longer than reading it.
const largestResult = 1 << 20

// Shelf is the page's store, opened when it is first needed. If the browser stores nothing, the
// shelf works in memory. Its methods block.
type Shelf struct {
	engine *bridge.WorkerPool // reads scenarios
	open   func(context.Context) (*store.Store, error)
	added  func() // called, possibly late, after another view has stored an entry

	mu      sync.Mutex
	store   *store.Store
	refusal error // reason why it works in memory only
	told    bool  // the user has seen the notice about the storage
	latest  int64 // last result of now

	rows rows
}

// NewShelf returns a shelf. It calls open when the store is first needed. engine reads
// scenarios.
func NewShelf(engine *bridge.WorkerPool, open func(context.Context) (*store.Store, error)) *Shelf {
	return &Shelf{engine: engine, open: open, added: func() {}}
}

// Store returns the store. Its error is the reason why the browser stores nothing.
func (s *Shelf) Store(ctx context.Context) (*store.Store, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.store == nil {
		ctx, cancel := context.WithTimeout(ctx, openTime)
		defer cancel()
		s.store, s.refusal = s.open(ctx)
		if s.refusal != nil {
			s.store = store.Memory()
		}
	}
	return s.store, s.refusal
}

func (s *Shelf) get(ctx context.Context) *store.Store {
	opened, _ := s.Store(ctx)
	return opened
}

// Tell shows a notice, once, if the browser stores nothing or has damaged records.
func (s *Shelf) Tell(ctx app.Context) {
	ctx.Async(func() {
		opened, err := s.Store(ctx)
		damaged, _ := opened.Unread(ctx) // a storage that cannot be listed reports its error when it is used
		s.mu.Lock()
		defer s.mu.Unlock()
		switch {
		case s.told:
			return
		case err != nil:
			shell.SetNotice(ctx, "", shell.Notice{ID: "storage-notice", Text: refusalText(err)})
		case damaged > 0:
			shell.SetNotice(ctx, "", shell.Notice{
				ID: "storage-damaged", Text: ui.Counted(damaged, "record") + " of this browser's storage cannot be read. The library lists what is damaged, to be saved as a file or removed; everything else works.",
				Actions: []shell.Command{{Name: "Open the library", Do: func(ctx app.Context) { ctx.Navigate(shell.Address(Path)) }}},
			})
		}
		s.told = err != nil || damaged > 0
	})
}

// refusalText returns the reason why nothing is stored, and a remedy.
func refusalText(err error) string {
	why := store.ErrUnavailable.Error() + ". Everything else works."
	switch {
	case errors.Is(err, store.ErrNewer):
		why = store.ErrNewer.Error() + ", which this version cannot read. Go online, close all tabs of Berth and open it again."
	case errors.Is(err, store.ErrOlder):
		why = store.ErrOlder.Error() + ". Close all tabs of Berth and open it again."
	}
	return "Nothing will be kept once this page is closed: " + why
}

// Save stores a scenario in the library under its name and replaces an entry with that name.
// document is its canonical text with that name.
func (s *Shelf) Save(ctx context.Context, name, hash string, document []byte) error {
	defer s.added()
	return s.get(ctx).Save(ctx, store.Entry{Name: name, Hash: hash, Saved: s.now(), Scenario: document})
}

// now returns the time in milliseconds since 1970. It increases the time if necessary, so that each
// call returns a later one, because the lists are sorted by it, latest first.
func (s *Shelf) now() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.latest = max(s.latest+1, time.Now().UnixMilli())
	return s.latest
}

// rename returns a document with another name.
func (s *Shelf) rename(ctx context.Context, document []byte, name string) ([]byte, error) {
	named, err := s.engine.OpenScenario(ctx, bridge.OpenQuery{}, document)
	if err != nil {
		return nil, err
	}
	named.Name = name
	d, err := s.engine.Document(ctx, bridge.Input{Scenario: named})
	if err != nil {
		return nil, err
	}
	return d.JSON.Bytes(ctx)
}

// Record adds a scenario to the history, with its report unless that is nil or too large.
func (s *Shelf) Record(ctx context.Context, name, hash string, document, report []byte) error {
	defer s.added()
	now := s.now()
	if err := s.get(ctx).Record(ctx, store.Entry{Name: name, Hash: hash, Saved: now, Scenario: document}); err != nil {
		return err
	}
	if report == nil || len(report) > largestResult {
		return nil
	}
	return s.get(ctx).PutResult(ctx, hash, report, now)
}

func (s *Shelf) load(ctx context.Context, id string) (scenario.Scenario, error) {
	e, err := s.get(ctx).Load(ctx, id)
	if err != nil {
		return scenario.Scenario{}, err
	}
	return s.engine.OpenScenario(ctx, bridge.OpenQuery{}, e.Scenario)
}
