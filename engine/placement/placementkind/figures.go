package placementkind

import (
	"fmt"
	"slices"
	"strings"

	"berth/engine/figure"
	"berth/engine/show"
)

// TallyFigure is a figure of a [Tally]. The tables of the page and of the command line and
// CSV have all of them; experiments those with a name of a strategy, and with a name in
// Each of each of its deployments.
type TallyFigure struct {
	figure.Figure
	Column, Each string // its name in CSV, and in experiments
	Of           func(*Tally) figure.Number
	Seeds        func(*Summary) **figure.Estimate
}

// Tallied are the figures of tallies, in the order in which tables have them.
var Tallied = []TallyFigure{
	{costs("cost.node", "Node cost", "Σ request · unit cost of the cluster"), "node cost", "",
		func(t *Tally) figure.Number { return t.Node }, func(m *Summary) **figure.Estimate { return &m.Node }},
	{costs("cost.link", "Link cost", "Σ cost of the links that dependencies cross"), "link cost", "",
		func(t *Tally) figure.Number { return t.Link }, func(m *Summary) **figure.Estimate { return &m.Link }},
	{costs("cost.total", "Total cost", "Node cost plus link cost"), "total cost", "",
		func(t *Tally) figure.Number { return t.Total }, func(m *Summary) **figure.Estimate { return &m.Total }},
	{figure.Figure{Label: "per unit", Title: "Node cost by unit", About: "Node cost per requested unit", Better: figure.Less}, "cost per unit", "perUnit",
		func(t *Tally) figure.Number { return t.PerUnit }, func(m *Summary) **figure.Estimate { return &m.PerUnit }},
	{figure.Figure{Label: "per link", Title: "Link cost by dependency", About: "Link cost per dependency", Better: figure.Less}, "cost per link", "perLink",
		func(t *Tally) figure.Number { return t.PerLink }, func(m *Summary) **figure.Estimate { return &m.PerLink }},
	{figure.Figure{Name: "expansions", Label: "expansions", Title: "Expansions", Form: figure.Count, Better: figure.Less}, "expansions", "expansions",
		func(t *Tally) figure.Number { return t.Expansions }, func(m *Summary) **figure.Estimate { return &m.Expansions }},
	{figure.Figure{Name: "backtracks", Label: "backtracks", Title: "Backtracks", Form: figure.Count, Better: figure.Less,
		About: "How often the search undid the placement of a job; strategies that improve never do"}, "backtracks", "",
		func(t *Tally) figure.Number { return t.Backtracks }, func(m *Summary) **figure.Estimate { return &m.Backtracks }},
}

func costs(name, title, about string) figure.Figure {
	return figure.Figure{Name: name, Label: strings.ToLower(title), Title: title, About: about, Form: figure.Price, Better: figure.Less}
}

// OfTally is the figure of an experiment's name.
func OfTally(name string) *TallyFigure {
	return &Tallied[slices.IndexFunc(Tallied, func(f TallyFigure) bool { return f.Name == name })]
}

// Figures are all that is measured of a strategy, in the order in which they are shown.
var Figures = declared()

