// Package labtest sets views up for tests, with all that they need of the world
// in the process of the test.
package labtest

import (
	"context"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/library"
	"berth/wasm/bridge"
	"berth/wasm/store"
	"berth/wasm/worker/handler"
)

// Engine returns one of so many workers.
func Engine(workers int) *bridge.Pool {
	return bridge.NewPool(workers, bridge.Local(func() bridge.Server { return handler.New(nil) }))
}

// Shelf returns an empty library.
func Shelf() *library.Shelf {
	return library.NewShelf(Engine(1), func(context.Context) (*store.Store, error) { return store.Memory(), nil })
}

// Drafts returns a tab that keeps no drafts.
func Drafts() *store.Tab { return store.NewTab(Shelf().Store) }

// Mount mounts a view and waits until nothing is under way. Outside a browser
// go-app calls OnPreRender in place of OnMount, so the view must have that too.
func Mount(t testing.TB, view app.Composer) app.TestEngine {
	t.Helper()
	engine := app.NewTestEngine()
	if err := engine.Load(view); err != nil {
		t.Fatal(err)
	}
	engine.ConsumeAll()
	return engine
}
