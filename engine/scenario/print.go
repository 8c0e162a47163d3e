package scenario

import (
	"bytes"
	"fmt"
	"io"
	"strconv"

	"berth/engine/show"
)

// Text writes a report for people.
func (r *Report) Text() []byte {
	var b bytes.Buffer
	if r.Name != "" {
		fmt.Fprintf(&b, "%s\n\n", show.Text(r.Name))
	}
	WriteSentences(&b, r.Headline, r.Details)
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

// WriteSentences writes a headline and details, each on a line of its own.
func WriteSentences(w io.Writer, headline string, details []string) {
	if headline == "" {
		return
	}
	for _, line := range append([]string{headline}, details...) {
		fmt.Fprintln(w, show.Lines(line))
	}
	fmt.Fprintln(w)
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
