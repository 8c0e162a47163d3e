//go:build !js

package worker_test

import (
	"context"
	"testing"

	"berth/engine/federate"
	"berth/engine/federate/federatekind"
	"berth/engine/golden"
	"berth/engine/scenario"
	"berth/engine/study"
)

// contended returns a scenario with constraints, four users with shares, failures and interference.
func contended() scenario.Scenario {
	return federatekind.New("contended", federatekind.Document{
		Trace:   made("jobs", "google", map[string]float64{"jobs": 300, "burst": 4}),
		Workers: 100, GMs: 3, LMs: 4, Shares: []float64{0.1, 0.25, 0.15, 0.5}, Interference: 0.5,
		Outages: []federatekind.Outage{
			{Subject: "gm", Index: 1, At: 20, Duration: 30}, {Subject: "lm", Index: 2, At: 60, Duration: 5},
			{Subject: "worker", Index: 7, At: 100, Duration: 200},
		},
		Schedulers: []string{"megha", "megha-1", "ideal"}, Seed: 2, Seeds: 2,
	})
}

// slotted returns a scenario whose tasks take one worker each, with every scheduler and a sweep
// over several loads.
func slotted() scenario.Scenario {
	return federatekind.New("slotted", federatekind.Document{
		Trace:   made("jobs", "yahoo", map[string]float64{"jobs": 200}),
		Workers: 1000, GMs: 5, LMs: 4, Preset: federatekind.PaperPreset, Schedulers: federate.Names(), Seed: 3,
		Sweep: []federatekind.Sweep{{Parameter: "load", Values: []float64{0.7, 1.3}}},
	})
}

// The report of a data centre has the same bytes in the browser as natively.
func testSameFederation(t *testing.T, tab context.Context) {
	golden.Long(t)
	unswept := slotted()
	federatekind.Of(unswept).Sweep = nil
	for _, s := range []scenario.Scenario{contended(), study.Expand(slotted()), unswept} {
		if r := ask(t, tab, runScenario("federated", s)); r.Error != nil || r.Partial {
			t.Fatalf("%s: %v, partial %v", s.Name, r.Error, r.Partial)
		}
		expectReport(t, tab, "federated", native(t, s))
	}
}
