package placementkind

import (
	"fmt"
	"slices"
	"strings"

	"berth/engine/dot"
	"berth/engine/graph"
	"berth/engine/placement"
	"berth/engine/scenario"
)

// Validate implements [scenario.Document].
func (d *Document) Validate(path string, p *scenario.Problems) {
	d.Federation.validate(path+".federation", dot.Federation, p)
	if len(d.Federations) > MaxDeployments {
		p.Add(path+".federations", "has %d entries, at most %d", len(d.Federations), MaxDeployments)
	}
	for i, s := range d.Federations {
		s.validate(fmt.Sprintf("%s.federations[%d]", path, i), dot.Federation, p)
		if s.Recipe != nil {
			p.Add(fmt.Sprintf("%s.federations[%d].recipe", path, i), "only the first file of a federation can be a recipe")
		}
	}
	if len(d.Federations) > 0 && d.Federation.Recipe != nil {
		p.Add(path+".federations", "a federation of a recipe stands alone")
	}
	if len(d.WhatIf) > MaxWhatIfs {
		p.Add(path+".whatIf", "has %d entries, at most %d", len(d.WhatIf), MaxWhatIfs)
	}
	if d.Keep && d.Joint {
		p.Add(path+".keep", "deployments that are placed at once are not kept where they were: leave out either keep or joint")
	}
	if d.Keep && len(d.WhatIf) == 0 {
		p.Add(path+".keep", "is about what a what-if moves, and there is none")
	}
	if d.Keep && d.Joint {
		p.Add(path+".keep", "keeps each deployment where it was; expected not to be joint")
	}
	p.Length(path+".clusterBy", d.ClusterBy, scenario.MaxSourceName)
	if d.InferredLatency != nil {
		p.Within(path+".inferredLatency", *d.InferredLatency, 0, graph.MaxFigure, "ms")
	}
	if d.instance() && len(d.Deployments) > 0 {
		p.Add(path+".deployments", "the federation is an instance of the generalized assignment problem, which has the jobs too; expected no deployment")
	} else if !d.instance() {
		p.Count(path+".deployments", "deployment", len(d.Deployments), MaxDeployments)
	}
	for i, s := range d.Deployments {
		s.validate(fmt.Sprintf("%s.deployments[%d]", path, i), dot.Deployment, p)
	}
	p.Count(path+".strategies", "strategy", len(d.Strategies), MaxStrategies)
	for i, r := range d.Strategies {
		r.validate(fmt.Sprintf("%s.strategies[%d]", path, i), p)
	}
	p.Length(path+".center", d.Center, scenario.MaxName)
	if d.Phi != nil && !(*d.Phi >= 0 && *d.Phi <= MaxPhi) {
		p.Add(path+".phi", "found %v, expected a number from 0 to %v", *d.Phi, MaxPhi)
	}
	if d.Steps < 0 || d.Steps > MaxBudget {
		p.Add(path+".steps", "found %d, expected steps from 1 to %d, or 0 for the default", d.Steps, int64(MaxBudget))
	}
	if d.Budget < 0 || d.Budget > MaxBudget {
		p.Add(path+".budget", "found %d, expected expansions from 1 to %d, or 0 for the default of %d", d.Budget, int64(MaxBudget), int64(placement.DefaultBudget))
	}
}

func (r StrategyRun) validate(path string, p *scenario.Problems) {
	names := placement.Names()
	if r.Name == "" {
		p.Add(path+".name", "missing; known: %s", strings.Join(names, ", "))
	} else if !slices.Contains(names, r.Name) {
		p.Add(path+".name", "unknown strategy %q; known: %s", scenario.Shorten(r.Name), strings.Join(names, ", "))
	}
	if r.Seeds < 0 || r.Seeds > MaxSeeds {
		p.Add(path+".seeds", "found %d, expected 1 to %d", r.Seeds, MaxSeeds)
	}
}

// validate checks all but the graph; any role is right where Unknown is wanted.
func (s Source) validate(path string, want dot.Role, p *scenario.Problems) {
	p.Length(scenario.Field(path, "name"), s.Name, scenario.MaxSourceName)
	switch {
	case s.Text == "" && s.Recipe == nil:
		p.Add(path, `needs the text of a graph in "dot" or a "recipe"`)
	case s.Text != "" && s.Recipe != nil:
		p.Add(path, `has both "dot" and "recipe"; expected one of them`)
	case s.Recipe == nil:
	case want != dot.Unknown && s.Recipe.Generator != want.String():
		p.Add(scenario.Field(path, "recipe.generator"), "found %q, expected %q", scenario.Shorten(s.Recipe.Generator), want)
	default:
		p.Recipe(scenario.Field(path, "recipe"), s.Recipe)
	}
}
