package qos

import (
	"fmt"

	"berth/engine/cluster"
	"berth/engine/parameter"
)

var priorityPlugin = Plugin{
	Name: "priority", Title: "priority-based", Description: "runs the more important class first, as in Kubernetes", Default: true,
	Facts: Facts{Baseline: true},
	New:   func(parameter.Values) Policy { return PriorityBased() },
}

// PriorityBased returns the default scheduling policy of Kubernetes as of v1.9
// (section 4.1.2).
func PriorityBased() Policy {
	return Policy{
		Name:   "priority",
		Before: mostImportantFirst, MayPreempt: mayPreemptByPriority, VictimBefore: leastImportantFirst,
		Cost: fewestVictims, Terms: victimTerms, Kept: keptByPriority, Score: cluster.Score,
		Order: &Order{Class: placedByImportance, Against: lessImportant, Ties: Latest},
	}
}

func placedByImportance(c *Class) ClassOrder {
	return ClassOrder{Level: c.Importance, High: -c.Importance, Low: -c.Importance}
}

func lessImportant(j, k *Class) Against {
	if j.Importance < k.Importance {
		return Against{High: Always, Low: Always}
	}
	return Against{}
}

// mostImportantFirst orders by importance, then by admission.
func mostImportantFirst(s *State, a, b Ref) bool {
	if x, y := s.Importance(a), s.Importance(b); x != y {
		return x < y
	}
	return s.AdmittedBefore(a, b)
}

// mayPreemptByPriority lets j preempt less important instances only.
func mayPreemptByPriority(s *State, j, k Ref) bool { return s.Importance(j) < s.Importance(k) }

func keptByPriority(*State, Ref, Ref) fmt.Stringer { return noLessImportant }

// leastImportantFirst orders by descending importance number, then by latest
// admission.
func leastImportantFirst(s *State, a, b Ref) bool {
	if x, y := s.Importance(a), s.Importance(b); x != y {
		return x > y
	}
	return s.AdmittedBefore(b, a)
}

// fewestVictims is the cost ⟨−n₁, …, −n_m⟩ with n_i victims of importance i.
func fewestVictims(s *State, victims []Victim, tuple []float64) []float64 {
	tuple, numbers := grow(tuple, s.Levels())
	for i := range victims {
		numbers[victims[i].Importance-1]--
	}
	return tuple
}

func victimTerms(classes []Class) []Term { return termsByLevel(classes, "", "victims, negative") }
