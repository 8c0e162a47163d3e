package placementkind

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"berth/engine/figure"
	"berth/engine/placement"
	"berth/engine/show"
)

// TallyFigure is a figure of a [Tally], declared once. Tables of the page and of the
// command line have those with a label, CSV those with a column, and experiments those
// with a name.
type TallyFigure struct {
	figure.Figure
	Group     Group
	Aside     bool                       // tables that compare strategies on the command line leave it out
	Column    string                     // in CSV
	Key       string                     // in summaries of reports, for a figure that has an estimate over seeds
	Each      string                     // in experiments, for each deployment: "perUnit" makes "perUnit.0"
	EachTitle string                     // of those, "Title of %s" where it is empty
	Of        func(*Tally) figure.Number // what it is
	Words     func(*Tally) string        // how people read it; nil for a number
}

// Group is what a figure is about.
type Group int

// The groups, in the order in which tables have them.
const (
	OfCost Group = iota
	OfCertificate
	OfSearch
)

// Tallied are the figures of tallies, in the order in which tables have them.
var Tallied = []TallyFigure{
	costs("node", "Node cost", "Σ request · unit cost of the cluster", func(t *Tally) figure.Number { return t.Node }),
	costs("link", "Link cost", "Σ cost of the links that dependencies cross", func(t *Tally) figure.Number { return t.Link }),
	costs("total", "Total cost", "Node cost plus link cost", func(t *Tally) figure.Number { return t.Total }),
	{Figure: figure.Figure{Name: "placed", Title: "Deployments placed", Better: figure.More}, Each: "placed", EachTitle: "Whether %s is placed",
		Of: func(t *Tally) figure.Number { return t.sum(isPlaced) }},
	{Figure: figure.Figure{Name: "jobs", Title: "Jobs placed", Better: figure.More},
		Of: func(t *Tally) figure.Number {
			return t.sum(func(d *DeploymentReport) figure.Number { return figure.Number(len(d.Placement)) })
		}},
	{Figure: figure.Figure{Name: "bound", Label: "bound", Title: "Lower bound", Form: figure.Price,
		About: "No placement costs less. It is the sum over the placed deployments, each on the capacity left by those before it, unless all are placed at once"},
		Group: OfCertificate, Column: "bound", Of: func(t *Tally) figure.Number { return t.Bound }},
	{Figure: figure.Figure{Name: "gap", Label: "gap", Title: "Optimality gap", About: "How far the placement is above the lower bound", Form: figure.Part, Better: figure.Less},
		Group: OfCertificate, Column: "gap", Of: func(t *Tally) figure.Number { return t.Certainty().percent() / 100 },
		Words: func(t *Tally) string { return t.Certainty().Gap() }},
	{Figure: figure.Figure{Name: "proved", Label: "proved", Title: "Proved", Form: figure.Part, Better: figure.More,
		About: "Optimal: no placement costs less. Infeasible: no placement exists"},
		Group: OfCertificate, Column: "proved", Of: provedPart, Words: (*Tally).proof},
	{Figure: figure.Figure{Name: "cost.optimal", Title: "Total cost, proved optimal", Form: figure.Price, Better: figure.Less},
		Group: OfCertificate, Column: "optimal cost", Of: func(t *Tally) figure.Number {
			if t.Certainty().Proved {
				return t.Total
			}
			return figure.Undefined
		}},
	{Figure: figure.Figure{Label: "per unit", Title: "Node cost by unit", About: "Node cost per requested unit", Better: figure.Less},
		Column: "cost per unit", Aside: true, Key: "perUnit", Each: "perUnit", Of: func(t *Tally) figure.Number { return ratio(t.Node, t.units) }},
	{Figure: figure.Figure{Label: "per link", Title: "Link cost by dependency", About: "Link cost per dependency", Better: figure.Less},
		Column: "cost per link", Aside: true, Key: "perLink", Each: "perLink", Of: func(t *Tally) figure.Number { return ratio(t.Link, t.links) }},
	{Figure: figure.Figure{Name: "expansions", Label: "expansions", Title: "Expansions", Form: figure.Count, Better: figure.Less},
		Group: OfSearch, Column: "expansions", Key: "expansions", Each: "expansions", Of: expansions},
	{Figure: figure.Figure{Name: "backtracks", Label: "backtracks", Title: "Backtracks", Form: figure.Count, Better: figure.Less,
		About: "How often the search undid the placement of a job; strategies that improve never do"},
		Group: OfSearch, Aside: true, Column: "backtracks", Key: "backtracks", Of: backtracks},
	{Figure: figure.Figure{Name: "affinity", Title: "Affinity of the first job, mean", OfRun: true}, Group: OfSearch,
		Of: func(t *Tally) figure.Number {
			if t.affinity == nil {
				return figure.Undefined
			}
			return figure.From(t.affinity())
		}},
	{Figure: figure.Figure{Better: figure.Less}, Group: OfSearch, Each: "cells", EachTitle: "Cells of the cost matrix looked at for %s", Of: cells},
	{Figure: figure.Figure{Title: "Cells of the cost matrix looked at by unit", Better: figure.Less}, Group: OfSearch, Each: "cellsPerUnit",
		Of: func(t *Tally) figure.Number { return ratio(cells(t), t.units) }},
	// What figures 6.8 and 6.9 have beside the time.
	{Figure: figure.Figure{Title: "Expansions by unit", Better: figure.Less}, Group: OfSearch, Each: "expansionsPerUnit",
		Of: func(t *Tally) figure.Number { return ratio(expansions(t), t.units) }},
}

