package library

import (
	"bytes"
	"context"
	"testing"

	"berth/engine/must"
	"berth/engine/scenario"
	"berth/engine/scenario/scenariotest"
	"berth/wasm/store"
)

// A registered kind can be saved, listed with its figures, copied to another library and opened,
// although this package does not mention it.
func TestAnotherKindIsKept(t *testing.T) {
	scenario.Register(scenariotest.Dice)
	ctx, s := t.Context(), scenario.New("dice", "three", &scenariotest.Throws{Throws: 3})
	report := must.Get(scenario.Run(ctx, s, scenario.Env{}))(t)
	shelf := NewShelf(engine, func(context.Context) (*store.Store, error) { return store.Memory(), nil })
	must.Do(t, shelf.Record(ctx, s.Name, s.Hash(), scenario.Encode(s), scenario.EncodeReport(report)))
	must.Do(t, shelf.Save(ctx, "mine", s.Hash(), scenario.Encode(s)))
	document, _, err := shelf.get(ctx).Export(ctx)
	must.Do(t, err)
	archive, err := store.ReadArchive(document)
	must.Do(t, err)
	other := store.Memory()
	_, err = other.Import(ctx, archive)
	must.Do(t, err)
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
