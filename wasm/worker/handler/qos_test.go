package handler_test

import (
	"bytes"
	"context"
	"runtime"
	"strings"
	"testing"

	"berth/engine/input/workload"
	"berth/engine/must"
	"berth/engine/qos/qoskind"
	"berth/engine/scenario"
	"berth/wasm/bridge"
	"berth/wasm/worker/handler"
)

const (
	requests = "id,submit_s,duration_s,cpu,memory,class\na,0,300,2,2,bronze\nb,10,100,2,2,gold\nc,20,100,1,1,silver\n"
	hosts    = "name,cpu,memory\nonly,2,2\n"
)

// simulated returns a scenario that contains its hosts, with its requests in a file.
func simulated() bridge.Input {
	return bridge.Input{
		Scenario: qoskind.New("three requests", qoskind.Document{
			Workload: scenario.Source{Name: "requests.csv"}, Hosts: scenario.Source{Name: "hosts.csv", Text: hosts},
			Policies: []qoskind.PolicyRun{{Name: "qos"}, {Name: "priority"}}, Seed: 1,
		}),
		Texts: map[string]bridge.Blob{qoskind.WorkloadSlot: bridge.NewBlob([]byte(requests))},
	}
}

// whole returns the same scenario with everything inside.
func whole() scenario.Scenario {
	s := simulated().Scenario.Clone()
	qoskind.Of(s).Workload.Text = requests
	return s
}

func mustSimulate(t *testing.T, p *bridge.WorkerPool, in bridge.Input) *bridge.Result {
	t.Helper()
	return must.Get(p.Run(t.Context(), in, nil))(t)
}

// Parts that ran in parallel with a separate file are joined to the same report as one run with
// everything inside.
func TestPartsWithAFileMakeTheWhole(t *testing.T) {
	p := pool(&clock{step: 1})
	want := must.Get(scenario.Run(t.Context(), whole(), scenario.Env{}))(t)
	if got := mustSimulate(t, p, simulated()); !bytes.Equal(got.JSON, scenario.EncodeReport(want)) || got.Hash != whole().Hash() {
		t.Errorf("the whole in a worker:\n%s\nhere:\n%s", got.JSON, scenario.EncodeReport(want))
	}
	var parts []*scenario.Report
	for _, part := range scenario.Parts(simulated().Scenario) {
		r := mustSimulate(t, p, bridge.Input{Scenario: part.Scenario, Texts: simulated().Texts})
		parts = append(parts, r.Report)
	}
	joined := must.Get(scenario.Join(simulated().Scenario, parts))(t)
	if joined.Timings == nil || len(joined.Timings.Running) != 2 {
		t.Errorf("timings %+v", joined.Timings)
	}
	joined.Timings = nil
	if got := scenario.EncodeReport(joined); !bytes.Equal(got, scenario.EncodeReport(want)) {
		t.Errorf("joined:\n%s\nwhole:\n%s", got, scenario.EncodeReport(want))
	}
}

func TestQuestionsAboutASimulation(t *testing.T) {
	p := pool(&clock{step: 1})
	r := mustSimulate(t, p, simulated())
	saved := &bridge.Result{Input: r.Input, Hash: r.Hash}
	classes := qoskind.ReportOf(r.Report).Classes
	files := map[string]bridge.Blob{}
	both := map[string]string{qoskind.FirstSide: qoskind.OutcomeArray(0), qoskind.SecondSide: qoskind.OutcomeArray(1)}
	must.Do(t, r.PutArrays(files, both))
	pair, err := bridge.AskTool(t.Context(), p, qoskind.PairQuestion, qoskind.PairQuery{Classes: classes, Priority: 2}, files)
	if err != nil || pair.Requests != 3 || len(pair.Classes) != 3 {
		t.Errorf("pair: %+v, %v", pair, err)
	}
	if saved.PutArrays(files, both) == nil {
		t.Error("a result without arrays was compared")
	}
	delete(files, qoskind.SecondSide)
	if _, err := bridge.AskTool(t.Context(), p, qoskind.PairQuestion, qoskind.PairQuery{Classes: classes}, files); err == nil {
		t.Error("a missing side was paired")
	}
	spreads, err := bridge.Ask(t.Context(), p, r, qoskind.SpreadQuestion, qoskind.PolicyQuery{})
	if err != nil || len(spreads) != 4 || spreads[0].Name != "gold" || len(spreads[0].Strip) != 1 || spreads[3].Shape != nil { // no two deficits differ
		t.Errorf("spreads: %+v, %v", spreads, err)
	}
	// Questions that repeat the run also work for a saved result, with another
	// worker.
	for _, p := range []*bridge.WorkerPool{p, pool(&clock{step: 1})} {
		line, err := bridge.Ask(t.Context(), p, saved, qoskind.TimelineQuestion, qoskind.PolicyQuery{Policy: 1})
		if err != nil || len(line.Requests) != 3 || len(line.Stays()) == 0 {
			t.Errorf("timeline: %+v, %v", line, err)
		}
		why, err := bridge.Ask(t.Context(), p, saved, qoskind.WhyQuestion, qoskind.WhyQuery{Policy: 1, Request: 1, Time: 10})
		if err != nil || why.Request.ID != "b" || why.Chosen != 0 || why.Candidates[0].Victims[0].ID != "a" {
			t.Errorf("why: %+v, %v", why, err)
		}
		file, err := bridge.Ask(t.Context(), p, saved, qoskind.ListQuestion, qoskind.PolicyQuery{})
		if err != nil || file.Name != "berth-requests.csv" || strings.Count(string(file.Data), "\n") != 4 {
			t.Errorf("list: %+v, %v", file, err)
		}
	}
}

