// Package labtest sets up views for tests, with an engine, a library and drafts in
// the test's own process.
package labtest

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/library"
	"berth/engine/must"
	"berth/engine/scenario"
	"berth/wasm/bridge"
	"berth/wasm/store"
	"berth/wasm/worker/handler"
)

// Engine returns an engine with this number of workers, which run in the test's
// process.
func Engine(workers int) *bridge.WorkerPool {
	return bridge.NewPool(workers, bridge.Local(func() bridge.Server { return handler.New(nil) }))
}

// Shelf returns an empty library.
func Shelf() *library.Shelf {
	return library.NewShelf(Engine(1), func(context.Context) (*store.Store, error) { return store.Memory(), nil })
}

// Drafts returns a tab that keeps no drafts.
func Drafts() *store.Tab { return store.NewTab(Shelf().Store) }

// Recorded returns the scenario with this hash from the history of a library.
func Recorded(t testing.TB, shelf *library.Shelf, hash string) scenario.Scenario {
	t.Helper()
	s, _ := shelf.Store(t.Context()) // after an error, the store is in memory
	history := must.Get(s.History(t.Context()))(t)
	i := slices.IndexFunc(history, func(e store.Entry) bool { return e.Hash == hash })
	if i < 0 {
		t.Fatalf("the history does not have %s", hash)
	}
	e := must.Get(s.Load(t.Context(), history[i].ID))(t)
	recorded := must.Get(scenario.Decode(e.Scenario))(t)
	return recorded
}

// Mount mounts a view and waits until all its work is done. Outside a browser go-app calls
// OnPreRender instead of OnMount, so the view must have that method too.
func Mount(t testing.TB, view app.Composer) app.TestEngine {
	t.Helper()
	engine := app.NewTestEngine()
	must.Do(t, engine.Load(view))
	engine.ConsumeAll()
	return engine
}

// Has fails the test for each text that the page lacks.
func Has(t testing.TB, page string, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if !strings.Contains(page, text) {
			t.Errorf("%q is not in %s", text, page)
		}
	}
}
