package handler_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"berth/engine/diag"
	"berth/engine/dot"
	"berth/engine/input/workload"
	_ "berth/engine/kinds"
	"berth/engine/must"
	"berth/engine/parameter"
	"berth/engine/placement"
	"berth/engine/placement/drawing"
	"berth/engine/placement/graphs"
	"berth/engine/placement/placementkind"
	"berth/engine/scenario"
	"berth/engine/scenario/scenariotest"
	"berth/wasm/bridge"
	"berth/wasm/worker/handler"
)

const (
	federation = `graph { eu [cpu=100, cpu_cost=1]; us [cpu=50, cpu_cost=2]; eu -- us [latency=10, latency_cost=0.5] }`
	deployment = `graph { api [request=40, limit=50]; db [request=70, limit=80]; api -- db [latency=20] }`
)

// of returns a scenario in which a strategy places the deployment.
func of(strategy string) scenario.Scenario {
	return placed(federation, deployment, placementkind.StrategyRun{Name: strategy})
}

func placed(federation, deployment string, run placementkind.StrategyRun) scenario.Scenario {
	return placementkind.New("", placementkind.Document{
		Federation:  placementkind.GraphSource{Name: "f", Text: federation},
		Deployments: []placementkind.GraphSource{{Name: "d", Text: deployment}},
		Strategies:  []placementkind.StrategyRun{run},
	})
}

// clock advances by step at every reading.
type clock struct{ at, step float64 }

func (c *clock) now() float64 { c.at += c.step; return c.at }

// pool returns a pool of one handler.
func pool(c *clock) *bridge.WorkerPool {
	return bridge.NewPool(1, bridge.Local(func() bridge.Server { return handler.New(c.now) }))
}

func mustRun(t *testing.T, p *bridge.WorkerPool, s scenario.Scenario) *bridge.Result {
	t.Helper()
	return must.Get(p.Run(t.Context(), bridge.Input{Scenario: s}, nil))(t)
}

// The browser compiles code when it first runs: a worker times the first run of a
// strategy again, and no later one.
func TestTheFirstRunOfAStrategyIsTimedAgain(t *testing.T) {
	c := &clock{step: 1}
	p := pool(c)
	looks := func(strategy string, seed uint64) float64 {
		s, before := of(strategy), c.at
		placementkind.Of(s).Seed = seed
		mustRun(t, p, s)
		return c.at - before
	}
	first, second, other := looks("random", 1), looks("random", 2), looks("best-fit", 1)
	if first < second+10 || other < second+10 {
		t.Errorf("the clock was asked %v times, then %v, and %v of another strategy", first, second, other)
	}
}

func TestRunGivesTheReportAsItIsWritten(t *testing.T) {
	r := mustRun(t, pool(&clock{step: 1}), of("heuristic"))
	want := must.Get(scenario.Run(t.Context(), of("heuristic"), scenario.Env{}))(t)
	if !bytes.Equal(r.JSON, scenario.EncodeReport(want)) {
		t.Errorf("the report came as %s", r.JSON)
	}
	if r.Hash != of("heuristic").Hash() || r.Report.Scenario != r.Hash {
		t.Errorf("the hash is %q, in the report %q, expected %q", r.Hash, r.Report.Scenario, of("heuristic").Hash())
	}
	if r.Report.Timings == nil || r.Report.Timings.Total <= 0 || r.Memory == 0 {
		t.Errorf("timings %+v and memory %d", r.Report.Timings, r.Memory)
	}
}

