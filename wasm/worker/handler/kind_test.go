package handler_test

import (
	"bytes"
	"strings"
	"testing"

	"berth/engine/scenario"
	"berth/engine/scenario/scenariotest"
	"berth/wasm/bridge"
)

// A new kind runs, answers questions and becomes a link without any code for it in this
// package.
func TestAnotherKindIsRunAndAsked(t *testing.T) {
	scenario.Register(scenariotest.Dice)
	p, s := pool(&clock{}), scenario.New("dice", "three", &scenariotest.Throws{Throws: 3})
	r := mustRun(t, p, s)
	want, err := scenario.Run(t.Context(), s, scenario.Env{})
	if err != nil || !bytes.Equal(r.JSON, scenario.EncodeReport(want)) || r.Report.Body.(*scenariotest.Thrown).Sum != 9 {
		t.Errorf("%v: the report came as %s", err, r.JSON)
	}
	// This also works for a result that no worker remembers.
	for _, p := range []*bridge.WorkerPool{p, pool(&clock{})} {
		if shown, err := bridge.Ask(t.Context(), p, r, scenariotest.ThrowQuestion, 2); shown != 3 || err != nil {
			t.Errorf("the last throw shows %d, %v", shown, err)
		}
		if _, err := bridge.Ask(t.Context(), p, r, scenariotest.ThrowQuestion, 3); err == nil || !strings.Contains(err.Error(), "no throw 3") {
			t.Errorf("a throw more: %v", err)
		}
	}
	d, err := p.Document(t.Context(), bridge.Input{Scenario: s})
	if err != nil || d.Hash != s.Hash() {
		t.Fatalf("%+v, %v", d, err)
	}
	if again, err := scenario.DecodeLink(d.Link); err != nil || again.Hash() != s.Hash() {
		t.Errorf("the link leads to %s, %v", scenario.Encode(again), err)
	}
}
