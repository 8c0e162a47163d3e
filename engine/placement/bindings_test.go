package placement_test

import (
	"math"
	"slices"
	"testing"

	"berth/engine/graph"
	"berth/engine/placement"
	"berth/engine/placement/placementtest"
)

// A dependency that is reported as binding binds: with the reported latency or bandwidth the job
// can move and saves the reported amount; with a little less it cannot move.
func TestBindingsAreWorthWhatIsSaid(t *testing.T) {
	found := 0
	for i, shape := range placementtest.Shapes {
		for seed := range uint64(20) {
			d, f := shape.Generate(seed)
			p := problemOf(d, f, false)
			s := placeBy(t, "heuristic", p, placement.Options{Phi: 0.05, Budget: 3000})
			e, err := placement.NewStander(p, s)
			if err != nil {
				continue
			}
			for _, b := range e.Bindings() {
				found++
				a, _ := d.Job(b.Jobs[0])
				z, _ := d.Job(b.Jobs[1])
				k := 0
				for ; ; k++ {
					if x, y := d.Ends(k); x == a && y == z || x == z && y == a {
						break
					}
				}
				job, _ := d.Job(b.Job)
				to, _ := f.Cluster(b.Cluster)
				moved := slices.Clone(s.Cluster)
				moved[job] = int32(to)
				label := graph.Lookup(graph.Dependency, b.What)
				before := slices.Clone(d.Dependencies().Values(label, k))
				if before[0] != b.Bound || placementtest.Check(d, f, moved, false) == nil {
					t.Fatalf("shape %d seed %d: %+v, but the bound is %v, or the move is possible", i, seed, b, before[0])
				}
				d.Dependencies().SetLabel(label, k, []float64{b.Needed})
				err := placementtest.Check(d, f, moved, false)
				d.Dependencies().SetLabel(label, k, before)
				node, link := p.Costs(moved)
				if saves := s.Cost() - node - link; err != nil || math.Abs(saves-b.Saves) > 1e-9 {
					t.Fatalf("shape %d seed %d: %+v saves %v (%v)", i, seed, b, saves, err)
				}
			}
		}
	}
	if found < 30 {
		t.Errorf("%d found: too few to tell", found)
	}
}
