package stats

import (
	"math"
	"testing"
)

// The values are R's: binom.test(k, n)$conf.int and $p.value.
func TestProportion(t *testing.T) {
	for _, test := range []struct {
		k, n      int
		low, high float64
	}{
		{19, 20, 0.751267237, 0.998734911}, {0, 10, 0, 0.308497106}, {10, 10, 0.691502894, 1}, {4, 20, 0.057333991, 0.436614003},
	} {
		low, high := Proportion(test.k, test.n)
		if math.Abs(low-test.low) > 1e-6 || math.Abs(high-test.high) > 1e-6 {
			t.Errorf("%d of %d: [%v, %v], want [%v, %v]", test.k, test.n, low, high, test.low, test.high)
		}
	}
	for _, test := range []struct {
		k, n    int
		p, want float64
	}{{0, 6, 0.5, 0.03125}, {3, 6, 0.5, 1}, {15, 20, 0.5, 0.041389465}, {1, 10, 0.3, 0.298616692}} {
		if got := BinomialP(test.k, test.n, test.p); math.Abs(got-test.want) > 1e-6 {
			t.Errorf("%d of %d with %v: %v, want %v", test.k, test.n, test.p, got, test.want)
		}
	}
}

// The interval of a median comes from the order statistics of the sign test: the first and the last
// of six observations, the sixth and the fifteenth of twenty.
func TestMedianBetween(t *testing.T) {
	var sorted []float64
	for i := range 20 {
		sorted = append(sorted, float64(i+1))
	}
	for n, want := range map[int][2]float64{6: {1, 6}, 10: {2, 9}, 20: {6, 15}} {
		if low, high := MedianBetween(sorted[:n]); low != want[0] || high != want[1] {
			t.Errorf("%d: [%v, %v], want %v", n, low, high, want)
		}
	}
	if low, _ := MedianBetween(sorted[:5]); !math.IsNaN(low) {
		t.Errorf("five observations have an interval from %v", low)
	}
}
