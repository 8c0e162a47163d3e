package placementkind

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"berth/engine/figure"
	"berth/engine/golden"
	"berth/engine/input/workload"
	"berth/engine/must"
	"berth/engine/placement"
	"berth/engine/scenario"
	"berth/engine/study"
)

// The federation has 100 units at price 1 and 100 units at price 2. Two small jobs both fit on the
// cheap cluster; of three jobs of 40 units one must use the other cluster; one job of 150 fits
// nowhere.
const (
	federationDOT = `graph { cheap [cpu=100, cpu_cost=1]; dear [cpu=100, cpu_cost=2]; cheap -- dear [latency=10, latency_cost=0.5]; }`
	pairDOT       = `graph { a [request=20, limit=20]; b [request=30, limit=30]; a -- b [latency=20]; }`
	threeDOT      = `graph { x [request=40, limit=30]; y [request=40, limit=40]; z [request=40, limit=40]; x -- y [latency=20]; x -- y [latency=15]; }`
	hugeDOT       = `graph { h [request=150, limit=150]; }`
)

func testScenario(strategies ...StrategyRun) scenario.Scenario {
	return New("three deployments", Document{
		Federation: GraphSource{Name: "graphs/federation.dot", Text: federationDOT},
		Deployments: []GraphSource{
			{Name: "graphs/pair.dot", Text: pairDOT}, {Name: "graphs/huge.dot", Text: hugeDOT}, {Name: "graphs/three.dot", Text: threeDOT},
		},
		Strategies: strategies, Seed: 1,
	})
}

func init() { scenario.Register(Kind, study.Kind) }

// The first strategy with one seed gives a result, which the other runs complete.
func TestTheFirstStrategyLeads(t *testing.T) {
	s := testScenario(StrategyRun{Name: "random", Seeds: 3}, StrategyRun{Name: "heuristic"})
	parts := scenario.Parts(s)
	if len(parts) != 2 || parts[1].Scenario.Hash() != s.Hash() {
		t.Fatalf("%d parts, want what leads and the whole", len(parts))
	}
	_, lead := runTest(t, parts[0].Scenario, scenario.Env{})
	_, whole := runTest(t, s, scenario.Env{})
	if all := ReportOf(lead).Strategies; len(all) != 1 || all[0].Strategy != "random" || all[0].Seeds != 1 {
		t.Errorf("what leads has %d strategies, first %+v", len(all), all[0])
	}
	for want, reports := range map[*scenario.Report][]*scenario.Report{lead: {lead, nil}, whole: {lead, whole}} {
		if got, err := scenario.Join(s, reports); got != want {
			t.Errorf("the report of %d strategies is not that of what has run last (%v)", len(ReportOf(want).Strategies), err)
		}
	}
	if alone := scenario.Parts(parts[0].Scenario); len(alone) != 1 {
		t.Errorf("what leads has %d parts", len(alone))
	}
}

func runTest(t testing.TB, s scenario.Scenario, env scenario.Env) (*Prepared, *scenario.Report) {
	t.Helper()
	e := must.Get(scenario.Prepare(t.Context(), s, env))(t)
	r := must.Get(e.Run(t.Context()))(t)
	work := must.Get(scenario.WorkOf[*Prepared](e))(t)
	return work, r
}

func TestReportIsGolden(t *testing.T) {
	_, r := runTest(t, testScenario(StrategyRun{Name: "heuristic"}, StrategyRun{Name: "random", Seeds: 5}), scenario.Env{})
	got := scenario.EncodeReport(r)
	golden.Check(t, "testdata/report.json", strings.Replace(string(got), scenario.Engine, golden.Engine, 1))
	var back scenario.Report
	must.Do(t, json.Unmarshal(got, &back))
	if again := scenario.EncodeReport(&back); !bytes.Equal(again, got) {
		t.Errorf("read and written again the report is\n%s", again)
	}
}

