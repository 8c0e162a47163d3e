package stats

import (
	"math"
	"math/rand/v2"
	"slices"
)

// Resamples is the number of bootstrap resamples for the interval of a ratio.
const Resamples = 10_000

// Ratio is the quotient of two means over the same seeds.
type Ratio struct {
	Value     float64 // NaN if the denominator is 0
	Low, High float64 // 95 % bootstrap interval; NaN with fewer than two seeds

	resampled []float64 // ascending; +Inf where the denominator of a resample is 0
}

// RatioOf returns the quotient of the means of a and b, with its percentile bootstrap interval over
// the seeds. a and b must have equal lengths and no NaN. The draws depend only on seed. Seeds with
// a denominator of 0 count; if the denominators of some resamples are 0, the interval may be
// unbounded.
func RatioOf(a, b []float64, seed uint64) Ratio {
	r := Ratio{Value: quotient(sum(a), sum(b)), Low: math.NaN(), High: math.NaN()}
	if len(a) < 2 || math.IsInf(r.Value, 0) {
		if math.IsInf(r.Value, 0) {
			r.Value = math.NaN()
		}
		return r
	}
	random := rand.New(rand.NewPCG(seed, uint64(len(a))))
	r.resampled = make([]float64, Resamples)
	for i := range r.resampled {
		var x, y float64
		for range a {
			k := uint64(random.Uint32()) * uint64(len(a)) >> 32
			x, y = x+a[k], y+b[k]
		}
		r.resampled[i] = quotient(x, y)
	}
	slices.Sort(r.resampled)
	r.Low, r.High = Quantile(r.resampled, 0.025), Quantile(r.resampled, 0.975)
	return r
}

// quotient returns +Inf for a denominator of 0, so that such a resample never narrows an interval.
func quotient(x, y float64) float64 {
	if y == 0 {
		return math.Inf(1)
	}
	return x / y
}

func sum(x []float64) (total float64) {
	for _, v := range x {
		total += v
	}
	return total
}

// P returns the two-sided bootstrap p-value of the hypothesis that the ratio is on the other side
// of bound: twice the fraction of the resamples there, at most 1.
func (r *Ratio) P(bound float64) float64 {
	below, _ := slices.BinarySearch(r.resampled, bound)
	other := below
	if r.Value < bound {
		other = len(r.resampled) - below
	}
	return min(1, 2*float64(other+1)/float64(len(r.resampled)+1))
}
