package main

import (
	"flag"
	"time"

	"berth/engine/qos/qoskind"
)

// savingsFlags are the optimisations of section 7.1 of the thesis, for every
// policy that is simulated.
type savingsFlags struct {
	caching, equivalence bool
	validity, tolerance  *float64 // s; nil: not given
	relaxed              float64  // 0: not given
	pruning              *choice
}

func (p *savingsFlags) register(f *flag.FlagSet) {
	f.BoolVar(&p.caching, "score-caching", false, "keep what was found out about a host until it changes")
	f.Func("cache-validity", "but for no longer than this `TIME`; a policy that goes by Q needs it (default for ever)", into(&p.validity, time.Millisecond))
	f.BoolVar(&p.equivalence, "equivalence-class", false, "look at a host once for all requests that are alike; where a policy goes by Q, of equal Q")
	f.Func("q-tolerance", "take Q as equal within intervals of this `TIME` (default exactly equal)", into(&p.tolerance, time.Millisecond))
	part(f, &p.relaxed, "relaxed", "look at hosts in random order until this `PART` of all of them can take the request (default all are looked at)")
	p.pruning = choose(f, "pruning", "do not try a request that asks for no less than one that failed in the same pass", "none", "printed", "safe")
}

// of returns them for the policies, nil if there are none.
func (p *savingsFlags) of(c *call, policies []string) (*qoskind.Savings, error) {
	switch {
	case p.validity != nil && !p.caching:
		return nil, c.misuse("--cache-validity needs --score-caching")
	case p.tolerance != nil && !p.equivalence:
		return nil, c.misuse("--q-tolerance needs --equivalence-class")
	}
	for _, name := range policies {
		if run := (qoskind.PolicyRun{Name: name}); p.caching && p.validity == nil && run.NeedsValidity() {
			return nil, c.misuse("--score-caching needs --cache-validity with the policy %s, whose verdicts change with time", name)
		}
	}
	s := qoskind.Savings{ScoreCaching: p.caching, EquivalenceClass: p.equivalence, Relaxed: p.relaxed, Pruning: p.pruning.value}
	if p.validity != nil {
		s.CacheValidity = *p.validity
	}
	if p.tolerance != nil {
		s.QTolerance = *p.tolerance
	}
	if s == (qoskind.Savings{Pruning: "none"}) {
		return nil, nil
	}
	return &s, nil
}
