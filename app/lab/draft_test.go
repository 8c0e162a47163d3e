//go:build !js

package lab

import (
	"strings"
	"testing"
	"time"

	"berth/engine/placement/placementkind"
)

// leaving records whether the browser should ask before the page closes.
type leaving struct{ asks bool }

func (e *leaving) PreventDefault() { e.asks = true }

// The browser asks only before the loss of a long run, or of work that it can no longer keep.
func TestLeavingAsksBeforeSomethingIsLost(t *testing.T) {
	b, engine := mount(t, placementkind.Kind)
	asks := func() bool {
		e := &leaving{}
		b.Draft.leave(e)
		return e.asks
	}
	b.Edit("change", func(in *toy) { in.seed++ })
	engine.ConsumeAll()
	if b.Draft.KeepDraft(); asks() {
		t.Error("it asks although the draft is kept")
	}
	b.Change("a large text", func(in *toy) { in.texts = []*Source{TextSource("large", strings.Repeat("x", largestAtOnce+1))} })
	if !asks() {
		t.Error("it does not ask before a large text is kept")
	}
	engine.ConsumeAll()
	b.Draft.lost = false
	b.Draft.kept = b.Draft.work()
	b.Phase, b.Runs.shown.lasted = Done, 11*time.Second
	if !asks() {
		t.Error("it does not ask before the result of a long run is lost")
	}
}

// A draft that changes while it is being stored is stored again.
func TestADraftIsKeptAgain(t *testing.T) {
	b, engine := mount(t, placementkind.Kind)
	b.Change("first", func(in *toy) { in.seed++ })
	b.Draft.KeepDraft()
	b.Change("second", func(in *toy) { in.seed++ })
	b.Draft.KeepDraft()
	engine.ConsumeAll()
	if b.Draft.kept != b.Draft.work() || b.Draft.keeping || b.Draft.again {
		t.Errorf("kept is %+v, the work is %+v", b.Draft.kept, b.Draft.work())
	}
}

// Inputs that change while a pause runs settle once.
func TestInputsSettleOnce(t *testing.T) {
	b, engine := mount(t, placementkind.Kind)
	settled := 0
	b.system.Checks.Settled = func() { settled++ }
	b.took = autoRunBelow // they do not run on their own
	for range 3 {
		b.Edit("change", func(in *toy) { in.seed++ })
	}
	engine.ConsumeAll()
	if settled != 1 {
		t.Errorf("they settle %d times", settled)
	}
}
