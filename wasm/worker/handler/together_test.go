package handler_test

import (
	"bytes"
	"context"
	"reflect"
	"slices"
	"strings"
	"testing"

	"berth/engine/must"
	"berth/engine/placement/drawing"
	"berth/engine/placement/placementkind"
	"berth/engine/scenario"
	"berth/engine/scenario/scenariotest"
	"berth/wasm/bridge"
	"berth/wasm/worker/handler"
)

// heard records the methods of the calls that a handler gets.
type heard struct {
	bridge.Server
	methods []bridge.Method
}

func (h *heard) Serve(ctx context.Context, call bridge.Message, send func(bridge.Message)) {
	h.methods = append(h.methods, call.Method)
	h.Server.Serve(ctx, call, send)
}

func heardPool() (*bridge.WorkerPool, *heard) {
	h := &heard{Server: handler.New(nil)}
	return bridge.NewPool(1, bridge.Local(func() bridge.Server { return h })), h
}

// One call answers the run and the view's first questions. Answers, errors and document equal the
// results of separate calls.
func TestARunAnswersWithWhatIsShownFirst(t *testing.T) {
	p, h := heardPool()
	whole := of("heuristic")
	placementkind.Of(whole).Strategies = append(placementkind.Of(whole).Strategies, placementkind.StrategyRun{Name: "best-fit"})
	view := placementkind.DrawQuery{Deployment: placementkind.AllDeployments, Options: drawing.Options{View: drawing.ResultView}}
	step, missing := placementkind.ExplainQuery{Step: 1}, placementkind.ExplainQuery{Strategy: 7}
	matrix := placementkind.MatrixQuery{ExplainQuery: step, Which: "CM"}
	in := bridge.Input{Scenario: of("heuristic"), Whole: &whole, Asked: []bridge.Asked{
		bridge.Together(placementkind.OverviewQuestion, placementkind.OverviewQuery{}), bridge.Together(placementkind.DrawQuestion, view),
		bridge.Together(placementkind.ExplainQuestion, step), bridge.Together(placementkind.MatrixQuestion, matrix),
		bridge.Together(placementkind.ExplainQuestion, missing),
	}}
	together := must.Get(p.Run(t.Context(), in, nil))(t)
	alone := must.Get(p.Run(t.Context(), bridge.Input{Scenario: of("heuristic")}, nil))(t)
	h.methods = nil
	asked := func(r *bridge.Result) []any {
		overview, err1 := bridge.Ask(t.Context(), p, r, placementkind.OverviewQuestion, placementkind.OverviewQuery{})
		drawn, err2 := bridge.Ask(t.Context(), p, r, placementkind.DrawQuestion, view)
		explained, err3 := bridge.Ask(t.Context(), p, r, placementkind.ExplainQuestion, step)
		values, err4 := bridge.Ask(t.Context(), p, r, placementkind.MatrixQuestion, matrix)
		_, err5 := bridge.Ask(t.Context(), p, r, placementkind.ExplainQuestion, missing)
		if err5 == nil || !strings.Contains(err5.Error(), "there is no strategy 7") {
			t.Errorf("a strategy that is not there: %v", err5)
		}
		return []any{overview, drawn, explained, values, err1, err2, err3, err4}
	}
	got := asked(together)
	if len(h.methods) > 0 {
		t.Errorf("asked again: %v", h.methods)
	}
	if want := asked(alone); len(h.methods) != 5 || !reflect.DeepEqual(got, want) {
		t.Errorf("%d calls; together\n%+v\nalone\n%+v", len(h.methods), got, want)
	}
	if !bytes.Equal(together.JSON, alone.JSON) || len(together.Arrays) > 0 {
		t.Error("the questions change the report or its arrays")
	}
	document, err := p.Document(t.Context(), bridge.Input{Scenario: whole})
	if got := together.Document; err != nil || got == nil || got.Hash != document.Hash || got.Link != document.Link || got.NoLink != document.NoLink || !slices.Equal(got.Left, document.Left) ||
		!bytes.Equal(bytesOf(t, got.JSON), bytesOf(t, document.JSON)) {
		t.Errorf("%v: the document is %+v, want %+v", err, got, document)
	}
}

func bytesOf(t *testing.T, b bridge.Blob) []byte {
	t.Helper()
	return must.Get(b.Bytes(t.Context()))(t)
}

// A panic in a question loses only its answer, and the same question asked alone says what
// happened.
func TestAQuestionThatPanicsIsAskedByItself(t *testing.T) {
	p, h := heardPool()
	scenario.Register(scenariotest.Dice)
	panics := scenario.NewTool("dice/panic", func(context.Context, int, scenario.Files) (int, error) { panic("rolled off the table") })
	in := bridge.Input{Scenario: scenario.New("dice", "three", &scenariotest.Throws{Throws: 3}), Asked: []bridge.Asked{
		bridge.Together(panics, 1), {Path: "nothing/such", Query: []byte("1")}, bridge.Together(scenariotest.ThrowQuestion, 2),
	}}
	r := must.Get(p.Run(t.Context(), in, nil))(t)
	if shown, err := bridge.Ask(t.Context(), p, r, scenariotest.ThrowQuestion, 2); shown != 3 || err != nil || len(h.methods) != 1 {
		t.Errorf("the throw shows %d, %v after %v", shown, err, h.methods)
	}
	if _, err := bridge.Ask(t.Context(), p, r, panics, 1); err == nil || !strings.Contains(err.Error(), "rolled off the table") {
		t.Errorf("the question that panics: %v", err)
	}
}

// Inputs can be read, and questions about them answered, without a run.
func TestInputsAreReadWithoutARun(t *testing.T) {
	p, h := heardPool()
	followed := placementkind.FollowQuery{DrawQuery: placementkind.DrawQuery{Options: drawing.Options{View: drawing.ResultView}}}
	r, err := p.Read(t.Context(), bridge.Input{Scenario: of("heuristic"), Asked: []bridge.Asked{bridge.Together(placementkind.FollowQuestion, followed)}})
	if err != nil || r.Hash != of("heuristic").Hash() || r.Report != nil {
		t.Fatalf("%+v, %v", r, err)
	}
	if drawn, err := bridge.Ask(t.Context(), p, r, placementkind.FollowQuestion, followed); err != nil || drawn.SVG == "" {
		t.Errorf("drew %q, %v", drawn.DOT, err)
	}
	s := of("heuristic")
	placementkind.Of(s).Federation.Text = "graph {"
	_, err = p.Read(t.Context(), bridge.Input{Scenario: s})
	if e, ok := err.(*bridge.Error); !ok || len(e.Diagnostics) == 0 || len(h.methods) != 2 {
		t.Errorf("%v after %v", err, h.methods)
	}
}
