package main

import (
	"berth/engine/qos/qoskind"
)

// checkSavings validates the optimisations of section 7.1 of the thesis, which apply to every
// simulated policy. It removes them from the document if none is set.
func (p *simulateFlags) checkSavings(c *call) error {
	s := p.how.Savings
	switch {
	case s.CacheValidity > 0 && !s.ScoreCaching:
		return c.misuse("--cache-validity needs --score-caching")
	case s.QTolerance > 0 && !s.EquivalenceClass:
		return c.misuse("--q-tolerance needs --equivalence-class")
	}
	for _, name := range p.policies {
		if run := (qoskind.PolicyRun{Name: name}); s.ScoreCaching && s.CacheValidity == 0 && run.NeedsValidity() {
			return c.misuse("--score-caching needs --cache-validity with the policy %s, because its scores change with time", name)
		}
	}
	if *s == (qoskind.Savings{Pruning: "none"}) {
		p.how.Savings = nil
	}
	return nil
}
