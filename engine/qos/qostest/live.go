package qostest

import (
	"context"
	"maps"
	"slices"
	"testing"

	"berth/engine/cluster"
	"berth/engine/input/workload"
	"berth/engine/must"
	"berth/engine/qos"
	"berth/engine/sim"
)

// live returns the scenario without anything that could keep a request from an empty host: hosts
// stay up and allocations take no time. Some requests have a duration of 0. If services is set,
// some requests never end, and the run stops one hour after the latest possible end of the others.
func (s *Scenario) live(services bool) *Scenario {
	r := sim.NewRandom(s.Seed, 103)
	l := *s
	l.Requests, l.Events, l.Controllers = slices.Clone(s.Requests), nil, nil
	l.Config.HotSet, l.Config.ColdSet, l.Config.Alpha, l.Config.Horizon = []sim.Milliseconds{0}, []sim.Milliseconds{0}, 0, 0
	for i := range l.Requests {
		q := &l.Requests[i]
		q.Duration = pick(r, 0, 1, q.Duration, q.Duration)
		l.Config.Horizon += q.Duration
		if services && r.IntN(10) == 0 {
			q.Duration = workload.MaxTime
		}
	}
	l.Config.Horizon += sim.Hour + l.Requests[len(l.Requests)-1].Submit - l.Requests[0].Submit
	if !services {
		l.Config.Horizon = 0
	}
	return &l
}

// lives checks that every request that fits on an empty host completes. Services never end, and a
// policy need not preempt them, so a request may wait for the room of a service. Displaced
// requests, and requests whose turn was over when room became free, wait for the next pass. That
// pass starts with the watchdog or, if there is none, with an arrival or a completion, which may
// never happen. So the check is void if the last pass with decisions preempted.
func lives(t *testing.T, policy qos.Policy, s *Scenario, literal bool) {
	t.Helper()
	config := s.Config
	config.Policy, config.Literal = policy, literal
	on, left := map[uint32]int{}, []uint32{} // hosts of running requests; requests unfinished at the end
	var last sim.Milliseconds
	preempted := false // in the last pass with decisions
	config.Decided = func(d *qos.Decision) {
		preempted = len(d.Victims) > 0 || preempted && d.At == last
		for _, victim := range d.Victims {
			delete(on, victim)
		}
		on[d.Request], last = d.Host, d.At
	}
	config.Finished = func(o *qos.Outcome) {
		if o.Completed {
			delete(on, o.Index)
		} else {
			left = append(left, o.Index)
		}
	}
	r := must.Get(qos.Run(context.Background(), s.Input(), config))(t)
	if config.Horizon > 0 && preempted && (!policy.Watchdog || last+config.Watchdog > r.End) {
		return
	}
	for _, i := range left {
		if _, runs := on[i]; runs && config.Horizon > 0 {
			continue
		}
		if h := s.room(i, on); h >= 0 {
			t.Fatalf("seed %d, literal %t: request %d %+v waits for ever, and host %d has room for it beside %d services", s.Seed, literal, i, s.Requests[i], h, len(on))
		}
	}
}

// room returns a host with room for a request and the requests in holding, or -1.
func (s *Scenario) room(i uint32, holding map[uint32]int) int {
	q := &s.Requests[i]
	rooms, apart := make([]cluster.Room, len(s.Hosts)), map[int]bool{} // apart: hosts excluded by its anti-affinity
	for h := range rooms {
		rooms[h] = cluster.NewRoom(&s.Hosts[h])
	}
	for _, k := range slices.Sorted(maps.Keys(holding)) {
		asks := asked(&s.Requests[k])
		rooms[holding[k]].Take(&asks)
		if q.AntiAffinity && s.Requests[k].Job == q.Job {
			apart[holding[k]] = true
		}
	}
	asks := asked(q)
	for h := range rooms {
		if rooms[h].Fits(&asks) && cluster.Allows(q.Constraints, &s.Hosts[h]) && !apart[h] {
			return h
		}
	}
	return -1
}

func asked(q *workload.Request) cluster.Resources {
	return cluster.Resources{CPU: q.CPU, Memory: q.Memory, GPUs: q.Devices()}
}
