package qos

import (
	"errors"
	"fmt"

	"berth/engine/cluster"
	"berth/engine/plugin"
)

// Policy is what sets one scheduler apart from another. Its functions look at
// the state and change nothing; each order is strict and total. A policy
// with an Order is carried out by the fast scheduler, any other by the literal one.
type Policy struct {
	Name     string
	Watchdog bool // a pass at the latest this long after the one before it
	// Before orders the pending queue.
	Before func(s *State, a, b Ref) bool
	// MayPreempt says whether k may lose its host to j.
	MayPreempt func(s *State, j, k Ref) bool
	// VictimBefore orders those on a host that may.
	VictimBefore func(s *State, a, b Ref) bool
	// Cost appends the preemption cost of a host as a tuple, of the same length for any
	// victims; the lexicographically largest wins.
	Cost func(s *State, victims []Victim, tuple []float64) []float64
	// Terms names the terms of that tuple, in order.
	Terms func(classes []Class) []Term
	// Kept says why k may not lose its host to j, for which the reason has words; it is
	// asked only then.
	Kept func(s *State, j, k Ref) fmt.Stringer
	// Host, if there is one, takes the place of Cost and of the preference for hosts that
	// need no preemption: of a tuple of always the same length, the lexicographically
	// largest wins. It may refuse a host. Only the literal scheduler asks it.
	Host func(s *State, j Ref, host int, victims []Victim) (tuple []float64, ok bool)
	// Failed, if there is one, says why the policy cannot go on, which ends the run.
	Failed func() error
	// Own, if there is one, is what the policy has noted itself at the end of a run.
	Own func() *plugin.Own
	// Tell, if there is one, is told of each decision before it has consequences, to count and
	// note what a reader of the figures should know.
	Tell func(s *State, j Ref, victims []Victim, own *plugin.Own)
	// Score is the allocation score of a host, given its capacity and what is
	// allocated on it, a finite number: the highest wins where the cost is equal.
	Score func(cpu, memory, usedCPU, usedMemory cluster.Amount) float64

	// Order says the same as Before, MayPreempt and VictimBefore for the fast scheduler.
	Order *Order
	// other takes over in passes over a queue of limit requests and more.
	other *Policy
	limit int
}

// Term is one of the terms of a preemption cost.
type Term struct {
	Name string `json:"name"`
	Unit string `json:"unit,omitempty"`
}

// Victim is an instance that loses its host, with what a cost may be made of.
type Victim struct {
	Ref        Ref
	Q, Margin  Q
	Importance int // see [State.Importance]
}

// ChangesWithTime says whether verdicts about the same hosts may do so.
func (p *Policy) ChangesWithTime() bool {
	return p.Order == nil || p.Order.ByQ || p.Order.Rates != nil || p.Order.Protects
}

func (p *Policy) check(classes []Class) error {
	switch {
	case p.Name == "":
		return errors.New("a policy is missing")
	case p.Before == nil || p.MayPreempt == nil || p.VictimBefore == nil || p.Cost == nil || p.Terms == nil || p.Kept == nil || p.Score == nil:
		return fmt.Errorf("the policy %q lacks one of its functions", p.Name)
	case p.Order == nil:
		return nil
	case p.Host != nil:
		return fmt.Errorf("the policy %q chooses hosts itself, which the fast scheduler does not ask about", p.Name)
	case p.Order.Class == nil || p.Order.Against == nil:
		return fmt.Errorf("the order of the policy %q lacks one of its functions", p.Name)
	}
	return p.ordered(classes).check()
}

// at returns the policy for a pass over a queue of the given length.
func (p *Policy) at(queue int) *Policy {
	if p.other != nil && queue >= p.limit {
		return p.other
	}
	return p
}

// grow appends n zeros, and returns them as well.
func grow(tuple []float64, n int) (all, added []float64) {
	all = append(tuple, make([]float64, n)...)
	return all, all[len(tuple):]
}
