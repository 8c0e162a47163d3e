package placement_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"berth/engine/placement"
)

// quadratic returns a random quadratic instance in the form of the literature, and its cost
// function.
func quadratic(rng *rand.Rand, jobs, agents int) (text string, cost func(at []int32) float64) {
	var b strings.Builder
	fmt.Fprintf(&b, "%d %d 2\n", jobs, agents)
	matrix := func(rows, columns int, cell func(i, j int) int) [][]int {
		all := make([][]int, rows)
		for i := range all {
			for j := range columns {
				v := 0
				switch {
				case rows == columns && j < i:
					v = all[j][i]
				case rows != columns || j != i:
					v = cell(i, j)
				}
				all[i] = append(all[i], v)
				fmt.Fprintf(&b, "%d ", v)
			}
			b.WriteByte('\n')
		}
		return all
	}
	draw := func(int, int) int { return rng.IntN(9) }
	traffic, distance, node := matrix(jobs, jobs, draw), matrix(agents, agents, draw), matrix(jobs, agents, draw)
	for range jobs {
		fmt.Fprintf(&b, "%d ", 1+rng.IntN(4))
	}
	b.WriteByte('\n')
	for range agents {
		fmt.Fprintf(&b, "%d ", 6+rng.IntN(6))
	}
	return b.String(), func(at []int32) float64 {
		sum := 0
		for i := range jobs {
			sum += node[i][at[i]]
			for j := range jobs {
				sum += 2 * traffic[i][j] * distance[at[i]][at[j]]
			}
		}
		return float64(sum)
	}
}

// A quadratic instance costs what its definition says: traffic in both directions, times the price
// and the distance. An exhaustive search confirms the proofs of exact.
func TestQuadraticInstances(t *testing.T) {
	proved := 0
	for seed := range uint64(12) {
		rng := rand.New(rand.NewPCG(seed, 7))
		text, cost := quadratic(rng, 5, 4)
		p := instance(t, "q", []byte(text))
		best := -1.0
		everyPlacement(5, 4, func(at []int32) {
			node, link := p.Costs(at)
			if node+link != cost(at) {
				t.Fatalf("seed %d: %v costs %v and %v, want %v", seed, at, node, link, cost(at))
			}
			if p.Assignment().Check(at) == nil && (best < 0 || node+link < best) {
				best = node + link
			}
		})
		s := placeBy(t, "exact", p, placement.Options{Phi: placement.DefaultPhi})
		if s.Status == placement.Placed {
			proved++
			if s.Cost() != best {
				t.Errorf("seed %d: %v is said to be optimal, which is %v", seed, s.Cost(), best)
			}
		} else if s.Status == placement.Infeasible && best >= 0 {
			t.Errorf("seed %d: infeasible, and one costs %v", seed, best)
		}
	}
	if proved < 8 {
		t.Errorf("%d of 12 are proved", proved)
	}
}
