//go:build !js

package worker_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"berth/engine/input/workload"
	_ "berth/engine/kinds"
	"berth/engine/must"
	"berth/engine/placement/placementkind"
	"berth/engine/scenario"
	"berth/wasm/bridge"
)

const (
	federation = `graph { eu [cpu=100, cpu_cost=1]; us [cpu=50, cpu_cost=2]; eu -- us [latency=10, latency_cost=0.5] }`
	deployment = `graph { api [request=40, limit=50]; "dübel" [request=70, limit=80]; api -- "dübel" [latency=20] }`
)

// small returns a scenario that contains its texts.
func small() scenario.Scenario {
	return placementkind.New("small", placementkind.Document{
		Federation:  placementkind.GraphSource{Name: "f.dot", Text: federation},
		Deployments: []placementkind.GraphSource{{Name: "d.dot", Text: deployment}},
		Strategies:  []placementkind.StrategyRun{{Name: "heuristic"}, {Name: "random", Seeds: 3}},
	})
}

// generated returns a scenario of the thesis's preset: its ten deployments on a federation, with
// both strategies.
func generated(clusters float64, seed uint64) scenario.Scenario {
	p := placementkind.Document{
		Federation: placementkind.GraphSource{Name: "federation", Recipe: &workload.Recipe{
			Generator: "federation", Preset: "thesis", Seed: seed, Parameters: map[string]float64{"n_nodes": clusters},
		}},
		Strategies: []placementkind.StrategyRun{{Name: "heuristic"}, {Name: "random", Seeds: 5}},
		Seed:       seed,
		Budget:     20_000,
	}
	for i := range 10 {
		p.Deployments = append(p.Deployments, placementkind.GraphSource{
			Name:   fmt.Sprintf("deployment %d", i),
			Recipe: &workload.Recipe{Generator: "deployment", Preset: "thesis", Seed: seed, Index: i},
		})
	}
	return placementkind.New(fmt.Sprintf("%v clusters, seed %d", clusters, seed), p)
}

// endless returns a scenario that no search finishes: eleven jobs and ten clusters, where no two
// jobs fit on one cluster.
func endless() scenario.Scenario {
	s := small()
	var f, d strings.Builder
	for i := range 10 {
		fmt.Fprintf(&f, "c%d [cpu=10, cpu_cost=1];", i)
	}
	for i := range 11 {
		fmt.Fprintf(&d, "j%d [request=6, limit=6];", i)
	}
	placementkind.Of(s).Federation.Text = "graph {" + f.String() + "}"
	placementkind.Of(s).Deployments[0].Text = "graph {" + d.String() + "}"
	placementkind.Of(s).Budget = placementkind.MaxBudget
	return s
}

// The parts depend on each other: later ones find the workers of earlier ones.
func TestWorkerInBrowser(t *testing.T) {
	tab := openPage(t, nil)
	t.Run("same report", func(t *testing.T) { testSameReport(t, tab) })
	t.Run("reuse", func(t *testing.T) { testReuse(t, tab) })
	t.Run("file", func(t *testing.T) { testFile(t, tab) })
	t.Run("bad input", func(t *testing.T) { testBadInput(t, tab) })
	t.Run("streamed workload", func(t *testing.T) { testStreamedWorkload(t, tab) })
	t.Run("cancel", func(t *testing.T) { testCancel(t, tab) })
	t.Run("stop a simulation", func(t *testing.T) { testStop(t, tab) })
	t.Run("crash", func(t *testing.T) { testCrash(t, tab) })
	t.Run("silent end", func(t *testing.T) { testSilentEnd(t, tab) })
}

// native returns the report of a scenario as this process computes it.
func native(t *testing.T, s scenario.Scenario) []byte {
	t.Helper()
	r := must.Get(scenario.Run(t.Context(), s, scenario.Env{}))(t)
	return scenario.EncodeReport(r)
}

func runScenario(name string, s scenario.Scenario) string {
	return call("run", name, string(scenario.Encode(s)))
}

func testSameReport(t *testing.T, tab context.Context) {
	scenarios := []scenario.Scenario{small(), generated(50, 1), generated(100, 2), generated(200, 3)}
	mesh := generated(100, 4)
	placementkind.Of(mesh).Strategies = placementkind.Of(mesh).Strategies[:1]
	placementkind.Of(mesh).ConsumeBandwidth = true
	scenarios = append(scenarios, mesh)
	if testing.Short() {
		scenarios = scenarios[:2]
	}
	for _, s := range scenarios {
		got := ask(t, tab, runScenario("same", s))
		if got.Error != nil {
			t.Fatalf("%s: %v", s.Name, got.Error)
		}
		expectReport(t, tab, "same", native(t, s))
		if got.Hash != s.Hash() || got.Timings == nil {
			t.Errorf("%s: hash %q, timings %v", s.Name, got.Hash, got.Timings)
		}
	}
}

