package qos_test

import (
	"fmt"
	"testing"

	"berth/engine/cluster"
	"berth/engine/input/workload"
	"berth/engine/must"
	"berth/engine/parameter"
	"berth/engine/qos"
	"berth/engine/qos/qostest"
	"berth/engine/qos/qostest/roundrobin"
	"berth/engine/sim"
)

// packed prefers the fuller host, the opposite of least requested.
func packed(cpu, memory, usedCPU, usedMemory cluster.Amount) float64 {
	return float64(usedCPU)/float64(cpu) + float64(usedMemory)/float64(memory) - 2
}

// scored returns a policy with another allocation score.
func scored(p qos.Policy) qos.Policy {
	p.Name, p.Score = p.Name+", packed", packed
	return p
}

// ownPolicy is a policy from outside the package: first come, first served, but a request may
// preempt any less important one.
func ownPolicy() qos.Policy {
	return qos.Policy{
		Name:   "own",
		Before: (*qos.State).AdmittedBefore,
		MayPreempt: func(s *qos.State, j, k qos.Ref) bool {
			return s.Importance(j) < s.Importance(k)
		},
		VictimBefore: (*qos.State).TieBefore,
		Cost: func(_ *qos.State, victims []qos.Victim, tuple []float64) []float64 {
			return append(tuple, -float64(len(victims)))
		},
		Terms: func([]qos.Class) []qos.Term { return []qos.Term{{Name: "victims", Unit: "negative"}} },
		Kept:  func(*qos.State, qos.Ref, qos.Ref) fmt.Stringer { return asImportant{} },
		Score: packed,
	}
}

type asImportant struct{}

func (asImportant) String() string { return "it is as important" }

func init() {
	if err := qos.Register(roundrobin.Plugin); err != nil {
		panic(err)
	}
}

func TestSchedulersAgreeAboutAllThatAreRegistered(t *testing.T) {
	for _, name := range qos.Names() {
		t.Run(name, func(t *testing.T) {
			qostest.Conform(t, func() qos.Policy {
				return must.Get(qos.Named(name, nil))(t)
			}, 120)
		})
	}
}

// An outside policy runs on the fast scheduler, which does not count hosts, only if it has an
// order.
func TestAnOrderPutsAPolicyOnTheFastScheduler(t *testing.T) {
	for _, ordered := range []bool{true, false} {
		s := qostest.Random(4)
		s.Config.Policy = roundrobin.Plugin.New(parameter.Values{"quantum": 30})
		if !ordered {
			s.Config.Policy.Order = nil
		}
		s.Config.Decided = func(d *qos.Decision) {
			if d.Feasible < 0 != ordered {
				t.Fatalf("with an order: %t; %d hosts were counted", ordered, d.Feasible)
			}
		}
		if r, err := qos.Run(t.Context(), s.Input(), s.Config); err != nil || r.Decisions == 0 {
			t.Fatal(r, err)
		}
	}
}

func TestSchedulersAgree(t *testing.T) {
	for _, policy := range []func() qos.Policy{
		ownPolicy, func() qos.Policy { return roundrobin.Plugin.New(parameter.Values{"quantum": 30}) },
		func() qos.Policy { return qos.Hybrid(3) },
		func() qos.Policy { return qos.Hybrid(8) },
		func() qos.Policy { return scored(qos.QoSDriven()) },
		func() qos.Policy { return scored(qos.PriorityBased()) },
	} {
		p := policy()
		t.Run(p.Name, func(t *testing.T) { qostest.Conform(t, policy, 120) })
	}
}

// In these scenarios a request that keeps others of its job away loses its turn in the pass in
// which another request of its group gets a host.
func TestSchedulersAgreeAboutRequestsPassedOver(t *testing.T) {
	qostest.ConformOn(t, qos.QoSDriven(), qostest.Random(2222))
	qostest.ConformOn(t, scored(qos.QoSDriven()), qostest.Random(304))
}

