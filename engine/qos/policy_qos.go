package qos

import (
	"fmt"

	"berth/engine/cluster"
	"berth/engine/parameter"
)

var qosPlugin = Plugin{
	Name: "qos", Title: "QoS-driven", Description: "runs first the request that is closest to missing its SLO (Farias da Silva et al. 2020)", Default: true,
	Facts: Facts{Reference: true},
	New:   func(parameter.Values) Policy { return QoSDriven() },
}

// QoSDriven returns the QoS-driven policy (section 3 of the paper).
func QoSDriven() Policy {
	return Policy{
		Name: "qos", Watchdog: true,
		Before: lowestQFirst, MayPreempt: mayPreemptByQ, VictimBefore: highestQFirst,
		Cost: marginLost, Terms: marginTerms, Kept: keptByQ, Score: cluster.Score,
		Order: &Order{ByQ: true, ByValue: true, Protects: true, Class: dividedByMargin, Against: mayPreemptClass},
	}
}

func dividedByMargin(c *Class) ClassOrder {
	return ClassOrder{Mark: timeToQ(c.Margin), High: lowest, Low: -c.Importance}
}

// mayPreemptClass expresses mayPreemptByQ as an order.
func mayPreemptClass(j, k *Class) Against {
	switch {
	case j.Importance < k.Importance:
		return Against{High: Lower, Low: Always, Below: true}
	case j.Importance == k.Importance:
		return Against{High: Lower, Low: Lower, Below: true}
	}
	return Against{High: Lower}
}

// lowestQFirst orders by ascending Q, then by admission.
func lowestQFirst(s *State, a, b Ref) bool {
	if x, y := s.Q(a), s.Q(b); x != y {
		return x < y
	}
	return s.AdmittedBefore(a, b)
}

// mayPreemptByQ (3.3.1) lets j preempt k if Q_k ≥ φ_k and Q_j < Q_k. If both are below their
// margins, it lets j preempt k if j is more important, or as important and Q_j < Q_k. A protected k
// yields only to a more important j.
func mayPreemptByQ(s *State, j, k Ref) bool {
	of, ofVictim := &s.constants[s.instances[j].class], &s.constants[s.instances[k].class]
	moreImportant := of.importance < ofVictim.importance
	if !moreImportant && s.Protected(k) {
		return false
	}
	qj, qk := s.Q(j), s.Q(k)
	if qk >= ofVictim.margin {
		return qj < qk
	}
	if qj >= of.margin {
		return false
	}
	return moreImportant || of.importance == ofVictim.importance && qj < qk
}

// keptByQ returns the condition of [mayPreemptByQ] that keeps k.
func keptByQ(s *State, j, k Ref) fmt.Stringer {
	switch {
	case s.Importance(j) >= s.Importance(k) && s.Protected(k):
		return protected
	case s.Q(k) >= s.Margin(k), s.Importance(j) == s.Importance(k) && s.Q(j) < s.Margin(j):
		return qNotAbove
	case s.Q(j) >= s.Margin(j):
		return belowMargin
	}
	return noLessImportant
}

// highestQFirst puts instances with Q ≥ φ first, by descending Q. Instances below φ
// follow, the least important first, then by descending Q. Ties are broken by a
// seeded order.
func highestQFirst(s *State, a, b Ref) bool {
	if idle := s.Idle(a); idle != s.Idle(b) {
		return idle // an instance that contributes nothing goes first (thesis, 7.2.5)
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

// marginLost is the cost ⟨Σ(Q−φ) of class 1 below φ, …, of class m, Σ(Q−φ) at or above φ⟩ over the
// victims, in seconds. The largest tuple takes least from requests below their margins (section
// 4.1.3, with the sign used in the published logs).
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

func marginTerms(classes []Class) []Term {
	return append(termsByLevel(classes, " below margin", "s"), Term{"above margin", "s"})
}