// expectReport checks the report of a run, both as bytes and as decoded by the page.
func expectReport(t *testing.T, tab context.Context, name string, want []byte) {
	t.Helper()
	r := ask(t, tab, call("report", name))
	if !bytes.Equal(r.Report, want) {
		t.Errorf("the worker's report differs: %s", difference(r.Report, want))
	}
	if !r.Same {
		t.Error("what the page has of the report differs from its bytes")
	}
}

// difference returns the first line that differs.
func difference(got, want []byte) string {
	g, w := bytes.Split(got, []byte("\n")), bytes.Split(want, []byte("\n"))
	for i := range min(len(g), len(w)) {
		if !bytes.Equal(g[i], w[i]) {
			return fmt.Sprintf("line %d is\n%s\nexpected\n%s", i+1, g[i], w[i])
		}
	}
	return fmt.Sprintf("%d lines, expected %d", len(g), len(w))
}

// One worker did everything so far, and a question after a run needs no second one.
func testReuse(t *testing.T, tab context.Context) {
	ask(t, tab, runScenario("warm", small()))
	d := ask(t, tab, call("draw", "warm", `{"deployment":-1,"view":"result"}`))
	if d.Error != nil || !strings.Contains(d.SVG, "dübel") {
		t.Errorf("drawing gave %+v", d)
	}
	if n := evaluate[int](t, tab, "started"); n != 1 {
		t.Errorf("%d workers were started for calls one after the other", n)
	}
}

// A text that the page never reads gives the same report.
func testFile(t *testing.T, tab context.Context) {
	s := small()
	want := native(t, s)
	placementkind.Of(s).Federation.Text = ""
	body := must.Get(json.Marshal(s))(t)
	for _, text := range []string{"new File([%q], 'f.dot')", "new TextEncoder().encode(%q)", "%q"} {
		expression := fmt.Sprintf("runWith('file', %q, "+text+")", body, federation)
		// The call is made twice, because the first one must not transfer the page's own bytes.
		for range 2 {
			if r := ask(t, tab, expression); r.Error != nil {
				t.Errorf("%.30s: %v", text, r.Error)
			}
			expectReport(t, tab, "file", want)
		}
	}
}

func testBadInput(t *testing.T, tab context.Context) {
	s := small()
	placementkind.Of(s).Federation.Text = "graph {\n eu [cpu=-1, cpu_cost=1]\n}"
	r := ask(t, tab, runScenario("bad", s))
	if r.Error == nil || len(r.Error.Diagnostics) == 0 || r.Error.Diagnostics[0].Line != 2 {
		t.Errorf("a negative figure gave %+v", r.Error)
	}
}

func testCancel(t *testing.T, tab context.Context) {
	ask(t, tab, runScenario("shown", small()))
	before := evaluate[int](t, tab, "started")
	s := endless()
	evaluate[int](t, tab, "cancelled = "+runScenario("endless", s)+"; 0")
	if _, err := chromedp.Run(tab, chromedp.Poll[bool]("globalThis.progress === 'endless placing'")); err != nil {
		t.Fatalf("there was no progress: %v", err)
	}
	ask(t, tab, call("stop", "endless"))
	if r := ask(t, tab, "cancelled"); r.Error == nil || r.Error.Message != context.Canceled.Error() {
		t.Fatalf("the cancelled run gave %+v", r)
	}
	if r := ask(t, tab, runScenario("next", small())); r.Error != nil {
		t.Errorf("the next run gave %v", r.Error)
	}
	// The stopped worker still answers questions.
	if d := ask(t, tab, call("draw", "shown", `{"deployment":-1,"view":"result"}`)); d.Error != nil || d.SVG == "" {
		t.Errorf("drawing what was shown gave %v", d.Error)
	}
	if n := evaluate[int](t, tab, "started"); n != before {
		t.Errorf("%d workers were started, though the one there could be stopped", n-before)
	}
}

func testCrash(t *testing.T, tab context.Context) {
	r := ask(t, tab, call("crash"))
	if r.Error == nil || r.Error.Kind != bridge.Crashed || !strings.Contains(r.Error.Message, "a call without a method") {
		t.Fatalf("the crash was told as %+v", r.Error)
	}
	if r := ask(t, tab, runScenario("after", small())); r.Error != nil {
		t.Errorf("the run after the crash gave %v", r.Error)
	}
}

// A worker that the browser kills sends nothing.
func testSilentEnd(t *testing.T, tab context.Context) {
	evaluate[int](t, tab, "ended = "+runScenario("doomed", endless())+"; 0")
	if _, err := chromedp.Run(tab, chromedp.Poll[bool]("globalThis.progress === 'doomed placing'")); err != nil {
		t.Fatalf("there was no progress: %v", err)
	}
	evaluate[int](t, tab, "newest.terminate(); 0")
	if r := ask(t, tab, "ended"); r.Error == nil || r.Error.Kind != bridge.Crashed || !strings.Contains(r.Error.Message, "without an error") {
		t.Fatalf("the end was told as %+v", r.Error)
	}
	if r := ask(t, tab, runScenario("after", small())); r.Error != nil {
		t.Errorf("the run after it gave %v", r.Error)
	}
}
