package main

import (
	"errors"
	"testing"

	"berth/engine/federate/federatekind"
	"berth/engine/placement/placementkind"
	"berth/engine/policy"
	"berth/engine/qos/qoskind"
	"berth/engine/scenario"
	"berth/engine/workload"
	"berth/engine/written"
	"berth/wasm/bridge"
	"berth/wasm/worker/handler"
)

func made(generator, preset string, parameters map[string]float64) scenario.Source {
	return scenario.Source{Name: preset, Recipe: &workload.Recipe{Generator: generator, Preset: preset, Seed: 3, Parameters: parameters}}
}

// withPolicy are small scenarios of each laboratory with a policy that is written as text.
func withPolicy(texts map[string]string) map[string]scenario.Scenario {
	text := func(kind string) policy.Text { return policy.Text{Name: "mine", Text: texts[kind]} }
	placing, serving := text(placementkind.Name), text(qoskind.Name)
	return map[string]scenario.Scenario{
		placementkind.Name: placementkind.New("", placementkind.Document{
			Federation:  placementkind.Source{Name: "f.dot", Text: federation},
			Deployments: []placementkind.Source{{Name: "d.dot", Text: deployment}},
			Strategies:  []placementkind.StrategyRun{{Policy: &placing}},
		}),
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

// once begins a function that does much at its first call.
const once = "\n    if not begun:\n        begun.append(True)\n        for i in range(60000):\n            x = i\n    return "

// A policy that the user has not asked for may use few steps: a value says whether it has
// used them up, and the same scenario runs once it is asked for.
func TestACarefulRunHasFewSteps(t *testing.T) {
	written.Register()
	pool := bridge.NewPool(1, bridge.Local(func() bridge.Server { return handler.New(nil) }))
	for kind, s := range withPolicy(map[string]string{
		placementkind.Name: "begun = []\ndef order(job):" + once + "0", qoskind.Name: "begun = []\ndef queue(request, now):" + once + "now", federatekind.Name: "begun = []\ndef pick(task, workers):" + once + "workers.first",
	}) {
		for _, careful := range []bool{true, false} {
			_, err := pool.Run(t.Context(), bridge.Input{Scenario: s, Careful: careful}, nil)
			e, failed := errors.AsType[*bridge.Error](err)
			usedUp := failed && len(e.Diagnostics) == 1 && e.Diagnostics[0].Field == policy.Steps && e.Diagnostics[0].Line > 1
			if usedUp != careful || !careful && err != nil {
				t.Errorf("%s, careful %v: %v", kind, careful, err)
			}
		}
	}
}
