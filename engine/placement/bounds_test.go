package placement_test

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"berth/engine/golden"
	"berth/engine/solve"
	"berth/engine/solve/exact"
)

// costsKnown has the costs of the best known placements of instances of the OR-Library.
var costsKnown = map[string]float64{
	"gap1-0": 261, "c05100": 1931, "d05100": 6353, "d10100": 6347, "e10100": 11577, "d20200": 12244, "e20200": 22379, "c20400": 4782, "d20400": 24567,
}

// No bound of any kind exceeds the cost of a known placement.
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
		most := g.known + 0.05 // the known costs have one decimal
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

// minimized returns the result of a tree after a number of steps.
func minimized(form *solve.Problem, start []int32, steps int64) exact.Result {
	tree := exact.NewTree(form, start)
	tree.Run(steps)
	return tree.Result()
}
