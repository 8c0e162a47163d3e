package stats

import (
	"math"
)

// densityCells is in how many cells values are binned before they are smoothed:
// many more than a drawing has points.
const densityCells = 512

// Density returns the density of values in ascending order at n evenly spaced
// points, from the least value to the largest, in parts of its peak: a Gaussian
// kernel with the bandwidth of Silverman's rule of thumb. It is nil of values
// that are all the same, and of fewer than two points.
func Density(sorted []float64, n int) []float64 {
	if len(sorted) < 2 || n < 2 || !(sorted[0] < sorted[len(sorted)-1]) {
		return nil
	}
	low, high := sorted[0], sorted[len(sorted)-1]
	counts := Histogram(sorted, low, high, densityCells)
	cell := (high - low) / densityCells
	h := max(bandwidth(sorted), cell)
	density := make([]float64, n)
	peak := 0.
	for i := range density {
		x := low + float64((high-low)*float64(i)/float64(n-1))
		for k, count := range counts {
			if count > 0 {
				z := (x - low - float64((float64(k)+0.5)*cell)) / h
				density[i] += float64(float64(count) * Exp(-z*z/2))
			}
		}
		peak = max(peak, density[i])
	}
	for i := range density {
		density[i] /= peak
	}
	return density
}

// bandwidth is 0.9·min(s, IQR/1.34)·n^(−1/5), or by s alone if the middle half of
// the values are the same.
func bandwidth(sorted []float64) float64 {
	spread := math.Sqrt(variance(sorted, Mean(sorted)))
	if iqr := Quantile(sorted, 0.75) - Quantile(sorted, 0.25); iqr > 0 {
		spread = min(spread, iqr/1.34)
	}
	return 0.9 * spread * Exp(-Log(float64(len(sorted)))/5)
}
