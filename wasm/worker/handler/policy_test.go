package handler_test

import (
	"errors"
	"testing"

	"berth/engine/federate/federatekind"
	"berth/engine/input/workload"
	"berth/engine/placement/placementkind"
	"berth/engine/policy"
	"berth/engine/qos/qoskind"
	"berth/engine/scenario"
	"berth/wasm/bridge"
	"berth/wasm/worker/handler"
)

// A program without the language of policies asks for one that has it, in each laboratory.
func TestPoliciesNeedReaders(t *testing.T) {
	source := func(generator, preset string) scenario.Source {
		return scenario.Source{Name: preset, Recipe: &workload.Recipe{Generator: generator, Preset: preset, Seed: 1}}
	}
	mine := policy.Text{Name: "mine", Text: "def order(job):\n    return 0\n"}
	for _, s := range []scenario.Scenario{
		placementkind.New("", placementkind.Document{
			Federation:  placementkind.GraphSource{Name: "f.dot", Text: "graph { a [cpu=1, memory=1]; }"},
			Deployments: []placementkind.GraphSource{{Name: "d.dot", Text: "graph { j [cpu_request=1, memory_request=1]; }"}},
			Strategies:  []placementkind.StrategyRun{{Policy: &mine}},
		}),
		qoskind.New("", qoskind.Document{
			Workload: source(qoskind.RequestsGenerator, qoskind.GoogleLike), Hosts: source(qoskind.HostsGenerator, qoskind.GoogleLike),
			Policies: []qoskind.PolicyRun{{Policy: &mine}}, Horizon: 60,
		}),
		federatekind.New("", federatekind.Document{
			Trace:   source(workload.JobsGenerator, workload.JobPresets()[0]),
			Workers: 40, GMs: 2, LMs: 2, Schedulers: []string{"mine"}, Policies: []policy.Text{mine},
		}),
	} {
		pool := bridge.NewPool(1, bridge.Local(func() bridge.Server { return handler.New(nil) }))
		_, err := pool.Run(t.Context(), bridge.Input{Scenario: s}, nil)
		if e, ok := errors.AsType[*bridge.Error](err); !ok || e.Kind != bridge.NeedsReaders {
			t.Errorf("%s: %v, want an error of the kind %s", s.Kind, err, bridge.NeedsReaders)
		}
	}
}
