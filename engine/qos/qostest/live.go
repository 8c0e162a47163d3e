package qostest

import (
	"context"
	"maps"
	"slices"
	"testing"

	"berth/engine/cluster"
	"berth/engine/qos"
	"berth/engine/sim"
	"berth/engine/workload"
)

// live returns the scenario without what may keep a request from a host that is empty:
// hosts stay, nothing takes time but to run, and that may take none. With services some
// requests never end, and the run has a horizon, an hour after the last of the others could
// have ended.
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

// lives checks that whatever fits on an empty host ends. Beside services, which never end,
// a request may wait where the services that hold the hosts leave it no room: a policy need
// not preempt them. What a pass displaces, and what that gives room after its turn, waits for
// the next pass: it comes with the watchdog or, if there is none, with an arrival or an end,
// which may never be. So the end tells nothing where the last pass that decided preempted.
func lives(t *testing.T, policy qos.Policy, s *Scenario, literal bool) {
	t.Helper()
	config := s.Config
	config.Policy, config.Literal = policy, literal
	on, left := map[uint32]int{}, []uint32{} // hosts of what runs; what is not done at the end
	var last sim.Milliseconds
	preempted := false // in the last pass that decided
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
	r, err := qos.Run(context.Background(), s.Input(), config)
	if err != nil {
		t.Fatal(err)
	}
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

// room returns a host that has room for a request beside those that hold it, -1 if there is none.
func (s *Scenario) room(i uint32, holding map[uint32]int) int {
	q := &s.Requests[i]
	return slices.IndexFunc(s.hostsBeside(holding), func(h hostBeside) bool {
		return q.CPU <= h.CPU && q.Memory <= h.Memory && h.devices.Fits(q.Devices()) && cluster.Allows(q.Constraints, &h.Host) &&
			!slices.ContainsFunc(h.requests, func(k uint32) bool {
				return q.AntiAffinity && s.Requests[k].Job == q.Job
			})
	})
}

// hostBeside is what a host has left, and what it holds.
type hostBeside struct {
	cluster.Host
	devices  cluster.Devices
	requests []uint32
}

func (s *Scenario) hostsBeside(holding map[uint32]int) []hostBeside {
	hosts := make([]hostBeside, len(s.Hosts))
	for h := range hosts {
		hosts[h].Host, hosts[h].devices = s.Hosts[h], cluster.NewDevices(s.Hosts[h].GPUs)
	}
	for _, k := range slices.Sorted(maps.Keys(holding)) {
		h, q := &hosts[holding[k]], &s.Requests[k]
		h.CPU, h.Memory, h.requests = h.CPU-q.CPU, h.Memory-q.Memory, append(h.requests, k)
		h.devices.Take(q.Devices())
	}
	return hosts
}
