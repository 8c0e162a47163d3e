package library

import (
	"bytes"
	"context"
	"testing"

	"berth/engine/scenario"
	"berth/engine/scenario/scenariotest"
	"berth/wasm/store"
)

// A registered kind can be saved, listed with its figures, copied to another library and opened,
// although this package does not mention it.
func TestAnotherKindIsKept(t *testing.T) {
	scenario.Register(scenariotest.Dice)
	ctx, s := t.Context(), scenario.New("dice", "three", &scenariotest.Throws{Throws: 3})
	report, err := scenario.Run(ctx, s, scenario.Env{})
	if err != nil {
		t.Fatal(err)
	}
	shelf := NewShelf(engine, func(context.Context) (*store.Store, error) { return store.Memory(), nil })
	if err := shelf.Record(ctx, s.Name, s.Hash(), scenario.Encode(s), scenario.EncodeReport(report)); err != nil {
		t.Fatal(err)
	}
	if err := shelf.Save(ctx, "mine", s.Hash(), scenario.Encode(s)); err != nil {
		t.Fatal(err)
	}
	document, _, err := shelf.get(ctx).Export(ctx)
	must(t, err)
	archive, err := store.ReadArchive(document)
	must(t, err)
	other := store.Memory()
	_, err = other.Import(ctx, archive)
	must(t, err)
	list, err := items(ctx, other, other.Saved)
	if err != nil || len(list) != 1 || list[0].Name != "mine" || list[0].figures != "the sum is 9" {
		t.Errorf("%+v, %v", list, err)
	}
	history, err := shelf.get(ctx).History(ctx)
	if err != nil || len(history) != 1 {
		t.Fatalf("the history has %+v, %v", history, err)
	}
	again, err := shelf.load(ctx, history[0].ID)
	if err != nil || !bytes.Equal(scenario.Encode(again), scenario.Encode(s)) {
		t.Errorf("%+v, %v", again, err)
	}
}
