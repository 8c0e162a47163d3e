package stats

import "math"

// Proportion returns the exact 95 % interval of a probability after k successes in n trials
// (Clopper and Pearson, 1934), rounded to nine decimals.
func Proportion(k, n int) (low, high float64) {
	high = 1
	if k > 0 {
		low = rounded(crossing(func(p float64) bool { return 1-atMost(k-1, n, p) < 0.025 }))
	}
	if k < n {
		high = rounded(crossing(func(p float64) bool { return atMost(k, n, p) > 0.025 }))
	}
	return low, high
}

// crossing returns the probability up to which a condition holds.
func crossing(holds func(p float64) bool) float64 {
	low, high := 0.0, 1.0
	for high-low > 1e-12 {
		if p := (low + high) / 2; holds(p) {
			low = p
		} else {
			high = p
		}
	}
	return low
}

// BinomialP returns the p-value of k successes in n trials with probability p each: twice the
// smaller tail, at most 1, rounded to nine decimals.
func BinomialP(k, n int, p float64) float64 {
	return min(1, 2*rounded(min(atMost(k, n, p), 1-atMost(k-1, n, p))))
}

// atMost returns the probability of at most k successes in n trials with probability p each. It
// adds logarithms, because the first terms of many trials are too small for a float64.
func atMost(k, n int, p float64) float64 {
	switch {
	case k < 0 || p >= 1 && k < n:
		return 0
	case k >= n || p <= 0:
		return 1
	}
	log := float64(n) * Log(1-p)
	within := Exp(log)
	for i := 1; i <= k; i++ {
		log += Log(float64(n-i+1) / float64(i) * p / (1 - p))
		within += Exp(log)
	}
	return min(1, within)
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
