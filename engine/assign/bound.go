package assign

import "math"

// Bound returns a figure that no placement of a problem costs less than, at
// once; +Inf if there is a job that no cluster can take.
func Bound(p *Problem) float64 {
	var sum float64
	for j := range p.Jobs {
		least := math.Inf(1)
		for c := range p.Clusters {
			if p.Allowed(j, c) {
				least = min(least, p.NodeCost(j, c))
			}
		}
		sum += least
	}
	return below(sum, p.Jobs)
}

// below returns a figure that a sum of non-negative figures is not less than,
// whatever rounding made of it.
func below(sum float64, terms int) float64 {
	return sum * (1 - float64(terms+4)*0x1p-52)
}
