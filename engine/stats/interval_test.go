package stats

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

func TestStudentQuantileAgreesWithGonum(t *testing.T) {
	for v := 1; v < 1000; v++ {
		want := distuv.StudentsT{Sigma: 1, Nu: float64(v)}.Quantile(0.975)
		if got := StudentT975(v); math.Abs(got-want) > 2e-8 {
			t.Errorf("%d degrees of freedom: got %v, want %v", v, got, want)
		}
	}
}

// The expansion continues where the sums end, and approaches 1.96.
func TestStudentQuantileOfMany(t *testing.T) {
	if sums, expansion := StudentT975(manyFreedoms-1), expandedT975(manyFreedoms-1); math.Abs(sums-expansion) > 1.1e-9 {
		t.Errorf("the sums give %v, the expansion %v", sums, expansion)
	}
	if got := StudentT975(25_000_000); math.Abs(got-1.959964) > 1e-6 {
		t.Errorf("of 25 million: got %v", got)
	}
}

func TestHalfWidth95(t *testing.T) {
	for _, test := range []struct {
		x    []float64
		want float64
	}{
		{nil, math.NaN()},
		{[]float64{3}, math.NaN()},
		{[]float64{3, 3, 3}, 0},
		{[]float64{1, 3}, 12.706204736}, // t(0.975, 1)·√2/√2
		{[]float64{2, 4, 4, 4, 5, 5, 7, 9}, 2.364624252 * stat.StdErr(stat.StdDev([]float64{2, 4, 4, 4, 5, 5, 7, 9}, nil), 8)},
	} {
		got := HalfWidth95(test.x)
		if math.Abs(got-test.want) > 1e-8 || math.IsNaN(got) != math.IsNaN(test.want) {
			t.Errorf("%v: got %v, want %v", test.x, got, test.want)
		}
	}
}

func TestMean(t *testing.T) {
	if got := Mean([]float64{1, 2, 6}); got != 3 {
		t.Errorf("got %v, want 3", got)
	}
	if got := Mean(nil); !math.IsNaN(got) {
		t.Errorf("of nothing: got %v, want NaN", got)
	}
}

// Estimate ignores NaN. Without numbers, the mean and the interval are NaN.
func TestEstimateLeavesOutWhatIsNotDefined(t *testing.T) {
	x := []float64{1, math.NaN(), 2, 4, math.NaN()}
	if n, mean, half := Estimate(x); n != 3 || mean != Mean([]float64{1, 2, 4}) || half != HalfWidth95([]float64{1, 2, 4}) {
		t.Errorf("of %v: %d, %v ± %v", x, n, mean, half)
	}
	if n, mean, half := Estimate(x[1:2]); n != 0 || !math.IsNaN(mean) || !math.IsNaN(half) {
		t.Errorf("of nothing: %d, %v ± %v", n, mean, half)
	}
}
