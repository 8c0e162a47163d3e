package scenario

import (
	"math"

	"berth/engine/stats"
)

// Estimate is a mean and half the width of its 95 % confidence interval, nil
// for a single observation.
type Estimate struct {
	Mean      float64  `json:"mean"`
	HalfWidth *float64 `json:"halfWidth"`
}

// EstimateOf is over the observations that are defined, nil of none.
func EstimateOf(x []float64) *Estimate {
	n, mean, half := stats.Estimate(x)
	if n == 0 {
		return nil
	}
	return &Estimate{Mean: mean, HalfWidth: Defined(half)}
}

// Interval is that of confidence, the mean alone of a single observation.
func (e *Estimate) Interval() (low, high float64) {
	if e.HalfWidth == nil {
		return e.Mean, e.Mean
	}
	return e.Mean - *e.HalfWidth, e.Mean + *e.HalfWidth
}

// Defined returns nil for what is not a number, which JSON has no word for.
func Defined(x float64) *float64 {
	if math.IsNaN(x) {
		return nil
	}
	return &x
}
