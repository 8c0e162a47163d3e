package stats

import "math"

// perOctave is the number of bins between a value and twice that value.
const perOctave = 8

// LogHistogram counts values ≥ 0 in bins whose width grows with the value: eight bins of equal
// width from each power of two to the next. It computes no logarithm, so it is the same on every
// platform.
type LogHistogram struct {
	Zero  int       `json:"zero"`  // number of values equal to 0
	Lower []float64 `json:"lower"` // lower bound of each bin
	Upper float64   `json:"upper"` // upper bound of the last bin
	Count []int     `json:"count"`
}

// bin returns the number of the bin of v > 0; bin 0 starts at 0.5.
func bin(v float64) int {
	fraction, exponent := math.Frexp(v) // fraction in [0.5, 1)
	return exponent*perOctave + int((fraction-0.5)*2*perOctave)
}

// bound returns the lower bound of a bin by its number.
func bound(bin int) float64 {
	exponent := int(math.Floor(float64(bin) / perOctave))
	within := bin - exponent*perOctave
	return math.Ldexp(0.5+float64(float64(within)/(2*perOctave)), exponent)
}

// End returns the upper bound of the bin at an index of Count.
func (h *LogHistogram) End(bin int) float64 {
	if bin+1 < len(h.Lower) {
		return h.Lower[bin+1]
	}
	return h.Upper
}

// NewLogHistogram counts values, which must be finite and not negative.
func NewLogHistogram(values []float64) LogHistogram {
	h := LogHistogram{Lower: []float64{}, Count: []int{}}
	least, most := math.MaxInt, math.MinInt
	for _, v := range values {
		if v > 0 {
			least, most = min(least, bin(v)), max(most, bin(v))
		}
	}
	if least <= most {
		h.Count = make([]int, most-least+1)
		h.Upper = bound(most + 1)
	}
	for i := range h.Count {
		h.Lower = append(h.Lower, bound(least+i))
	}
	for _, v := range values {
		if v > 0 {
			h.Count[bin(v)-least]++
		} else {
			h.Zero++
		}
	}
	return h
}
