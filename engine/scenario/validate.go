package scenario

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"berth/engine/dot"
	"berth/engine/placement"
)

// Validate says what is wrong with a scenario apart from its graphs, as an
// *[InputError]. Decode has done so already.
func (s Scenario) Validate() error {
	var found problems
	s.validate(&found)
	return found.err()
}

func (s Scenario) validate(p *problems) {
	if s.Version != Version {
		p.add("version", "found %d, expected %d", s.Version, Version)
	}
	p.length("name", s.Name, MaxName)
	switch s.Kind {
	case KindPlacement:
	case KindQoS, KindFederate:
		p.add("kind", "%q is reserved: this Berth runs only %q", s.Kind, KindPlacement)
		return
	case "":
		p.add("kind", "missing; known: %s", KindPlacement)
		return
	default:
		p.add("kind", "unknown kind %q; known: %s", shorten(s.Kind), KindPlacement)
		return
	}
	if s.Placement == nil {
		p.add("placement", "missing: a scenario of kind %q has its graphs and strategies there", KindPlacement)
		return
	}
	s.Placement.validate(p)
}

func (x *Placement) validate(p *problems) {
	p.source("placement.federation", x.Federation, dot.Federation)
	p.count("placement.deployments", "deployment", len(x.Deployments), MaxDeployments)
	size := len(x.Federation.DOT)
	for i, d := range x.Deployments {
		p.source(fmt.Sprintf("placement.deployments[%d]", i), d, dot.Deployment)
		size += len(d.DOT)
	}
	if size > MaxBytes {
		p.add("placement", "the graphs have %d bytes together; at most %d (64 MiB) are read", size, MaxBytes)
	}
	p.count("placement.strategies", "strategy", len(x.Strategies), MaxStrategies)
	for i, r := range x.Strategies {
		p.strategy(fmt.Sprintf("placement.strategies[%d]", i), r)
	}
	if x.Phi != nil && !(*x.Phi >= 0 && *x.Phi <= MaxPhi) {
		p.add("placement.phi", "found %v, expected a number from 0 to %v", *x.Phi, MaxPhi)
	}
	if x.Budget < 0 || x.Budget > MaxBudget {
		p.add("placement.budget", "found %d, expected expansions from 1 to %d, or 0 for the default of %d", x.Budget, int64(MaxBudget), int64(placement.DefaultBudget))
	}
}

func (p *problems) strategy(path string, r StrategyRun) {
	names := placement.Names()
	if r.Name == "" {
		p.add(path+".name", "missing; known: %s", strings.Join(names, ", "))
	} else if !slices.Contains(names, r.Name) {
		p.add(path+".name", "unknown strategy %q; known: %s", shorten(r.Name), strings.Join(names, ", "))
	}
	if r.Seeds < 0 || r.Seeds > MaxSeeds {
		p.add(path+".seeds", "found %d, expected 1 to %d", r.Seeds, MaxSeeds)
	}
}

// source checks all but the graph; any role is right where Unknown is wanted.
func (p *problems) source(path string, s Source, want dot.Role) {
	p.length(join(path, "name"), s.Name, MaxSourceName)
	switch {
	case s.DOT == "" && s.Recipe == nil:
		p.add(path, `needs the text of a graph in "dot" or a "recipe"`)
	case s.DOT != "" && s.Recipe != nil:
		p.add(path, `has both "dot" and "recipe"; expected one of them`)
	case s.Recipe == nil:
	case want != dot.Unknown && s.Recipe.Generator != want.String():
		p.add(join(path, "recipe.generator"), "found %q, expected %q", shorten(s.Recipe.Generator), want)
	default:
		for _, name := range slices.Sorted(maps.Keys(s.Recipe.Parameters)) {
			if v := s.Recipe.Parameters[name]; math.IsNaN(v) || math.IsInf(v, 0) {
				p.add(join(path, "recipe.parameters."+name), "found %v, expected a finite number", v)
			}
		}
	}
}

func (p *problems) length(path, name string, most int) {
	if n := utf8.RuneCountInString(name); n > most {
		p.add(path, "has %d characters, at most %d", n, most)
	}
}

func (p *problems) count(path, what string, n, most int) {
	if n == 0 {
		p.add(path, "missing: expected at least one %s", what)
	} else if n > most {
		p.add(path, "has %d entries, at most %d", n, most)
	}
}
