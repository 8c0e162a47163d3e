// Package growth measures how the cost of something grows with its size.
package growth

import (
	"slices"
	"strconv"
	"testing"
	"time"

	"gonum.org/v1/gonum/stat"

	"berth/engine/stats"
)

// Bench runs something at sizes in increasing order, each in a benchmark of its
// own. It reports the median time of a run, of the processor where that is known,
// and from the second size on the exponent k of the power of the size, sizeᵏ, that
// fits the medians up to there best (least squares of the logarithms). A kernel may
// count the time of one run late; the median ignores that, and other programs.
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
