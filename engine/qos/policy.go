package qos

import (
	"errors"
	"fmt"
	"strings"

	"berth/engine/cluster"
)

// Policy is what sets one scheduler apart from another. Its functions look at
// the state and change nothing; each order is strict and total. A policy made
// from scratch is carried out by the literal scheduler; one of this package with
// another Cost or Score, by the fast one as well.
type Policy struct {
	Name     string
	Watchdog bool // a pass at the latest this long after the one before it
	// Before orders the pending queue.
	Before func(s *State, a, b Ref) bool
	// MayPreempt says whether k may lose its host to j.
	MayPreempt func(s *State, j, k Ref) bool
	// VictimBefore orders those on a host that may.
	VictimBefore func(s *State, a, b Ref) bool
	// Cost appends the preemption cost of a host as a tuple, of the same length
	// whoever the victims are; the lexicographically largest wins.
	Cost func(s *State, victims []Victim, tuple []float64) []float64
	// Score is the allocation score of a host, given its capacity and what is
	// allocated on it, a finite number: the highest wins where the cost is equal.
	Score func(cpu, memory, usedCPU, usedMemory cluster.Amount) float64

	// Of two instances of a class that both run (or both wait, for Before) the
	// order stays the same however time passes. The index of the fast scheduler
	// rests on that, and on the orders that the policies here have: byQ says that
	// they follow Q and not the admission. A policy that is not indexed is carried
	// out literally.
	indexed, byQ bool
	// other takes over in passes over a queue of limit requests and more.
	other *Policy
	limit int
}

// Victim is an instance that loses its host, with what a cost may be made of.
type Victim struct {
	Ref        Ref
	Q, Margin  Q
	Importance int
}

// QoSDriven returns the policy of section 3 of the paper.
func QoSDriven() Policy {
	return Policy{
		Name: "qos", Watchdog: true, indexed: true, byQ: true,
		Before: lowestQFirst, MayPreempt: mayPreemptByQ, VictimBefore: highestQFirst,
		Cost: marginLost, Score: cluster.Score,
	}
}

// lowestQFirst: by Q ascending, then by admission.
func lowestQFirst(s *State, a, b Ref) bool {
	if x, y := s.Q(a), s.Q(b); x != y {
		return x < y
	}
	return s.AdmittedBefore(a, b)
}

// mayPreemptByQ (3.3.1): Q_k ≥ φ_k and Q_j < Q_k; or both below their margins
// and j more important than k, or as important and Q_j < Q_k. A protected k
// goes only for a more important j.
func mayPreemptByQ(s *State, j, k Ref) bool {
	moreImportant := s.Importance(j) < s.Importance(k)
	if !moreImportant && s.Protected(k) {
		return false
	}
	qj, qk := s.Q(j), s.Q(k)
	if qk >= s.Margin(k) {
		return qj < qk
	}
	if qj >= s.Margin(j) {
		return false
	}
	return moreImportant || s.Importance(j) == s.Importance(k) && qj < qk
}

// highestQFirst: those with Q ≥ φ first, by Q descending; then those below φ,
// the least important first, by Q descending; then in a seeded order.
func highestQFirst(s *State, a, b Ref) bool {
	if idle := s.Idle(a); idle != s.Idle(b) {
		return idle // who contributes nothing goes first (thesis, 7.2.5)
	}
	qa, qb := s.Q(a), s.Q(b)
	aboveA, aboveB := qa >= s.Margin(a), qb >= s.Margin(b)
	if aboveA != aboveB {
		return aboveA
	}
	if ia, ib := s.Importance(a), s.Importance(b); !aboveA && ia != ib {
		return ia > ib
	}
	if qa != qb {
		return qa > qb
	}
	return s.TieBefore(a, b)
}

