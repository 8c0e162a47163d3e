package placementkind

import (
	"math"

	"berth/engine/figure"
	"berth/engine/format"
	"berth/engine/graph"
	"berth/engine/placement"
)

// strategyReport reports the first run in full and all of them in figures.
func (e *Prepared) strategyReport(strategy string, runs []run) StrategyReport {
	r := StrategyReport{Strategy: strategy, Seeds: len(runs)}
	over := func(from, to int) *Summary {
		all := make([]outcome, len(runs))
		for k := range runs {
			all[k] = e.outcome(runs[k].solutions, from, to)
		}
		return newSummary(all)
	}
	r.Summary = over(0, len(e.deployments))
	var node, link float64
	placed := false
	for i, d := range e.deployments {
		s := runs[0].solutions[i]
		report := e.deploymentReport(d, s)
		report.Summary = over(i, i+1)
		report.Plan = runs[0].plans[i]
		r.Deployments = append(r.Deployments, report)
		if s.Complete() {
			placed = true
			node += s.NodeCost
			link += s.LinkCost
		}
	}
	if placed {
		r.Total = e.cost(node, link)
	}
	r.Joint = e.jointReport(runs[0])
	return r
}

func (e *Prepared) deploymentReport(d format.Deployment, s placement.Solution) DeploymentReport {
	jobs := d.Jobs()
	r := DeploymentReport{
		Name: d.Name, Status: s.Status, Reason: s.Why(),
		Expansions: s.Expansions, Backtracks: s.Backtracks, Certificate: e.certificate(d.Deployment, s), Order: make([]string, len(s.Order)), Own: s.Own,
	}
	for at, job := range s.Order {
		r.Order[at] = jobs.ID(int(job))
	}
	r.Placement = e.assignment(d.Deployment, &s)
	if r.Placement == nil {
		return r
	}
	r.Cost = e.cost(s.NodeCost, s.LinkCost)
	if r.Cost.Total == nil {
		return r
	}
	r.PerUnit = ratio(s.NodeCost, units(d.Deployment))
	r.PerLink = ratio(s.LinkCost, float64(d.Dependencies().Len()))
	return r
}

// assignment has the ids of what stands where, nil without a placement.
func (e *Prepared) assignment(d *graph.Deployment, s *placement.Solution) Assignment {
	if !s.Complete() {
		return nil
	}
	all := make(Assignment, d.Jobs().Len())
	for i, j := range s.Cluster {
		all[i] = Assigned{Job: d.Jobs().ID(i), Cluster: e.federation.Clusters().ID(int(j))}
	}
	return all
}

func cost(node, link float64) Cost {
	total := node + link
	return Cost{Node: &node, Link: &link, Total: &total}
}

// ratio returns nil where it is not defined.
func ratio(a, b float64) *float64 {
	if b == 0 {
		return nil
	}
	q := a / b
	return &q
}

// units returns what the jobs request of the first resource, in the registry's
// order, that any of them requests.
func units(d *graph.Deployment) float64 {
	for _, t := range graph.Labels(graph.Job) {
		for _, c := range t.Comparisons {
			if requests := d.Jobs().Column(t, t.Field(c.Demand)); c.Consumes && requests != nil {
				var sum float64
				for _, r := range requests {
					if !math.IsNaN(r) {
						sum += r
					}
				}
				return sum
			}
		}
	}
	return 0
}

// outcome is what one run did with some of the deployments.
type outcome struct {
	placed, all            int     // deployments
	node, link             float64 // not a number if nothing was placed, or without prices
	units, links           float64 // of what was placed
	expansions, backtracks float64
}

func (e *Prepared) outcome(solutions []placement.Solution, from, to int) outcome {
	o := outcome{all: to - from}
	for i := from; i < to; i++ {
		s, d := solutions[i], e.deployments[i].Deployment
		o.expansions += float64(s.Expansions)
		o.backtracks += float64(s.Backtracks)
		if !s.Complete() {
			continue
		}
		o.placed++
		o.node += s.NodeCost
		o.link += s.LinkCost
		o.units += units(d)
		o.links += float64(d.Dependencies().Len())
	}
	if o.placed == 0 || !e.priced() {
		o.node, o.link = math.NaN(), math.NaN()
	}
	return o
}

// newSummary returns nil for a single run, which leaves nothing to estimate.
func newSummary(all []outcome) *Summary {
	if len(all) < 2 {
		return nil
	}
	m := &Summary{Runs: len(all)}
	for _, o := range all {
		switch {
		case o.placed == o.all:
			m.Placed++
		case o.placed > 0:
			m.PlacedSome++
		}
	}
	mean := func(of func(*outcome) float64) *figure.Estimate {
		x := make([]float64, len(all))
		for i := range all {
			x[i] = of(&all[i])
			if math.IsInf(x[i], 0) {
				x[i] = math.NaN()
			}
		}
		e := figure.EstimateOf(x)
		if e.N == 0 {
			return nil
		}
		return &e
	}
	m.Node = mean(func(o *outcome) float64 { return o.node })
	m.Link = mean(func(o *outcome) float64 { return o.link })
	m.Total = mean(func(o *outcome) float64 { return o.node + o.link })
	m.PerUnit = mean(func(o *outcome) float64 { return o.node / o.units })
	m.PerLink = mean(func(o *outcome) float64 { return o.link / o.links })
	m.Expansions = mean(func(o *outcome) float64 { return o.expansions })
	m.Backtracks = mean(func(o *outcome) float64 { return o.backtracks })
	return m
}
