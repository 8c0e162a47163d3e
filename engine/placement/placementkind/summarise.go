package placementkind

import (
	"math"
	"slices"

	"berth/engine/figure"
	"berth/engine/graph"
	"berth/engine/input/format"
	"berth/engine/placement"
)

// strategyReport returns the report of a run.
func (e *Prepared) strategyReport(strategy string, of run) StrategyReport {
	s := StrategyReport{Strategy: strategy, Seeds: 1, Joint: e.jointReport(of), Deployments: []DeploymentReport{}}
	for i, d := range e.world.deployments {
		s.Deployments = append(s.Deployments, e.deploymentReport(d, of.solutions[i]))
		s.Deployments[i].Plan = of.plans[i]
	}
	_, s.Total = e.world.costOf(of.solutions...)
	return s
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
	first := slices.IndexFunc(s.Order, func(job int32) bool { return s.Cluster[job] < 0 })
	if !s.Complete() && (first > 0 || first == 0 && s.Expansions > 0) {
		r.blocked = r.Order[first]
	}
	r.Placement = e.assignment(d.Deployment, &s)
	_, r.Cost = e.world.costOf(s)
	r.PerUnit = ratio(r.Cost.Node, units(d.Deployment))
	r.PerLink = ratio(r.Cost.Link, float64(d.Dependencies().Len()))
	return r
}

// assignment returns the jobs with their clusters, by id; nil without a placement.
func (e *Prepared) assignment(d *graph.Deployment, s *placement.Solution) Assignment {
	if !s.Complete() {
		return nil
	}
	all := make(Assignment, len(s.Cluster)) // empty if the clusters were dropped by run.forget
	for i, j := range s.Cluster {
		all[i] = Assigned{Job: d.Jobs().ID(i), Cluster: e.world.federation.Clusters().ID(int(j))}
	}
	return all
}

// units sums the requests of the jobs for the first resource, in registry order, that any job
// requests.
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

// summarise adds the summaries over all seeds to the report of a strategy: of all deployments and
// of each.
func (r *Report) summarise(s *StrategyReport, seeds []StrategyReport) {
	all := make([]*Tally, len(seeds))
	for k := range seeds {
		all[k] = r.Tally(&seeds[k])
	}
	s.Summary = newSummary(all)
	for i := range s.Deployments {
		for k := range seeds {
			all[k] = r.TallyOf(&seeds[k], i)
		}
		s.Deployments[i].Summary = newSummary(all)
	}
}

func newSummary(all []*Tally) *Summary {
	m := &Summary{Runs: len(all), Estimates: figure.Over(keyed(), all)}
	for i := range all {
		switch all[i].sum(isPlaced) {
		case figure.Number(len(all[i].ran)):
			m.Placed++
		case 0:
		default:
			m.PlacedSome++
		}
	}
	return m
}