func TestQuestionsAboutAResult(t *testing.T) {
	p := pool(&clock{})
	r := mustRun(t, p, of("heuristic"))
	prepared := must.Get(scenario.Prepare(t.Context(), of("heuristic"), scenario.Env{}))(t)
	must.Get(prepared.Run(t.Context()))(t)
	work := must.Get(scenario.WorkOf[*placementkind.Prepared](prepared))(t)
	same := func(what string, got, want any, err error) {
		t.Helper()
		g, _ := json.Marshal(got)
		w, _ := json.Marshal(want)
		if err != nil || !bytes.Equal(g, w) {
			t.Errorf("%s: %v\n%s\nexpected\n%s", what, err, g, w)
		}
	}

	step := placementkind.ExplainQuery{Step: 1}
	explained, err := bridge.Ask(t.Context(), p, r, placementkind.ExplainQuestion, step)
	wantExplained, _ := work.Explain(step)
	same("explain", explained, wantExplained, err)

	cm := placementkind.MatrixQuery{ExplainQuery: step, Which: "CM"}
	matrix, err := bridge.Ask(t.Context(), p, r, placementkind.MatrixQuestion, cm)
	wantMatrix, _ := work.Matrix(cm)
	same("matrix", matrix, wantMatrix, err)
	same("its figures", matrix.Values, wantMatrix.Values, nil)

	view := placementkind.DrawQuery{Deployment: placementkind.AllDeployments, Options: drawing.Options{View: drawing.ResultView}}
	drawn, err := bridge.Ask(t.Context(), p, r, placementkind.DrawQuestion, view)
	wantDrawn, _ := work.Draw(view)
	same("draw", drawn, wantDrawn, err)

	csv := placementkind.ExportQuery{Format: placementkind.CSV}
	file := must.Get(bridge.Ask(t.Context(), p, r, placementkind.ExportQuestion, csv))(t)
	want, err := work.Export(csv)
	same("export", file, want, err)
	same("its bytes", file.Data, want.Data, nil)
}

func TestQuestionsThatHaveNoAnswer(t *testing.T) {
	p := pool(&clock{})
	r := mustRun(t, p, of("heuristic"))
	for what, err := range map[string]error{
		"there is no strategy 7":    second(bridge.Ask(t.Context(), p, r, placementkind.ExplainQuestion, placementkind.ExplainQuery{Strategy: 7})),
		`unknown matrix "XY"`:       second(bridge.Ask(t.Context(), p, r, placementkind.MatrixQuestion, placementkind.MatrixQuery{Which: "XY"})),
		`no view "sideways"`:        second(bridge.Ask(t.Context(), p, r, placementkind.DrawQuestion, placementkind.DrawQuery{Options: drawing.Options{View: "sideways"}})),
		`unknown format "telegram"`: second(bridge.Ask(t.Context(), p, r, placementkind.ExportQuestion, placementkind.ExportQuery{Format: "telegram"})),
	} {
		if e, ok := errors.AsType[*bridge.Error](err); !ok || e.Kind != bridge.BadInput || !strings.Contains(e.Message, what) {
			t.Errorf("%v, expected %s", err, what)
		}
	}
}

func second[T any](_ T, err error) error { return err }

// serve serves one call with a handler and returns the messages that it sends.
func serve(t *testing.T, h *handler.Handler, call bridge.Message) (sent []bridge.Message) {
	t.Helper()
	call.ID, call.Kind = 7, bridge.KindCall
	h.Serve(t.Context(), call, func(m bridge.Message) { sent = append(sent, m) })
	if len(sent) == 0 || sent[len(sent)-1].ID != 7 {
		t.Fatalf("the call got no answer of its own: %+v", sent)
	}
	return sent
}

func errorOf(t *testing.T, m bridge.Message) bridge.Error {
	t.Helper()
	var e bridge.Error
	if m.Kind != bridge.KindError {
		t.Fatalf("expected an error, found a %s", m.Kind)
	}
	must.Do(t, m.DecodeBody(&e))
	return e
}

func TestTheLastTwoExperimentsAreRemembered(t *testing.T) {
	h := handler.New(nil)
	var hashes []string
	for seed := range uint64(3) {
		s := of("random")
		placementkind.Of(s).Seed = seed
		hashes = append(hashes, s.Hash())
		serve(t, h, message(t, bridge.MethodRun, "", bridge.CallBody[struct{}]{Scenario: &s}))
	}
	for i, hash := range hashes {
		answer := serve(t, h, message(t, bridge.Method(placementkind.ExplainQuestion.Path()), hash, bridge.CallBody[placementkind.ExplainQuery]{}))[0]
		switch {
		case i == 0:
			if e := errorOf(t, answer); e.Kind != bridge.UnknownScenario {
				t.Errorf("the oldest scenario gave %+v", e)
			}
		case answer.Kind != bridge.KindResult || answer.Scenario != hash:
			t.Errorf("scenario %d gave a %s about %q: %s", i, answer.Kind, answer.Scenario, answer.Body)
		}
	}
}

