package qos

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"berth/engine/sim"
)

// Explanation describes one attempt of algorithm 1 to find a host for a request: all
// hosts with the cost of each, and the host that was chosen.
type Explanation struct {
	At         sim.Milliseconds
	Policy     string // policy that decided; for hybrid, the mode in use
	Terms      []Term // names of the terms of the costs under that policy
	Request    Member
	Place      int // position in the queue of the pass, from 0
	Queue      int // length of that queue
	Candidates []ConsideredHost
	Chosen     int // chosen host; -1 if no host can take the request
}

// Member is a request with the figures that policies compare.
type Member struct {
	Request uint32 // in order of arrival, from 0
	Class   int
	Q       Q
	Margin  Q
	New     bool // in its first pass, in which Q is 0
}

// ConsideredHost is a host as the attempt saw it: whether it can take the request,
// and at which cost.
type ConsideredHost struct {
	Host      int
	Reason    Reason // why the host cannot take the request; Feasible if it can
	Score     float64
	Victims   []Member   // instances that would be preempted, in order
	Cost      []float64  // cost of preempting them, empty without victims
	Instances []Resident // instances on the host, in order of preemption
	Rank      int        // position in the seeded permutation that breaks ties
}

// Resident is an instance on a host, and why the request may not preempt it.
type Resident struct {
	Member
	Kept fmt.Stringer // nil if the request may preempt it
}

// Reason is why a host cannot take a request.
type Reason uint8

// The reasons.
const (
	Feasible Reason = iota
	HostDown
	ConstraintOff   // a placement constraint is not met
	AntiAffine      // an anti-affine request and another one of its job on the host
	HostTooSmall    // too small even when empty
	TooFewVictims   // too little is free even if every preemptible instance is preempted
	NobodyPreempts  // the request may preempt no instance on the host
	RefusedByPolicy // see Policy.Host
)

// ErrNeverTried reports that the scheduler makes no attempt for the request at the
// given time or later.
var ErrNeverTried = errors.New("the scheduler does not try the request at that time or later")

// Explain repeats a run with the literal scheduler and returns the first attempt for
// a request at or after the given time. If the scheduler tries the request several
// times at one moment, Explain returns the successful attempt, or the last one if all
// fail. It refuses configurations with savings that can change decisions.
func Explain(ctx context.Context, input Input, config Config, request uint32, from sim.Milliseconds) (*Explanation, error) {
	if !config.Savings.Exact(&config.Policy) {
		return nil, errors.New("the decisions of a scheduler with optimisations have no explanation: it may skip hosts")
	}
	config.Literal, config.Savings = true, Savings{}
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
		found = l.explain(policy, j)
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

// explain evaluates every host as choose does and records the evaluations.
func (l *literal) explain(policy *Policy, j Ref) *Explanation {
	e := &Explanation{At: l.now, Policy: policy.Name, Terms: policy.Terms(l.config.Classes), Request: l.member(j)}
	for h := range l.hosts {
		c := ConsideredHost{Host: h, Reason: Feasible, Score: l.score(h), Rank: int(l.hosts[h].rank)}
		victims, ok := l.feasible(policy, j, h)
		for i := range victims {
			k := victims[i].Ref
			c.Victims = append(c.Victims, l.member(k))
		}
		switch {
		case ok && policy.Host != nil:
			if c.Cost, ok = policy.Host(&l.State, j, h, victims); !ok {
				c.Reason = RefusedByPolicy
			}
		case len(victims) > 0:
			c.Cost = policy.Cost(&l.State, victims, nil)
		}
		for _, k := range slices.SortedFunc(slices.Values(l.hosts[h].instances), l.comparing(policy.VictimBefore)) {
			c.Instances = append(c.Instances, Resident{l.member(k), l.kept(policy, j, k)})
		}
		if !ok && c.Reason == Feasible {
			c.Reason = l.reason(j, h, c.Instances)
		}
		e.Candidates = append(e.Candidates, c)
	}
	return e
}

func (l *literal) member(r Ref) Member {
	k := &l.instances[r]
	return Member{Request: k.index, Class: int(k.class), Q: l.Q(r), Margin: l.Margin(r), New: k.fresh}
}

// reason returns the first check of feasible that host h fails.
func (l *literal) reason(j Ref, h int, residents []Resident) Reason {
	request, host := &l.instances[j], &l.hosts[h]
	switch {
	case !host.up:
		return HostDown
	case request.constraints != 0 && !l.allowed[request.constraints][h]:
		return ConstraintOff
	case !l.meetsConstraints(request, h):
		return AntiAffine
	case request.cpu > host.cpu || request.memory > host.memory || request.gpus > gpusOf(&l.hostList[h]):
		return HostTooSmall
	}
	for _, r := range residents {
		if r.Kept == nil {
			return TooFewVictims
		}
	}
	return NobodyPreempts
}

// kept returns why j may not preempt k, or nil if it may.
func (l *literal) kept(policy *Policy, j, k Ref) fmt.Stringer {
	if policy.MayPreempt(&l.State, j, k) {
		return nil
	}
	return policy.Kept(&l.State, j, k)
}
