package figure

import (
	"cmp"
	"encoding/json"
	"strings"

	"berth/engine/stats"
)

// Estimate is the mean of N observations with half the width of its 95 % confidence interval, which
// is undefined for fewer than two observations.
type Estimate struct {
	N         int    `json:"n" optional:"true"` // 0 if an earlier version wrote the report
	Mean      Number `json:"mean"`
	HalfWidth Number `json:"halfWidth"`
}

// EstimateOf returns the estimate over the defined observations.
func EstimateOf(x []float64) Estimate {
	n, mean, half := stats.Estimate(x)
	return Estimate{n, Number(mean), Number(half)}
}

// Interval returns the confidence interval. For a single observation both ends are the mean.
func (e Estimate) Interval() (low, high float64) {
	if !e.HalfWidth.Defined() {
		return float64(e.Mean), float64(e.Mean)
	}
	return float64(e.Mean - e.HalfWidth), float64(e.Mean + e.HalfWidth)
}

// String formats the mean and half the width of its interval as "mean ± half width".
func (e Estimate) String() string { return e.In(Plain) }

// In is like String with a form. It treats Count as Plain, because a mean of counts need not be
// whole.
func (e Estimate) In(form Form) string {
	if form == Count {
		form = Plain
	}
	if !e.HalfWidth.Defined() {
		return form.Text(e.Mean)
	}
	return form.Text(e.Mean) + " ± " + form.Text(e.HalfWidth)
}

// Estimates maps figures, by key or name, to their estimates.
type Estimates map[string]Estimate

// At returns the estimate of a figure, an undefined one if there is none.
func (e Estimates) At(key string) Estimate {
	if one, known := e[key]; known {
		return one
	}
	return EstimateOf(nil)
}

// Read adds the estimates that a JSON object has at the keys of figures. It ignores null and
// undefined estimates.
func (e Estimates) Read(all []Figure, data []byte) error {
	for i := range all {
		at := json.RawMessage(data)
		for name := range strings.SplitSeq(all[i].Key, ".") {
			var within map[string]json.RawMessage
			if at != nil && json.Unmarshal(at, &within) != nil {
				return json.Unmarshal(at, &within)
			}
			at = within[name]
		}
		var one *Estimate
		if at == nil {
			continue
		}
		if err := json.Unmarshal(at, &one); err != nil {
			return err
		}
		if one != nil && one.Mean.Defined() {
			e[all[i].Key] = *one
		}
	}
	return nil
}

// Over estimates figures over subjects, usually runs with different seeds. It omits figures that
// are undefined for all subjects.
func Over[S any](all []Figure, subjects []S) Estimates {
	estimates := Estimates{}
	values := make([]float64, len(subjects))
	for i := range all {
		for k, s := range subjects {
			values[k] = float64(all[i].Of(s))
		}
		if e := EstimateOf(values); e.N > 0 {
			estimates[cmp.Or(all[i].Key, all[i].Name)] = e
		}
	}
	return estimates
}