// marginLost is ⟨Σ(Q−φ) of class 1 below φ, …, of class m, Σ(Q−φ) at or above
// φ⟩ over the victims, in seconds: the largest tuple takes least from those who
// need it (section 4.1.3, with the sign that the published logs have).
func marginLost(s *State, victims []Victim, tuple []float64) []float64 {
	tuple, sums := grow(tuple, s.Levels()+1)
	for i := range victims {
		k, place := &victims[i], s.Levels()
		lost := k.Q - k.Margin
		if lost < 0 {
			place = k.Importance - 1
		}
		sums[place] += lost.Seconds()
	}
	return tuple
}

// grow appends n zeros, and returns them as well.
func grow(tuple []float64, n int) (all, added []float64) {
	before := len(tuple)
	for range n {
		tuple = append(tuple, 0)
	}
	return tuple, tuple[before:]
}

// PriorityBased returns the default of Kubernetes as of v1.9 (section 4.1.2).
func PriorityBased() Policy {
	return Policy{
		Name: "priority", indexed: true,
		Before: mostImportantFirst, MayPreempt: mayPreemptByPriority, VictimBefore: leastImportantFirst,
		Cost: fewestVictims, Score: cluster.Score,
	}
}

// mostImportantFirst: by importance, then by admission.
func mostImportantFirst(s *State, a, b Ref) bool {
	if x, y := s.Importance(a), s.Importance(b); x != y {
		return x < y
	}
	return s.AdmittedBefore(a, b)
}

// mayPreemptByPriority: only the less important.
func mayPreemptByPriority(s *State, j, k Ref) bool { return s.Importance(j) < s.Importance(k) }

// leastImportantFirst: then the latest admitted.
func leastImportantFirst(s *State, a, b Ref) bool {
	if x, y := s.Importance(a), s.Importance(b); x != y {
		return x > y
	}
	return s.AdmittedBefore(b, a)
}

// fewestVictims is ⟨−n₁, …, −n_m⟩, n_i victims of importance i.
func fewestVictims(s *State, victims []Victim, tuple []float64) []float64 {
	tuple, numbers := grow(tuple, s.Levels())
	for i := range victims {
		numbers[victims[i].Importance-1]--
	}
	return tuple
}

// Hybrid is QoS-driven while fewer requests than limit wait, and
// priority-based otherwise (thesis, 7.1.6).
func Hybrid(limit int) Policy {
	p, priority := QoSDriven(), PriorityBased()
	p.Name, p.other, p.limit = "hybrid", &priority, limit
	return p
}

// DefaultHybridLimit is the length of the queue at which [Hybrid] changes its
// mode by default.
const DefaultHybridLimit = 100

// changesWithTime says whether verdicts about the same hosts may.
func (p *Policy) changesWithTime() bool { return p.byQ || !p.indexed }

func (p *Policy) check() error {
	switch {
	case p.Name == "":
		return errors.New("a policy is missing")
	case p.Before == nil || p.MayPreempt == nil || p.VictimBefore == nil || p.Cost == nil || p.Score == nil:
		return fmt.Errorf("the policy %q lacks one of its functions", p.Name)
	}
	return nil
}

// at returns the policy for a pass over a queue of the given length.
func (p *Policy) at(queue int) *Policy {
	if p.other != nil && queue >= p.limit {
		return p.other
	}
	return p
}

var policies = map[string]func() Policy{}

func register(name string, policy func() Policy) {
	if _, again := policies[name]; again {
		panic(fmt.Sprintf("qos: the policy %q is registered twice", name))
	}
	policies[name] = policy
}

func init() {
	register("qos", QoSDriven)
	register("priority", PriorityBased)
	register("hybrid", func() Policy { return Hybrid(DefaultHybridLimit) })
}

// PolicyNames lists the policies.
func PolicyNames() []string { return []string{"qos", "priority", "hybrid"} }

// PolicyNamed returns a policy of [PolicyNames].
func PolicyNamed(name string) (Policy, error) {
	p, ok := policies[name]
	if !ok {
		return Policy{}, fmt.Errorf("unknown policy %q; known: %s", name, strings.Join(PolicyNames(), ", "))
	}
	return p(), nil
}
