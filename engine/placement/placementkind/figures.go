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

// The groups of figures in table order.
const (
	OfCost figure.Group = iota
	OfCertificate
	OfSearch
)

// Tallied lists the figures of a [Tally] in table order.
var Tallied = []figure.Figure{
	costs("node", "Node cost", "Σ request · unit cost of the cluster", func(t *Tally) figure.Number { return t.Node }),
	costs("link", "Link cost", "Σ cost of the links that dependencies cross", func(t *Tally) figure.Number { return t.Link }),
	costs("total", "Total cost", "Node cost plus link cost", func(t *Tally) figure.Number { return t.Total }),
	figure.Of(figure.Figure{Name: "placed", Title: "Deployments placed", Better: figure.More, Each: "placed", EachTitle: "Whether %s is placed"},
		func(t *Tally) figure.Number { return t.sum(isPlaced) }),
	figure.Of(figure.Figure{Name: "jobs", Title: "Jobs placed", Better: figure.More}, func(t *Tally) figure.Number {
		return t.sum(func(d *DeploymentReport) figure.Number { return figure.Number(len(d.Placement)) })
	}),
	certificate(figure.Figure{Name: "bound", Label: "bound", Column: "bound", Title: "Lower bound", Form: figure.Price,
		About: "No placement costs less. It is the sum over the placed deployments, each on the capacity left by those before it, unless all are placed at once"},
		nil, func(t *Tally) figure.Number { return t.Bound }),
	certificate(figure.Figure{Name: "gap", Label: "gap", Column: "gap", Title: "Optimality gap", About: "How far the placement is above the lower bound", Form: figure.Part, Better: figure.Less},
		func(t *Tally) string { return t.Certainty().Gap() }, func(t *Tally) figure.Number { return t.Certainty().percent() / 100 }),
	certificate(figure.Figure{Name: "proved", Label: "proved", Column: "proved", Title: "Proved", Form: figure.Part, Better: figure.More,
		About: "Optimal: no placement costs less. Infeasible: no placement exists"}, (*Tally).proof, provedPart),
	certificate(figure.Figure{Name: "cost.optimal", Column: "optimal cost", Title: "Total cost, proved optimal", Form: figure.Price, Better: figure.Less}, nil,
		func(t *Tally) figure.Number {
			if t.Certainty().Proved {
				return t.Total
			}
			return figure.Undefined
		}),
	figure.Of(figure.Figure{Label: "per unit", Column: "cost per unit", Title: "Node cost by unit", About: "Node cost per requested unit", Better: figure.Less, Aside: true, Key: "perUnit", Each: "perUnit"},
		func(t *Tally) figure.Number { return ratio(t.Node, t.units) }),
	figure.Of(figure.Figure{Label: "per link", Column: "cost per link", Title: "Link cost by dependency", About: "Link cost per dependency", Better: figure.Less, Aside: true, Key: "perLink", Each: "perLink"},
		func(t *Tally) figure.Number { return ratio(t.Link, t.links) }),
	search(figure.Figure{Name: "expansions", Label: "expansions", Column: "expansions", Title: "Expansions", Form: figure.Count, Key: "expansions", Each: "expansions"}, expansions),
	search(figure.Figure{Name: "backtracks", Label: "backtracks", Column: "backtracks", Title: "Backtracks", Form: figure.Count, Aside: true, Key: "backtracks",
		About: "How often the search undid the placement of a job; strategies that improve never do"}, backtracks),
	figure.Of(figure.Figure{Name: "affinity", Title: "Affinity of the first job, mean", OfRun: true, Group: OfSearch}, func(t *Tally) figure.Number {
		if t.affinity == nil {
			return figure.Undefined
		}
		return t.affinity()
	}),
	search(figure.Figure{Each: "cells", EachTitle: "Cells of the cost matrix looked at for %s"}, cells),
	search(figure.Figure{Title: "Cells of the cost matrix looked at by unit", Each: "cellsPerUnit"}, func(t *Tally) figure.Number { return ratio(cells(t), t.units) }),
	// The figures of figures 6.8 and 6.9, except the time.
	search(figure.Figure{Title: "Expansions by unit", Each: "expansionsPerUnit"}, func(t *Tally) figure.Number { return ratio(expansions(t), t.units) }),
}