// At 15 s one request on host a has Q = 15/0.5 − 15 − 10 = 5 s, and another, 5 s old, has −5 s; a
// new request with 0 needs the room of both. On host b a StatefulSet starts. Its first instance
// runs at once, so its second one is created in the same millisecond. In the pass for that instance
// the new request has −10 s and gets its room.
func TestSchedulersAgreeAboutTwoPassesAtOneTime(t *testing.T) {
	request := func(at sim.Milliseconds, units cluster.Amount, host string) workload.Request {
		return workload.Request{
			Submit: at, Duration: sim.Hour, CPU: units * cluster.Unit, Memory: units * cluster.Unit, Class: "half",
			Priority: workload.NoPriority, Constraints: []cluster.Constraint{{Key: cluster.HostName, Op: cluster.Equal, Value: host}},
		}
	}
	s := &qostest.Scenario{
		Requests:    []workload.Request{request(0, 1, "a"), request(10*sim.Second, 1, "a"), request(15*sim.Second, 2, "a")},
		Controllers: []qos.Controller{{Kind: qos.StatefulSet, Replicas: 2, Template: request(15*sim.Second, 1, "b")}},
		Config: qos.Config{
			Classes:  []qos.Class{{Name: "half", SLO: 0.5, Importance: 1, Margin: sim.Hour, Limit: 0.5}},
			Watchdog: 30 * sim.Second, Alpha: 10_000, HotSet: []sim.Milliseconds{0}, ColdSet: []sim.Milliseconds{0}, Horizon: 16 * sim.Second,
		},
	}
	for _, name := range []string{"a", "b"} {
		s.Hosts = append(s.Hosts, cluster.Host{Name: name, CPU: 2 * cluster.Unit, Memory: 2 * cluster.Unit})
	}
	if preemptions := qostest.ConformOn(t, qos.QoSDriven(), s); preemptions != 2 {
		t.Errorf("%d preemptions, want those of both requests", preemptions)
	}
	e := must.Get(qos.Explain(t.Context(), s.Input(), s.Config, 3, 15*sim.Second))(t)
	if e.Chosen != 0 || len(e.Candidates[0].Victims) != 2 {
		t.Errorf("explained as %d with %+v, want host 0", e.Chosen, e.Candidates[0])
	}
}

func TestSchedulersAgreeOnOddScenarios(t *testing.T) {
	for seed := range uint64(40) {
		for _, policy := range []qos.Policy{qos.QoSDriven(), scored(qos.QoSDriven()), qos.PriorityBased(), qos.Hybrid(3)} {
			qostest.ConformOn(t, policy, qostest.Random(seed).Odd())
		}
	}
}

func TestSchedulersAgreeOnManyHosts(t *testing.T) {
	qostest.ConformOn(t, qos.QoSDriven(), qostest.Random(8).Times(10))
}

// There are two hosts of 4 CPU and GB, and one has used 1 of each. It scores ((0.75 + 0.75)/2 +
// 1)/2 = 0.875, and the empty one 1, so the next request goes to the empty host. Packed, they have
// −1.5 and −2, so it goes to the first one's host.
func TestScoreIsThePolicys(t *testing.T) {
	one := func(at sim.Milliseconds) workload.Request {
		return workload.Request{Submit: at, Duration: 1e6, CPU: cluster.Unit, Memory: cluster.Unit, Class: "gold"}
	}
	for _, test := range []struct {
		policy   qos.Policy
		together bool
	}{{qos.QoSDriven(), false}, {scored(qos.QoSDriven()), true}} {
		var hosts []int
		config := benchConfig(test.policy)
		config.Horizon = 10 * sim.Second
		config.Decided = func(d *qos.Decision) { hosts = append(hosts, d.Host) }
		input := qos.Input{
			Hosts: []cluster.Host{
				{Name: "a", CPU: 4 * cluster.Unit, Memory: 4 * cluster.Unit},
				{Name: "b", CPU: 4 * cluster.Unit, Memory: 4 * cluster.Unit},
			},
			Requests: &workload.Slice{Requests: []workload.Request{one(0), one(1000)}},
		}
		must.Get(qos.Run(t.Context(), input, config))(t)
		if len(hosts) != 2 || hosts[0] == hosts[1] != test.together {
			t.Errorf("%s: hosts %v; together: want %t", test.policy.Name, hosts, test.together)
		}
	}
}