func TestDeploymentsFollowEachOther(t *testing.T) {
	_, r := runTest(t, testScenario(StrategyRun{Name: "heuristic"}), scenario.Env{})
	s := ReportOf(r).Strategies[0]
	for i, want := range []placement.Status{placement.Placed, placement.Infeasible, placement.Placed} {
		if got := s.Deployments[i].Status; got != want {
			t.Errorf("%s: status %s, want %s", s.Deployments[i].Name, got, want)
		}
	}
	// The pair leaves 50 units on the cheap cluster, and the huge one takes nothing.
	on := map[string]int{}
	for _, a := range s.Deployments[2].Placement {
		on[a.Cluster]++
	}
	if on["cheap"] != 1 || on["dear"] != 2 {
		t.Errorf("the three jobs stand on %v", on)
	}
	if d := s.Deployments[1]; d.Reason == "" || d.Placement != nil || d.Cost.Total.Defined() || d.PerUnit.Defined() {
		t.Errorf("not placed, but %+v", d)
	}
	if d := s.Deployments[0]; d.Cost.Total != 50 || d.PerUnit != 1 || d.PerLink != 0 {
		t.Errorf("cost %v, per unit %v, per link %v", d.Cost.Total, d.PerUnit, d.PerLink)
	}
	if s.Total.Node != s.Deployments[0].Cost.Node+s.Deployments[2].Cost.Node {
		t.Errorf("total node cost %v", s.Total.Node)
	}
}

// If a document is the base of an experiment, the experiment has its seeds: one run for each with
// all strategies, and the same means as in the document's own report.
func TestSeedsAreThoseOfAnExperiment(t *testing.T) {
	s := testScenario(StrategyRun{Name: "heuristic"}, StrategyRun{Name: "random", Seeds: 8})
	d := Of(s)
	d.Deployments = d.Deployments[:1] // random always finds a place for it
	_, own := runTest(t, s, scenario.Env{})
	report := must.Get(scenario.Run(t.Context(), study.New("", study.Document{Base: s}), scenario.Env{}))(t)
	r := report.Body.(*study.Report)
	if r.Runs != (study.Count{All: 8, Done: 8}) || len(r.Cells) != 2 || d.Strategies[1].Seeds != 8 {
		t.Fatalf("%+v, %d cells", r.Runs, len(r.Cells))
	}
	got, want := r.Cells[1].Metrics["cost.total"], ReportOf(own).Strategies[1].Summary.At("total")
	if got.N != 8 || got.Estimate != want || want.HalfWidth == 0 {
		t.Errorf("%s, want %s", got, want)
	}
	first := r.Cells[0].Metrics["cost.total"]
	if want := ReportOf(own).Strategies[0].Total.Total; first.N != 8 || first.Mean != want || first.HalfWidth != 0 {
		t.Errorf("the heuristic, which draws nothing: %s, want %v", first, want)
	}
}

func TestRandomRunsOverSeeds(t *testing.T) {
	const seeds = 8
	_, all := runTest(t, testScenario(StrategyRun{Name: "random", Seeds: seeds}), scenario.Env{})
	summary := ReportOf(all).Strategies[0].Deployments[0].Summary
	var sum figure.Number
	placed := 0
	for k := range seeds {
		s := testScenario(StrategyRun{Name: "random"})
		Of(s).Seed += uint64(k)
		_, r := runTest(t, s, scenario.Env{})
		if ReportOf(r).Strategies[0].Summary != nil {
			t.Error("a single seed has a summary")
		}
		if d := ReportOf(r).Strategies[0].Deployments[0]; d.Status == placement.Placed {
			placed++
			sum += d.Cost.Total
		}
	}
	total := summary.At("total")
	if summary.Runs != seeds || summary.Placed != placed || total.Mean != sum/figure.Number(placed) {
		t.Errorf("summary %+v with mean %v, want %d of %d placed, mean %v", summary, total.Mean, placed, seeds, sum/figure.Number(placed))
	}
	if !total.HalfWidth.Defined() || total.HalfWidth <= 0 {
		t.Errorf("no confidence interval: %+v", total)
	}
	if got := ReportOf(all).Strategies[0].Summary.Placed; got != 0 {
		t.Errorf("%d runs placed everything, but one deployment fits nowhere", got)
	}
}

