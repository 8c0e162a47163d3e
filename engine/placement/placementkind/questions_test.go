package placementkind

import (
	"bytes"
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"berth/engine/dot"
	"berth/engine/input/format"
	"berth/engine/input/workload"
	"berth/engine/must"
	"berth/engine/placement"
	"berth/engine/placement/drawing"
	"berth/engine/scenario"
	"berth/engine/solve"
)

func TestExplainSeesWhatWasLeft(t *testing.T) {
	e, report := runTest(t, testScenario(StrategyRun{Name: "heuristic"}), scenario.Env{})
	r := ReportOf(report)
	// In any order of the questions, the third deployment finds the cheap cluster half used by the
	// first.
	for _, deployment := range []int{2, 0, 2} {
		order := r.Strategies[0].Deployments[deployment].Order
		for step, job := range order {
			x := must.Get(e.Explain(ExplainQuery{Deployment: deployment, Step: step}))(t)
			if x.Job != job || x.Jobs != len(order) {
				t.Errorf("deployment %d, step %d explains job %s of %d, want %s of %d", deployment, step, x.Job, x.Jobs, job, len(order))
			}
		}
	}
	x := must.Get(e.Explain(ExplainQuery{Deployment: 2, Step: 1}))(t)
	if len(x.Refusals) != 1 || x.Refusals[0].Cluster != "cheap" {
		t.Errorf("the second job of the third deployment is refused by %+v, want cheap, which is full", x.Refusals)
	}
	x, err := e.Explain(ExplainQuery{Deployment: 1, Step: 0})
	if err != nil || len(x.Refusals) != 2 || x.Cluster != "" {
		t.Errorf("of the job that fits nowhere: %+v, %v", x, err)
	}
}

// A question may be asked before it is known how a search ended. It is then about the last step if
// the search found no placement, and about the first step if it has fewer steps.
func TestExplainOpensWhereTheSearchEnded(t *testing.T) {
	e, _ := runTest(t, testScenario(StrategyRun{Name: "heuristic"}), scenario.Env{})
	for _, c := range []struct {
		query ExplainQuery
		step  int
	}{
		{ExplainQuery{Deployment: 1, Opens: true}, 0}, // its only job fits nowhere
		{ExplainQuery{Deployment: 1, Step: 5}, 0},
		{ExplainQuery{Deployment: 2, Step: 1, Opens: true}, 1},
		{ExplainQuery{Deployment: 2, Step: 5, Opens: true}, 0},
	} {
		if x, err := e.Explain(c.query); err != nil || x.Step != c.step {
			t.Errorf("%+v explains step %d (%v), want %d", c.query, x.Step, err, c.step)
		}
	}
	if x, err := e.Explain(ExplainQuery{Deployment: 2, Step: 5}); err == nil {
		t.Errorf("step 5 of a placement of 2 explains %s", x.Job)
	}
}

// A text that a look has read is reused by every experiment of the worker.
func TestATextIsReadOnce(t *testing.T) {
	var shared scenario.Shared
	ctx := scenario.Share(t.Context(), &shared)
	s := testScenario(StrategyRun{Name: "heuristic"})
	f := Of(s).Federation
	Check(ctx, f, dot.Unknown, Reading{}, scenario.NewLoad(0))
	read, _, _ := federationOf(ctx, []GraphSource{f}, format.Options{}, false)
	for _, strategy := range []string{"heuristic", "random"} {
		shared.Next()
		Of(s).Strategies = []StrategyRun{{Name: strategy}}
		e, err := Prepare(ctx, Of(s), scenario.Env{})
		if err != nil || e.world.federation != read {
			t.Fatalf("for %s the federation was read again (%v)", strategy, err)
		}
	}
	Of(s).Center = "dear"
	if e, err := Prepare(ctx, Of(s), scenario.Env{}); err != nil || e.world.federation == read {
		t.Errorf("a federation that is changed is shared (%v)", err)
	}
	shared.Next()
	shared.Next()
	if again, _, _ := federationOf(ctx, []GraphSource{f}, format.Options{}, false); again == read {
		t.Error("what was not needed in two rounds is still there")
	}
}

// recording is a strategy that only records its problems.
type recording struct{ problems []*placement.Problem }

func (r *recording) Place(_ context.Context, p *placement.Problem, _ placement.Options) placement.Solution {
	r.problems = append(r.problems, p)
	return placement.Solution{Status: placement.Infeasible}
}

