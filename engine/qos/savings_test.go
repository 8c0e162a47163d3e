package qos_test

import (
	"slices"
	"testing"

	"berth/engine/qos"
	"berth/engine/qos/qostest"
)

// Savings that should not change decisions do not change them, and save operations.
func TestSavingsChangeNothing(t *testing.T) {
	operations := map[string]int64{}
	for _, test := range []struct {
		name    string
		policy  qos.Policy
		savings qos.Savings
	}{
		{"equivalence class", qos.QoSDriven(), qos.Savings{EquivalenceClass: true}},
		{"pruning", qos.QoSDriven(), qos.Savings{Pruning: qos.PruneSafely}},
		{"both", qos.QoSDriven(), qos.Savings{EquivalenceClass: true, Pruning: qos.PruneSafely}},
		{"hybrid, both", qos.Hybrid(8), qos.Savings{EquivalenceClass: true, Pruning: qos.PruneSafely}},
		{"priority, score caching", qos.PriorityBased(), qos.Savings{ScoreCaching: true}},
		{"priority, equivalence class", qos.PriorityBased(), qos.Savings{EquivalenceClass: true}},
		{"priority, equivalence class within jobs", qos.PriorityBased(), qos.Savings{EquivalenceClass: true, WithinJob: true}},
		{"priority, all", qos.PriorityBased(), qos.Savings{ScoreCaching: true, EquivalenceClass: true, Pruning: qos.PruneSafely}},
		{"relaxed to as many hosts as there are", qos.QoSDriven(), qos.Savings{EquivalenceClass: true, Relaxed: 1}},
	} {
		var with, without int64
		for seed := range uint64(60) {
			s := qostest.Random(seed)
			s.Config.Policy = test.policy
			want, plain := qostest.Decisions(t, s, true)
			s.Config.Savings = test.savings
			got, saved := qostest.Decisions(t, s, true)
			if !slices.Equal(got, want) {
				t.Fatalf("%s, seed %d: the decisions differ", test.name, seed)
			}
			with, without = with+saved.Operations, without+plain.Operations
		}
		if with >= without*95/100 {
			t.Errorf("%s: %d operations, %d without: too few are saved", test.name, with, without)
		}
		operations[test.name] = with
	}
	if across, within := operations["priority, equivalence class"], operations["priority, equivalence class within jobs"]; within <= across {
		t.Errorf("%d operations with classes within jobs, %d across them", within, across)
	}
}

// The literal scheduler's decisions and operations are known without running it.
func TestCountedOperations(t *testing.T) {
	for seed := range uint64(24) {
		s := qostest.Random(seed)
		for i, policy := range []qos.Policy{qos.QoSDriven(), qos.PriorityBased(), qos.Hybrid(5)} {
			s := []*qostest.Scenario{s, s.Odd(), s.WithGPUs(), s.Times(9)}[(int(seed)+i)%4]
			s.Config.Policy = policy
			want, literal := qostest.Decisions(t, s, true)
			s.Config.Counted = true
			got, counted := qostest.Decisions(t, s, false)
			s.Config.Counted = false
			if !slices.Equal(got, want) || counted.Operations != literal.Operations {
				t.Fatalf("%s, seed %d: %d operations, %d by the literal scheduler, or other decisions", policy.Name, seed, counted.Operations, literal.Operations)
			}
		}
	}
}

// Pruning as printed in the paper is not safe: it must change some decision, or the
// comparison above could not distinguish the two.
func TestPruningAsPrintedChangesDecisions(t *testing.T) {
	for seed := range uint64(60) {
		s := qostest.Random(seed)
		s.Config.Policy = qos.QoSDriven()
		want, _ := qostest.Decisions(t, s, true)
		s.Config.Savings.Pruning = qos.PruneAsPrinted
		if got, _ := qostest.Decisions(t, s, true); !slices.Equal(got, want) {
			return
		}
	}
	t.Error("no decision differs in 300 scenarios")
}
