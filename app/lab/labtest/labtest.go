// Package labtest sets views up for tests, with all that they need of the world
// in the process of the test.
package labtest

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/library"
	"berth/engine/scenario"
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

// Recorded is the scenario with a hash in the history of a library.
func Recorded(t testing.TB, shelf *library.Shelf, hash string) scenario.Scenario {
	t.Helper()
	s, _ := shelf.Store(t.Context()) // one in memory where there is no other
	history, err := s.History(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(history, func(e store.Entry) bool { return e.Hash == hash })
	if i < 0 {
		t.Fatalf("the history does not have %s", hash)
	}
	e, err := s.Load(t.Context(), history[i].ID)
	if err != nil {
		t.Fatal(err)
	}
	recorded, err := scenario.Decode(e.Scenario)
	if err != nil {
		t.Fatal(err)
	}
	return recorded
}

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

// Told is what the notice of that id says, as it changes.
func Told(ctx app.Context, id string) *string {
	told := new(string)
	ctx.Handle("berth/notice", func(_ app.Context, a app.Action) {
		if text := fmt.Sprintf("%+v", a.Value); strings.Contains(text, "ID:"+id+" ") {
			_, text, _ = strings.Cut(text, " Text:")
			*told, _, _ = strings.Cut(text, " Actions:")
		}
	})
	return told
}
