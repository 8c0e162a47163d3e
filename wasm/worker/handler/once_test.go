package handler

import (
	"maps"
	"testing"

	"berth/engine/diag"
	"berth/engine/federate/federatekind"
	"berth/engine/input/format"
	_ "berth/engine/kinds"
	"berth/engine/must"
	"berth/engine/placement/drawing"
	"berth/engine/placement/placementkind"
	"berth/engine/qos/qoskind"
	"berth/engine/scenario"
	"berth/wasm/bridge"
)

// worker returns a pool of one worker, and the worker.
func worker() (*bridge.WorkerPool, *Handler) {
	h := New(nil)
	return bridge.NewPool(1, bridge.Local(func() bridge.Server { return h })), h
}

// A graph is parsed once between its drop and its drawing: for the check of the file, a look at all
// inputs, the runs and the questions about them, even if the scenario changes the parsed graph.
func TestAGraphIsParsedOnce(t *testing.T) {
	parsed := map[string]int{}
	deployment := scenario.Source{Name: "app.yaml", Text: "apiVersion: apps/v1\nkind: Deployment\n"}
	federation := scenario.Source{Name: "net.gml", Text: "graph [ node [ id 1 ] ]"}
	// These readers are used only by this test, and count their calls.
	manifests, networks := format.Kubernetes, format.FederationReader([]byte(federation.Text))
	t.Cleanup(func(before, other format.Graphs) func() {
		return func() { *manifests, *networks = before, other }
	}(*manifests, *networks))
	manifests.Deployments = func(file string, _ []byte, o format.Options) ([]format.Deployment, diag.List) {
		parsed[file]++
		return format.ReadDeployments(file, []byte(`graph { a [request=1, limit=1]; b [request=1, limit=1]; a -- b [latency=20] }`), o)
	}
	networks.Federation = func(file string, _ []byte, o format.Options) (*format.Federation, diag.List) {
		parsed[file]++
		return format.ReadFederation([]format.File{{Name: file, Text: `graph { eu [cpu=9, cpu_cost=1]; us [cpu=9, cpu_cost=2]; eu -- us [latency=10, latency_cost=3] }`}}, o)
	}
	for _, center := range []string{"", "eu"} {
		clear(parsed)
		p, _ := worker()
		must.Get(bridge.AskTool(t.Context(), p, placementkind.CheckQuestion, []placementkind.CheckQuery{{Source: deployment}, {Source: federation}}, nil))(t)
		s := placementkind.New("", placementkind.Document{
			Federation: placementkind.GraphSource(federation), Deployments: []placementkind.GraphSource{placementkind.GraphSource(deployment)}, Center: center,
			Strategies: []placementkind.StrategyRun{{Name: "heuristic"}, {Name: "best-fit"}},
		})
		lead := s.Clone()
		placementkind.Of(lead).Strategies = placementkind.Of(lead).Strategies[:1]
		must.Get(p.Read(t.Context(), bridge.Input{Scenario: s}))(t)
		for _, one := range []scenario.Scenario{lead, s} {
			r := must.Get(p.Run(t.Context(), bridge.Input{Scenario: one, Whole: &s, Asked: []bridge.Asked{
				bridge.Together(placementkind.OverviewQuestion, placementkind.OverviewQuery{}),
			}}, nil))(t)
			must.Get(bridge.Ask(t.Context(), p, r, placementkind.DrawQuestion, placementkind.DrawQuery{Options: drawing.Options{View: drawing.ResultView}}))(t)
		}
		if want := map[string]int{deployment.Name: 1, federation.Name: 1}; !maps.Equal(parsed, want) {
			t.Errorf("with the centre %q the files were parsed %v times, want %v", center, parsed, want)
		}
	}
}

// A trace is parsed once for the look at it, the runs of all schedulers and the questions about
// them, either as a text or as a separate file.
func TestATraceIsParsedOnce(t *testing.T) {
	const trace = "0 3 10 5 10 15\n1 2 1 1 1\n"
	for _, text := range []string{trace, ""} {
		s := federatekind.New("", federatekind.Document{
			Trace: scenario.Source{Name: "jobs.tr", Text: text}, Workers: 4, GMs: 2, LMs: 2, Schedulers: []string{"megha", "sparrow", "pigeon"},
		})
		p, h := worker()
		in := func(s scenario.Scenario) bridge.Input {
			return bridge.Input{Scenario: s, Texts: map[string]bridge.Blob{federatekind.TraceSlot: bridge.NewBlob([]byte(trace))}}
		}
		looked := s.Clone()
		federatekind.Of(looked).Schedulers = []string{"ideal"}
		must.Get(p.Read(t.Context(), in(looked)))(t)
		for _, part := range scenario.Parts(s) {
			r := must.Get(p.Run(t.Context(), in(part.Scenario), nil))(t)
			must.Get(bridge.Ask(t.Context(), p, r, federatekind.PlaybackQuestion, federatekind.SchedulerQuery{}))(t)
			must.Get(bridge.Ask(t.Context(), p, r, federatekind.TaskQuestion, federatekind.TaskQuery{}))(t)
		}
		if n := h.shared.Made(); n != 1 {
			t.Errorf("a trace of %d bytes in the scenario was parsed %d times", len(text), n)
		}
	}
}

// The same holds for a workload of requests and its hosts.
func TestAWorkloadIsParsedOnce(t *testing.T) {
	const requests, hosts = "id,submit_s,duration_s,cpu,memory,class\na,0,300,2,2,bronze\nb,10,100,2,2,gold\n", "name,cpu,memory\nonly,2,2\n"
	for _, text := range []string{requests, ""} {
		s := qoskind.New("", qoskind.Document{
			Workload: scenario.Source{Name: "requests.csv", Text: text}, Hosts: scenario.Source{Name: "hosts.csv", Text: hosts},
			Policies: []qoskind.PolicyRun{{Name: "qos"}, {Name: "priority"}}, Seed: 1,
		})
		p, h := worker()
		in := func(s scenario.Scenario) bridge.Input {
			return bridge.Input{Scenario: s, Texts: map[string]bridge.Blob{qoskind.WorkloadSlot: bridge.NewBlob([]byte(requests))}}
		}
		must.Get(p.Read(t.Context(), in(s)))(t)
		for _, part := range scenario.Parts(s) {
			asked := in(part.Scenario)
			asked.Asked = []bridge.Asked{bridge.Together(qoskind.TimelineQuestion, qoskind.PolicyQuery{}), bridge.Together(qoskind.WhyQuestion, qoskind.WhyQuery{Opens: true})}
			r := must.Get(p.Run(t.Context(), asked, nil))(t)
			must.Get(bridge.Ask(t.Context(), p, r, qoskind.SpreadQuestion, qoskind.PolicyQuery{}))(t)
		}
		if n := h.shared.Made(); n != 1 {
			t.Errorf("a workload of %d bytes in the scenario was parsed %d times", len(text), n)
		}
	}
}
