package placement_test

import (
	"math/rand/v2"
	"testing"

	"berth/engine/placement"
	"berth/engine/placement/placementtest"
)

// In small problems, every placement costs the same in both forms, and satisfies the constraints of
// both or of neither.
func TestTheAssignmentIsTheSameProblem(t *testing.T) {
	allowed, refused := 0, 0
	for i, shape := range placementtest.Shapes {
		for seed := range uint64(60) {
			d, f := shape.Generate(seed)
			consume := seed%2 == 0
			p := placement.NewProblem(d, placement.NewCapacity(f, placement.CapacityOptions{ConsumeBandwidth: consume}))
			a := p.Assignment()
			rng := rand.New(rand.NewPCG(seed, 2))
			s := placeBy(t, "random", p, placement.Options{Seed: seed, Budget: 2000})
			for n := range 100 {
				cluster := make([]int32, shape.Jobs)
				few := 1 + rng.IntN(shape.Clusters)
				for j := range cluster {
					cluster[j] = int32(rng.IntN(few))
				}
				if s.Status == placement.Placed && n%2 == 0 {
					copy(cluster, s.Cluster)
					cluster[rng.IntN(shape.Jobs)] = int32(rng.IntN(shape.Clusters))
				}
				mine, want := a.Check(cluster), placementtest.Check(d, f, cluster, consume)
				if (mine == nil) != (want == nil) {
					t.Fatalf("shape %d seed %d: %v is refused for %v, as an assignment for %v", i, seed, cluster, want, mine)
				}
				if mine != nil {
					refused++
					continue
				}
				allowed++
				node, link := a.Costs(cluster)
				if wantNode, wantLink := p.Costs(cluster); node != wantNode || link != wantLink {
					t.Fatalf("shape %d seed %d: it costs %v and %v, as an assignment %v and %v", i, seed, wantNode, wantLink, node, link)
				}
			}
		}
	}
	if allowed < 5000 || refused < 5000 {
		t.Errorf("%d placements allowed, %d refused: the comparison is too easy", allowed, refused)
	}
}
