package stats

import (
	"cmp"
	"math"
	"slices"
)

// exactRanks is the number of differences below which [Wilcoxon] is exact, as in R's wilcox.test.
const exactRanks = 50

// Wilcoxon returns the p-value of the two-sided signed-rank test of paired differences, rounded to
// nine decimals; NaN without differences. It is exact for fewer than 50 differences without ties
// and zeros. Otherwise it drops the zeros and uses the normal approximation with continuity
// correction. R's wilcox.test makes the same choices.
func Wilcoxon(d []float64) float64 {
	ranked := slices.DeleteFunc(Defined(d), func(x float64) bool { return x == 0 })
	n := len(ranked)
	switch {
	case len(d) == 0:
		return math.NaN()
	case n == 0:
		return 1
	}
	slices.SortFunc(ranked, func(a, b float64) int { return cmp.Compare(math.Abs(a), math.Abs(b)) })
	positive, ties := rankSum(ranked)
	if n < exactRanks && ties == 0 && n == len(d) {
		return math.Round(signedRankP(positive, n)*1e9) / 1e9
	}
	count := float64(n)
	squares := float64(count * (count + 1))
	away := positive - float64(squares/4)
	deviation := math.Sqrt(float64(squares*(float64(2*count)+1))/24 - ties/48)
	z := max(0, math.Abs(away)-0.5) / deviation
	return math.Round(min(1, normalTails(z))*1e9) / 1e9
}

// normalTails returns the probability that a standard normal variable is at least z ≥ 0 away from
// 0: 1 − erf(z/√2), by the series 26.2.11 of Abramowitz and Stegun, whose terms are all positive.
func normalTails(z float64) float64 {
	if z > 9 {
		return 0 // below 1e-18
	}
	term, within := z, z
	for k := 3.0; term > 1e-17*within; k += 2 {
		term = float64(term * z * z / k)
		within += term
	}
	return max(0, 1-float64(within*2*Exp(-z*z/2))/math.Sqrt(2*math.Pi))
}

// rankSum returns the sum of the ranks of the positive differences, and the sum of t³ − t over
// groups of t tied differences. The differences must be ordered by absolute value.
func rankSum(d []float64) (positive, ties float64) {
	for i := 0; i < len(d); {
		end := i
		for end < len(d) && math.Abs(d[end]) == math.Abs(d[i]) {
			end++
		}
		rank, t := float64(float64(i+1+end)/2), float64(end-i)
		ties += float64(t*t*t) - t
		for ; i < end; i++ {
			if d[i] > 0 {
				positive += rank
			}
		}
	}
	return positive, ties
}

// signedRankP returns the two-sided p-value of a sum of positive ranks: the fraction of all sign
// assignments to n ranks whose sum is at least as far from the mean.
func signedRankP(positive float64, n int) float64 {
	all := n * (n + 1) / 2
	ways := make([]float64, all+1) // by sum: number of assignments, at most 2^49, so exact in a float64
	ways[0] = 1
	for rank := 1; rank <= n; rank++ {
		for sum := all; sum >= rank; sum-- {
			ways[sum] += ways[sum-rank]
		}
	}
	var tail float64
	for sum := range int(min(positive, float64(all)-positive)) + 1 {
		tail += ways[sum]
	}
	return min(1, 2*tail/math.Ldexp(1, n))
}

// HodgesLehmann returns the Hodges–Lehmann estimate of paired differences, which is robust against
// outliers: the median of the means of all pairs, including each difference with itself. It is NaN
// without differences. Time and memory are quadratic in the number of differences.
func HodgesLehmann(d []float64) float64 {
	means := make([]float64, 0, len(d)*(len(d)+1)/2)
	for i := range d {
		for k := range i + 1 {
			means = append(means, (d[i]+d[k])/2)
		}
	}
	if len(means) == 0 {
		return math.NaN()
	}
	slices.Sort(means)
	return (means[(len(means)-1)/2] + means[len(means)/2]) / 2
}

// CliffsDelta returns Cliff's delta: over all pairs of a value of a and a value of b, the fraction
// in which a is larger minus the fraction in which it is smaller. It is NaN if a or b is empty.
func CliffsDelta(a, b []float64) float64 {
	sorted := slices.Clone(b)
	slices.Sort(sorted)
	more := 0
	for _, x := range a {
		below, _ := slices.BinarySearch(sorted, x)
		upTo, _ := slices.BinarySearchFunc(sorted, x, func(y, x float64) int {
			if y <= x {
				return -1
			}
			return 1
		})
		more += below - (len(sorted) - upTo)
	}
	return float64(more) / float64(len(a)*len(b))
}

// Holm returns p-values corrected for multiple tests (Holm, 1979): comparing each corrected value
// with 5 % keeps the probability of any false rejection at 5 % or below.
func Holm(p []float64) []float64 {
	order := make([]int, len(p))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(p[a], p[b]) })
	corrected, largest := make([]float64, len(p)), 0.0
	for i, at := range order {
		largest = max(largest, min(1, float64(len(p)-i)*p[at]))
		corrected[at] = largest
	}
	return corrected
}
