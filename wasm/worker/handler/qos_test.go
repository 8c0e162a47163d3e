package handler_test

import (
	"bytes"
	"context"
	"runtime"
	"strings"
	"testing"

	"berth/engine/qos/qoskind"
	"berth/engine/scenario"
	"berth/engine/scenario/body"
	"berth/engine/workload"
	"berth/wasm/bridge"
	"berth/wasm/worker/handler"
)

const (
	requests = "id,submit_s,duration_s,cpu,memory,class\na,0,300,2,2,bronze\nb,10,100,2,2,gold\nc,20,100,1,1,silver\n"
	hosts    = "name,cpu,memory\nonly,2,2\n"
)

// simulated is a scenario whose hosts are in it and whose requests are beside.
func simulated() bridge.Input {
	return bridge.Input{
		Scenario: scenario.NewQoS("three requests", qoskind.Document{
			Workload: body.Source{Name: "requests.csv"}, Hosts: body.Source{Name: "hosts.csv", Text: hosts},
			Policies: []qoskind.PolicyRun{{Name: "qos"}, {Name: "priority"}}, Seed: 1,
		}),
		Texts: map[string]bridge.Blob{qoskind.WorkloadSlot: bridge.NewBlob([]byte(requests))},
	}
}

// whole is the same with everything in it.
func whole() scenario.Scenario {
	s := simulated().Scenario.Clone()
	s.QoS.Workload.Text = requests
	return s
}