// All runs on the graphs share the compiled problem of the first deployment, with its bound and its
// conflict set, and give the same as alone. The other deployments are placed on the remaining
// capacity.
func TestAProblemIsCompiledOnce(t *testing.T) {
	ctx := scenario.Share(t.Context(), &scenario.Shared{})
	var before *solve.Problem
	var strategy recording
	for i, name := range []string{"heuristic", "random"} {
		s := testScenario(StrategyRun{Name: name})
		Of(s).Deployments[0].Text = hugeDOT
		e := must.Get(scenario.Prepare(ctx, s, scenario.Env{}))(t)
		shared := must.Get(e.Run(ctx))(t)
		work, _ := scenario.WorkOf[*Prepared](e)
		if compiled := work.alone(0).Assignment(); before != nil && compiled != before {
			t.Errorf("%s has another problem", name)
		} else {
			before = compiled
		}
		_, fresh := runTest(t, s, scenario.Env{})
		if got, want := scenario.EncodeReport(shared), scenario.EncodeReport(fresh); !bytes.Equal(got, want) {
			t.Errorf("%s gives\n%s\nby itself\n%s", name, got, want)
		}
		must.Get(work.runOnce(ctx, name, func(int) placement.Strategy { return &strategy }, uint64(i), &jobCounter{prepared: work, quiet: true}))(t)
		if p := strategy.problems; p[len(p)-3] != work.alone(0) || p[len(p)-2] == work.alone(1) || p[len(p)-1] == work.alone(2) {
			t.Errorf("a run with seed %d does not share its first problem alone", i)
		}
	}
}

func TestMatrix(t *testing.T) {
	e, report := runTest(t, testScenario(StrategyRun{Name: "heuristic"}), scenario.Env{})
	r := ReportOf(report)
	for _, which := range []string{"CM", "NAM"} {
		m := must.Get(e.Matrix(MatrixQuery{ExplainQuery{Deployment: 0, Step: 0}, which}))(t)
		if !reflect.DeepEqual(m.Rows, r.Strategies[0].Deployments[0].Order) || !reflect.DeepEqual(m.Columns, []string{"cheap", "dear"}) {
			t.Errorf("%s has rows %v and columns %v", which, m.Rows, m.Columns)
		}
		if want := map[string][]float64{"CM": {20, 40, 30, 60}, "NAM": {1, 1, 1, 1}}[which]; !reflect.DeepEqual(m.Values, want) {
			t.Errorf("%s is %v, want %v", which, m.Values, want)
		}
	}
}

func TestDraw(t *testing.T) {
	e, _ := runTest(t, testScenario(StrategyRun{Name: "heuristic"}), scenario.Env{})
	count := func(deployment int, view drawing.View) (jobs int) {
		d := must.Get(e.Draw(DrawQuery{Deployment: deployment, Options: drawing.Options{View: view}}))(t)
		for _, x := range d.Elements {
			if x.Kind == "job" {
				jobs++
			}
		}
		return jobs
	}
	if got := count(AllDeployments, drawing.ResultView); got != 6 {
		t.Errorf("%d jobs in the result, want 5, and the one that fits nowhere", got)
	}
	if got := count(AllDeployments, drawing.DeploymentView); got != 6 {
		t.Errorf("%d jobs in the deployments, want 6", got)
	}
	if got := count(2, drawing.ResultView); got != 3 {
		t.Errorf("%d jobs in the third result, want 3", got)
	}
}

func TestExport(t *testing.T) {
	e, _ := runTest(t, testScenario(StrategyRun{Name: "heuristic"}), scenario.Env{})
	for _, test := range []struct{ format, mime, want string }{
		{DOTThesis, "text/vnd.graphviz", "graph \"pair.dot\" {\n\tsubgraph cluster_cheap {\n\t\tgraph [label=\"cpu - amount:100 - cost:1\","},
		{DOTPlain, "text/vnd.graphviz", "graph \"pair.dot\" {\n\tsubgraph cluster_cheap {\n\t\tgraph [cpu=100, cpu_cost=1,"},
		{CSV, "text/csv", "deployment,job,name,cluster,cluster name\npair.dot,a,a,cheap,cheap\npair.dot,b,b,cheap,cheap\n"},
		{FiguresCSV, "text/csv", "strategy,deployment,status,n,seeds,first seed,node cost,node cost half-width,link cost,link cost half-width,total cost,total cost half-width," +
			"bound,bound half-width,gap,gap half-width,proved,proved half-width,optimal cost,optimal cost half-width," +
			"cost per unit,cost per unit half-width,cost per link,cost per link half-width,expansions,expansions half-width,backtracks,backtracks half-width\n" +
			"heuristic,pair.dot,placed,1,1,1,50,,0,,50,,49.999999999998494,,0,,1,,50,,1,,0,,2,,0,\nheuristic,huge.dot,infeasible,0,1,1,,,,,,,,,,,1,,,,,,,,1,,0,\n"},
	} {
		file, err := e.Export(ExportQuery{Format: test.format})
		if err != nil || file.Type != test.mime || !strings.HasPrefix(string(file.Data), test.want) {
			t.Errorf("%s: %s, %v", test.format, file.Data, err)
		}
	}
}

