// Package growth measures how the cost of an operation grows with its size.
package growth

import (
	"slices"
	"strconv"
	"testing"
	"time"

	"gonum.org/v1/gonum/stat"

	"berth/engine/stats"
)

// Bench runs an operation at increasing sizes, each as a sub-benchmark. It reports the median time
// of a run (processor time if the system provides it). From the second size on, it also fits the
// power law sizeᵏ to the medians so far, by least squares of the logarithms, and reports k. The
// median ignores outliers, which other programs cause, and kernels that account time late.
func Bench(b *testing.B, sizes []int, prepare func(b *testing.B, size int) (run func())) {
	var x, y []float64
	for _, size := range sizes {
		b.Run(strconv.Itoa(size), func(b *testing.B) {
			run := prepare(b, size)
			var times []time.Duration
			for b.Loop() {
				start := clock(b)
				run()
				times = append(times, clock(b)-start)
			}
			slices.Sort(times)
			median := times[len(times)/2]
			b.ReportMetric(float64(median)/float64(time.Millisecond), "median-ms")
			x, y = append(x, stats.Log(float64(size))), append(y, stats.Log(float64(median)))
			if len(x) > 1 {
				_, exponent := stat.LinearRegression(x, y, nil, false)
				b.ReportMetric(exponent, "exponent")
			}
		})
	}
}
