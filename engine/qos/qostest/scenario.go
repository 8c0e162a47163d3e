package qostest

import (
	"fmt"
	"slices"

	"berth/engine/cluster"
	"berth/engine/input/workload"
	"berth/engine/qos"
	"berth/engine/sim"
)

// Scenario is a reusable input with its configuration.
type Scenario struct {
	Seed     uint64 // seed passed to [Random]
	Hosts    []cluster.Host
	Requests []workload.Request
	Events   []workload.HostEvent
	// Controllers must not be measured as a whole, because the fast scheduler does not support
	// that.
	Controllers []qos.Controller
	Config      qos.Config // without a policy
}

// Input returns a new input, because runs consume its stream.
func (s *Scenario) Input() qos.Input {
	return qos.Input{
		Hosts: s.Hosts, HostEvents: s.Events, InAll: len(s.Requests),
		Requests: &workload.Slice{Requests: s.Requests}, Controllers: s.Controllers,
	}
}

// Random returns a small scenario that mixes many features: any degree of contention, hosts that
// leave and return, constraints, anti-affinity, bursts, separate overheads for hot hosts, and
// classes with various SLOs, margins and limits.
func Random(seed uint64) *Scenario {
	r := sim.NewRandom(seed, 100)
	s := &Scenario{Seed: seed}
	s.hosts(r)
	s.config(r)
	s.requests(r)
	s.events(r)
	return s
}

// WithGPUs returns the scenario with devices on hosts and requests for whole devices
// or shares of one.
func (s *Scenario) WithGPUs() *Scenario {
	r := sim.NewRandom(s.Seed, 102)
	g := *s
	g.Hosts, g.Requests, g.Events = slices.Clone(s.Hosts), slices.Clone(s.Requests), slices.Clone(s.Events)
	for i := range g.Hosts {
		g.Hosts[i].GPUs = r.IntN(5)
	}
	for i := range g.Requests {
		if r.IntN(3) == 0 {
			g.Requests[i].GPUs = 1 + r.IntN(3)
			if g.Requests[i].GPUs == 1 {
				g.Requests[i].GPUShare = []cluster.Amount{0, cluster.Unit / 3, cluster.Unit / 2, 7 * cluster.Unit / 10}[r.IntN(4)]
			}
		}
	}
	for i := range g.Events {
		if g.Events[i].CPU > 0 {
			g.Events[i].GPUs = 2
		}
	}
	return &g
}

// Times returns the scenario with k copies of each host and request.
func (s *Scenario) Times(k int) *Scenario {
	t := *s
	t.Hosts, t.Requests = nil, nil
	for i := range k {
		for _, h := range s.Hosts {
			if i > 0 {
				h.Name = fmt.Sprint(h.Name, ".", i)
			}
			t.Hosts = append(t.Hosts, h)
		}
	}
	for _, r := range s.Requests {
		for i := range k {
			r.Job = int64(k)*r.Job + int64(i)
			t.Requests = append(t.Requests, r)
		}
	}
	return &t
}

func (s *Scenario) hosts(r *sim.Random) {
	for h := range 1 + r.IntN(8) {
		s.Hosts = append(s.Hosts, cluster.Host{
			Name: fmt.Sprint("h", h), CPU: cluster.Amount(2+r.IntN(9)) * cluster.Unit, Memory: cluster.Amount(2+r.IntN(9)) * cluster.Unit,
			Attributes: cluster.SortAttributes([]cluster.Attribute{{Key: "disk", Value: pick(r, "ssd", "hdd")}, {Key: "cores", Value: fmt.Sprint(r.IntN(5))}}),
		})
	}
}

func pick[T any](r *sim.Random, from ...T) T { return from[r.IntN(len(from))] }

func (s *Scenario) config(r *sim.Random) {
	n := 1 + r.IntN(4)
	for i := range n {
		slo := pick(r, 1, 0.99, 0.95, 0.9, 0.77, 0.5, 0.2)
		s.Config.Classes = append(s.Config.Classes, qos.Class{
			Name: fmt.Sprint("class", i), SLO: slo, Importance: 1 + r.IntN(n),
			Margin: sim.Milliseconds(pick(r, 0, 10, 10, 10, 30, 45)) * sim.Second,
			Limit:  pick(r, 1-slo, 1-slo, 0, 0.05, 1), Priorities: [2]int{-1, -1},
		})
	}
	s.Config.Watchdog = sim.Milliseconds(1+r.IntN(30)) * sim.Second
	s.Config.Alpha = pick(r, -1.0, 0, 2400)
	s.Config.Seed = r.Uint64()
	s.Config.HotSet = []sim.Milliseconds{1000, 2000, 2500, 0}
	s.Config.ColdSet = s.Config.HotSet
	if r.IntN(2) == 0 {
		s.Config.ColdSet = []sim.Milliseconds{7000, 8000, 20000}
	}
	s.Config.FirstOverheadPending = r.IntN(3) == 0
	s.Config.NoLimit = r.IntN(5) == 0
	s.Config.Horizon = sim.Milliseconds(pick(r, 0, 300, 900)) * sim.Second
}

func (s *Scenario) requests(r *sim.Random) {
	var at sim.Milliseconds
	step := pick(r, 1, 1000, 777)
	load := 1 + r.IntN(20)
	for job := range 10 + r.IntN(60) {
		at += sim.Milliseconds(r.IntN(load*1000)/step) * sim.Milliseconds(step)
		one := workload.Request{
			Job: int64(job / 2), Submit: at, Duration: 1 + sim.Milliseconds(r.IntN(200*1000)),
			CPU: cluster.Amount(1+r.IntN(4)) * cluster.Unit, Memory: cluster.Amount(1+r.IntN(4)) * cluster.Unit,
			Class:        s.Config.Classes[r.IntN(len(s.Config.Classes))].Name,
			Priority:     workload.NoPriority,
			AntiAffinity: r.IntN(4) == 0,
		}
		if r.IntN(4) == 0 {
			one.Constraints = append(one.Constraints, cluster.Constraint{Key: "disk", Op: cluster.Operator(r.IntN(2)), Value: "ssd"})
		}
		if r.IntN(6) == 0 {
			one.Constraints = append(one.Constraints, cluster.Constraint{Key: "cores", Op: cluster.Operator(2 + r.IntN(2)), Value: "2"})
		}
		for range 1 + r.IntN(5)*r.IntN(2) {
			s.Requests = append(s.Requests, one)
		}
	}
}

func (s *Scenario) events(r *sim.Random) {
	if r.IntN(2) == 0 {
		return
	}
	var at sim.Milliseconds
	for range r.IntN(12) {
		at += sim.Milliseconds(r.IntN(60 * 1000))
		s.Events = append(s.Events, workload.HostEvent{
			At: at, Host: s.Hosts[r.IntN(len(s.Hosts))].Name, Up: r.IntN(2) == 0,
		})
	}
	if r.IntN(2) == 0 {
		s.Events = append(s.Events, workload.HostEvent{At: at, Host: "late", Up: true, CPU: 4 * cluster.Unit, Memory: 4 * cluster.Unit})
	}
}
