package placementkind

import (
	"slices"

	"berth/engine/figure"
)

// Cost is a price in its two parts; all are undefined where nothing was placed, and
// where clusters have no prices.
type Cost struct {
	Node  figure.Number `json:"node"`
	Link  figure.Number `json:"link"`
	Total figure.Number `json:"total"`
}

// NoCost is the cost of what was not placed.
var NoCost = cost(figure.Undefined, figure.Undefined)

func cost(node, link figure.Number) Cost { return Cost{node, link, node + link} }

// ratio is undefined by nothing.
func ratio(a figure.Number, b float64) figure.Number {
	if b == 0 {
		return figure.Undefined
	}
	return a / figure.Number(b)
}

// Tally is what a strategy came to with one deployment or several: what those cost that
// it placed, their node cost by requested unit and link cost by dependency, and its
// search over all of them.
type Tally struct {
	Cost
	PerUnit, PerLink       figure.Number
	Expansions, Backtracks figure.Number
	Steps                  int64 // of a strategy that improves; 0 of another
}

// size is what costs are divided by.
type size struct{ units, links float64 }

func (a size) plus(of *DeploymentSummary) size {
	return size{a.units + of.Units, a.links + float64(of.Dependencies)}
}

// at completes a tally by the cost of so much.
func (t Tally) at(c Cost, of size) Tally {
	t.Cost, t.PerUnit, t.PerLink = c, ratio(c.Node, of.units), ratio(c.Link, of.links)
	return t
}

// Tally is of the deployment alone, with the first seed.
func (d *DeploymentReport) Tally() Tally {
	return Tally{d.Cost, d.PerUnit, d.PerLink, figure.Number(d.Expansions), figure.Number(d.Backtracks), d.Steps}
}

// Tally is of all deployments of a strategy, with the first seed.
func (r *Report) Tally(s *StrategyReport) (all Tally) {
	var placed size
	for i := range s.Deployments {
		d := &s.Deployments[i]
		all.Expansions += figure.Number(d.Expansions)
		all.Backtracks += figure.Number(d.Backtracks)
		all.Steps += d.Steps
		if d.Placed() {
			placed = placed.plus(&r.Deployments[i])
		}
	}
	if s.Joint != nil && s.Joint.Steps > 0 {
		all.Steps = s.Joint.Steps
	}
	return all.at(s.Total, placed)
}

// Own is a tally in the steps of the strategy itself: one that improves does not take a
// job back, and its expansions are those of the heuristic that it begins with.
func (t Tally) Own() Tally {
	if t.Steps > 0 {
		t.Expansions, t.Backtracks = figure.Number(t.Steps), figure.Undefined
	}
	return t
}

// Common returns the deployments that every strategy placed in every run, from 0.
// Only their costs compare: who places less pays less.
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

// TallyOf is what deployments cost a strategy that all its runs placed: the sum of their
// means, which is the mean of their sums. Its search is left out.
func (r *Report) TallyOf(s *StrategyReport, deployments []int) Tally {
	var node, link figure.Number
	var of size
	for _, i := range deployments {
		d := &s.Deployments[i]
		of = of.plus(&r.Deployments[i])
		if d.Summary != nil && d.Cost.Total.Defined() {
			node += d.Summary.Node.Mean
			link += d.Summary.Link.Mean
		} else {
			node += d.Cost.Node
			link += d.Cost.Link
		}
	}
	t := Tally{Expansions: figure.Undefined, Backtracks: figure.Undefined}
	if len(deployments) == 0 {
		return t.at(NoCost, of)
	}
	return t.at(cost(node, link), of)
}
