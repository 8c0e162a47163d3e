package qos

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"berth/engine/sim"
)

// Explanation describes one attempt of algorithm 1 to find a host for a request: the cost of every
// host, and the chosen one. Times and Q are in seconds.
type Explanation struct {
	At         sim.Milliseconds `json:"-"`
	Time       float64
	Policy     string // policy of the pass; for hybrid, the policy that was in use
	Request    Member
	Place      int              // position in the queue of the pass, from 0
	Queue      int              // length of the queue
	Chosen     int              // index in Candidates; -1 if no host can take the request
	Candidates []ConsideredHost // all hosts
	Terms      []Term           // names of the terms of the costs
}

// Member is a request with the figures that policies compare.
type Member struct {
	Index      int    // in order of arrival, from 0
	ID         string // as in Arrival, also for Controller
	Controller string
	Class      string
	Q          float64
	Margin     float64
	New        bool // its Q is 0, because no pass has been completed since its arrival
}

// ConsideredHost is the evaluation of one host.
type ConsideredHost struct {
	Host      string
	Feasible  bool
	Reason    Reason  // Feasible, or the reason why the host cannot take the request
	Score     float64 // allocation score
	Victims   []Member
	Cost      []float64  // cost of preempting the victims; the largest tuple wins
	Rank      int        // position in the seeded permutation, which breaks ties
	Instances []Resident // instances on the host in the order of preemption
}

// Resident is an instance on a host. Kept is the reason why the request may not preempt it, or "".
type Resident struct {
	Member
	Kept string
}

// ErrNeverTried reports that the scheduler makes no attempt for the request at the
// given time or later.
var ErrNeverTried = errors.New("the scheduler does not try the request at that time or later")

// Explain repeats a run with the literal scheduler and returns the first attempt for a request at
// or after the given time. If the scheduler tries the request several times at one moment, Explain
// returns the successful attempt, or the last one if all fail. It rejects configurations with
// savings that can change decisions.
func Explain(ctx context.Context, input Input, config Config, request uint32, from sim.Milliseconds) (*Explanation, error) {
	if !config.Savings.Exact(&config.Policy) {
		return nil, errors.New("the decisions of a scheduler with optimisations have no explanation: it may skip hosts")
	}
	config.Literal, config.Savings = true, Savings{}
	var arrived []Member
	config.Arrived = func(a *Arrival) {
		arrived = append(arrived, Member{Index: int(a.Index), ID: a.ID, Controller: a.Controller, Class: config.Classes[a.Class].Name})
	}
	s, err := newSystem(input, config)
	if err != nil {
		return nil, err
	}
	l, ok := s.scheduler.(*literal)
	if !ok {
		return nil, fmt.Errorf("the scheduler of %s has no explanations", config.Policy.Name)
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var found *Explanation
	l.attempt = func(policy *Policy, queue []Ref, place int, c *choice, ok bool) {
		j := queue[place]
		switch {
		case found != nil && (found.Chosen >= 0 || s.now > found.At):
			stop()
			return
		case s.now < from || s.instances[j].index != request:
			return
		}
		found = (&explainer{l, policy, j, arrived}).explain()
		found.Place, found.Queue, found.Chosen = place, len(queue), -1
		if ok {
			found.Chosen = c.host
		}
	}
	if err := s.run(ctx, 0); err != nil {
		return nil, err
	}
	if found == nil {
		return nil, ErrNeverTried
	}
	return found, nil
}

// explainer describes one attempt for request j.
type explainer struct {
	*literal
	policy  *Policy
	j       Ref
	arrived []Member // requests so far, without figures that change with time
}

// explain evaluates every host as choose does and records the evaluations.
func (x *explainer) explain() *Explanation {
	s := x.s
	e := &Explanation{At: s.now, Time: seconds(s.now), Policy: x.policy.Name, Terms: x.policy.Terms(s.config.Classes), Request: x.member(x.j), Candidates: []ConsideredHost{}}
	for h := range s.hosts {
		c := ConsideredHost{Host: s.hostList[h].Name, Reason: Feasible, Score: s.Score(h), Rank: int(s.hosts[h].rank)}
		movable, ok := x.movable(x.policy, x.j, h)
		if ok {
			evaluated, taken := x.evaluate(x.policy, x.j, h, movable)
			for i := range evaluated.victims {
				c.Victims = append(c.Victims, x.member(evaluated.victims[i].Ref))
			}
			if c.Cost = evaluated.cost; !taken {
				c.Reason = RefusedByPolicy
			}
		}
		for _, k := range slices.SortedFunc(slices.Values(s.hosts[h].instances), s.comparing(x.policy.VictimBefore)) {
			resident := Resident{Member: x.member(k)}
			if !x.policy.MayPreempt(&s.State, x.j, k) {
				resident.Kept = x.policy.Kept(&s.State, x.j, k).String()
			}
			c.Instances = append(c.Instances, resident)
		}
		if !ok {
			c.Reason = x.reason(h, c.Instances)
		}
		c.Feasible = c.Reason == Feasible
		e.Candidates = append(e.Candidates, c)
	}
	return e
}

func (x *explainer) member(r Ref) Member {
	k := &x.s.instances[r]
	m := x.arrived[k.index]
	m.Q, m.Margin, m.New = x.s.Q(r).Seconds(), x.s.Margin(r).Seconds(), k.fresh
	return m
}

// reason returns the first check of feasible that host h fails.
func (x *explainer) reason(h int, residents []Resident) Reason {
	request, host := &x.s.instances[x.j], &x.s.hosts[h]
	switch {
	case !host.up:
		return HostDown
	case request.constraints != 0 && !x.s.allowed[request.constraints][h]:
		return ConstraintOff
	case !x.s.meetsConstraints(request, h):
		return AntiAffine
	case !request.asks.Within(&host.All):
		return HostTooSmall
	case slices.ContainsFunc(residents, func(r Resident) bool { return r.Kept == "" }):
		return TooFewVictims
	}
	return NobodyPreempts
}
