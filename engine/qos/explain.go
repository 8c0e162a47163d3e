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
	Policy     string // policy of the pass; for hybrid, the one of its two policies that was in use
	Request    Member
	Place      int              // position in the queue of the pass, from 0
	Queue      int              // length of the queue
	Chosen     int              // index in Candidates; -1 if no host can take the request
	Candidates []ConsideredHost // all hosts
	Terms      []Term           // names of the terms of the costs
}

// Member is a request with the figures that policies compare.
type Member struct {
	Index int // in order of arrival, from 0
	// ID and Controller are display names. The engine leaves them empty, and the caller fills them
	// in. Controller is the controller of an instance, "" for other requests.
	ID         string
	Controller string
	Class      string
	Q          float64
	Margin     float64
	New        bool // no pass has been completed since its arrival, so its Q is 0
}

// ConsideredHost is the evaluation of one host.
type ConsideredHost struct {
	Host      string
	Feasible  bool
	Reason    Reason  // Feasible, or the reason why it is not feasible
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
	e := &Explanation{At: l.s.now, Time: seconds(l.s.now), Policy: policy.Name, Terms: policy.Terms(l.s.config.Classes), Request: l.member(j), Candidates: []ConsideredHost{}}
	for h := range l.s.hosts {
		c := ConsideredHost{Host: l.s.hostList[h].Name, Reason: Feasible, Score: l.s.score(h), Rank: int(l.s.hosts[h].rank)}
		movable, ok := l.movable(policy, j, h)
		if ok {
			evaluated, taken := l.evaluate(policy, j, h, movable)
			for i := range evaluated.victims {
				c.Victims = append(c.Victims, l.member(evaluated.victims[i].Ref))
			}
			if c.Cost = evaluated.cost; !taken {
				c.Reason = RefusedByPolicy
			}
		}
		for _, k := range slices.SortedFunc(slices.Values(l.s.hosts[h].instances), l.s.comparing(policy.VictimBefore)) {
			c.Instances = append(c.Instances, Resident{l.member(k), l.kept(policy, j, k)})
		}
		if !ok {
			c.Reason = l.reason(j, h, c.Instances)
		}
		c.Feasible = c.Reason == Feasible
		e.Candidates = append(e.Candidates, c)
	}
	return e
}

func (l *literal) member(r Ref) Member {
	k := &l.s.instances[r]
	return Member{Index: int(k.index), Class: l.s.config.Classes[k.class].Name, Q: l.s.Q(r).Seconds(), Margin: l.s.Margin(r).Seconds(), New: k.fresh}
}

// reason returns the first check of feasible that host h fails.
func (l *literal) reason(j Ref, h int, residents []Resident) Reason {
	request, host := &l.s.instances[j], &l.s.hosts[h]
	switch {
	case !host.up:
		return HostDown
	case request.constraints != 0 && !l.s.allowed[request.constraints][h]:
		return ConstraintOff
	case !l.s.meetsConstraints(request, h):
		return AntiAffine
	case !request.asks.Within(&host.All):
		return HostTooSmall
	}
	for _, r := range residents {
		if r.Kept == "" {
			return TooFewVictims
		}
	}
	return NobodyPreempts
}

// kept returns the reason why j may not preempt k, or "".
func (l *literal) kept(policy *Policy, j, k Ref) string {
	if policy.MayPreempt(&l.s.State, j, k) {
		return ""
	}
	return policy.Kept(&l.s.State, j, k).String()
}