func mustSimulate(t *testing.T, p *bridge.Pool, in bridge.Input) *bridge.Result {
	t.Helper()
	r, err := p.Run(t.Context(), in, nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Parts that ran beside each other, with a file beside the scenario, come to the
// report of a run of the whole with everything in it.
func TestPartsWithAFileMakeTheWhole(t *testing.T) {
	p := pool(&clock{step: 1})
	want, err := scenario.Run(t.Context(), whole(), scenario.Env{})
	if err != nil {
		t.Fatal(err)
	}
	if got := mustSimulate(t, p, simulated()); !bytes.Equal(got.JSON, scenario.EncodeReport(want)) || got.Hash != whole().Hash() {
		t.Errorf("the whole in a worker:\n%s\nhere:\n%s", got.JSON, scenario.EncodeReport(want))
	}
	var parts []*scenario.Report
	for _, s := range scenario.Parts(simulated().Scenario) {
		r := mustSimulate(t, p, bridge.Input{Scenario: s, Texts: simulated().Texts})
		part := *r.Report
		part.Timings = r.Timings
		parts = append(parts, &part)
	}
	joined, err := scenario.Join(simulated().Scenario, parts)
	if err != nil {
		t.Fatal(err)
	}
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
	first, second := bridge.Side{Result: r}, bridge.Side{Result: r, Policy: 1}

	pair, err := p.Pair(t.Context(), first, second, qoskind.PairQuery{Priority: 2})
	if err != nil || pair.Requests != 3 || len(pair.Classes) != 3 {
		t.Errorf("pair: %+v, %v", pair, err)
	}
	if _, err := p.Pair(t.Context(), first, bridge.Side{Result: saved}, qoskind.PairQuery{}); err == nil {
		t.Error("a result without arrays was paired")
	}
	strips, err := p.Strips(t.Context(), first, qoskind.StripsQuery{})
	if err != nil || len(strips) != 3 || strips[0].Name != "gold" {
		t.Errorf("strips: %+v, %v", strips, err)
	}
	shapes, err := p.Shapes(t.Context(), second, qoskind.ShapesQuery{})
	if err != nil || shapes == nil || len(shapes) > 0 { // no two deficits differ
		t.Errorf("shapes: %+v, %v", shapes, err)
	}
	if _, err := p.Shapes(t.Context(), bridge.Side{Result: saved}, qoskind.ShapesQuery{Classes: r.Report.QoS.Classes}); err == nil {
		t.Error("a result without arrays has shapes")
	}
	// What is repeated can be asked of a saved result, by another worker too.
	for _, p := range []*bridge.Pool{p, pool(&clock{step: 1})} {
		line, err := p.Timeline(t.Context(), saved, qoskind.TimelineQuery{Policy: 1})
		if err != nil || len(line.Requests) != 3 || len(line.Stays.Host) == 0 {
			t.Errorf("timeline: %+v, %v", line, err)
		}
		why, err := p.Why(t.Context(), saved, qoskind.WhyQuery{Policy: 1, Request: 1, Time: 10})
		if err != nil || why.Request.ID != "b" || why.Chosen != 0 || why.Candidates[0].Victims[0].ID != "a" {
			t.Errorf("why: %+v, %v", why, err)
		}
		file, err := p.List(t.Context(), saved, qoskind.ListQuery{})
		data, _ := file.Data.Bytes(t.Context())
		if err != nil || file.Name != "berth-requests.csv" || strings.Count(string(data), "\n") != 4 {
			t.Errorf("list: %+v, %v: %s", file, err, data)
		}
	}
}

func TestInspectSaysWhatTheInputsAre(t *testing.T) {
	p := pool(&clock{})
	r, err := p.Inspect(t.Context(), simulated())
	if err != nil || r.Workload.Requests != 3 || r.Hosts.Hosts != 1 || len(r.Policies) != 0 {
		t.Errorf("got %+v, %v", r, err)
	}
	in := simulated()
	in.Texts = nil
	if _, err := p.Inspect(t.Context(), in); err == nil || !strings.Contains(err.Error(), "requests.csv: the file stands beside the document") {
		t.Errorf("without its file: %v", err)
	}
	if _, err := p.Inspect(t.Context(), bridge.Input{Scenario: of("heuristic")}); err == nil || !strings.Contains(err.Error(), `kind "placement"`) {
		t.Errorf("a placement: %v", err)
	}
}

// A document takes small files in; a link cannot carry one that is left out.
func TestDocumentTakesFilesIn(t *testing.T) {
	d, err := pool(&clock{}).Document(t.Context(), simulated())
	if err != nil {
		t.Fatal(err)
	}
	data, err := d.JSON.Bytes(t.Context())
	if err != nil || !bytes.Equal(data, scenario.Encode(whole())) || d.NoLink != "" || d.Left != nil {
		t.Errorf("got %s, %+v, %v", data, d.DocumentAnswer, err)
	}
	in := simulated()
	in.Texts[qoskind.WorkloadSlot] = bridge.NewBlob(make([]byte, scenario.MaxBytes+1))
	d, err = pool(&clock{}).Document(t.Context(), in)
	if err != nil || len(d.Left) != 1 || d.Left[0] != "requests.csv" || !strings.Contains(d.NoLink, "no link can carry it") {
		t.Errorf("of a large file: %+v, %v", d.DocumentAnswer, err)
	}
}

// The context ends while the simulation is under way: what it has come to is a
// result.
func TestCancelledSimulationIsPartial(t *testing.T) {
	in := bridge.Input{Scenario: scenario.NewQoS("", qoskind.Document{
		Workload: body.Source{Name: "w", Recipe: &workload.Recipe{Generator: "requests", Preset: qoskind.Validation1}},
		Hosts:    body.Source{Name: "h", Recipe: &workload.Recipe{Generator: "hosts", Preset: qoskind.Validation}},
		Policies: []qoskind.PolicyRun{{Name: "qos", Scheduler: qoskind.Literal}}, Horizon: 1e6,
	})}
	ctx, cancel := context.WithCancel(t.Context())
	p := bridge.NewPool(1, bridge.Local(func() bridge.Server {
		h := handler.New((&clock{step: 200}).now)
		h.Yield = runtime.Gosched // the browser has one thread for all goroutines
		return h
	}))
	r, err := p.Run(ctx, in, func(at scenario.Progress) {
		if at.Phase == "running" && at.Events > 0 {
			cancel()
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if one := r.Report.QoS.Policies[0]; !r.Report.Partial || !one.Run.Partial || one.Run.End >= 1e6 || len(r.Report.Warnings) != 1 {
		t.Errorf("partial %v, end %v, warnings %q", r.Report.Partial, one.Run.End, r.Report.Warnings)
	}
}
