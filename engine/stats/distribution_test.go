package stats

import (
	"math"
	"reflect"
	"testing"
)

func TestQuantile(t *testing.T) {
	x := []float64{1, 2, 4, 8}
	// p·(n−1) = 3p: 0.5 is halfway between the second and the third.
	for p, want := range map[float64]float64{0: 1, 1: 8, 0.5: 3, 1. / 3: 2, 0.25: 1.75, 0.95: 7.4} {
		if got := Quantile(x, p); math.Abs(got-want) > 1e-12 {
			t.Errorf("%v: %v, want %v", p, got, want)
		}
	}
	if got := Quantile([]float64{5}, 0.95); got != 5 {
		t.Errorf("of one value: %v, want it", got)
	}
	if got := Quantile(nil, 0.5); !math.IsNaN(got) {
		t.Errorf("of nothing: %v, want NaN", got)
	}
}

func TestGini(t *testing.T) {
	for _, test := range []struct {
		x    []float64
		want float64
	}{
		{[]float64{1, 1, 1}, 0},
		{[]float64{0, 0}, 0},
		{[]float64{0, 0, 0, 1}, 0.75}, // one value has everything: 1 − 1/4
		{[]float64{1, 3}, 0.25},       // (−1·1 + 1·3)/(2·4)
		{[]float64{1, 2, 3}, 2. / 9},  // (−2·1 + 0·2 + 2·3)/(3·6)
		{nil, math.NaN()},
	} {
		if got := Gini(test.x); math.Abs(got-test.want) > 1e-15 || math.IsNaN(got) != math.IsNaN(test.want) {
			t.Errorf("%v: %v, want %v", test.x, got, test.want)
		}
	}
}

func TestSortedAndHistogram(t *testing.T) {
	if got, want := Sorted([]uint32{30, 10, 20}, 10), []float64{1, 2, 3}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if got, want := Histogram([]float64{-1, 0, 0.24, 0.25, 0.5, 1, 7}, 0, 1, 4), []int{3, 1, 1, 2}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// {1, 2, 3} and {2, 4, 6}: means 2 and 4, variances 1 and 4, so
// t = −2/√(1/3 + 4/3) = −1.549193, with (5/3)²/((1/3)²/2 + (4/3)²/2) = 50/17
// degrees of freedom.
func TestWelch(t *testing.T) {
	statistic, freedom := Welch([]float64{1, 2, 3}, []float64{2, 4, 6})
	if math.Abs(statistic+2/math.Sqrt(5./3)) > 1e-12 || math.Abs(freedom-50./17) > 1e-12 {
		t.Errorf("t = %v with %v degrees of freedom", statistic, freedom)
	}
	if statistic, _ := Welch([]float64{1}, []float64{2, 3}); !math.IsNaN(statistic) {
		t.Errorf("of one value: %v, want NaN", statistic)
	}
}
