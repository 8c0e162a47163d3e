package placementkind

import (
	"fmt"

	"berth/engine/placement"
	"berth/engine/scenario"
)

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
