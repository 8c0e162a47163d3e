package placement_test

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"berth/engine/golden"
	"berth/engine/must"
	"berth/engine/placement"
	"berth/engine/solve"
	"berth/engine/solve/exact"
)

// costsKnown are the costs of the best placements that are known of instances of the
// OR-Library.
var costsKnown = map[string]float64{
	"gap1-0": 261, "c05100": 1931, "d05100": 6353, "d10100": 6347, "e10100": 11577, "d20200": 12244, "e20200": 22379, "c20400": 4782, "d20400": 24567,
}

// No bound of any kind is above what a placement costs that somebody has found.
func TestBoundsStayBelowWhatIsKnown(t *testing.T) {
	golden.Long(t)
	data := os.Getenv("BERTH_DATA")
	if data == "" {
		t.Skip("BERTH_DATA is not set: bounds are not compared with the best placements known")
	}
	const steps = 400_000
	all := givenMeshes(t)
	for _, g := range givenFaults(t) {
		if g.known > 0 {
			all = append(all, g)
		}
	}
	for name, known := range costsKnown {
		all = append(all, given{name, library(t, filepath.Join(data, "gap", name)), known})
	}
	for _, g := range all {
		form := g.problem.Assignment()
		most := g.known + 0.05 // the costs that are known have one decimal
		b := solve.NewBounder(form)
		for range 200 {
			b.Step()
		}
		tree := minimized(form, nil, steps)
		if b.Bound() > most || !math.IsInf(tree.Bound, 1) && tree.Bound > most || tree.Proved && tree.Cost > most {
			t.Errorf("%s: bounds %v, %v by the tree, which found %v; a placement of %v is known", g.name, b.Bound(), tree.Bound, tree.Cost, g.known)
		}
		if math.IsInf(tree.Bound, 1) {
			t.Errorf("%s: the tree says that there is no placement", g.name)
		}
	}
}

// boundSteps take ten seconds natively, or less.
const boundSteps = 30e6

// What bounds come to on the instances given: by prices of capacities alone and by the
// tree, in per cent below the best cost known or found; and how many
// the tree proves.
func BenchmarkBounds(b *testing.B) {
	data := os.Getenv("BERTH_DATA")
	if data == "" {
		b.Skip("BERTH_DATA is not set: the instances are not there")
	}
	all := append(givenMeshes(b), givenFaults(b)...)
	for _, name := range []string{"c05100", "d10100", "e10100"} {
		all = append(all, given{name, library(b, filepath.Join(data, "gap", name)), costsKnown[name]})
	}
	for _, g := range all {
		b.Run(g.name, func(b *testing.B) {
			form := g.problem.Assignment()
			var prices float64
			var tree exact.Result
			for b.Loop() {
				bounder := solve.NewBounder(form)
				for range 300 {
					bounder.Step()
				}
				prices = bounder.Bound()
				s := placeBest(b, g.problem)
				start := s.Cluster
				if !s.Complete() {
					start = nil
				}
				tree = minimized(form, start, boundSteps)
			}
			cost := tree.Cost
			if g.known > 0 {
				cost = min(cost, g.known)
			}
			below := func(bound float64) float64 { return 100 * (cost - bound) / cost }
			b.ReportMetric(tree.Cost, "cost")
			b.ReportMetric(tree.Bound, "bound")
			b.ReportMetric(below(prices), "%-below-by-prices")
			b.ReportMetric(below(tree.Bound), "%-below-by-tree")
			proved := 0.0
			if tree.Proved {
				proved = 1
			}
			b.ReportMetric(proved, "proved")
			b.ReportMetric(float64(tree.Steps), "steps")
		})
	}
}

// placeBest is what best finds by default.
func placeBest(b *testing.B, p *placement.Problem) placement.Solution {
	s := must.Get(placement.Named("best", nil))(b)
	return s.Place(b.Context(), p, placement.Options{Seed: 1, Phi: placement.DefaultPhi})
}

// minimized is the result of a tree after so many steps.
func minimized(form *solve.Problem, start []int32, steps int64) exact.Result {
	tree := exact.NewTree(form, start)
	tree.Run(steps)
	return tree.Result()
}
