package figure

import "berth/engine/stats"

// Estimate is the mean of N observations, with half the width of its 95 % confidence
// interval; that is undefined of fewer than two.
type Estimate struct {
	N         int    `json:"n" optional:"true"` // 0 where an earlier build has not said it
	Mean      Number `json:"mean"`
	HalfWidth Number `json:"halfWidth"`
}

// EstimateOf is over the observations that are defined.
func EstimateOf(x []float64) Estimate {
	n, mean, half := stats.Estimate(x)
	return Estimate{n, Number(mean), Number(half)}
}

// Interval is that of confidence, the mean alone of a single observation.
func (e Estimate) Interval() (low, high float64) {
	if !e.HalfWidth.Defined() {
		return float64(e.Mean), float64(e.Mean)
	}
	return float64(e.Mean - e.HalfWidth), float64(e.Mean + e.HalfWidth)
}

// String writes the mean with half the width of its interval.
func (e Estimate) String() string { return e.In(Plain) }

// In writes it in a form, where a mean of counts need not be whole.
func (e Estimate) In(form Form) string {
	if form == Count {
		form = Plain
	}
	if !e.HalfWidth.Defined() {
		return form.Text(e.Mean)
	}
	return form.Text(e.Mean) + " ± " + form.Text(e.HalfWidth)
}
