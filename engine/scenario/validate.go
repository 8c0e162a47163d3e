package scenario

import (
	"fmt"
	"slices"
	"strings"

	"berth/engine/dot"
	"berth/engine/placement"
	"berth/engine/scenario/body"
)

// Validate says what is wrong with a scenario apart from its graphs, as an
// *[InputError]. Decode has done so already.
func (s Scenario) Validate() error {
	var found problems
	s.validate(&found)
	return found.Err()
}

func (s Scenario) validate(p *problems) {
	if s.Version != Version {
		p.Add("version", "found %d, expected %d", s.Version, Version)
	}
	p.Length("name", s.Name, MaxName)
	bodies := []struct {
		kind, holds string
		given       bool
		validate    func()
	}{
		{KindPlacement, "graphs and strategies", s.Placement != nil, func() { s.Placement.validate(p) }},
		{KindQoS, "workload, hosts and policies", s.QoS != nil, func() { s.QoS.Validate(KindQoS, &p.Problems) }},
		{KindFederate, "trace, data centre and schedulers", s.Federate != nil, func() { s.Federate.Validate(KindFederate, &p.Problems) }},
	}
	var known []string
	for _, b := range bodies {
		if known = append(known, b.kind); b.given && b.kind != s.Kind {
			p.Add(b.kind, "does not belong in a scenario of kind %q", body.Shorten(s.Kind))
		}
	}
	i := slices.Index(known, s.Kind)
	switch {
	case s.Kind == "":
		p.Add("kind", "missing; known: %s", strings.Join(known, ", "))
	case i < 0:
		p.Add("kind", "unknown kind %q; known: %s", body.Shorten(s.Kind), strings.Join(known, ", "))
	case !bodies[i].given:
		p.Add(s.Kind, "missing: a scenario of kind %q has its %s there", s.Kind, bodies[i].holds)
	default:
		bodies[i].validate()
		p.texts(s)
	}
}

// texts bounds what a document holds.
func (p *problems) texts(s Scenario) {
	size := 0
	for _, t := range s.Texts() {
		size += len(*t.Text)
	}
	if size > MaxBytes {
		what := "texts"
		if s.Kind == KindPlacement {
			what = "graphs"
		}
		p.Add(s.Kind, "the %s have %d bytes together; at most %d (64 MiB) are read", what, size, MaxBytes)
	}
}

func (x *Placement) validate(p *problems) {
	p.source("placement.federation", x.Federation, dot.Federation)
	p.Count("placement.deployments", "deployment", len(x.Deployments), MaxDeployments)
	for i, d := range x.Deployments {
		p.source(fmt.Sprintf("placement.deployments[%d]", i), d, dot.Deployment)
	}
	p.Count("placement.strategies", "strategy", len(x.Strategies), MaxStrategies)
	for i, r := range x.Strategies {
		p.strategy(fmt.Sprintf("placement.strategies[%d]", i), r)
	}
	p.Length("placement.center", x.Center, MaxName)
	if x.Phi != nil && !(*x.Phi >= 0 && *x.Phi <= MaxPhi) {
		p.Add("placement.phi", "found %v, expected a number from 0 to %v", *x.Phi, MaxPhi)
	}
	if x.Budget < 0 || x.Budget > MaxBudget {
		p.Add("placement.budget", "found %d, expected expansions from 1 to %d, or 0 for the default of %d", x.Budget, int64(MaxBudget), int64(placement.DefaultBudget))
	}
}

func (p *problems) strategy(path string, r StrategyRun) {
	names := placement.Names()
	if r.Name == "" {
		p.Add(path+".name", "missing; known: %s", strings.Join(names, ", "))
	} else if !slices.Contains(names, r.Name) {
		p.Add(path+".name", "unknown strategy %q; known: %s", body.Shorten(r.Name), strings.Join(names, ", "))
	}
	if r.Seeds < 0 || r.Seeds > MaxSeeds {
		p.Add(path+".seeds", "found %d, expected 1 to %d", r.Seeds, MaxSeeds)
	}
}

// source checks all but the graph; any role is right where Unknown is wanted.
func (p *problems) source(path string, s Source, want dot.Role) {
	p.Length(body.Join(path, "name"), s.Name, MaxSourceName)
	switch {
	case s.DOT == "" && s.Recipe == nil:
		p.Add(path, `needs the text of a graph in "dot" or a "recipe"`)
	case s.DOT != "" && s.Recipe != nil:
		p.Add(path, `has both "dot" and "recipe"; expected one of them`)
	case s.Recipe == nil:
	case want != dot.Unknown && s.Recipe.Generator != want.String():
		p.Add(body.Join(path, "recipe.generator"), "found %q, expected %q", body.Shorten(s.Recipe.Generator), want)
	default:
		p.Recipe(body.Join(path, "recipe"), s.Recipe)
	}
}
