// Package growth measures how the cost of something grows with its size.
package growth

import (
	"math"
	"strconv"
	"testing"
	"time"

	"gonum.org/v1/gonum/stat"

	"berth/engine/stats"
)

// Bench runs something at sizes in increasing order, each in a benchmark of its
// own. It reports the least time of a run, of the processor where that is known,
// and from the second size on the exponent k of the power of the size, sizeᵏ, that
// fits the least times up to there best (least squares of the logarithms).
func Bench(b *testing.B, sizes []int, prepare func(b *testing.B, size int) (run func())) {
	var x, y []float64
	for _, size := range sizes {
		b.Run(strconv.Itoa(size), func(b *testing.B) {
			run := prepare(b, size)
			least := time.Duration(math.MaxInt64)
			for b.Loop() {
				start := clock(b)
				run()
				least = min(least, clock(b)-start)
			}
			b.ReportMetric(float64(least)/float64(time.Millisecond), "least-ms")
			x, y = append(x, stats.Log(float64(size))), append(y, stats.Log(float64(least)))
			if len(x) > 1 {
				_, exponent := stat.LinearRegression(x, y, nil, false)
				b.ReportMetric(exponent, "exponent")
			}
		})
	}
}
