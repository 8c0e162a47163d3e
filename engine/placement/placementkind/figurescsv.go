package placementkind

import (
	"fmt"
	"strconv"

	"berth/engine/figure"
	"berth/engine/input/csv"
)

// Names of the groups of deployments that have their own lines in the CSV of figures.
const (
	allOfThem   = "all that were placed"
	allInCommon = "all that every strategy placed in every run"
)

// figuresCSV returns a line for each strategy and deployment: the mean of each figure over the
// seeds and half the width of its 95 % confidence interval. n is the number of runs that placed the
// deployment; means of costs are over these runs.
func (e *Prepared) figuresCSV() []byte {
	header := []string{"strategy", "deployment", "status", "n", "seeds", "first seed"}
	for _, f := range inCSV() {
		header = append(header, f.Column, f.Column+" half-width")
	}
	r := e.report
	rows := [][]string{header}
	common := r.Common()
	for i := range r.Strategies {
		s := &r.Strategies[i]
		add := func(deployment, status, seeds string, m *Summary, t *Tally) {
			rows = append(rows, append([]string{s.Strategy, deployment, status, seeds, seeds, strconv.FormatUint(e.document.Seed, 10)}, t.cells(m)...))
			row := rows[len(rows)-1]
			switch {
			case m != nil:
				row[3], row[4] = strconv.Itoa(m.Placed+m.PlacedSome), strconv.Itoa(m.Runs)
				if m.Placed < m.Runs {
					row[2] = fmt.Sprintf("placed in %d of %d runs", m.Placed, m.Runs)
				}
			case deployment != allInCommon && !t.Total.Defined():
				row[3] = "0"
			}
		}
		placed := 0
		for k := range s.Deployments {
			d := &s.Deployments[k]
			add(d.Name, string(d.Status), "1", d.Summary, r.TallyOf(s, k))
			if d.Placed() {
				placed++
			}
		}
		if len(s.Deployments) > 1 {
			add(allOfThem, fmt.Sprintf("%d of %d", placed, len(s.Deployments)), "1", s.Summary, r.Tally(s))
			add(allInCommon, fmt.Sprintf("%d of %d", len(common), len(r.Deployments)), strconv.Itoa(s.Seeds), nil, r.TallyIn(s, common))
		}
	}
	return csv.Table(rows)
}

func inCSV() []figure.Figure {
	return figure.Where(Tallied, func(f *figure.Figure) bool { return f.Column != "" })
}

// cells returns the cells of all figures: of one run, or of a summary with its intervals.
func (t *Tally) cells(m *Summary) (cells []string) {
	for _, f := range inCSV() {
		e := t.Estimate(&f, m)
		cells = append(cells, csv.Number(e.Mean), csv.Number(e.HalfWidth))
	}
	return cells
}
