package stats

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestJain(t *testing.T) {
	for _, test := range []struct {
		x    []float64
		want float64
	}{
		{nil, 1}, {[]float64{0, 0}, 1}, {[]float64{3, 3, 3}, 1}, {[]float64{5, 0, 0, 0}, 0.25}, {[]float64{1, 3}, 0.8},
	} {
		if got := Jain(test.x); math.Abs(got-test.want) > 1e-15 {
			t.Errorf("Jain(%v) = %v, want %v", test.x, got, test.want)
		}
	}
}

func TestLogHistogramCountsEachValueInItsBin(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 0))
	values := []float64{0, 0.5, 1, 2, 1e-9, 1e9, 0.0625}
	for range 1000 {
		values = append(values, r.ExpFloat64())
	}
	h := NewLogHistogram(values)
	want := make([]int, len(h.Lower))
	zero := 0
	for _, v := range values {
		if v == 0 {
			zero++
			continue
		}
		i, exact := slices.BinarySearch(h.Lower, v)
		if !exact {
			i--
		}
		want[i]++
	}
	if h.Zero != zero || !slices.Equal(h.Count, want) {
		t.Errorf("zeros %d of %d, counts\n%v, want\n%v", h.Zero, zero, h.Count, want)
	}
	for i := 1; i < len(h.Lower); i++ {
		if ratio := h.Lower[i] / h.Lower[i-1]; ratio <= 1 || ratio > 1.126 {
			t.Fatalf("bin %d starts at %v times the one before", i, ratio)
		}
	}
	if h.Upper <= 1e9 {
		t.Errorf("the upper bound is %v", h.Upper)
	}
}

func TestLogHistogramOfNothing(t *testing.T) {
	if h := NewLogHistogram([]float64{0, 0}); h.Zero != 2 || len(h.Count) > 0 {
		t.Errorf("got %+v", h)
	}
}
