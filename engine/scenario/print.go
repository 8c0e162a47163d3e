package scenario

import (
	"bytes"
	"fmt"
	"strconv"

	"berth/engine/show"
)

// Text writes a report for people.
func (r *Report) Text() []byte {
	var b bytes.Buffer
	if r.Name != "" {
		fmt.Fprintf(&b, "%s\n\n", show.Text(r.Name))
	}
	if r.Headline != "" {
		fmt.Fprintf(&b, "%s\n\n", show.Lines(r.Headline))
	}
	r.Body.WriteText(&b, r.Timings)
	for _, line := range r.Warnings {
		fmt.Fprintf(&b, "\nwarning: %s", show.Lines(line))
	}
	for _, line := range r.Notes {
		fmt.Fprintf(&b, "\nnote: %s", show.Lines(line))
	}
	fmt.Fprintf(&b, "\nscenario %s, results %s, engine %s\n", r.Scenario, r.Results, r.Engine)
	return b.Bytes()
}

// Digits writes a figure with four significant digits, a dash for one that is
// not defined.
func Digits(v *float64) string {
	switch {
	case v == nil:
		return "–"
	case *v >= 1000:
		return strconv.FormatFloat(*v, 'f', 1, 64)
	}
	return strconv.FormatFloat(*v, 'g', 4, 64)
}

// String writes a mean with half the width of its 95 % confidence interval.
func (e *Estimate) String() string {
	if e == nil {
		return "–"
	}
	if e.HalfWidth == nil {
		return Digits(&e.Mean)
	}
	return Digits(&e.Mean) + " ± " + Digits(e.HalfWidth)
}
