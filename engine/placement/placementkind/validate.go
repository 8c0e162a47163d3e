package placementkind

import (
	"errors"
	"fmt"
	"strings"

	"berth/engine/diag"
	"berth/engine/dot"
	"berth/engine/graph"
	"berth/engine/parameter"
	"berth/engine/placement"
	"berth/engine/rule"
	"berth/engine/scenario"
)

// Validate implements [scenario.Document].
func (d *Document) Validate(path string, p *scenario.Problems) {
	d.Federation.validate(path+".federation", dot.Federation, p)
	p.AtMost(path+".federations", "entries", len(d.Federations), MaxDeployments)
	for i, s := range d.Federations {
		s.validate(fmt.Sprintf("%s.federations[%d]", path, i), dot.Federation, p)
		if s.Recipe != nil {
			p.Add(fmt.Sprintf("%s.federations[%d].recipe", path, i), otherRecipe)
		}
	}
	if len(d.Federations) > 0 && d.Federation.Recipe != nil {
		p.Add(path+".federations", recipeAndFiles)
	}
	p.AtMost(path+".whatIf", "entries", len(d.WhatIf), MaxWhatIfs)
	p.AtMost(path+".pools", "entries", len(d.Pools), MaxPools)
	p.AtMost(path+".rules", "entries", len(d.Rules), rule.MaxRules)
	for i, text := range d.Rules {
		_, err := rule.Parse(text)
		if wrong, ok := errors.AsType[*rule.Error](err); ok {
			p.Add(fmt.Sprintf("%s.rules[%d]", path, i), ruleWrong, wrong.Offset+1, wrong)
		}
	}
	if d.MaxMoves != nil {
		p.Within(path+".maxMoves", float64(*d.MaxMoves), 0, rule.MaxN, "moves")
	}
	d.validatePareto(path, p)
	if d.Keep && d.Joint {
		p.Add(path+".keep", keepAndJoint)
	}
	if d.Keep && len(d.WhatIf) == 0 {
		p.Add(path+".keep", keepNothing)
	}
	p.Length(path+".clusterBy", d.ClusterBy, scenario.MaxSourceName)
	if d.InferredLatency != nil {
		p.Within(path+".inferredLatency", *d.InferredLatency, 0, graph.MaxFigure, "ms")
	}
	p.AtMost(path+".inferred", "entries", len(d.Inferred), MaxInferred)
	for i, c := range d.Inferred {
		if c.Latency != nil {
			p.Within(fmt.Sprintf("%s.inferred[%d].latency", path, i), *c.Latency, 0, graph.MaxFigure, "ms")
		}
	}
	if d.instance() && len(d.Deployments) > 0 {
		p.Add(path+".deployments", jobsTwice)
	} else if !d.instance() && !d.dump() {
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
	p.Parameters(path, d, parameters)
}

func (r StrategyRun) validate(path string, p *scenario.Problems) {
	names := placement.Names()
	strategy, known := placement.Lookup(r.Name)
	switch {
	case r.Policy != nil:
		p.Written(path, r.Name, r.Policy, names)
	case r.Name == "":
		p.Add(path+".name", diag.MissingName, strings.Join(names, ", "))
	case !known:
		p.Add(path+".name", diag.UnknownOf, "strategy", scenario.Shorten(r.Name), strings.Join(names, ", "))
	default:
		if _, err := parameter.Complete(strategy.Parameters, r.Parameters); err != nil {
			p.Wrong(path+".parameters", err)
		}
	}
	p.Parameters(path, &r, runParameters)
}

// validate checks everything except the content of the graph. want Unknown allows any role.
func (s GraphSource) validate(path string, want dot.Role, p *scenario.Problems) {
	p.Length(scenario.Field(path, "name"), s.Name, scenario.MaxSourceName)
	switch {
	case s.Text == "" && s.Recipe == nil:
		p.Add(path, noGraph)
	case s.Text != "" && s.Recipe != nil:
		p.Add(path, diag.OneOfTwo, "dot", "recipe")
	case s.Recipe == nil:
	case want != dot.Unknown && s.Recipe.Generator != string(want):
		p.Add(scenario.Field(path, "recipe.generator"), otherGenerator, scenario.Shorten(s.Recipe.Generator), want)
	default:
		p.Recipe(scenario.Field(path, "recipe"), s.Recipe)
	}
}

var _ scenario.Checked = (*Report)(nil)

// Check implements [scenario.Checked]: every strategy must have all deployments, and the costs of
// placed deployments must be known if all clusters have prices.
func (r *Report) Check(path string, t *scenario.Timings, p *scenario.Problems) {
	priced := len(r.Federation.Unpriced) == 0
	for i := range r.Strategies {
		s := &r.Strategies[i]
		at := fmt.Sprintf("%s.strategies[%d]", path, i)
		p.Fits(at+".deployments", len(s.Deployments), len(r.Deployments), "there are deployments")
		s.Total.check(at+".total", p)
		s.Summary.check(at+".summary", priced, p)
		for k := range s.Deployments {
			s.Deployments[k].check(fmt.Sprintf("%s.deployments[%d]", at, k), priced, p)
		}
	}
	if t != nil && len(r.Deployments) > 0 {
		p.Times("placing", t.Placing, len(r.Strategies), len(r.Deployments))
	}
}

func (d *DeploymentReport) check(path string, priced bool, p *scenario.Problems) {
	d.Cost.check(path+".cost", p)
	d.Summary.check(path+".summary", priced, p)
	if priced && d.Status == placement.Placed && !d.Cost.Total.Defined() {
		p.Add(path+".cost", noCost)
	}
	jobs := map[string]bool{}
	for _, a := range d.Placement {
		if jobs[a.Job] {
			p.Add(path+".placement", placedTwice, scenario.Shorten(a.Job))
			return
		}
		jobs[a.Job] = true
	}
}

// check requires that either all or none of the parts of a cost are known.
func (c *Cost) check(path string, p *scenario.Problems) {
	if c.Node.Defined() != c.Total.Defined() || c.Link.Defined() != c.Total.Defined() {
		p.Add(path, partOfCost)
	}
}

// check requires that a summary has at least two runs and, with prices, the costs of the runs that
// placed something.
func (m *Summary) check(path string, priced bool, p *scenario.Problems) {
	switch {
	case m == nil:
	case m.Runs < 2 || m.Placed < 0 || m.PlacedSome < 0 || m.Placed+m.PlacedSome > m.Runs:
		p.Add(path, placedRuns, m.Runs, m.Placed, m.PlacedSome)
	case priced && m.Placed+m.PlacedSome > 0 && !m.At("total").Mean.Defined():
		p.Add(path, noRunCosts)
	}
}
