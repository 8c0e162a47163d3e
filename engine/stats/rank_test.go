package stats_test

import (
	"math"
	"slices"
	"testing"

	"berth/engine/stats"
)

// The values are from scipy 1.10.1: stats.wilcoxon(d, correction=True), with mode="exact" for fewer
// than 50 differences without ties and zeros. The medians of Walsh averages are from numpy.
func TestRanksAreScipys(t *testing.T) {
	sixty := make([]float64, 60)
	for i := range sixty {
		sixty[i] = math.Round(1000*(math.Sin(float64(i+1))+0.3)) / 1000
	}
	for _, test := range []struct {
		name      string
		d         []float64
		p, middle float64
	}{
		{"ten", []float64{0.8, -0.3, 1.2, 2.1, 0.4, -1.1, 0.9, 1.7, 0.6, 1.35}, 0.037109375, 0.85},
		{"five, which can never reach 5 %", []float64{1.0, 2.5, 0.7, 3.1, 0.2}, 0.0625, 1.6},
		{"ties and a zero", []float64{1, 1, -1, 2, 2, 3, -2, 4, 5, 5, 0, 1}, 0.03156688711439703, 1.5},
		{"sixty", sixty, 0.0012462679548275967, 0.31475},
		{"all positive", []float64{0.17, 0.47, 0.97, 1.67, 2.57, 3.67, 4.97, 6.47, 8.17, 10.07, 12.17, 14.47}, 0.00048828125, 5.195},
		{"zeros alone", []float64{0, 0}, 1, 0},
		{"none", nil, math.NaN(), math.NaN()},
	} {
		before := slices.Clone(test.d)
		if p := stats.Wilcoxon(test.d); math.Abs(p-test.p) > 1e-9 || math.IsNaN(p) != math.IsNaN(test.p) {
			t.Errorf("%s: p = %v, want %v", test.name, p, test.p)
		}
		if m := stats.HodgesLehmann(test.d); math.Abs(m-test.middle) > 1e-12 || math.IsNaN(m) != math.IsNaN(test.middle) {
			t.Errorf("%s: the median of pairs is %v, want %v", test.name, m, test.middle)
		}
		if !slices.Equal(before, test.d) {
			t.Errorf("%s: the differences were changed", test.name)
		}
	}
}

// 2·U/(n·m) − 1 with scipy's U (mannwhitneyu) for the first pair.
func TestCliffsDelta(t *testing.T) {
	for _, test := range []struct {
		a, b []float64
		want float64
	}{
		{[]float64{3, 5, 7, 9, 11}, []float64{4, 5, 6, 1, 2, 8}, 0.5},
		{[]float64{2, 3}, []float64{1, 1}, 1},
		{[]float64{0, 0}, []float64{1, 1}, -1},
		{[]float64{1, 1}, []float64{1, 1}, 0},
	} {
		if got := stats.CliffsDelta(test.a, test.b); math.Abs(got-test.want) > 1e-12 {
			t.Errorf("%v against %v: %v, want %v", test.a, test.b, got, test.want)
		}
	}
}

// The values are from R: p.adjust(p, "holm").
func TestHolm(t *testing.T) {
	for _, test := range []struct{ p, want []float64 }{
		{[]float64{0.01, 0.04, 0.03, 0.005}, []float64{0.03, 0.06, 0.06, 0.02}},
		{[]float64{0.03, 1, 1}, []float64{0.09, 1, 1}},
		{[]float64{0.2}, []float64{0.2}},
		{nil, nil},
	} {
		got := stats.Holm(test.p)
		if !slices.EqualFunc(got, test.want, func(a, b float64) bool { return math.Abs(a-b) < 1e-12 }) {
			t.Errorf("%v: %v, want %v", test.p, got, test.want)
		}
	}
}

// scipy 1.10.1, stats.bootstrap with paired=True, method="percentile" and 100,000 resamples, gives
// the interval 2.000 to 2.264; only the draws differ.
func TestRatioOf(t *testing.T) {
	a := []float64{2.1, 2.5, 1.9, 2.8, 3.0, 2.2, 2.6, 2.4}
	b := []float64{1.0, 1.2, 0.9, 1.1, 1.5, 1.0, 1.2, 1.3}
	r := stats.RatioOf(a, b, 1)
	if math.Abs(r.Value-2.1195652173913047) > 1e-12 || math.Abs(r.Low-2.000) > 0.006 || math.Abs(r.High-2.264) > 0.006 {
		t.Errorf("%v [%v, %v]", r.Value, r.Low, r.High)
	}
	if again := stats.RatioOf(a, b, 1); again.Low != r.Low || again.High != r.High {
		t.Error("the same seed gives another interval")
	}
	if p := r.P(1.9); p > 0.01 {
		t.Errorf("the ratio is above 1.9 with p = %v", p)
	}
	if p := r.P(2.5); p > 0.001 {
		t.Errorf("the ratio is below 2.5 with p = %v", p)
	}
	if p := r.P(2.1); p < 0.3 {
		t.Errorf("the ratio is above 2.1 with p = %v", p)
	}
}

// A denominator that is mostly 0 gives an open interval, not a narrow one. One that is always 0
// gives no ratio, and a single seed gives no interval.
func TestRatioWithoutDenominator(t *testing.T) {
	r := stats.RatioOf([]float64{3, 2, 4, 3}, []float64{0, 0, 0, 1}, 1)
	if r.Value != 12 || !math.IsInf(r.High, 1) || r.Low > 12 {
		t.Errorf("%v [%v, %v]", r.Value, r.Low, r.High)
	}
	if r = stats.RatioOf([]float64{3, 2}, []float64{0, 0}, 1); !math.IsNaN(r.Value) || !math.IsNaN(r.Low) {
		t.Errorf("without denominator: %+v", r)
	}
	if r = stats.RatioOf([]float64{3}, []float64{2}, 1); r.Value != 1.5 || !math.IsNaN(r.High) {
		t.Errorf("of one: %+v", r)
	}
}