// The table shows the same as the page: means over the seeds, their intervals, the number of runs,
// and a comparison if every strategy placed the same.
func TestFiguresAreThoseOfAllSeeds(t *testing.T) {
	s := testScenario(StrategyRun{Name: "heuristic"}, StrategyRun{Name: "random", Seeds: 3})
	e, r := runTest(t, s, scenario.Env{})
	file := must.Get(e.Export(ExportQuery{Format: FiguresCSV}))(t)
	body := ReportOf(r)
	random := body.Strategies[1]
	m := random.Deployments[0].Summary
	want := fmt.Sprintf("random,pair.dot,placed,3,3,%d,%v,%v,", Of(s).Seed, float64(m.At("node").Mean), float64(m.At("node").HalfWidth))
	if !strings.Contains(string(file.Data), want) {
		t.Errorf("no line begins with %q:\n%s", want, file.Data)
	}
	common := body.Common()
	if len(common) == 0 || len(common) == len(body.Deployments) {
		t.Fatalf("common are %v of %d", common, len(body.Deployments))
	}
	c := body.TallyIn(&random, common)
	want = fmt.Sprintf("random,all that every strategy placed in every run,%d of %d,3,3,%d,%v,,%v,", len(common), len(body.Deployments), Of(s).Seed, float64(c.Node), float64(c.Link))
	if !strings.Contains(string(file.Data), want) {
		t.Errorf("no line begins with %q:\n%s", want, file.Data)
	}
	if got := m.At("node").Mean; len(common) == 1 && got != c.Node {
		t.Errorf("one deployment costs %v, alone %v", c.Node, got)
	}
	if total := random.Summary; total.Placed+total.PlacedSome != 3 || !strings.Contains(string(file.Data), "random,all that were placed,placed in 0 of 3 runs,3,3,") {
		t.Errorf("all placed %d times, some %d times:\n%s", total.Placed, total.PlacedSome, file.Data)
	}
}

// Exported names that a spreadsheet would read as formulas are escaped.
func TestExportedNamesAreNoFormulas(t *testing.T) {
	e, _ := runTest(t, New("", Document{
		Federation:  GraphSource{Name: "f.dot", Text: `graph { "=cmd()" [cpu=100, cpu_cost=1] }`},
		Deployments: []GraphSource{{Name: "-d.dot", Text: `graph { "@a" [request=20, limit=20]; "-5" [request=20, limit=20] }`}},
		Strategies:  []StrategyRun{{Name: "heuristic"}}, Seed: 1,
	}), scenario.Env{})
	file, err := e.Export(ExportQuery{Format: CSV})
	want := "deployment,job,name,cluster,cluster name\n'-d.dot,'@a,'@a,'=cmd(),'=cmd()\n'-d.dot,-5,-5,'=cmd(),'=cmd()\n"
	if err != nil || string(file.Data) != want {
		t.Errorf("%v:\n%s", err, file.Data)
	}
	file, err = e.Export(ExportQuery{Format: FiguresCSV})
	if err != nil || !strings.Contains(string(file.Data), "\nheuristic,'-d.dot,placed,") {
		t.Errorf("%v:\n%s", err, file.Data)
	}
}

