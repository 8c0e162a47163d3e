package qos

import (
	"errors"
	"fmt"

	"berth/engine/cluster"
	"berth/engine/plugin"
)

// Policy defines the decisions of a scheduler. Its functions must not change the
// state, and each order must be strict and total. The fast scheduler runs policies
// with an Order, the literal scheduler all others.
type Policy struct {
	Name     string
	Watchdog bool // a pass starts at most Config.Watchdog after the previous pass
	// Before orders the pending queue.
	Before func(s *State, a, b Ref) bool
	// MayPreempt reports whether j may preempt k.
	MayPreempt func(s *State, j, k Ref) bool
	// VictimBefore orders the preemptible instances on a host.
	VictimBefore func(s *State, a, b Ref) bool
	// Cost appends the preemption cost of a host to tuple. All costs must have the
	// same length; the lexicographically largest wins.
	Cost func(s *State, victims []Victim, tuple []float64) []float64
	// Terms returns the names of the cost's terms, in order.
	Terms func(classes []Class) []Term
	// Kept returns the reason why j may not preempt k. It is called only if
	// MayPreempt is false; the reason provides its own text.
	Kept func(s *State, j, k Ref) fmt.Stringer
	// Host, if not nil, replaces Cost and the preference for hosts that need no preemption: the
	// lexicographically largest tuple wins. All tuples must have the same length. If ok is false,
	// the policy refuses the host. Only the literal scheduler supports it.
	Host func(s *State, j Ref, host int, victims []Victim) (tuple []float64, ok bool)
	// Failed, if not nil, returns an error if the policy cannot continue. The error ends the run.
	Failed func() error
	// Own, if not nil, returns the policy's own counts and notes at the end of a run.
	Own func() *plugin.Own
	// Tell, if not nil, is called for each decision before its execution, to record
	// counts and notes for the reader of the results.
	Tell func(s *State, j Ref, victims []Victim, own *plugin.Own)
	// Score returns the allocation score of a host from its capacity and its
	// allocated resources. It must be finite. Among hosts of equal cost the highest
	// score wins.
	Score func(cpu, memory, usedCPU, usedMemory cluster.Amount) float64

	// Order describes Before, MayPreempt and VictimBefore in numbers for the fast
	// scheduler.
	Order *Order
	// other replaces the policy in passes over a queue of at least limit requests.
	other *Policy
	limit int
}

// Term is the name of a term of a preemption cost.
type Term struct {
	Name string
	Unit string
}

// Victim is a preempted instance with the figures that costs use.
type Victim struct {
	Ref        Ref
	Q, Margin  Q
	Importance int // see [State.Importance]
}

// ChangesWithTime reports whether a decision about unchanged hosts may change with
// time.
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

// grow appends n zeros to a tuple and returns the result and the appended part.
func grow(tuple []float64, n int) (all, added []float64) {
	all = append(tuple, make([]float64, n)...)
	return all, all[len(tuple):]
}
