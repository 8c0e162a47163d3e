package lab

import (
	"testing"

	"berth/app/lab/labtest"
	"berth/engine/must"
	"berth/engine/scenario"
	"berth/engine/scenario/scenariotest"
	"berth/wasm/bridge"
)

// A browser's storage may hold anything. A result under the key of another scenario does not count
// as that scenario's result.
func TestAKeptPartIsOfItsScenario(t *testing.T) {
	if _, known := scenario.Lookup(scenariotest.Dice.Name); !known {
		scenario.Register(scenariotest.Dice)
	}
	part := func(throws int) (*BatchRun, *partResult) {
		s := scenario.New(scenariotest.Dice.Name, "", &scenariotest.Throws{Throws: throws})
		r := must.Get(scenario.Run(t.Context(), s, scenario.Env{}))(t)
		return &BatchRun{Input: bridge.Input{Scenario: s, Joined: true}}, &partResult{result: &bridge.Result{Report: r}, keep: true}
	}
	shelf := labtest.Shelf()
	kept := keptParts{shelf}
	three, result := part(3)
	must.Do(t, kept.Put(t.Context(), three, result))
	if got, err := kept.Get(t.Context(), three); err != nil || got == nil || got.result.Report.Scenario != three.Input.Scenario.Hash() {
		t.Fatalf("the kept result is %+v, %v", got, err)
	}
	four, _ := part(4)
	shelf.PutRow(kept.key(four), scenario.EncodeReport(result.result.Report))
	if got, _ := kept.Get(t.Context(), four); got != nil {
		t.Errorf("the result of another scenario was taken: %+v", got.result.Report)
	}
}