// A later seed that uses up its budget without a placement counts as not placed and costs nothing.
func TestAnExhaustedSeedIsNotPlaced(t *testing.T) {
	s := testScenario(StrategyRun{Name: "random", Seeds: 4})
	Of(s).Budget = 1
	_, r := runTest(t, s, scenario.Env{})
	d := ReportOf(r).Strategies[0].Deployments[0]
	if r.Complete() || d.Status != placement.BudgetExhausted || d.Summary.Runs != 4 || d.Summary.Placed != 0 || d.Summary.At("total").Mean.Defined() {
		t.Errorf("%s, of %d runs %d placed at %v", d.Status, d.Summary.Runs, d.Summary.Placed, d.Summary.At("total"))
	}
}

func TestTimingsStayApart(t *testing.T) {
	s := testScenario(StrategyRun{Name: "heuristic"}, StrategyRun{Name: "random", Seeds: 2})
	_, plain := runTest(t, s, scenario.Env{})
	var ticks float64
	_, timed := runTest(t, s, scenario.Env{Now: func() float64 { ticks++; return ticks }})
	if plain.Timings != nil {
		t.Error("timings without a clock")
	}
	if timed.Timings == nil || len(timed.Timings.Placing) != 2 || !reflect.DeepEqual(timed.Timings.Placing[1], []float64{1, 1, 1}) {
		t.Fatalf("timings %+v", timed.Timings)
	}
	timed.Timings = nil
	if !bytes.Equal(scenario.EncodeReport(plain), scenario.EncodeReport(timed)) {
		t.Error("the clock changes the report")
	}
}

func TestResultsHash(t *testing.T) {
	s := testScenario(StrategyRun{Name: "random"})
	_, a := runTest(t, s, scenario.Env{})
	s.Name = "renamed"
	_, b := runTest(t, s, scenario.Env{})
	Of(s).Seed++
	_, c := runTest(t, s, scenario.Env{})
	if a.Results != b.Results || a.Scenario != b.Scenario {
		t.Error("the name changes a hash")
	}
	if a.Results == c.Results || a.Scenario == c.Scenario {
		t.Error("the seed does not change the hashes")
	}
}

func TestProgressRises(t *testing.T) {
	last := map[string]float64{}
	var phases []string
	_, _ = runTest(t, testScenario(StrategyRun{Name: "heuristic"}, StrategyRun{Name: "random", Seeds: 3}), scenario.Env{Progress: func(p scenario.Progress) {
		before, seen := last[p.Phase]
		if !seen {
			phases = append(phases, p.Phase)
		}
		if p.Fraction < before || p.Fraction > 1 || p.Unit == "" {
			t.Errorf("after %v comes %+v", before, p)
		}
		last[p.Phase] = p.Fraction
	}})
	if !reflect.DeepEqual(phases, []string{"reading", "placing"}) || last["reading"] != 1 || last["placing"] != 1 {
		t.Errorf("phases %v end at %v", phases, last)
	}
}

func TestCancelled(t *testing.T) {
	s := testScenario(StrategyRun{Name: "heuristic"})
	ctx, cancel := context.WithCancel(t.Context())
	e := must.Get(scenario.Prepare(ctx, s, scenario.Env{}))(t)
	cancel()
	if _, err := e.Run(ctx); !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), "cancelled while placing pair.dot with heuristic") {
		t.Errorf("run: got %v", err)
	}
	if _, err := scenario.Prepare(ctx, s, scenario.Env{}); !errors.Is(err, context.Canceled) {
		t.Errorf("prepare: got %v", err)
	}
	if _, err := e.Run(t.Context()); err != nil {
		t.Errorf("run again: %v", err)
	}
}

func TestPrepareReportsAllGraphs(t *testing.T) {
	s := testScenario(StrategyRun{Name: "heuristic"})
	Of(s).Federation.Text = "graph {\n  c [cpu=-1, cpu_cost=1];\n}"
	Of(s).Deployments[0].Text = "graph {\n  a [request=1"
	Of(s).Deployments[1] = GraphSource{Recipe: &workload.Recipe{Generator: "deployment", Preset: "best"}}
	_, err := scenario.Prepare(t.Context(), s, scenario.Env{})
	var input *scenario.InputError
	if !errors.As(err, &input) {
		t.Fatalf("got %v, want an *InputError", err)
	}
	for _, want := range []string{"graphs/federation.dot:2:", "graphs/pair.dot:2:", `placement.deployments[1].recipe: preset: "best" is unknown`} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%v\nlacks %q", err, want)
		}
	}
}

