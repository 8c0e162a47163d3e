package placement

import (
	"context"
	"math/rand/v2"

	"berth/engine/parameter"
)

// random is the baseline of the thesis: the same search with jobs and clusters in random order.
type random struct{}

var randomPlugin = Plugin{
	Name: "random", Title: "random", Description: "takes jobs and clusters in random order: the baseline of the thesis", Default: true,
	Facts: Facts{Seeds: 20},
	New:   func(parameter.Values) Strategy { return random{} },
}

// Place implements [Strategy].
func (random) Place(ctx context.Context, p *Problem, o Options) Solution {
	s := newSearch(p, randomRanking{o.Seed}, o)
	solution := s.place(ctx)
	if solution.Status != Placed {
		return solution // the draws of the longest attempt are not available
	}
	for _, number := range s.number {
		solution.Draws = append(solution.Draws, randomRanking{o.Seed}.draw(number))
	}
	return solution
}

type randomRanking struct{ seed uint64 }

// draw returns the seed of the cluster keys for one expansion.
func (r randomRanking) draw(number int64) uint64 { return mix(r.seed ^ mix(uint64(number))) }

// drawn returns the sort key of a cluster under a draw.
func drawn(draw uint64, cluster int) float64 { return float64(mix(draw+uint64(cluster)) >> 11) }

func (r randomRanking) order(p *Problem) []int32 {
	order := fileOrder(len(p.y))
	rng := rand.New(rand.NewPCG(r.seed, 0))
	rng.Shuffle(len(order), func(a, b int) { order[a], order[b] = order[b], order[a] })
	return order
}

// next derives a key for each cluster from the seed and the expansion number. Each expansion has
// its own cluster order, and none is stored.
func (r randomRanking) next(s *search, after candidate) candidate {
	best := noCandidate
	draw := r.draw(s.number[s.step])
	for j := range s.able {
		if key := drawn(draw, j); key < best.key && after.precedes(key, int32(j)) {
			best = candidate{key, int32(j)}
		}
	}
	return best
}

// mix is the finalizer of SplitMix64 (Steele et al. 2014).
func mix(z uint64) uint64 {
	z += 0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}
