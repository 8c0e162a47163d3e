package stats

import (
	"math"
	"slices"
)

// Quantile returns the p-quantile of ascending values, interpolated linearly between the order
// statistics around p·(n−1). It is +Inf if the upper one is +Inf, and NaN without values.
func Quantile(sorted []float64, p float64) float64 {
	if len(sorted) == 0 {
		return math.NaN()
	}
	place := float64(p * float64(len(sorted)-1))
	low := int(place)
	if low >= len(sorted)-1 {
		return sorted[len(sorted)-1]
	}
	if math.IsInf(sorted[low+1], 1) {
		return sorted[low+1]
	}
	part := place - float64(low)
	return sorted[low] + float64(part*(sorted[low+1]-sorted[low]))
}

// Gini returns the Gini coefficient of values, which must be ascending and not negative: 0 if all
// are equal, up to 1 − 1/n if one value has the whole sum. It is NaN without values:
//
//	G = Σ (2i − n − 1)·x_i / (n·Σ x_i), i from 1.
func Gini(sorted []float64) float64 {
	n := float64(len(sorted))
	if n == 0 {
		return math.NaN()
	}
	if sorted[0] == sorted[len(sorted)-1] {
		return 0
	}
	var weighted, sum float64
	for i, x := range sorted {
		weighted += float64((float64(2*(i+1)) - n - 1) * x)
		sum += x
	}
	return weighted / (n * sum)
}

// Sorted sorts parts in place and returns them divided by unit.
func Sorted(parts []uint32, unit float64) []float64 {
	slices.Sort(parts)
	values := make([]float64, len(parts))
	for i, p := range parts {
		values[i] = float64(p) / unit
	}
	return values
}

// Histogram counts values in n bins of equal width over [low, high]. The last bin includes high.
// Values outside of the range count in the first or the last bin.
func Histogram(values []float64, low, high float64, n int) []int {
	bins := make([]int, n)
	for _, v := range values {
		i := int((v - low) / (high - low) * float64(n))
		bins[min(max(i, 0), n-1)]++
	}
	return bins
}

// Welch returns the statistic t of Welch's two-sample t-test and its degrees of freedom. Both are
// NaN if a side has fewer than two values or if both variances are 0.
func Welch(a, b []float64) (t, freedom float64) {
	ma, va := meanAndError(a)
	mb, vb := meanAndError(b)
	sum := va + vb
	if !(sum > 0) {
		return math.NaN(), math.NaN()
	}
	t = (ma - mb) / math.Sqrt(sum)
	freedom = sum * sum / (va*va/float64(len(a)-1) + vb*vb/float64(len(b)-1))
	return t, freedom
}

// meanAndError returns the mean and its squared standard error, NaN for fewer than two values.
func meanAndError(x []float64) (mean, squared float64) {
	if len(x) < 2 {
		return math.NaN(), math.NaN()
	}
	mean = Mean(x)
	return mean, variance(x, mean) / float64(len(x))
}