// Documents may list a strategy twice, because earlier versions accepted that.
func TestAStrategyThatIsListedTwiceIsSaid(t *testing.T) {
	_, r := runTest(t, testScenario(StrategyRun{Name: "heuristic"}, StrategyRun{Name: "random"}, StrategyRun{Name: "heuristic"}), scenario.Env{})
	if want := "heuristic is listed twice: leave one out"; !slices.Contains(r.Warnings, want) {
		t.Errorf("the warnings are %q, want %q", r.Warnings, want)
	}
}

func TestWarningsAndStrict(t *testing.T) {
	s := testScenario(StrategyRun{Name: "heuristic"})
	_, r := runTest(t, s, scenario.Env{})
	if len(r.Warnings) != 1 || !strings.HasPrefix(r.Warnings[0], "graphs/three.dot:1:") || len(r.Notes) != 1 || len(r.Diagnostics) != 2 {
		t.Errorf("warnings %q, notes %q", r.Warnings, r.Notes)
	}
	Of(s).Strict = true
	if _, err := scenario.Prepare(t.Context(), s, scenario.Env{}); err == nil || !strings.Contains(err.Error(), "graphs/three.dot:1:") {
		t.Errorf("strict: got %v", err)
	}
}

func TestCenter(t *testing.T) {
	s := testScenario(StrategyRun{Name: "heuristic"})
	Of(s).Federation.Text = `graph { a [cpu=50, cpu_cost=1]; hub [cpu=0, cpu_cost=1]; b [cpu=50, cpu_cost=2];
		a -- hub [latency=5, latency_cost=1]; b -- hub [latency=6, latency_cost=2]; a -- b [latency=1, latency_cost=0]; }`
	Of(s).Deployments = []GraphSource{{Name: "pair", Text: `graph { x [request=50, limit=50]; y [request=50, limit=50]; x -- y [latency=20]; }`}}
	Of(s).Center = "hub"
	_, r := runTest(t, s, scenario.Env{})
	if got := ReportOf(r).Strategies[0].Total.Link; got != 3 {
		t.Errorf("link cost %v, want 3: over the centre", got)
	}
	ignored := `graphs/federation.dot:1:1: 1 link does not touch the centre "hub" and is ignored`
	if ReportOf(r).Federation.Center != "hub" || len(r.Warnings) != 1 || !strings.HasPrefix(r.Warnings[0], ignored) {
		t.Errorf("federation %+v, warnings %q", ReportOf(r).Federation, r.Warnings)
	}
	Of(s).Strict = true
	if _, err := scenario.Prepare(t.Context(), s, scenario.Env{}); err == nil || !strings.HasPrefix(err.Error(), ignored) {
		t.Errorf("strict: got %v", err)
	}
	Of(s).Strict = false
	Of(s).Federation.Text = strings.Replace(Of(s).Federation.Text, "{", "{ center=hub", 1)
	if _, r := runTest(t, s, scenario.Env{}); len(r.Warnings) != 1 || !strings.HasPrefix(r.Warnings[0], "graphs/federation.dot:1:16: 1 link ") {
		t.Errorf("the centre given twice: warnings %q", r.Warnings)
	}
	Of(s).Center = "nowhere"
	if _, err := scenario.Prepare(t.Context(), s, scenario.Env{}); err == nil || !strings.Contains(err.Error(), `placement.center: the centre "nowhere"`) {
		t.Errorf("got %v", err)
	}
}