func TestQuestionsAreChecked(t *testing.T) {
	e := must.Get(Prepare(t.Context(), Of(testScenario(StrategyRun{Name: "heuristic"})), scenario.Env{}))(t)
	ask := map[string]func(strategy, deployment int) error{
		"explain": func(s, d int) error { _, err := e.Explain(ExplainQuery{Strategy: s, Deployment: d}); return err },
		"matrix": func(s, d int) error {
			_, err := e.Matrix(MatrixQuery{ExplainQuery{Strategy: s, Deployment: d}, "CM"})
			return err
		},
		"draw": func(s, d int) error {
			_, err := e.Draw(DrawQuery{s, d, drawing.Options{View: drawing.ResultView}})
			return err
		},
		"export": func(s, d int) error {
			_, err := e.Export(ExportQuery{Strategy: s, Deployment: d, Format: CSV})
			return err
		},
	}
	for name, f := range ask {
		if err := f(0, 0); err == nil || !strings.Contains(err.Error(), "not run yet") {
			t.Errorf("%s before the run: got %v", name, err)
		}
	}
	must.Get(new(scenario.Report).RunRows(t.Context(), Kind, e, &scenario.Env{}))(t)
	for name, f := range ask {
		if err := f(0, 0); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if err := f(1, 0); err == nil || !strings.Contains(err.Error(), "no strategy 1") {
			t.Errorf("%s of another strategy: got %v", name, err)
		}
		for _, d := range []int{3, -2} {
			if err := f(0, d); err == nil || !strings.Contains(err.Error(), "no deployment") {
				t.Errorf("%s of deployment %d: got %v", name, d, err)
			}
		}
	}
	if _, err := e.Matrix(MatrixQuery{Which: "PA"}); err == nil || !strings.Contains(err.Error(), "known: CM, NAM") {
		t.Errorf("unknown matrix: got %v", err)
	}
	if _, err := e.Export(ExportQuery{Format: "pdf"}); err == nil || !strings.Contains(err.Error(), "known: dot-thesis") {
		t.Errorf("unknown format: got %v", err)
	}
	if _, err := e.Export(ExportQuery{Deployment: 1, Format: DOTPlain}); err == nil {
		t.Error("the result graph of a deployment that was not placed")
	}
}

func TestCheck(t *testing.T) {
	recipe := func(generator string) GraphSource {
		return GraphSource{Name: "made", Recipe: &workload.Recipe{Generator: generator, Preset: "thesis", Seed: 1}}
	}
	for _, test := range []struct {
		name   string
		source GraphSource
		role   dot.Role
		want   dot.Role
		graphs []GraphSize
		error  string
	}{
		{"deployment", GraphSource{Name: "x/pair.dot", Text: pairDOT}, dot.Unknown, dot.Deployment, []GraphSize{{"pair.dot", 2, 1}}, ""},
		{"federation", GraphSource{Name: "f.dot", Text: federationDOT}, dot.Unknown, dot.Federation, []GraphSize{{"f.dot", 2, 1}}, ""},
		{"two deployments", GraphSource{Name: "d", Text: pairDOT + threeDOT}, dot.Unknown, dot.Deployment, []GraphSize{{"d#1", 2, 1}, {"d#2", 3, 1}}, ""},
		{"wrong role", GraphSource{Name: "f.dot", Text: federationDOT}, dot.Deployment, dot.Deployment, nil, "f.dot:1:1: "},
		{"recipe of a federation", recipe("federation"), dot.Unknown, dot.Federation, []GraphSize{{"made", 51, 50}}, ""},
		{"wrong recipe", recipe("deployment"), dot.Federation, dot.Federation, nil, `found "deployment", expected "federation"`},
		{"unknown generator", recipe("forest"), dot.Unknown, dot.Deployment, nil, `generator: "forest"`},
		{"nothing", GraphSource{Name: "empty"}, dot.Unknown, dot.Unknown, nil, `needs the text of a graph`},
	} {
		c := Check(t.Context(), test.source, test.role, Reading{}, scenario.NewLoad(0))
		if c.Role != test.want || !slices.Equal(c.Graphs, test.graphs) {
			t.Errorf("%s: %s with %v, want %s with %v", test.name, c.Role, c.Graphs, test.want, test.graphs)
		}
		if err := c.Diagnostics.Err(); (err == nil) != (test.error == "") || err != nil && !strings.Contains(err.Error(), test.error) {
			t.Errorf("%s: got %v, want %q", test.name, err, test.error)
		}
	}
	if c := Check(t.Context(), GraphSource{Name: "t", Text: threeDOT}, dot.Unknown, Reading{Strict: true}, scenario.NewLoad(0)); c.Diagnostics.Err() == nil {
		t.Error("a warning is no error in strict mode")
	}
}
