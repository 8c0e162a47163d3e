package stats

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

// Proportion returns the exact 95 % interval of a probability after k successes in n trials
// (Clopper and Pearson, 1934), rounded to nine decimals.
func Proportion(k, n int) (low, high float64) {
	high = 1
	if k > 0 {
		low = rounded(mathext.InvRegIncBeta(float64(k), float64(n-k+1), 0.025))
	}
	if k < n {
		high = rounded(mathext.InvRegIncBeta(float64(k+1), float64(n-k), 0.975))
	}
	return low, high
}

// BinomialP returns the p-value of k successes in n trials with probability p each: twice the
// smaller tail, at most 1, rounded to nine decimals.
func BinomialP(k, n int, p float64) float64 {
	return min(1, 2*rounded(min(atMost(k, n, p), 1-atMost(k-1, n, p))))
}

// atMost returns the probability of at most k successes in n trials.
func atMost(k, n int, p float64) float64 {
	switch {
	case k < 0:
		return 0
	case k >= n:
		return 1
	}
	return mathext.RegIncBeta(float64(n-k), float64(k+1), 1-p)
}

// MedianBetween returns the 95 % interval of the median of ascending observations, from two of
// them (sign test); NaN for fewer than six.
func MedianBetween(sorted []float64) (low, high float64) {
	n, k := len(sorted), 0
	for k < n/2 && atMost(k, n, 0.5) <= 0.025 {
		k++
	}
	if k == 0 {
		return math.NaN(), math.NaN()
	}
	return sorted[k-1], sorted[n-k]
}

func rounded(x float64) float64 { return math.Round(x*1e9) / 1e9 }
