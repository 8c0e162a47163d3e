package placementkind

import (
	"context"
	"fmt"
	"io"
	"slices"
	"text/tabwriter"

	"berth/engine/diag"
	"berth/engine/figure"
	"berth/engine/graph"
	"berth/engine/input/format"
	"berth/engine/placement"
	"berth/engine/scenario"
	"berth/engine/show"
)

// Front is the trade-off of two measures over all deployments. The first measure is cost.
type Front struct {
	Measures [2]placement.Measure
	Points   []FrontPoint // cheapest first
	Below    []FrontEdge  // no placement is below any of these lines
}

// FrontPoint is a non-dominated placement on a front. No placement with the same or a lower value
// of the second measure costs less than Bound.
type FrontPoint struct {
	Values    [2]figure.Number // in the order of the measures
	Bound     figure.Number
	Proved    bool // the cost equals the bound, up to rounding
	Placement Assignment
}

// FrontEdge is a lower bound of the cost: a placement with a value x ≤ Most of the second measure
// (null: any x) costs at least Cost − Slope · x.
type FrontEdge struct {
	Most  figure.Number
	Cost  figure.Number
	Slope figure.Number
}

// front computes the front that the document requests; nil if it requests none or ctx is cancelled.
func (e *Prepared) front(ctx context.Context, s StrategyRun) (f *Front, cancelled bool) {
	d := e.document
	strategy, err := s.Strategy()
	if len(d.Pareto) == 0 || err != nil { // the error was reported when the strategy ran
		return nil, false
	}
	p := e.wholeProblem()
	found := p.Pareto(ctx, placement.Whole{Strategy: strategy}, d.Pareto[1], e.options(d.Seed))
	if ctx.Err() != nil {
		return nil, true
	}
	f = &Front{Measures: [2]placement.Measure(d.Pareto), Points: []FrontPoint{}, Below: []FrontEdge{}}
	for _, x := range found.Points {
		f.Points = append(f.Points, FrontPoint{
			Values: [2]figure.Number{figure.Number(x.Cost), figure.Number(x.Measure)}, Bound: figure.Number(x.Bound), Proved: x.Proved(),
			Placement: e.assignment(p.Deployment(), &placement.Solution{Status: placement.Placed, Cluster: x.Cluster}),
		})
	}
	for _, x := range found.Below {
		f.Below = append(f.Below, FrontEdge{figure.Number(x.Most), figure.Number(x.Cost), figure.Number(x.Slope)})
	}
	return f, false
}

// together returns the union of deployments.
func together(deployments []format.Deployment) *graph.Deployment {
	var all []*graph.Deployment
	var names []string
	for _, d := range deployments {
		all, names = append(all, d.Deployment), append(names, d.Name)
	}
	return graph.Union(all, names)
}

// pareto reports a measure that does not apply to the inputs.
func (r *graphReader) pareto() {
	if len(r.e.document.Pareto) != 2 {
		return
	}
	if why := r.e.wholeProblem().Lacks(r.e.document.Pareto[1]); why != "" {
		r.found.Add("placement.pareto", diag.InvalidPart, r.e.document.Pareto[1], why)
	}
}

func (d *Document) validatePareto(path string, p *scenario.Problems) {
	if n := len(d.Pareto); n > 0 && (n != 2 || d.Pareto[0] != placement.Cost || d.Pareto[1] == placement.Cost || !slices.Contains(placement.Measures, d.Pareto[1])) {
		p.Add(path+".pareto", paretoFigures, show.Quote(words(d.Pareto)), words(placement.Measures[1:]))
	}
}

func words(measures []placement.Measure) string {
	return show.Joined(measures, ", ", func(m placement.Measure) string { return string(m) })
}

func (f *Front) writeText(w io.Writer) {
	fmt.Fprintf(w, "\nfront of %s and %s: none that was found is better in both\n\n", f.Measures[0], f.Measures[1])
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "%s\t%s\tbound of %s\tproved\n", f.Measures[0], f.Measures[1], f.Measures[0])
	for _, x := range f.Points {
		proved := ""
		if x.Proved {
			proved = "optimal"
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\n", x.Values[0], x.Values[1], x.Bound, proved)
	}
	t.Flush()
}