func costs(key, title, about string, of func(*Tally) figure.Number) figure.Figure {
	label := strings.ToLower(title)
	return figure.Of(figure.Figure{
		Name: "cost." + key, Label: label, Column: label, Key: key, Title: title, About: about, Form: figure.Price, Better: figure.Less,
	}, of)
}

// certificate declares a figure about the quality of a placement; words may be nil.
func certificate(f figure.Figure, words func(*Tally) string, of func(*Tally) figure.Number) figure.Figure {
	f.Group, f.OfBound = OfCertificate, true
	if words != nil {
		f.Words = func(t any) string { return words(t.(*Tally)) }
	}
	return figure.Of(f, of)
}

// search declares a figure about the length of the search.
func search(f figure.Figure, of func(*Tally) figure.Number) figure.Figure {
	f.Group, f.Better = OfSearch, figure.Less
	return figure.Of(f, of)
}

// isPlaced returns 1 for a placed deployment, else 0.
func isPlaced(d *DeploymentReport) figure.Number {
	if d.Placed() {
		return 1
	}
	return 0
}

// provedPart returns the fraction of certificates with a proof.
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

// cells returns the number of matrix cells that the search examines: each step, forward or back,
// examines the row of its job.
func cells(t *Tally) figure.Number {
	return (expansions(t) + backtracks(t)) * figure.Number(t.report.Federation.Clusters)
}

// Labelled returns the figures for tables, restricted to the given groups if there are any.
func Labelled(groups ...figure.Group) []figure.Figure {
	return figure.Where(Tallied, func(f *figure.Figure) bool {
		return f.Label != "" && (len(groups) == 0 || slices.Contains(groups, f.Group))
	})
}

// keyed returns the figures in summaries.
func keyed() []figure.Figure {
	return figure.Where(Tallied, func(f *figure.Figure) bool { return f.Key != "" })
}

// Own returns a figure, but search figures count the strategy's own steps. A strategy that improves
// counts its own steps and never backtracks. Its expansions are those of the heuristic at its
// start.
func (t *Tally) Own(f *figure.Figure) figure.Number {
	switch {
	case f.Group != OfSearch || t.Steps == 0:
		return f.Of(t)
	case f.Name == "expansions":
		return figure.Number(t.Steps)
	}
	return figure.Undefined
}

// Estimate returns a figure over all runs of a summary, or of the only run if m is nil.
func (t *Tally) Estimate(f *figure.Figure, m *Summary) figure.Estimate {
	if m != nil && f.Key != "" {
		return m.At(f.Key)
	}
	return figure.Estimate{Mean: f.Of(t.over(m)), HalfWidth: figure.Undefined}
}

// Figures lists all figures of a strategy in display order.
var Figures = declared()

func declared() []figure.Figure {
	all := figure.Where(Tallied, func(f *figure.Figure) bool { return f.Name != "" })
	total := slices.IndexFunc(all, func(f figure.Figure) bool { return f.Name == "cost.total" })
	all = slices.Concat(all[total:total+1], all[:total], all[total+1:])
	for i := range ordinals {
		for k := range Tallied {
			if Tallied[k].Each != "" {
				all = append(all, ofDeployment(i, &Tallied[k]))
			}
		}
	}
	return all
}

// ofDeployment returns a figure of deployment i. Its title has the deployment's name within a
// report, and its ordinal elsewhere.
func ofDeployment(i int, tallied *figure.Figure) figure.Figure {
	title := cmp.Or(tallied.EachTitle, tallied.Title+" of %s")
	f := figure.Figure{Name: fmt.Sprintf("%s.%d", tallied.Each, i), Title: fmt.Sprintf(title, "the "+ordinals[i]+" deployment"), Better: tallied.Better, Of: tallied.Of}
	f.TitleIn = func(body any) string {
		if r, ok := body.(*Report); ok && i < len(r.Deployments) {
			return fmt.Sprintf(title, show.Text(r.Deployments[i].Name))
		}
		return f.Title
	}
	return figure.Within(f, func(t *Tally) any {
		if i >= len(t.strategy.Deployments) {
			return nil
		}
		return t.report.TallyOf(t.strategy, i)
	})
}

// ordinals are the ordinals of the ten deployments with their own figures, as in the thesis.
var ordinals = [...]string{"first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"}
