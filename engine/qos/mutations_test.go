package qos

import (
	"slices"
	"testing"

	"berth/engine/sim"
)

// mutations are mistakes that a plausible simulation would not reveal, each with the hand-made case
// that catches it.
var mutations = []struct {
	name     string
	mutate   func(*variant)
	caughtBy string
}{
	{"φ = 0", func(v *variant) {
		v.adjust = func(c *Config) { c.Classes = GoogleClasses(0) }
	}, "margin"},
	{"α = 0", func(v *variant) {
		v.adjust = func(c *Config) { c.Alpha = 0 }
	}, "alpha"},
	{"availability in place of Q", func(v *variant) {
		v.policy.VictimBefore = func(s *State, a, b Ref) bool {
			return availabilityOf(s, a) > availabilityOf(s, b)
		}
	}, "time to violate"},
	{"queue by arrival", func(v *variant) {
		v.policy.Before = (*State).AdmittedBefore
	}, "queue order"},
	{"victims by smallest Q", func(v *variant) {
		v.policy.VictimBefore = func(s *State, a, b Ref) bool { return highestQFirst(s, b, a) }
	}, "victim order"},
	{"cost tuple reversed", func(v *variant) {
		v.policy.Cost = func(s *State, victims []Victim, tuple []float64) []float64 {
			tuple = marginLost(s, victims, tuple)
			slices.Reverse(tuple)
			return tuple
		}
	}, "cost tuple"},
	{"first allocation counted as pending", func(v *variant) {
		v.adjust = func(c *Config) { c.FirstOverheadPending = true }
	}, "first overhead"},
	{"new request without Q = 0", func(v *variant) { v.noFirst = true }, "new request"},
	{"limit off", func(v *variant) {
		v.adjust = func(c *Config) { c.NoLimit = true }
	}, "limit"},
	{"limit of the past only for the less important", func(v *variant) {
		may := v.policy.MayPreempt
		v.policy.MayPreempt = func(s *State, j, k Ref) bool {
			return may(s, j, k) && (!s.Protected(k) || s.Importance(j) > s.Importance(k))
		}
	}, "limit"},
	{"no preemption below the margin", func(v *variant) {
		v.policy.MayPreempt = func(s *State, j, k Ref) bool { return s.Q(k) >= s.Margin(k) && s.Q(j) < s.Q(k) }
	}, "relaxation on both sides"},
	{"preemption at equal Q", func(v *variant) {
		v.policy.MayPreempt = func(s *State, j, k Ref) bool { return s.Q(j) <= s.Q(k) }
	}, "equal Q"},
	{"victims without regard to their margin", func(v *variant) {
		v.policy.VictimBefore = func(s *State, a, b Ref) bool {
			if s.Q(a) != s.Q(b) {
				return s.Q(a) > s.Q(b)
			}
			return s.TieBefore(a, b)
		}
		v.adjust = func(c *Config) { c.Classes[silver].Margin = 500 * sim.Second }
	}, "order of victims"},
}

func availabilityOf(s *State, r Ref) float64 {
	run := s.Run(r)
	return availability(run, s.now-s.instances[r].admitted-run)
}

func TestMutationsAreCaught(t *testing.T) {
	for _, m := range mutations {
		i := slices.IndexFunc(handCases, func(c handCase) bool { return c.name == m.caughtBy })
		if i < 0 {
			t.Fatalf("%s: there is no case %q", m.name, m.caughtBy)
		}
		v := variant{policy: QoSDriven()}
		m.mutate(&v)
		if err := handCases[i].check(v); err == nil {
			t.Errorf("%s: the case %q does not catch it", m.name, m.caughtBy)
		}
	}
}