func costs(key, title, about string, of func(*Tally) figure.Number) TallyFigure {
	label := strings.ToLower(title)
	return TallyFigure{
		Figure: figure.Figure{Name: "cost." + key, Label: label, Title: title, About: about, Form: figure.Price, Better: figure.Less},
		Column: label, Key: key, Of: of,
	}
}

// isPlaced is 1 or 0.
func isPlaced(d *DeploymentReport) figure.Number {
	if d.Placed() {
		return 1
	}
	return 0
}

// provedPart is the part of the certificates that prove something.
func provedPart(t *Tally) figure.Number {
	n := 0
	for _, p := range t.Proved {
		if p != placement.NoProof {
			n++
		}
	}
	return ratio(figure.Number(n), float64(len(t.Proved)))
}

func expansions(t *Tally) figure.Number {
	return t.sum(func(d *DeploymentReport) figure.Number { return figure.Number(d.Expansions) })
}

func backtracks(t *Tally) figure.Number {
	return t.sum(func(d *DeploymentReport) figure.Number { return figure.Number(d.Backtracks) })
}

// cells is how much of the matrices the search looks at: a cell is a job on a cluster, and
// each step, forward or back, looks at the row of its job.
func cells(t *Tally) figure.Number {
	return (expansions(t) + backtracks(t)) * figure.Number(t.report.Federation.Clusters)
}

// Labelled are the figures of groups that tables have, of all where none is named.
func Labelled(groups ...Group) (shown []*TallyFigure) {
	for i := range Tallied {
		if f := &Tallied[i]; f.Label != "" && (len(groups) == 0 || slices.Contains(groups, f.Group)) {
			shown = append(shown, f)
		}
	}
	return shown
}

// Own is the figure in the steps of the strategy itself: one that improves does not take
// a job back, and its expansions are those of the heuristic that it begins with.
func (f *TallyFigure) Own(t *Tally) figure.Number {
	switch {
	case f.Group != OfSearch || t.Steps == 0:
		return f.Of(t)
	case f.Name == "expansions":
		return figure.Number(t.Steps)
	}
	return figure.Undefined
}

// Text is the figure in a table of the command line.
func (f *TallyFigure) Text(t *Tally) string {
	if f.Words != nil {
		return f.Words(t)
	}
	return f.Form.Text(f.Of(t))
}

// Estimate is the figure over all runs of a summary, or of the only run where that is nil.
func (f *TallyFigure) Estimate(t *Tally, m *Summary) figure.Estimate {
	if m != nil && f.Key != "" {
		return m.At(f.Key)
	}
	return figure.Estimate{Mean: f.Of(t.over(m)), HalfWidth: figure.Undefined}
}

// Figures are all that is measured of a strategy, in the order in which they are shown.
var Figures = declared()

func declared() (all []figure.Figure) {
	for _, f := range Tallied {
		if f.Name != "" {
			f.OfBound = f.Group == OfCertificate
			all = append(all, of(f.Figure, func(r *Report, s *StrategyReport) figure.Number { return f.Of(r.Tally(s)) }))
		}
	}
	total := slices.IndexFunc(all, func(f figure.Figure) bool { return f.Name == "cost.total" })
	all = slices.Concat(all[total:total+1], all[:total], all[total+1:])
	for i := range ordinals {
		for _, f := range Tallied {
			if f.Each != "" {
				all = append(all, ofDeployment(i, &f))
			}
		}
	}
	return all
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

// ofDeployment is a figure of a deployment, from 0. Its title names that in a report and
// counts elsewhere.
func ofDeployment(i int, tallied *TallyFigure) figure.Figure {
	title, value := cmp.Or(tallied.EachTitle, tallied.Title+" of %s"), tallied.Of
	f := figure.Figure{Name: fmt.Sprintf("%s.%d", tallied.Each, i), Title: fmt.Sprintf(title, "the "+ordinals[i]+" deployment"), Better: tallied.Better}
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
		return value(r.TallyOf(s, i))
	})
}

// ordinals count the deployments that have figures of their own: as many as the thesis has.
var ordinals = [...]string{"first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"}
