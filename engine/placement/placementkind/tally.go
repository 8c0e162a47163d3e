package placementkind

import (
	"math"
	"slices"

	"berth/engine/figure"
	"berth/engine/graph"
	"berth/engine/input/format"
	"berth/engine/placement"
)

// Cost is a cost with its two parts. All are undefined if nothing was placed or clusters lack
// prices.
type Cost struct {
	Node  figure.Number
	Link  figure.Number
	Total figure.Number
}

// NoCost is the undefined cost.
var NoCost = cost(figure.Undefined, figure.Undefined)

func cost(node, link figure.Number) Cost { return Cost{node, link, node + link} }

// ratio returns a/b, undefined if b is 0.
func ratio(a figure.Number, b float64) figure.Number {
	if b == 0 {
		return figure.Undefined
	}
	return a / figure.Number(b)
}

// Tally has the data of one run of a strategy, for one or all deployments, from which figures are
// computed.
type Tally struct {
	Cost                 // of the placed deployments
	Bound  figure.Number // lower bound of that cost
	Proved []placement.Proof
	Steps  int64 // of a strategy that improves; 0 for others

	parts        int                // number of certificates whose bounds were added
	first        bool               // nothing was placed before it, so the bound holds for every run
	units, links float64            // of the placed deployments: requested units, and number of dependencies
	ran          []DeploymentReport // nil if the search is omitted
	report       *Report
	strategy     *StrategyReport
	affinity     func() figure.Number // nil for a part of a run, or if the report was read from JSON
}

// add includes the size of a deployment.
func (t *Tally) add(of *DeploymentSummary) {
	t.units += of.Units
	t.links += float64(of.Dependencies)
}

// sum adds a figure over the deployments; undefined if the search is omitted.
func (t *Tally) sum(of func(*DeploymentReport) figure.Number) (total figure.Number) {
	if t.ran == nil {
		return figure.Undefined
	}
	for i := range t.ran {
		total += of(&t.ran[i])
	}
	return total
}

// TallyOf returns the tally of one deployment of a strategy, with the first seed.
func (r *Report) TallyOf(s *StrategyReport, deployment int) *Tally {
	d := &s.Deployments[deployment]
	t := &Tally{
		Cost: d.Cost, Bound: figure.From(d.Bound), Proved: []placement.Proof{d.Proved}, Steps: d.Steps,
		parts: 1, first: deployment == 0, ran: s.Deployments[deployment : deployment+1], report: r, strategy: s,
	}
	t.add(&r.Deployments[deployment])
	return t
}

// Tally returns the tally of all deployments of a strategy, with the first seed.
func (r *Report) Tally(s *StrategyReport) *Tally {
	t := &Tally{Cost: s.Total, ran: s.Deployments, report: r, strategy: s, affinity: s.affinity}
	for i, c := range s.Certificates() {
		t.Proved = append(t.Proved, c.Proved)
		t.Steps += c.Steps
		if s.Deployments[i].Placed() {
			t.Bound += figure.From(c.Bound)
		}
	}
	t.parts = len(t.Proved)
	t.first = t.parts == 1
	if !t.Total.Defined() {
		t.Bound = figure.Undefined
	}
	for i := range s.Deployments {
		if s.Deployments[i].Placed() {
			t.add(&r.Deployments[i])
		}
	}
	return t
}

// Subject implements [figure.Body].
func (r *Report) Subject(i int) any {
	if i < 0 || i >= len(r.Strategies) {
		return nil
	}
	return r.Tally(&r.Strategies[i])
}

// over returns the tally of the mean over the runs of a summary, or t if m is nil. A mean has no
// proof. It has the bound of the first run only if that holds for all runs.
func (t *Tally) over(m *Summary) *Tally {
	if m == nil {
		return t
	}
	mean := *t
	mean.Total, mean.Proved = m.At("total").Mean, nil
	if !t.first || m.Placed < m.Runs {
		mean.Bound = figure.Undefined
	}
	return &mean
}

// Certified returns the tally of a strategy, or of the mean of its runs, with the best bound of any
// strategy. Bounds for a single deployment, and joint bounds, hold for all strategies.
func (r *Report) Certified(s *StrategyReport) *Tally {
	t := r.Tally(s).over(s.Summary)
	if t.first && t.Bound.Defined() {
		for i := range r.Strategies {
			if b := r.Strategies[i].Certificates()[0].Bound; b != nil {
				t.Bound = max(t.Bound, figure.Number(*b))
			}
		}
	}
	return t
}

// Common returns the deployments (from 0) that every strategy placed in every run. Only their costs
// are comparable: a strategy that places less also costs less.
func (r *Report) Common() []int {
	var common []int
	for i := range r.Deployments {
		if !slices.ContainsFunc(r.Strategies, func(s StrategyReport) bool {
			d := &s.Deployments[i]
			return !d.Placed() || d.Summary != nil && d.Summary.Placed < d.Summary.Runs
		}) {
			common = append(common, i)
		}
	}
	return common
}

// TallyIn returns the cost of the given deployments for a strategy whose runs all placed them: the
// sum of their means, which equals the mean of their sums. It omits search and certificates.
func (r *Report) TallyIn(s *StrategyReport, deployments []int) *Tally {
	t := &Tally{Cost: NoCost, Bound: figure.Undefined, report: r, strategy: s}
	if len(deployments) > 0 {
		t.Cost = cost(0, 0)
	}
	for _, i := range deployments {
		d := &s.Deployments[i]
		t.add(&r.Deployments[i])
		of := d.Cost
		if d.Summary != nil && of.Total.Defined() {
			of.Node, of.Link = d.Summary.At("node").Mean, d.Summary.At("link").Mean
		}
		t.Cost = cost(t.Node+of.Node, t.Link+of.Link)
	}
	return t
}

// Certainty is a cost with the lower bound of all placements. The page and the command line word it
// the same way.
type Certainty struct {
	Total, Bound float64
	Proved       bool
	Deployments  int // number of deployments whose bounds were added, each bound given the earlier deployments
}

// Certainty returns the certainty of the cost of a tally. Its bound is at least 0.
func (t *Tally) Certainty() Certainty {
	c := Certainty{Total: float64(t.Total), Proved: t.proof() == string(placement.ProvedOptimal), Deployments: t.parts}
	if t.Bound.Defined() {
		c.Bound = float64(t.Bound)
	}
	return c
}

// NamedCertificate is the certificate of one deployment, or of all deployments placed jointly.
type NamedCertificate struct {
	Name string
	*Certificate
}

// Certificates returns the certificate of each deployment, or the joint one if all were placed
// jointly.
func (s *StrategyReport) Certificates() []NamedCertificate {
	if s.Joint != nil && len(s.Deployments) > 1 {
		return []NamedCertificate{{"all deployments", &s.Joint.Certificate}}
	}
	all := make([]NamedCertificate, len(s.Deployments))
	for i := range all {
		all[i] = NamedCertificate{s.Deployments[i].Name, &s.Deployments[i].Certificate}
	}
	return all
}

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
