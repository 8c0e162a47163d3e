package qostest

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"berth/engine/golden"
	"berth/engine/must"
	"berth/engine/qos"
	"berth/engine/sim"
)

// Conform checks on n random scenarios that a policy keeps the contract of [qos.Policy]: the fast
// scheduler makes the same decisions as the literal one, and every request that fits on an empty
// host completes.
func Conform(t *testing.T, policy func() qos.Policy, n int) {
	preemptions := 0
	for _, seed := range golden.Seeds(n) {
		preemptions += ConformOn(t, policy(), Random(seed))
		if seed%3 == 0 {
			preemptions += ConformOn(t, policy(), Random(seed).WithGPUs())
		}
		for _, services := range []bool{false, true} {
			lives(t, policy(), Random(seed).live(services), false)
			lives(t, policy(), Random(seed).WithGPUs().live(services), true)
		}
	}
	if preemptions < n && !testing.Short() {
		t.Errorf("%d preemptions in %d scenarios: too few to tell anything", preemptions, n)
	}
}

// ConformOn compares the two schedulers on one scenario and returns its number of
// preemptions.
func ConformOn(t *testing.T, policy qos.Policy, s *Scenario) (preemptions int) {
	t.Helper()
	s.Config.Policy = policy
	want, literal := Decisions(t, s, true)
	got, fast := Decisions(t, s, false)
	for i := range min(len(want), len(got)) {
		if got[i] != want[i] {
			t.Fatalf("seed %d, decision %d:\nfast    %s\nliteral %s", s.Seed, i, got[i], want[i])
		}
	}
	if len(got) != len(want) {
		t.Fatalf("seed %d: %d decisions of the fast scheduler, %d of the literal one", s.Seed, len(got), len(want))
	}
	if !slices.Equal(fast.Availabilities(-1), literal.Availabilities(-1)) || fast.End != literal.End || fast.Passes != literal.Passes {
		t.Fatalf("seed %d: the results differ", s.Seed)
	}
	return int(fast.Preemptions)
}

// Decisions runs a scenario and returns each decision as a line of text.
func Decisions(t testing.TB, s *Scenario, literal bool) ([]string, *qos.Result) {
	t.Helper()
	var lines []string
	config := s.Config
	config.Literal = literal
	config.Decided = func(d *qos.Decision) {
		lines = append(lines, fmt.Sprintf("%.3f s: request %d to host %d in %d ms, victims %v, cost %.6f",
			float64(d.At)/float64(sim.Second), d.Request, d.Host, d.Overhead, d.Victims, d.Cost))
	}
	r := must.Get(qos.Run(context.Background(), s.Input(), config))(t)
	return lines, r
}