func message(t *testing.T, m bridge.Method, hash string, body any) bridge.Message {
	t.Helper()
	data := must.Get(json.Marshal(body))(t)
	return bridge.Message{Head: bridge.Head{Method: m, Scenario: hash}, Body: data}
}

func TestEveryMethodRefusesABadBody(t *testing.T) {
	methods := []bridge.Method{bridge.MethodRun, bridge.MethodDocument}
	for _, path := range scenario.QuestionPaths() {
		methods = append(methods, bridge.Method(path))
	}
	for _, m := range methods {
		for _, body := range []string{``, `{`, `[]`, `{"colour":1}`, `{} {}`} {
			call := bridge.Message{Head: bridge.Head{Method: m}, Body: []byte(body)}
			if e := errorOf(t, serve(t, handler.New(nil), call)[0]); !strings.Contains(e.Message, "body") {
				t.Errorf("%s %q: %s", m, body, e.Message)
			}
		}
	}
	e := errorOf(t, serve(t, handler.New(nil), bridge.Message{Head: bridge.Head{Method: "sing"}})[0])
	if !strings.Contains(e.Message, `there is no question "sing"`) {
		t.Errorf("an unknown method gave %q", e.Message)
	}
}

func TestBadInputKeepsItsDiagnostics(t *testing.T) {
	s := of("heuristic")
	placementkind.Of(s).Deployments[0].Text = "graph {\n api [request=-1, limit=2]\n}"
	_, err := pool(&clock{}).Run(t.Context(), bridge.Input{Scenario: s}, nil)
	e, ok := errors.AsType[*bridge.Error](err)
	if !ok || e.Kind != bridge.BadInput || len(e.Diagnostics) != 1 {
		t.Fatalf("got %#v", err)
	}
	if d := e.Diagnostics[0]; d.File != "d" || d.Line != 2 || d.Severity != diag.Error {
		t.Errorf("the diagnostic is %+v", d)
	}
}

// acting is a strategy that a test defines as a function.
type acting func(context.Context, placement.Options) placement.Status

func (f acting) Place(ctx context.Context, p *placement.Problem, o placement.Options) placement.Solution {
	return placement.Solution{Status: f(ctx, o)}
}

var _ placement.Strategy = acting(nil)

// register registers f as a strategy with the name of the test.
func register(t *testing.T, f acting) (name string) {
	t.Helper()
	must.Do(t, placement.Register(placement.Plugin{Name: t.Name(), New: func(parameter.Values) placement.Strategy { return f }}))
	return t.Name()
}

func TestAPanicIsAnErrorAndTheHandlerGoesOn(t *testing.T) {
	name := register(t, func(context.Context, placement.Options) placement.Status {
		panic("index out of range [3] with length 3")
	})
	p := pool(&clock{})
	_, err := p.Run(t.Context(), bridge.Input{Scenario: of(name)}, nil)
	e, ok := errors.AsType[*bridge.Error](err)
	if !ok || e.Kind != bridge.Fault || !strings.Contains(e.Message, "index out of range [3]") || !strings.Contains(e.Message, "run") {
		t.Fatalf("got %#v", err)
	}
	mustRun(t, p, of("heuristic"))
}

func TestACancelledCallStopsTheStrategy(t *testing.T) {
	entered, left := make(chan bool, 1), make(chan bool, 1)
	name := register(t, func(ctx context.Context, _ placement.Options) placement.Status {
		entered <- true
		<-ctx.Done()
		left <- true
		return placement.Cancelled
	})
	p := pool(&clock{})
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-entered; cancel() }()
	if _, err := p.Run(ctx, bridge.Input{Scenario: of(name)}, nil); !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v", err)
	}
	<-left
	mustRun(t, p, of("heuristic"))
}

