package stats

import (
	"math"
	"math/rand/v2"
	"slices"
)

// Resamples is how many resamples an interval of a ratio is from.
const Resamples = 10_000

// Ratio is the quotient of two means over the same seeds.
type Ratio struct {
	Value     float64 // NaN where the denominator is 0
	Low, High float64 // 95 % interval by the bootstrap; NaN of fewer than two seeds

	resampled []float64 // in order; infinite where a denominator is 0
}

// RatioOf returns the quotient of the means of a and b, of equal length and defined, with
// its percentile interval over resamples of the seeds. The draws follow the seed alone. A
// seed without anything in the denominator counts, and where some resamples have none at
// all the interval is open.
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
	r.Low, r.High = atPart(r.resampled, 0.025), atPart(r.resampled, 0.975)
	return r
}

// quotient is infinite where the denominator is 0, so that it never narrows an interval.
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

// atPart interpolates between order statistics, as [Quantile] does, also up to infinity.
func atPart(sorted []float64, p float64) float64 {
	at := float64(p * float64(len(sorted)-1))
	low := int(at)
	if sorted[low] == sorted[low+1] || math.IsInf(sorted[low+1], 1) {
		return sorted[low+1]
	}
	return sorted[low] + float64((at-float64(low))*(sorted[low+1]-sorted[low]))
}

// P returns the two-sided p-value of the ratio being at most a bound that it is above, or
// at least one that it is below: twice the part of the resamples on the other side.
func (r *Ratio) P(bound float64) float64 {
	below, _ := slices.BinarySearch(r.resampled, bound)
	other := below
	if r.Value < bound {
		other = len(r.resampled) - below
	}
	return min(1, 2*float64(other+1)/float64(len(r.resampled)+1))
}