func TestInspectSaysWhatTheInputsAre(t *testing.T) {
	p := pool(&clock{})
	_, r, err := bridge.Look(t.Context(), p, simulated(), qoskind.InspectQuestion)
	if err != nil || r.Workload.Requests != 3 || r.Hosts.Hosts != 1 || len(r.Policies) != 0 {
		t.Errorf("got %+v, %v", r, err)
	}
	in := simulated()
	in.Texts = nil
	if _, _, err := bridge.Look(t.Context(), p, in, qoskind.InspectQuestion); err == nil || !strings.Contains(err.Error(), "requests.csv: the file it refers to was not found: choose it again") {
		t.Errorf("without its file: %v", err)
	}
	if _, _, err := bridge.Look(t.Context(), p, bridge.Input{Scenario: of("heuristic")}, qoskind.InspectQuestion); err == nil || !strings.Contains(err.Error(), `kind "placement"`) {
		t.Errorf("a placement: %v", err)
	}
}

// A document includes small files. A link cannot carry a missing file.
func TestDocumentTakesFilesIn(t *testing.T) {
	d := must.Get(pool(&clock{}).Document(t.Context(), simulated()))(t)
	data, err := d.JSON.Bytes(t.Context())
	if err != nil || !bytes.Equal(data, scenario.Encode(whole())) || d.NoLink != "" || d.Left != nil {
		t.Errorf("got %s, %+v, %v", data, d, err)
	}
	in := simulated()
	in.Texts[qoskind.WorkloadSlot] = bridge.NewBlob(make([]byte, scenario.MaxBytes+1))
	d, err = pool(&clock{}).Document(t.Context(), in)
	if err != nil || len(d.Left) != 1 || d.Left[0] != "requests.csv" || !strings.Contains(d.NoLink, "a link cannot include it") {
		t.Errorf("of a large file: %+v, %v", d, err)
	}
}

// If the context ends during the simulation, the partial result is returned.
func TestCancelledSimulationIsPartial(t *testing.T) {
	in := bridge.Input{Scenario: qoskind.New("", qoskind.Document{
		Workload: scenario.Source{Name: "w", Recipe: &workload.Recipe{Generator: "requests", Preset: qoskind.Validation1}},
		Hosts:    scenario.Source{Name: "h", Recipe: &workload.Recipe{Generator: "hosts", Preset: qoskind.Validation}},
		Policies: []qoskind.PolicyRun{{Name: "qos", Scheduler: qoskind.Literal}}, Horizon: 1e6,
	})}
	ctx, cancel := context.WithCancel(t.Context())
	p := bridge.NewPool(1, bridge.Local(func() bridge.Server {
		h := handler.New((&clock{step: 200}).now)
		h.Yield = runtime.Gosched // the browser has one thread for all goroutines
		return h
	}))
	r := must.Get(p.Run(ctx, in, func(at scenario.Progress) {
		if at.Phase == "running" && at.Events > 0 {
			cancel()
		}
	}))(t)
	if one := qoskind.ReportOf(r.Report).Policies[0]; !r.Report.Partial || !one.Run.Partial || one.Run.End >= 1e6 || len(r.Report.Warnings) != 1 {
		t.Errorf("partial %v, end %v, warnings %q", r.Report.Partial, one.Run.End, r.Report.Warnings)
	}
}
