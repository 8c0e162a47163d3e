package solve

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// The groups are the connected sets of jobs that fit, each of them once, with the weight of their
// dependencies.
func TestGroupsAreTheConnectedSets(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 5))
	for n := range 300 {
		p := &Problem{Jobs: 1 + rng.IntN(9)}
		weight := make([]float64, p.Jobs)
		for j := range weight {
			weight[j] = float64(1 + rng.IntN(5))
			for k := range j {
				if rng.IntN(3) == 0 {
					p.Dependencies = append(p.Dependencies, Dependency{int32(j), int32(k), float64(1 + rng.IntN(3))})
				}
			}
		}
		size := float64(rng.IntN(20))
		g, ok := newGroups(newNeighbours(p), weight, size)
		if !ok {
			t.Fatal("too many groups")
		}
		got := map[uint]float64{}
		for at := range g.job {
			var set uint
			var inside float64
			for i := int32(at); i >= 0; i = g.parent[i] {
				set |= 1 << g.job[i]
				inside += g.inside[i]
			}
			if _, twice := got[set]; twice {
				t.Fatalf("problem %d: %b is there twice", n, set)
			}
			got[set] = inside
		}
		for set := uint(1); set < 1<<p.Jobs; set++ {
			inside, fits := connected(p, weight, size, set)
			if v, is := got[set]; is != fits || v != inside {
				t.Fatalf("problem %d: %b is %t with %v, want %t with %v", n, set, is, v, fits, inside)
			}
		}
	}
}

// connected reports whether a set of jobs is connected and fits, and returns the weight of its
// dependencies.
func connected(p *Problem, weight []float64, size float64, set uint) (inside float64, is bool) {
	part := make([]int, p.Jobs) // of each job
	for j := range part {
		part[j] = j
		if set>>j&1 != 0 {
			size -= weight[j]
		}
	}
	for _, d := range p.Dependencies {
		if set>>d.A&1 == 0 || set>>d.B&1 == 0 {
			continue
		}
		inside += d.Weight
		a, b := part[d.A], part[d.B]
		for j := range part {
			if part[j] == b {
				part[j] = a
			}
		}
	}
	var parts []int
	for j := range part {
		if set>>j&1 != 0 && !slices.Contains(parts, part[j]) {
			parts = append(parts, part[j])
		}
	}
	if size < 0 || len(parts) != 1 {
		return 0, false
	}
	return inside, true
}
