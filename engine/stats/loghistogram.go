package stats

import "math"

// perOctave is how many bins of a LogHistogram lie between a value and its
// double.
const perOctave = 8

// LogHistogram counts values not below 0 in bins whose width grows with the
// value: eight of equal width from each power of two to the next. It needs no
// logarithm, so it is the same everywhere.
type LogHistogram struct {
	Zero  int       `json:"zero"`  // values of 0
	Lower []float64 `json:"lower"` // the lower bound of each bin
	Upper float64   `json:"upper"` // the upper bound of the last
	Count []int     `json:"count"`
}

// bin numbers the bins: 0 starts at 0.5.
func bin(v float64) int {
	fraction, exponent := math.Frexp(v) // fraction in [0.5, 1)
	return exponent*perOctave + int((fraction-0.5)*2*perOctave)
}

// bound is the lower bound of a bin.
func bound(bin int) float64 {
	exponent := int(math.Floor(float64(bin) / perOctave))
	within := bin - exponent*perOctave
	return math.Ldexp(0.5+float64(float64(within)/(2*perOctave)), exponent)
}

// End is the upper bound of a bin, from 0.
func (h *LogHistogram) End(bin int) float64 {
	if bin+1 < len(h.Lower) {
		return h.Lower[bin+1]
	}
	return h.Upper
}

// NewLogHistogram counts values. None may be negative, infinite or not a number.
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
