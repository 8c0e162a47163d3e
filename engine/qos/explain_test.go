package qos_test

import (
	"errors"
	"slices"
	"testing"

	"berth/engine/cluster"
	"berth/engine/input/workload"
	"berth/engine/must"
	"berth/engine/qos"
	"berth/engine/qos/qostest"
	"berth/engine/sim"
)

// decision is a copy of a decision.
type decision struct {
	qos.Decision
	victims []uint32
	cost    []float64
}

// An explanation agrees with the decision, for a sample of the decisions of random
// scenarios under each policy.
func TestExplainAgreesWithTheRun(t *testing.T) {
	for seed := range uint64(15) {
		for _, name := range qos.Names() {
			s := qostest.Random(seed)
			policy := must.Get(qos.Named(name, nil))(t)
			config := s.Config
			config.Policy = policy
			if seed%2 == 1 {
				config.Savings = qos.Savings{EquivalenceClass: true, Pruning: qos.PruneSafely} // which decide alike
			}
			var all []decision
			config.Decided = func(d *qos.Decision) {
				all = append(all, decision{*d, slices.Clone(d.Victims), slices.Clone(d.Cost)})
			}
			must.Get(qos.Run(t.Context(), s.Input(), config))(t)
			config.Decided = nil
			for i := 0; i < len(all); i += 1 + len(all)/5 {
				wantExplained(t, s, config, &all[i])
			}
		}
	}
}

func wantExplained(t *testing.T, s *qostest.Scenario, config qos.Config, d *decision) {
	t.Helper()
	e := must.Get(qos.Explain(t.Context(), s.Input(), config, d.Request, d.At))(t)
	if e.At != d.At || uint32(e.Request.Index) != d.Request || e.Chosen != d.Host || e.Place >= e.Queue {
		t.Fatalf("%s: explained %+v, decided %+v", config.Policy.Name, e, d)
	}
	var victims []uint32
	for _, v := range e.Candidates[e.Chosen].Victims {
		victims = append(victims, uint32(v.Index))
	}
	if !slices.Equal(victims, d.victims) || !slices.Equal(e.Candidates[e.Chosen].Cost, d.cost) {
		t.Errorf("%s: victims %v at %v, decided %v at %v", config.Policy.Name, victims, e.Candidates[e.Chosen].Cost, d.victims, d.cost)
	}
	if n := len(e.Terms); n == 0 || len(d.cost) != 0 && len(d.cost) != n || slices.ContainsFunc(e.Terms, func(t qos.Term) bool { return t.Name == "" }) {
		t.Errorf("%s: the terms of %v are %q", e.Policy, d.cost, e.Terms)
	}
	for _, c := range e.Candidates {
		may := slices.ContainsFunc(c.Instances, func(r qos.Resident) bool { return r.Kept == "" })
		if c.Reason == qos.NobodyPreempts && may || c.Reason == qos.TooFewVictims && !may {
			t.Errorf("host %s: %s, but of %+v", c.Host, c.Reason, c.Instances)
		}
	}
}

// Four requests need the only host, which has two units. The explanation contains each reason.
func TestExplainNamesReasons(t *testing.T) {
	s := &qostest.Scenario{Config: qos.Config{
		Policy: qos.QoSDriven(), Classes: qos.GoogleClasses(0), Watchdog: 10 * sim.Second, Alpha: -1,
		HotSet: []sim.Milliseconds{0}, ColdSet: []sim.Milliseconds{0},
	}}
	for i, name := range []string{"full", "small", "late"} {
		amount := []int64{2, 1, 2}[i]
		if name == "late" {
			s.Events = append(s.Events, workload.HostEvent{At: sim.Day, Host: name, Up: true, CPU: 2e9, Memory: 2e9})
			continue
		}
		s.Hosts = append(s.Hosts, cluster.Host{Name: name, CPU: cluster.Amount(amount) * cluster.Unit, Memory: cluster.Amount(amount) * cluster.Unit})
	}
	for _, r := range []struct {
		class string
		units cluster.Amount
	}{{"gold", 2}, {"bronze", 2}} {
		s.Requests = append(s.Requests, workload.Request{
			Submit: sim.Milliseconds(len(s.Requests)) * sim.Second, Duration: sim.Hour, Class: r.class, Priority: workload.NoPriority,
			CPU: r.units * cluster.Unit, Memory: r.units * cluster.Unit,
		})
	}
	e := must.Get(qos.Explain(t.Context(), s.Input(), s.Config, 1, 0))(t)
	want := []qos.Reason{qos.NobodyPreempts, qos.HostTooSmall, qos.HostDown}
	for i, c := range e.Candidates {
		if c.Reason != want[i] {
			t.Errorf("host %d: %s, want %s", i, c.Reason, want[i])
		}
	}
	if e.Chosen != -1 || !e.Request.New || e.Candidates[0].Instances[0].Kept == "" {
		t.Errorf("explained %+v", e)
	}
	if _, err := qos.Explain(t.Context(), s.Input(), s.Config, 0, sim.Minute); !errors.Is(err, qos.ErrNeverTried) {
		t.Errorf("a request that runs: got %v", err)
	}
	s.Config.Savings.Relaxed = 0.5
	if _, err := qos.Explain(t.Context(), s.Input(), s.Config, 1, 0); err == nil {
		t.Error("a scheduler that may not have looked was explained")
	}
}
