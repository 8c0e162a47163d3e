//go:build !js

package first_test

import (
	"encoding/json"
	"errors"
	"testing"

	_ "berth/engine/kinds"
	"berth/engine/must"
	"berth/engine/placement/placementkind"
	"berth/engine/scenario"
	"berth/wasm/bridge"
	"berth/wasm/first"
)

// A recorded run answers like the engine, with its document and the answers to its questions, but
// without times and the memory of the recording machine.
func TestARunIsRecordedWithWhatTravelsWithIt(t *testing.T) {
	s := placementkind.New("", placementkind.Document{
		Federation:  placementkind.GraphSource{Name: "f.dot", Text: `graph { eu [cpu=9, cpu_cost=1]; us [cpu=9, cpu_cost=2]; eu -- us [latency=1, latency_cost=1] }`},
		Deployments: []placementkind.GraphSource{{Name: "d.dot", Text: `graph { a [request=1, limit=1] }`}},
		Strategies:  []placementkind.StrategyRun{{Name: "heuristic"}},
	})
	in := bridge.Input{Scenario: s, Whole: &s, Asked: []bridge.Asked{bridge.Together(placementkind.ExplainQuestion, placementkind.ExplainQuery{Opens: true})}}
	record := first.NewRecording()
	recorded := must.Get(bridge.NewPool(1, record.Recorder()).Run(t.Context(), in, nil))(t)
	text := must.Get(record.Encode())(t)
	read := must.Get(first.Read(text))(t)
	engine := bridge.NewPool(1, read.Engine(func(func(bridge.Message)) bridge.Worker {
		t.Error("a worker was started for what is recorded")
		return nil
	}))
	replayed := must.Get(engine.Run(t.Context(), in, nil))(t)
	for name, r := range map[string]*bridge.Result{"recorded": recorded, "replayed": replayed} {
		want, _ := scenario.EncodeLink(s)
		x, err := bridge.Ask(t.Context(), engine, r, placementkind.ExplainQuestion, placementkind.ExplainQuery{Opens: true})
		if err != nil || x.Job != "a" || r.Document == nil || r.Document.Link != want || r.Report.Timings != nil || r.Memory != 0 {
			t.Errorf("%s: %v, job %q, document %+v, timings %v, memory %d", name, err, x.Job, r.Document, r.Report.Timings, r.Memory)
		}
	}
	want, err := json.Marshal(recorded.Report)
	got, err2 := json.Marshal(replayed.Report)
	if err := errors.Join(err, err2); err != nil || string(got) != string(want) {
		t.Errorf("the reports differ (%v): %s, want %s", err, got, want)
	}
}