func TestIDsAreWrittenPlain(t *testing.T) {
	s := testScenario(StrategyRun{Name: "heuristic"})
	Of(s).Federation.Text = `graph { "<b>&\"c\"" [cpu=50, cpu_cost=1] }`
	Of(s).Deployments = []GraphSource{{Name: "one", Text: `graph { "<i>j</i>" [request=5, limit=5] }`}}
	_, r := runTest(t, s, scenario.Env{})
	text := scenario.EncodeReport(r)
	if want := `"<i>j</i>": "<b>&\"c\""`; !strings.Contains(string(text), want) || bytes.Contains(text, []byte(`\u003c`)) {
		t.Errorf("no %s in\n%s", want, text)
	}
	var back scenario.Report
	if err := json.Unmarshal(text, &back); err != nil || !bytes.Equal(scenario.EncodeReport(&back), text) {
		t.Errorf("%v; read and written again it is\n%s", err, scenario.EncodeReport(&back))
	}
}

func TestPlacingIsBoundedInMemory(t *testing.T) {
	s := testScenario(StrategyRun{Name: "heuristic"})
	for memory, want := range map[int64]string{100: "reading the inputs takes more", 3000: "placement.deployments: pair.dot: the run may take"} {
		if _, err := scenario.Prepare(t.Context(), s, scenario.Env{Memory: memory}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("with %d bytes got %v, want %q", memory, err, want)
		}
	}
	if _, err := scenario.Prepare(t.Context(), s, scenario.Env{Memory: 100_000}); err != nil {
		t.Error(err)
	}
}

// The estimate of memory includes the data of a strategy or an answer for each pair of clusters of
// a mesh: for 100,000 clusters about 80 GB.
func TestPairsOfClustersAreBoundedInMemory(t *testing.T) {
	const clusters, mebibyte = 4000, 1 << 20
	var f strings.Builder
	for i := range clusters {
		fmt.Fprintf(&f, "c%d [cpu=100, cpu_cost=1]; c%d -- c%d [latency=1, latency_cost=1]; ", i, i, i+1)
	}
	mesh := func(strategy, deployment string) scenario.Scenario {
		return New("", Document{
			Federation:  GraphSource{Name: "f.dot", Text: fmt.Sprintf("graph { %s c%d [cpu=100, cpu_cost=1]; }", &f, clusters)},
			Deployments: []GraphSource{{Name: "d.dot", Text: deployment}},
			Strategies:  []StrategyRun{{Name: strategy}}, Seed: 1,
		})
	}
	env := scenario.Env{Memory: 100 * mebibyte}
	const small, large = `graph { a [request=2, limit=3]; b [request=2, limit=3]; a -- b [latency=9]; }`, `graph { a [request=200, limit=300]; b [request=2, limit=3]; a -- b [latency=9]; }`
	for _, strategy := range []string{"best", "exact"} {
		if _, err := scenario.Prepare(t.Context(), mesh(strategy, small), env); err == nil || !strings.Contains(err.Error(), "d.dot: the run may take") {
			t.Errorf("%s: %v", strategy, err)
		}
	}
	if e, _ := runTest(t, mesh("heuristic", small), env); e != nil {
		if _, err := e.Standing(t.Context(), StandingQuery{}); err == nil || !strings.Contains(err.Error(), "the run may take") {
			t.Errorf("why a job stands where it does: %v", err)
		}
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	runTest(t, mesh("heuristic", large), env)
	runtime.ReadMemStats(&after)
	if took := after.TotalAlloc - before.TotalAlloc; took > 100*mebibyte {
		t.Errorf("that there is no placement took %d bytes", took)
	}
}

// A report with a front can be read again, because berth diff and bundles need that.
func TestAFrontIsRead(t *testing.T) {
	s := testScenario(StrategyRun{Name: "exact"})
	Of(s).Pareto = []placement.Measure{placement.Cost, placement.Balance}
	_, report := runTest(t, s, scenario.Env{})
	data := scenario.EncodeReport(report)
	read := must.Get(scenario.DecodeReport(data))(t)
	if !bytes.Equal(scenario.EncodeReport(read), data) {
		t.Error("it has other bytes than the report that was written")
	}
	if _, err := scenario.DecodeReport(bytes.Replace(data, []byte(`"measures": [`), []byte(`"measures": 1, "other": [`), 1)); err == nil {
		t.Error("a number is read as the measures")
	}
}
