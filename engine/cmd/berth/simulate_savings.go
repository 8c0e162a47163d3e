package main

import (
	flag "github.com/spf13/pflag"

	"berth/engine/parameter"
	"berth/engine/qos/qoskind"
)

// savingsFlags are the optimisations of section 7.1 of the thesis, which apply to every simulated
// policy.
type savingsFlags struct {
	caching, equivalence bool
	figures              qoskind.PolicyRun // holds the numeric savings in its Savings
	pruning              string
}

func (p *savingsFlags) register(f *flag.FlagSet) {
	f.BoolVar(&p.caching, "score-caching", false, "cache the score of a host until the host changes")
	f.BoolVar(&p.equivalence, "equivalence-class", false, "check a host once for all equal requests; if the policy depends on Q, for those of equal Q")
	parameterFlags(f, &p.figures, qoskind.RunParameters(), (*parameter.Parameter).ParseBounded)
	choose(f, &p.pruning, "pruning", "skip a request that asks for at least as much as one that failed in the same pass", "none", "printed", "safe")
}

// of returns the savings for the policies; nil without any.
func (p *savingsFlags) of(c *call, policies []string) (*qoskind.Savings, error) {
	s := qoskind.Savings{}
	if given := p.figures.Savings; given != nil {
		s = *given
	}
	s.ScoreCaching, s.EquivalenceClass, s.Pruning = p.caching, p.equivalence, p.pruning
	switch {
	case s.CacheValidity > 0 && !p.caching:
		return nil, c.misuse("--cache-validity needs --score-caching")
	case s.QTolerance > 0 && !p.equivalence:
		return nil, c.misuse("--q-tolerance needs --equivalence-class")
	}
	for _, name := range policies {
		if run := (qoskind.PolicyRun{Name: name}); p.caching && s.CacheValidity == 0 && run.NeedsValidity() {
			return nil, c.misuse("--score-caching needs --cache-validity with the policy %s, because its scores change with time", name)
		}
	}
	if s == (qoskind.Savings{Pruning: "none"}) {
		return nil, nil
	}
	return &s, nil
}
