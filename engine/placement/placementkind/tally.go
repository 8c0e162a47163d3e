package placementkind

import (
	"slices"

	"berth/engine/figure"
	"berth/engine/placement"
)

// Cost is a price in its two parts; all are undefined where nothing was placed, and
// where clusters have no prices.
type Cost struct {
	Node  figure.Number `json:"node"`
	Link  figure.Number `json:"link"`
	Total figure.Number `json:"total"`
}

// NoCost is the cost without a placement.
var NoCost = cost(figure.Undefined, figure.Undefined)

func cost(node, link figure.Number) Cost { return Cost{node, link, node + link} }

// ratio is undefined by nothing.
func ratio(a figure.Number, b float64) figure.Number {
	if b == 0 {
		return figure.Undefined
	}
	return a / figure.Number(b)
}

// Tally is a run of a strategy with one deployment or all of them: what figures come from.
type Tally struct {
	Cost                 // of what was placed
	Bound  figure.Number // which no placement of that falls below
	Proved []placement.Proof
	Steps  int64 // of a strategy that improves; 0 of another

	parts        int                // certificates that the bound is the sum of
	first        bool               // nothing was placed before it, so that the bound holds for every run
	units, links float64            // requested by what was placed, and its dependencies
	ran          []DeploymentReport // none where the search is left out
	report       *Report
	strategy     *StrategyReport
	affinity     func() *float64
}

// add has another deployment among those that cost something.
func (t *Tally) add(of *DeploymentSummary) {
	t.units += of.Units
	t.links += float64(of.Dependencies)
}

// sum adds up a figure of the deployments.
func (t *Tally) sum(of func(*DeploymentReport) figure.Number) (total figure.Number) {
	if t.ran == nil {
		return figure.Undefined
	}
	for i := range t.ran {
		total += of(&t.ran[i])
	}
	return total
}

// TallyOf is of one deployment of a strategy, with the first seed.
func (r *Report) TallyOf(s *StrategyReport, deployment int) *Tally {
	d := &s.Deployments[deployment]
	t := &Tally{
		Cost: d.Cost, Bound: figure.From(d.Bound), Proved: []placement.Proof{d.Proved}, Steps: d.Steps,
		parts: 1, first: deployment == 0, ran: s.Deployments[deployment : deployment+1], report: r, strategy: s,
	}
	t.add(&r.Deployments[deployment])
	return t
}

// Tally is of all deployments of a strategy, with the first seed.
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

// over is the tally of the mean over the runs of a summary, or t if that is nil. A mean proves
// nothing, and has the bound of the first run only if that holds for all runs.
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

// Certified is the tally of a strategy, or of the mean of its runs, with the best bound
// that any strategy shows: what one shows of a single deployment, or of all at once, holds
// for all of them.
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

// Common returns the deployments that every strategy placed in every run, from 0.
// Only their costs compare: a strategy that places less pays less.
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

// TallyIn is what deployments cost a strategy that all its runs placed: the sum of their
// means, which is the mean of their sums. Its search and certificates are left out.
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
