//go:build !js

// The view against an engine in process. In a browser the end-to-end tests
// drive the whole page, with the scripts that it needs.

package qos

import (
	"context"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/lab"
	"berth/app/library"
	"berth/wasm/bridge"
	"berth/wasm/store"
	"berth/wasm/worker/handler"
)

// mounted is a view that is mounted outside a browser too, where go-app calls
// OnPreRender in place of OnMount.
type mounted struct{ View }

func (m *mounted) OnPreRender(ctx app.Context) { m.OnMount(ctx) }

type bench struct {
	*View
	t      *testing.T
	engine app.TestEngine
}

// open mounts a view whose engine works in this process and waits until it has
// settled.
func open(t *testing.T) *bench {
	t.Helper()
	m := &mounted{}
	m.Services = lab.Services{
		Engine: bridge.NewPool(3, bridge.Local(func() bridge.Server { return handler.New(nil) })),
		Shelf:  library.NewShelf(func(context.Context) (*store.Store, error) { return store.Memory(), nil }),
	}
	b := &bench{View: &m.View, t: t, engine: app.NewTestEngine()}
	if err := b.engine.Load(m); err != nil {
		t.Fatal(err)
	}
	b.settle()
	return b
}

// settle waits until nothing is under way.
func (b *bench) settle() { b.engine.ConsumeAll() }

func (b *bench) wantDone() {
	b.t.Helper()
	if b.Phase != lab.Done {
		b.t.Fatalf("the phase is %q (%v), want done", b.Phase, b.Err)
	}
}

func TestOpensWithAnExampleSimulated(t *testing.T) {
	b := open(t)
	b.wantDone()
	if b.Inputs.name == "" || b.Unsaved || b.result.Document.Hash == "" {
		t.Errorf("name %q, unsaved %v, hash %q", b.Inputs.name, b.Unsaved, b.result.Document.Hash)
	}
	if b.result.whole.Scenario != b.result.Document.Hash {
		t.Errorf("the joined report is of %s, what is shared of %s", b.result.whole.Scenario, b.result.Document.Hash)
	}
	if got := len(b.result.policies()); got != 2 {
		t.Fatalf("%d policies", got)
	}
}
