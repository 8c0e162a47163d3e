package stats

import (
	"math"
)

// densityCells is the number of cells into which values are binned before smoothing. It is much
// larger than the number of points in a drawing.
const densityCells = 512

// Density returns the density of values at n evenly spaced points from the smallest to the largest
// value, relative to its peak. sorted must be ascending. It uses a Gaussian kernel with the
// bandwidth of Silverman's rule of thumb. The result is nil if all values are the same or n < 2.
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

// bandwidth returns 0.9·min(s, IQR/1.34)·n^(−1/5), or 0.9·s·n^(−1/5) if the interquartile range is
// 0.
func bandwidth(sorted []float64) float64 {
	spread := math.Sqrt(variance(sorted, Mean(sorted)))
	if iqr := Quantile(sorted, 0.75) - Quantile(sorted, 0.25); iqr > 0 {
		spread = min(spread, iqr/1.34)
	}
	return 0.9 * spread * Exp(-Log(float64(len(sorted)))/5)
}