func declared() []figure.Figure {
	affinity := of(figure.Figure{Name: "affinity", Title: "Affinity of the first job, mean", OfRun: true}, func(_ *Report, s *StrategyReport) figure.Number {
		if s.affinity == nil {
			return figure.Undefined
		}
		return figure.From(s.affinity())
	})
	all := []figure.Figure{
		ofStrategy("cost.total"), ofStrategy("cost.node"), ofStrategy("cost.link"),
		of(figure.Figure{Name: "placed", Title: "Deployments placed", Better: figure.More}, sum(isPlaced)),
		of(figure.Figure{Name: "jobs", Title: "Jobs placed", Better: figure.More}, sum(func(d *DeploymentReport) figure.Number { return figure.Number(len(d.Placement)) })),
		ofStrategy("expansions"), ofStrategy("backtracks"), affinity,
	}
	for i := range ordinals {
		all = append(all, ofDeployment(i, "placed", "Whether %s is placed", figure.More, func(d *DeploymentReport, _ *DeploymentSummary) figure.Number { return isPlaced(d) }))
		for _, f := range Tallied {
			if f.Each != "" {
				all = append(all, ofDeployment(i, f.Each, f.Title+" of %s", f.Better, func(d *DeploymentReport, _ *DeploymentSummary) figure.Number { return f.Of(new(d.Tally())) }))
			}
		}
		all = append(all, cells(i, "cells", "Cells of the cost matrix looked at for %s", func(cells figure.Number, _ float64) figure.Number { return cells }),
			cells(i, "cellsPerUnit", "Cells of the cost matrix looked at by unit of %s", ratio))
		// What figures 6.8 and 6.9 have beside the time.
		all = append(all, ofDeployment(i, "expansionsPerUnit", "Expansions by unit of %s", figure.Less, func(d *DeploymentReport, of *DeploymentSummary) figure.Number {
			return ratio(figure.Number(d.Expansions), of.Units)
		}))
	}
	return all
}

// cells is how much of the matrices the search looks at for a deployment: a cell is a job
// on a cluster, and each step, forward or back, looks at the row of its job.
func cells(i int, name, title string, of func(cells figure.Number, units float64) figure.Number) figure.Figure {
	f := ofDeployment(i, name, title, figure.Less, nil)
	f.Value = func(body any, strategy int) figure.Number {
		r, ok := body.(*Report)
		if !ok || strategy < 0 || strategy >= len(r.Strategies) || i >= len(r.Strategies[strategy].Deployments) {
			return figure.Undefined
		}
		d := &r.Strategies[strategy].Deployments[i]
		return of(figure.Number(d.Expansions+d.Backtracks)*figure.Number(r.Federation.Clusters), r.Deployments[i].Units)
	}
	return f
}

// ofStrategy is a figure of all deployments together.
func ofStrategy(name string) figure.Figure {
	f := OfTally(name)
	return of(f.Figure, func(r *Report, s *StrategyReport) figure.Number { return f.Of(new(r.Tally(s))) })
}

func of(f figure.Figure, value func(*Report, *StrategyReport) figure.Number) figure.Figure {
	f.Value = func(body any, strategy int) figure.Number {
		if r, ok := body.(*Report); ok && strategy >= 0 && strategy < len(r.Strategies) {
			return value(r, &r.Strategies[strategy])
		}
		return figure.Undefined
	}
	return f
}

// sum adds up a figure of all deployments.
func sum(of func(*DeploymentReport) figure.Number) func(*Report, *StrategyReport) figure.Number {
	return func(_ *Report, s *StrategyReport) (total figure.Number) {
		for i := range s.Deployments {
			total += of(&s.Deployments[i])
		}
		return total
	}
}

// ofDeployment is a figure of a deployment, from 0. Its title names that in a report and
// counts elsewhere.
func ofDeployment(i int, name, title string, better figure.Better, value func(*DeploymentReport, *DeploymentSummary) figure.Number) figure.Figure {
	f := figure.Figure{Name: fmt.Sprintf("%s.%d", name, i), Title: fmt.Sprintf(title, "the "+ordinals[i]+" deployment"), Better: better}
	f.TitleIn = func(body any) string {
		if r, ok := body.(*Report); ok && i < len(r.Deployments) {
			return fmt.Sprintf(title, show.Text(r.Deployments[i].Name))
		}
		return f.Title
	}
	return of(f, func(r *Report, s *StrategyReport) figure.Number {
		if i >= len(s.Deployments) {
			return figure.Undefined
		}
		return value(&s.Deployments[i], &r.Deployments[i])
	})
}

// ordinals count the deployments that have figures of their own: as many as the thesis has.
var ordinals = [...]string{"first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"}

// isPlaced is 1 or 0.
func isPlaced(d *DeploymentReport) figure.Number {
	if d.Placed() {
		return 1
	}
	return 0
}