// A stopped run returns its placements so far, marked as partial; the next run on the
// same graphs does not repeat them.
func TestAStoppedRunKeepsWhatIsDone(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	runs := 0
	name := register(t, func(ctx context.Context, _ placement.Options) placement.Status {
		runs++
		if runs == 4 {
			cancel()
			<-ctx.Done()
			return placement.Cancelled
		}
		return placement.Infeasible
	})
	s := of("heuristic")
	placementkind.Of(s).Strategies = append(placementkind.Of(s).Strategies, placementkind.StrategyRun{Name: name, Seeds: 6}, placementkind.StrategyRun{Name: "random"})
	p := pool(&clock{})
	r := must.Get(p.Run(ctx, bridge.Input{Scenario: s}, nil))(t)
	if all := placementkind.ReportOf(r.Report).Strategies; !r.Report.Partial || r.Report.Complete() || len(all) != 3 || all[1].Seeds != 3 {
		t.Fatalf("stopped at the fourth seed of the second strategy: partial %v, %+v", r.Report.Partial, all)
	}
	r = must.Get(p.Run(t.Context(), bridge.Input{Scenario: s, After: r.Hash}, nil))(t)
	if all := placementkind.ReportOf(r.Report).Strategies; r.Report.Partial || len(all) != 3 || all[1].Seeds != 6 || runs != 7 {
		t.Errorf("with the rest: partial %v, %d strategies, %d runs; want a whole of 3, and 7 with the one that was stopped", r.Report.Partial, len(all), runs)
	}
	want, err := scenario.Run(t.Context(), s, scenario.Env{})
	if err != nil || string(r.JSON) != string(scenario.EncodeReport(want)) {
		t.Errorf("the report is not that of a run at once (%v)", err)
	}
}

func TestProgressIsThrottled(t *testing.T) {
	const looks = 1000
	name := register(t, func(_ context.Context, o placement.Options) placement.Status {
		for i := range looks {
			o.Progress(i, looks, 0)
		}
		return placement.Infeasible
	})
	s := of(name)
	c := &clock{step: 1} // each reading advances it by a millisecond
	sent := serve(t, handler.New(c.now), message(t, bridge.MethodRun, "", bridge.CallBody[struct{}]{Scenario: &s}))
	progress := sent[:len(sent)-1]
	if n := len(progress); n < looks/100-1 || n > looks/100+1 {
		t.Errorf("%d progress messages in about %d ms, expected one every 100 ms", n, looks)
	}
	for i, m := range progress {
		var at scenario.Progress
		if err := m.DecodeBody(&at); err != nil || m.Kind != bridge.KindProgress || m.ID != 7 || at.Phase == "" || at.Elapsed != float64(100*(i+1)) {
			t.Errorf("%+v: %v", m, err)
		}
	}
}

func TestCheckTellsWhatAGraphIs(t *testing.T) {
	p := pool(&clock{})
	for text, want := range map[string]placementkind.Checked{
		federation: {Role: dot.Federation, Graphs: []placementkind.GraphSize{{Name: "g.dot", Nodes: 2, Edges: 1}}},
		deployment: {Role: dot.Deployment, Graphs: []placementkind.GraphSize{{Name: "g.dot", Nodes: 2, Edges: 1}}},
	} {
		typed := placementkind.CheckQuery{Source: scenario.Source{Name: "g.dot", Text: text}}
		picked := placementkind.CheckQuery{Source: scenario.Source{Name: "g.dot"}}
		beside := map[string]bridge.Blob{placementkind.TextFile(1): bridge.NewBlob([]byte(text))}
		all, err := bridge.AskTool(t.Context(), p, placementkind.CheckQuestion, []placementkind.CheckQuery{typed, picked}, beside)
		if err != nil || len(all) != 2 {
			t.Fatalf("%+v, %v", all, err)
		}
		for i, got := range all {
			if got.Role != want.Role || !slices.Equal(got.Graphs, want.Graphs) || len(got.Diagnostics) > 0 || got.Unread != "" {
				t.Errorf("%d: %+v", i, got)
			}
		}
	}
}

