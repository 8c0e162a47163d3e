package qostest

import (
	"fmt"
	"slices"

	"berth/engine/cluster"
	"berth/engine/input/workload"
	"berth/engine/qos"
	"berth/engine/sim"
)

// Odd returns a variant of the scenario with rare features: times compressed so that
// events coincide and many Q are equal, a start near the end of time, equal margins,
// extreme SLOs and limits, requests of duration 0, hosts that leave and return at
// once, and controllers.
func (s *Scenario) Odd() *Scenario {
	r := sim.NewRandom(s.Seed, 101)
	o := *s
	o.squeeze(pick[sim.Milliseconds](r, 1, 10, 1000), pick(r, 0, 0, workload.MaxTime-sim.Hour))
	o.Config.Classes = slices.Clone(s.Config.Classes)
	same := r.IntN(2) == 0
	for i := range o.Config.Classes {
		c := &o.Config.Classes[i]
		c.SLO, c.Limit = pick(r, c.SLO, 1, 0.01), pick(r, c.Limit, 0, 1)
		c.Margin = pick(r, c.Margin, 0, workload.MaxTime)
		if same {
			c.Margin = o.Config.Classes[0].Margin
		}
	}
	for range r.IntN(8) {
		o.Controllers = append(o.Controllers, o.controller(r))
	}
	return &o
}

// squeeze divides all times by a number and shifts them to start.
func (s *Scenario) squeeze(by, start sim.Milliseconds) {
	s.Requests, s.Events = slices.Clone(s.Requests), slices.Clone(s.Events)
	for i := range s.Requests {
		q := &s.Requests[i]
		q.Submit, q.Duration = start+q.Submit/by, 1+q.Duration/by
		if i%8 == 7 {
			q.Duration = 0
		}
	}
	for i := range s.Events {
		s.Events[i].At = start + s.Events[i].At/by
	}
	for i := len(s.Events) - 1; i >= 0; i -= 3 {
		again := s.Events[i]
		again.Up = !again.Up
		s.Events = slices.Insert(s.Events, i+1, again)
	}
	c := &s.Config
	one := &c.HotSet[0] == &c.ColdSet[0]
	c.HotSet, c.ColdSet = slices.Clone(c.HotSet), slices.Clone(c.ColdSet)
	for _, set := range [][]sim.Milliseconds{c.HotSet, c.ColdSet} {
		for i := range set {
			set[i] /= by
		}
	}
	if one {
		c.ColdSet = c.HotSet
	}
	c.Watchdog, c.Horizon = max(1, c.Watchdog/by), max(c.Horizon, 300*sim.Second)/by
	if c.Alpha > 0 {
		c.Alpha /= float64(by)
	}
}

// controller returns a random controller that is not measured as a whole.
func (s *Scenario) controller(r *sim.Random) qos.Controller {
	like := s.Requests[r.IntN(len(s.Requests))]
	c := qos.Controller{
		Name: fmt.Sprint("controller", len(s.Controllers)), Kind: pick(r, qos.Deployment, qos.StatefulSet, qos.StatefulSet, qos.DaemonSet), Template: like,
		Replicas: 1 + r.IntN(5),
	}
	c.Template.CPU, c.Template.Memory, c.Template.Duration = cluster.Unit, cluster.Unit, max(1, like.Duration)
	return c
}
