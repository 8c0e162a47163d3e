//go:build !js

package gallery

import (
	"fmt"
	"strings"

	"berth/engine/study"
)

// Table returns the verdicts of all entries in Markdown: those at reduced size, which
// the caller has computed, beside the recorded ones.
func Table(reduced map[string]study.Verdict) string {
	var b strings.Builder
	b.WriteString("| figure | what | reduced size | full size | day | runs carried out |\n|---|---|---|---|---|---|\n")
	for _, e := range List() {
		full, day, took := "–", "–", "–"
		if r := e.Recorded(); r != nil {
			full, day, took = string(r.Verdict), r.Date, r.took()
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s |\n", e.ID, e.Title, reduced[e.ID], full, day, took)
	}
	return b.String()
}
