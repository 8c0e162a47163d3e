package handler_test

import (
	"context"
	"encoding/json"
	"slices"
	"testing"
	"testing/synctest"

	"berth/engine/federate/federatekind"
	"berth/engine/input/workload"
	"berth/engine/must"
	"berth/engine/placement/placementkind"
	"berth/engine/policy"
	"berth/engine/qos/qoskind"
	"berth/engine/scenario"
	"berth/wasm/bridge"
	"berth/wasm/worker/handler"
)

func made(generator, preset string, parameters map[string]float64) scenario.Source {
	return scenario.Source{Name: preset, Recipe: &workload.Recipe{Generator: generator, Preset: preset, Seed: 3, Parameters: parameters}}
}

// withPolicy returns small scenarios of each laboratory with a policy written as text.
func withPolicy(texts map[string]string) map[string]scenario.Scenario {
	text := func(kind string) policy.Text { return policy.Text{Name: "mine", Text: texts[kind]} }
	placing, serving := text(placementkind.Name), text(qoskind.Name)
	return map[string]scenario.Scenario{
		placementkind.Name: placed(federation, deployment, placementkind.StrategyRun{Policy: &placing}),
		qoskind.Name: qoskind.New("", qoskind.Document{
			Workload: made(qoskind.RequestsGenerator, qoskind.GoogleLike, map[string]float64{"requests": 200, "days": 0.02}),
			Hosts:    made(qoskind.HostsGenerator, qoskind.GoogleLike, map[string]float64{"part": 0.6}),
			Policies: []qoskind.PolicyRun{{Policy: &serving}}, Horizon: 600,
		}),
		federatekind.Name: federatekind.New("", federatekind.Document{
			Trace:   made(workload.JobsGenerator, workload.JobPresets()[0], map[string]float64{"jobs": 30, "max_tasks": 20, "constraints": 0}),
			Workers: 40, GMs: 2, LMs: 2, Schedulers: []string{"mine"}, Policies: []policy.Text{text(federatekind.Name)},
		}),
	}
}

// The page learns which text runs, whether the user has requested it, and how much memory the
// worker may have then. A request to stop arrives while the text is busy.
func TestATextIsWatched(t *testing.T) {
	const busy = "\n    for i in range(900000): pass\n    return "
	for kind, s := range withPolicy(map[string]string{
		placementkind.Name: "def order(job):" + busy + "0", qoskind.Name: "def queue(request, now):" + busy + "now", federatekind.Name: "def pick(task, workers):" + busy + "workers.first",
	}) {
		for _, careful := range []bool{true, false} {
			synctest.Test(t, func(t *testing.T) {
				ctx, stop := context.WithCancel(t.Context())
				now, yields := 0.0, 0
				var limits []int
				h := handler.New(func() float64 { now += 10; return now })
				h.Yield = func() {
					if yields++; yields == 3 {
						stop()
					}
				}
				h.Limit = func(bytes int) { limits = append(limits, bytes) }
				body := must.Get(json.Marshal(bridge.CallBody[bridge.RunQuery]{Scenario: &s, Careful: careful}))(t)
				var texts []bridge.RunningText
				h.Serve(ctx, bridge.Message{Head: bridge.Head{ID: 1, Kind: bridge.KindCall, Method: bridge.MethodRun}, Body: body}, func(m bridge.Message) {
					var running bridge.RunningText
					if m.Kind == bridge.KindText && m.DecodeBody(&running) == nil && len(texts) < 2 {
						texts = append(texts, running)
					}
				})
				synctest.Wait() // the message about the end of a run may come after the result
				mine := bridge.RunningText{Policy: "mine", Careful: careful}
				if yields != 3 || !slices.Equal(texts, []bridge.RunningText{mine, {}}) || !slices.Equal(limits[:2], []int{mine.Memory(), 0}) {
					t.Errorf("%s, careful %v: %d yields, texts %v, limits %v", kind, careful, yields, texts, limits)
				}
			})
		}
	}
}
