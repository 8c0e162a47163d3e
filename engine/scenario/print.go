package scenario

import (
	"bytes"
	"fmt"
	"io"

	"berth/engine/show"
)

// Text returns the report as plain text for people: headline, figures, warnings and notes.
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

// WriteSentences writes a headline and details, one per line.
func WriteSentences(w io.Writer, headline string, details []string) {
	if headline == "" {
		return
	}
	for _, line := range append([]string{headline}, details...) {
		fmt.Fprintln(w, show.Lines(line))
	}
	fmt.Fprintln(w)
}
