package placementkind

import (
	"math"

	"berth/engine/format"
	"berth/engine/graph"
	"berth/engine/placement"
	"berth/engine/scenario"
)

// strategyReport reports the first run in full and all of them in figures.
func (e *Experiment) strategyReport(strategy string, runs []run) StrategyReport {
	r := StrategyReport{Strategy: strategy, Seeds: len(runs)}
	var total tally
	for _, one := range runs {
		total.add(e.outcome(one.solutions, 0, len(e.deployments)))
	}
	r.Summary = total.summary()
	var node, link float64
	placed := false
	for i, d := range e.deployments {
		s := runs[0].solutions[i]
		report := e.deploymentReport(d, s)
		var each tally
		for _, one := range runs {
			each.add(e.outcome(one.solutions, i, i+1))
		}
		report.Summary = each.summary()
		report.Plan = runs[0].plans[i]
		r.Deployments = append(r.Deployments, report)
		if s.Complete() {
			placed = true
			node += s.NodeCost
			link += s.LinkCost
		}
	}
	if placed {
		r.Total = cost(node, link)
	}
	r.Joint = e.jointReport(runs[0])
	return r
}

func (e *Experiment) deploymentReport(d format.Deployment, s placement.Solution) DeploymentReport {
	jobs := d.Jobs()
	r := DeploymentReport{
		Name: d.Name, Status: s.Status, Reason: s.Reason,
		Expansions: s.Expansions, Backtracks: s.Backtracks, Certificate: e.certificate(d.Deployment, s), Order: make([]string, len(s.Order)),
	}
	for at, job := range s.Order {
		r.Order[at] = jobs.ID(int(job))
	}
	if r.Placement = e.assignment(d.Deployment, &s); r.Placement == nil {
		return r
	}
	r.Cost = cost(s.NodeCost, s.LinkCost)
	r.PerUnit = ratio(s.NodeCost, units(d.Deployment))
	r.PerLink = ratio(s.LinkCost, float64(d.Dependencies().Len()))
	return r
}

// assignment has the ids of what stands where, nil without a placement.
func (e *Experiment) assignment(d *graph.Deployment, s *placement.Solution) Assignment {
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
	placed, all            int // deployments
	node, link             float64
	units, links           float64 // of what was placed
	expansions, backtracks float64
}

func (e *Experiment) outcome(solutions []placement.Solution, from, to int) outcome {
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
	return o
}

// tally collects the outcomes of several runs.
type tally struct {
	runs, placed                        int
	node, link, total, perUnit, perLink []float64
	expansions, backtracks              []float64
}

func (t *tally) add(o outcome) {
	t.runs++
	t.expansions = append(t.expansions, o.expansions)
	t.backtracks = append(t.backtracks, o.backtracks)
	if o.placed == o.all {
		t.placed++
	}
	if o.placed == 0 {
		return
	}
	t.node = append(t.node, o.node)
	t.link = append(t.link, o.link)
	t.total = append(t.total, o.node+o.link)
	if o.units > 0 {
		t.perUnit = append(t.perUnit, o.node/o.units)
	}
	if o.links > 0 {
		t.perLink = append(t.perLink, o.link/o.links)
	}
}

// summary returns nil for a single run, of which there is nothing to estimate.
func (t *tally) summary() *Summary {
	if t.runs < 2 {
		return nil
	}
	return &Summary{
		Runs: t.runs, Placed: t.placed, PlacedSome: len(t.node) - t.placed,
		Node: scenario.EstimateOf(t.node), Link: scenario.EstimateOf(t.link), Total: scenario.EstimateOf(t.total),
		PerUnit: scenario.EstimateOf(t.perUnit), PerLink: scenario.EstimateOf(t.perLink),
		Expansions: scenario.EstimateOf(t.expansions), Backtracks: scenario.EstimateOf(t.backtracks),
	}
}
