package placementkind

import (
	"slices"
	"testing"

	"berth/engine/must"
	"berth/engine/scenario"
)

// Two jobs have a cheap and a dear cluster. What matters to them is the room in the cheap one,
// which takes one of the jobs, and both prices, in the order of their effects.
func TestSensitivities(t *testing.T) {
	d := &Document{
		Federation:  GraphSource{Text: `graph { cheap [cpu=10, cpu_cost=1]; dear [cpu=20, cpu_cost=3]; cheap -- dear [latency=5, latency_cost=0] }`},
		Deployments: []GraphSource{{Text: `graph { a [request=6, limit=6]; b [request=6, limit=6]; a -- b [latency=20] }`}},
		Strategies:  []StrategyRun{{Name: "heuristic"}}, Seed: 1,
	}
	e := must.Get(Prepare(t.Context(), d, scenario.Env{}))(t)
	must.Get(new(scenario.Report).RunRows(t.Context(), Kind, e, &scenario.Env{}))(t)
	all := must.Get(e.Sensitivities(t.Context(), struct{}{}))(t)
	want := []Sensitivity{{Change: "room cheap ×", Cost: 12}, {Change: "price dear ×", Cost: 4.5}, {Change: "price cheap ×", Cost: 1.5}}
	if !slices.Equal(all, want) {
		t.Errorf("got %+v, want %+v", all, want)
	}
	again, err := e.Sensitivities(t.Context(), struct{}{})
	if err != nil || !slices.Equal(again, all) {
		t.Errorf("asked again: %+v, %v", again, err)
	}
}
