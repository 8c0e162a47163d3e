package handler_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"berth/engine/federate/federatekind"
	"berth/engine/must"
	"berth/engine/scenario"
	"berth/wasm/bridge"
	"berth/wasm/worker/handler"
)

func federated() scenario.Scenario {
	return federatekind.New("two schedulers", federatekind.Document{
		Trace:   scenario.Source{Name: "jobs.tr", Text: "0 3 10 5 10 15\n1 2 1 1 1\n"},
		Workers: 4, GMs: 2, LMs: 2, Schedulers: []string{"megha", "sparrow"},
	})
}

// The table of all tasks runs the scenario again, and only for this call.
func TestACancelledExportStopsItsRun(t *testing.T) {
	s := federated()
	federatekind.Of(s).Trace.Text = strings.Repeat("0 3 10 5 10 15\n", 1000) // longer than the engine runs between two checks
	h := handler.New(nil)
	ask := func(ctx context.Context, given *scenario.Scenario) (reply bridge.Message) {
		body := must.Get(json.Marshal(bridge.CallBody[federatekind.SchedulerQuery]{Scenario: given}))(t)
		call := bridge.Message{Head: bridge.Head{ID: 1, Kind: bridge.KindCall, Method: bridge.Method(federatekind.TasksQuestion.Path()), Scenario: s.Hash()}, Body: body}
		h.Serve(ctx, call, func(m bridge.Message) { reply = m })
		return reply
	}
	if reply := ask(t.Context(), &s); reply.Kind != bridge.KindResult {
		t.Fatalf("%s: %s", reply.Kind, reply.Body)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if reply := ask(ctx, nil); reply.Kind != bridge.KindError || !strings.Contains(string(reply.Body), context.Canceled.Error()) {
		t.Errorf("after it was cancelled the answer is a %s: %.80s", reply.Kind, reply.Body)
	}
}

// Each part runs in a different worker and has a file.
func TestFederateInParts(t *testing.T) {
	whole := must.Get(scenario.Run(t.Context(), federated(), scenario.Env{}))(t)
	p := pool(&clock{step: 1})
	s := federated()
	trace := federatekind.Of(s).Trace.Text
	federatekind.Of(s).Trace.Text = ""
	var reports []*scenario.Report
	for _, part := range scenario.Parts(s) {
		in := bridge.Input{Scenario: part.Scenario, Texts: map[string]bridge.Blob{federatekind.TraceSlot: bridge.Moved([]byte(trace))}}
		r := must.Get(p.Run(t.Context(), in, nil))(t)
		reports = append(reports, r.Report)
	}
	joined := must.Get(scenario.Join(s, reports))(t)
	if len(joined.Timings.Running) != 2 {
		t.Errorf("timings %+v", joined.Timings)
	}
	joined.Timings = nil
	if got, want := scenario.EncodeReport(joined), scenario.EncodeReport(whole); !bytes.Equal(got, want) {
		t.Errorf("the parts give\n%s\nthe whole\n%s", got, want)
	}
	if _, err := scenario.Join(s, make([]*scenario.Report, 2)); err == nil {
		t.Error("no part was run, without an error")
	}
}

func TestQuestionsAboutAFederateResult(t *testing.T) {
	p := pool(&clock{})
	r := mustRun(t, p, federated())
	_, survey, err := bridge.Look(t.Context(), p, bridge.Input{Scenario: federated()}, federatekind.SurveyQuestion)
	if err != nil || survey.Workload.Tasks != 5 || survey.Workload.Demand.Peak[0] != 5 || len(survey.Schedulers) != 0 {
		t.Errorf("%+v, %v", survey, err)
	}
	played := must.Get(bridge.Ask(t.Context(), p, r, federatekind.PlaybackQuestion, federatekind.SchedulerQuery{}))(t)
	if len(played.Job) != 5 || len(played.At) == 0 || len(played.GMOfWorker) != 4 || played.GMs != 2 {
		t.Errorf("%+v", played)
	}
	x, err := bridge.Ask(t.Context(), p, r, federatekind.TaskQuestion, federatekind.TaskQuery{Scheduler: "sparrow", Task: 4})
	if err != nil || x.Job != 1 || len(x.Events) == 0 {
		t.Errorf("%+v, %v", x, err)
	}
	file := must.Get(bridge.Ask(t.Context(), p, r, federatekind.TasksQuestion, federatekind.SchedulerQuery{Scheduler: "sparrow"}))(t)
	if bytes.Count(file.Data, []byte("\n")) != 6 || file.Name != "berth-federate-tasks.csv" {
		t.Errorf("%s: %q", file.Name, file.Data)
	}
	var e *bridge.Error
	if _, err := bridge.Ask(t.Context(), p, mustRun(t, p, of("heuristic")), federatekind.TaskQuestion, federatekind.TaskQuery{}); !errors.As(err, &e) {
		t.Errorf("a placement answers about a task: %v", err)
	}
}