func TestCheckTellsWhereAGraphIsWrong(t *testing.T) {
	p := pool(&clock{})
	for text, want := range map[string]string{
		"":                                  "empty",
		"graph {\n a -- }":                  "d.dot:2:",
		"graph {\n a [request=x, limit=1]}": "d.dot:2:",
	} {
		got, err := check(t, p, "d.dot", []byte(text))
		if err != nil || len(got.Diagnostics.Errors()) == 0 || !strings.Contains(got.Diagnostics.Err().Error(), want) {
			t.Errorf("%q gave %+v, %v; expected %s", text, got, err, want)
		}
	}
	if got, err := check(t, p, "packed.dot", scenariotest.Packed(federation)); err != nil || got.Role != dot.Federation {
		t.Errorf("a packed graph gave %+v, %v", got, err)
	}
	if got, err := check(t, p, "huge.dot", make([]byte, scenario.MaxTexts+1)); err != nil ||
		!strings.Contains(got.Unread, "huge.dot: the file is too large: at most 268435456 bytes (256 MiB) are read") {
		t.Errorf("a file that is too large gave %+v, %v", got, err)
	}
}

// check asks a worker to check a file.
func check(t *testing.T, p *bridge.WorkerPool, name string, text []byte) (placementkind.Checked, error) {
	q := []placementkind.CheckQuery{{Source: scenario.Source{Name: name}}}
	all, err := bridge.AskTool(t.Context(), p, placementkind.CheckQuestion, q, map[string]bridge.Blob{placementkind.TextFile(0): bridge.NewBlob(text)})
	if err != nil {
		return placementkind.Checked{}, err
	}
	return all[0], nil
}

func TestGenerate(t *testing.T) {
	recipe := workload.Recipe{Generator: "deployment", Preset: "listing", Seed: 5}
	p := pool(&clock{})
	for _, dialect := range []dot.Dialect{dot.Thesis, dot.Plain} {
		g := must.Get(bridge.AskTool(t.Context(), p, placementkind.GenerateQuestion, placementkind.GenerateQuery{Recipe: recipe, Dialect: dialect}, nil))(t)
		d := must.Get(graphs.Deployment(recipe))(t)
		var want bytes.Buffer
		must.Do(t, dot.WriteDeployment(&want, d, dialect))
		if !bytes.Equal(g.Data, want.Bytes()) || g.Nodes != d.Jobs().Len() || g.Edges != d.Dependencies().Len() {
			t.Errorf("%s: %d nodes, %d edges: %s", dialect, g.Nodes, g.Edges, g.Data)
		}
	}
	recipe.Generator = "poem"
	if _, err := bridge.AskTool(t.Context(), p, placementkind.GenerateQuestion, placementkind.GenerateQuery{Recipe: recipe, Dialect: dot.Plain}, nil); err == nil {
		t.Error("a poem was generated")
	}
}

func TestDocumentHasTheWholeScenario(t *testing.T) {
	s := of("heuristic")
	placementkind.Of(s).Federation.Text = ""
	in := bridge.Input{Scenario: s, Texts: map[string]bridge.Blob{placementkind.FederationSlot: bridge.NewBlob([]byte(federation))}}
	d := must.Get(pool(&clock{}).Document(t.Context(), in))(t)
	whole := of("heuristic")
	data, err := d.JSON.Bytes(t.Context())
	if err != nil || !bytes.Equal(data, scenario.Encode(whole)) || d.Hash != whole.Hash() {
		t.Errorf("%v %s %s", err, d.Hash, data)
	}
	back, err := scenario.DecodeLink(d.Link)
	if err != nil || back.Hash() != whole.Hash() || d.NoLink != "" {
		t.Errorf("the link %q gives %v (%s)", d.Link, err, d.NoLink)
	}
}
