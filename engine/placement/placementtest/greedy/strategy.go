// Package greedy is a strategy written outside of package placement, for tests
// and to copy from: heavy jobs first, each on the cheapest cluster, without backtracking.
package greedy

import (
	"cmp"
	"context"
	"slices"

	"berth/engine/parameter"
	"berth/engine/placement"
	"berth/engine/plugin"
)

// Plugin is what [placement.Register] takes; in package placement it would be a
// line in strategies.go.
var Plugin = placement.Plugin{
	Name: "greedy", Title: "greedy", Description: "heavy jobs first, each on the cheapest cluster, without backtracking",
	Parameters: []parameter.Parameter{{Name: "scarcity", Title: "price of an excess", Low: 0, High: 1e6, Default: 0.5}},
	Incomplete: true,
	New: func(v parameter.Values) placement.Strategy {
		return placement.Ranked(func(_ context.Context, p *placement.Problem) (placement.Ranking, error) {
			return &greedy{problem: p, scarcity: v["scarcity"]}, nil
		})
	},
}

// greedy adds a price to the cost where a job and its neighbours ask for more than a
// cluster has left.
type greedy struct {
	problem  *placement.Problem
	scarcity float64 // price of an affinity smaller by the factor e
	own      plugin.Own
}

// Order implements [placement.Ranking]: heavy jobs first.
func (g *greedy) Order() ([]int32, error) {
	order := make([]int32, g.problem.Deployment().Jobs().Len())
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortStableFunc(order, func(a, b int32) int {
		return cmp.Compare(g.problem.Weight(int(b)), g.problem.Weight(int(a)))
	})
	return order, nil
}

// Rank implements [placement.Ranking]: the cheapest cluster first.
func (g *greedy) Rank(_ *placement.Attempt, cells []placement.Cell) ([]int32, error) {
	order := make([]int32, len(cells))
	for i := range order {
		order[i] = int32(i)
	}
	price := func(i int32) float64 { return cells[i].Cost - g.scarcity*cells[i].LogAffinity }
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(price(a), price(b)) })
	g.own.Count("prices compared", int64(len(cells)))
	if len(cells) == 0 {
		g.own.Note("it ends at the first job that no cluster takes")
	}
	return order, nil
}

// Refusals implements [placement.Ranking].
func (*greedy) Refusals() []string { return nil }

// Backtracks implements [placement.Ranking].
func (*greedy) Backtracks() bool { return false }

// Better implements [placement.Ranking].
func (*greedy) Better(*placement.Attempt) (value []float64, ok bool, err error) {
	return nil, false, nil
}

// Own implements [placement.Ranking].
func (g *greedy) Own() plugin.Own { return g.own }
