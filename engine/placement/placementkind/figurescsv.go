package placementkind

import (
	"fmt"
	"strconv"

	"berth/engine/csv"
	"berth/engine/figure"
	"berth/engine/placement"
)

// Common returns the deployments that every strategy placed in every run, from 0.
// Only their costs compare: who places less pays less.
func (r *Report) Common() []int {
	var common []int
	for i := range r.Deployments {
		if r.placedByAll(i) {
			common = append(common, i)
		}
	}
	return common
}

func (r *Report) placedByAll(deployment int) bool {
	for i := range r.Strategies {
		d := &r.Strategies[i].Deployments[deployment]
		if d.Status != placement.Placed || d.Summary != nil && d.Summary.Placed < d.Summary.Runs {
			return false
		}
	}
	return true
}

// CostOf returns what deployments cost a strategy that all its runs placed: the sum
// of their means, which is the mean of their sums. All are nil of no deployment, and
// where costs are not known.
func (s *StrategyReport) CostOf(deployments []int) Cost {
	if len(deployments) == 0 {
		return Cost{}
	}
	var node, link float64
	for _, i := range deployments {
		d := &s.Deployments[i]
		if d.Cost.Total == nil {
			return Cost{}
		}
		if d.Summary != nil {
			node += float64(d.Summary.Node.Mean)
			link += float64(d.Summary.Link.Mean)
		} else {
			node += *d.Cost.Node
			link += *d.Cost.Link
		}
	}
	return cost(node, link)
}

// CostRatios returns the node cost by requested unit and the link cost by
// dependency of such deployments, nil where they are not defined.
func (r *Report) CostRatios(c Cost, deployments []int) (perUnit, perLink *float64) {
	if c.Node == nil {
		return nil, nil
	}
	var units, links float64
	for _, i := range deployments {
		units += r.Deployments[i].Units
		links += float64(r.Deployments[i].Dependencies)
	}
	return ratio(*c.Node, units), ratio(*c.Link, links)
}

// Deployments that a line of the table of figures is about together.
const (
	allOfThem   = "all that were placed"
	allInCommon = "all that every strategy placed in every run"
)

var figureNames = []string{"node cost", "link cost", "total cost", "cost per unit", "cost per link", "expansions", "backtracks"}

// figuresCSV has a line for each strategy and deployment: the mean of each figure
// over the seeds, half the width of its 95 % confidence interval, and of how many
// runs the costs are the mean, which are those that placed the deployment.
func (e *Prepared) figuresCSV() ([]byte, error) {
	if err := e.check(0, 0); err != nil {
		return nil, err
	}
	header := []string{"strategy", "deployment", "status", "n", "seeds", "first seed"}
	for _, name := range figureNames {
		header = append(header, name, name+" half-width")
	}
	r := e.report
	rows := [][]string{header}
	common := r.Common()
	seed := strconv.FormatUint(e.document.Seed, 10)
	for i := range r.Strategies {
		s := &r.Strategies[i]
		for _, d := range s.Deployments {
			rows = append(rows, figuresRow(s.Strategy, d.Name, seed, string(d.Status), d.Summary,
				d.Cost, d.PerUnit, d.PerLink, d.Expansions, d.Backtracks))
		}
		if len(s.Deployments) < 2 {
			continue
		}
		rows = append(rows, r.totalRow(s, seed))
		c := s.CostOf(common)
		perUnit, perLink := r.CostRatios(c, common)
		row := figuresRow(s.Strategy, allInCommon, seed, fmt.Sprintf("%d of %d", len(common), len(r.Deployments)), nil, c, perUnit, perLink, 0, 0)
		row[3], row[4] = strconv.Itoa(s.Seeds), strconv.Itoa(s.Seeds)
		rows = append(rows, append(row[:len(row)-4], "", "", "", ""))
	}
	return csv.Table(rows), nil
}

// totalRow is of all deployments together that a strategy placed.
func (r *Report) totalRow(s *StrategyReport, seed string) []string {
	var placed []int
	var expansions, backtracks int64
	for i, d := range s.Deployments {
		expansions += d.Expansions
		backtracks += d.Backtracks
		if d.Status == placement.Placed {
			placed = append(placed, i)
		}
	}
	perUnit, perLink := r.CostRatios(s.Total, placed)
	return figuresRow(s.Strategy, allOfThem, seed, fmt.Sprintf("%d of %d", len(placed), len(s.Deployments)), s.Summary, s.Total, perUnit, perLink, expansions, backtracks)
}

// figuresRow has the figures of one run, or those of a summary of several.
func figuresRow(strategy, deployment, seed, status string, m *Summary, c Cost, perUnit, perLink *float64, expansions, backtracks int64) []string {
	row := []string{strategy, deployment, status, "1", "1", seed}
	if m == nil {
		if c.Node == nil {
			row[3] = "0"
		}
		for _, x := range []*float64{c.Node, c.Link, c.Total, perUnit, perLink} {
			row = append(row, csv.Number(figure.From(x)), "")
		}
		return append(row, strconv.FormatInt(expansions, 10), "", strconv.FormatInt(backtracks, 10), "")
	}
	if m.Placed < m.Runs {
		row[2] = fmt.Sprintf("placed in %d of %d runs", m.Placed, m.Runs)
	}
	row[3], row[4] = strconv.Itoa(m.Placed+m.PlacedSome), strconv.Itoa(m.Runs)
	for _, e := range []*figure.Estimate{m.Node, m.Link, m.Total, m.PerUnit, m.PerLink, m.Expansions, m.Backtracks} {
		row = append(row, csv.Number(figure.Or(e).Mean), csv.Number(figure.Or(e).HalfWidth))
	}
	return row
}
