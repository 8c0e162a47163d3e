package qos_test

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"testing"

	"berth/engine/input/workload"
	"berth/engine/must"
	"berth/engine/qos"
	"berth/engine/qos/qostest"
	"berth/engine/sim"
)

// Decisions and reports have the same bytes in the browser as in native runs: the same test runs
// there with the same hash.
func TestResultsHaveTheSameBytesEverywhere(t *testing.T) {
	hash := fnv.New64a()
	for _, policy := range []qos.Policy{qos.QoSDriven(), qos.PriorityBased(), qos.Hybrid(5)} {
		for seed := range uint64(25) {
			s := qostest.Random(seed)
			s.Config.Policy = policy
			lines, result := qostest.Decisions(t, s, false)
			fmt.Fprintln(hash, lines, string(must.Get(json.Marshal(result.Report()))(t)))
		}
	}
	g := googleLike(3000, 2*sim.Hour)
	all := must.Get(workload.ReadAll(g.Stream()))(t)
	fmt.Fprintln(hash, all, workload.GoogleHosts(50, 1))
	if got, want := hash.Sum64(), uint64(0xe2f934405dbaa12f); got != want {
		t.Errorf("the hash is %#x, want %#x: if the results were meant to change, change it", got, want)
	}
}

// Section 4.4.2 expects this of the second validation test: by priority the first 200 requests get
// everything and the last 21 nothing; with the QoS-driven policy each comes close to its SLO of 90
// %.
func TestValidation2(t *testing.T) {
	for _, policy := range []qos.Policy{qos.PriorityBased(), qos.QoSDriven()} {
		config := benchConfig(policy)
		config.Horizon = 3599 * sim.Second
		input := qos.Input{Hosts: workload.ValidationHosts(), Requests: &workload.Slice{Requests: workload.Validation2(1)}}
		r := must.Get(qos.Run(t.Context(), input, config))(t)
		a := r.Availabilities(1)
		switch {
		case len(a) != 221:
			t.Fatalf("%d requests, want 221", len(a))
		case policy.Name == "priority" && (a[20] != 0 || a[21] != 1 || r.Preemptions != 0):
			t.Errorf("priority: %v and %v, %d preemptions; want 0, 1 and none", a[20], a[21], r.Preemptions)
		case policy.Name == "qos" && (a[0] < 0.88 || a[220] > 0.92):
			t.Errorf("qos: from %v to %v, want about 0.9", a[0], a[220])
		}
	}
}
