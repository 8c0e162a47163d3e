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
	for i, d := range e.deployments {
		s := runs[0].solutions[i]
		report := e.deploymentReport(d, s)
		report.Summary = over(i, i+1)
		report.Plan = runs[0].plans[i]
		r.Deployments = append(r.Deployments, report)
	}
	_, r.Total = e.costOf(runs[0].solutions...)
	r.Joint = e.jointReport(runs[0])
	return r
}

func (e *Prepared) deploymentReport(d format.Deployment, s placement.Solution) DeploymentReport {
	jobs := d.Jobs()
	_, byNodes := s.Reason.(placement.OfNodes)
	r := DeploymentReport{
		Name: d.Name, Status: s.Status, Reason: s.Why(), ByNodes: byNodes,
		Expansions: s.Expansions, Backtracks: s.Backtracks, Certificate: e.certificate(d.Deployment, s), Order: make([]string, len(s.Order)), Own: s.Own,
	}
	for at, job := range s.Order {
		r.Order[at] = jobs.ID(int(job))
	}
	r.Placement = e.assignment(d.Deployment, &s)
	_, r.Cost = e.costOf(s)
	r.PerUnit = ratio(r.Cost.Node, units(d.Deployment))
	r.PerLink = ratio(r.Cost.Link, float64(d.Dependencies().Len()))
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
	placed, all int // deployments
	Tally
}

func (e *Prepared) outcome(solutions []placement.Solution, from, to int) outcome {
	o := outcome{all: to - from}
	var of size
	for i := from; i < to; i++ {
		s, d := &solutions[i], e.deployments[i].Deployment
		o.Expansions += figure.Number(s.Expansions)
		o.Backtracks += figure.Number(s.Backtracks)
		if s.Complete() {
			of = size{of.units + units(d), of.links + float64(d.Dependencies().Len())}
		}
	}
	placed, c := e.costOf(solutions[from:to]...)
	o.placed, o.Tally = placed, o.at(c, of)
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
	for _, f := range Tallied {
		x := make([]float64, len(all))
		for i := range all {
			x[i] = float64(f.Of(&all[i].Tally))
		}
		if e := figure.EstimateOf(x); e.N > 0 {
			*f.Seeds(m) = &e
		}
	}
	return m
}
