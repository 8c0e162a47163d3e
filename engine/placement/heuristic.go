package placement

import (
	"cmp"
	"context"
	"math"
	"slices"

	"berth/engine/parameter"
	"berth/engine/stats"
)

// heuristic is the search of the thesis: it sorts jobs by SJ and clusters by PA.
type heuristic struct{}

var heuristicPlugin = Plugin{
	Name: "heuristic", Title: "heuristic", Default: true,
	Description: "takes jobs by their own and their neighbours' requests, and clusters by cost over affinity (SJ, CM, NAM, PA)",
	New:         func(parameter.Values) Strategy { return heuristic{} },
}

// Place implements [Strategy].
func (h heuristic) Place(ctx context.Context, p *Problem, o Options) Solution {
	s := newSearch(p, h, o).place(ctx)
	s.ByPA = true
	return s
}

// order is SJ: the jobs by y_i, descending; ties in file order (algorithm 1).
func (heuristic) order(p *Problem) []int32 { return descending(p.y) }

// descending sorts jobs by a figure, largest first; ties in file order.
func descending(figure []float64) []int32 {
	order := fileOrder(len(figure))
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(figure[b], figure[a]) })
	return order
}

func fileOrder(jobs int) []int32 {
	order := make([]int32, jobs)
	for i := range order {
		order[i] = int32(i)
	}
	return order
}

// next ranks by CM/NAM. It compares ln CM + a·max(0, y_i − r_j) instead of the quotient, so that a
// tiny NAM does not underflow. It takes the logarithm only of cells that may beat the best so far.
func (heuristic) next(s *search, after candidate) candidate {
	if s.strips != nil {
		return s.strips.next(s, after)
	}
	best, limit := noCandidate, math.Inf(1)
	row, x := s.row(), s.room()
	phi := s.phi
	for j := firstBelow(row, x, phi, limit, 0); j >= 0; j = firstBelow(row, x, phi, limit, j+1) {
		key := stats.Log(row[j]) + float64(phi*x[j])
		if key < best.key && after.precedes(key, int32(j)) {
			best = candidate{key, int32(j)}
			limit = best.limit()
		}
	}
	return best
}

// limit is the cost over affinity above which a cluster ranks after the candidate. It includes a
// margin that exceeds any rounding error.
func (c candidate) limit() float64 { return stats.Exp(c.key) * (1 + 1e-9) }
