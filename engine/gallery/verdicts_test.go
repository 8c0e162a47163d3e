//go:build !js

package gallery_test

import (
	"fmt"
	"strings"
	"testing"

	"berth/engine/gallery"
	"berth/engine/golden"
)

// The verdicts at reduced size. One that changes has to be looked at before its line
// is updated.
func TestVerdictsAreGolden(t *testing.T) {
	var lines strings.Builder
	for _, e := range gallery.List() {
		r := run(t, e.Scenario(false))
		fmt.Fprintf(&lines, "%s %s\n", e.ID, e.Verdict(r))
		for _, c := range r.Criteria {
			fmt.Fprintf(&lines, "  %s %s: %s\n", c.ID, c.Verdict, c.Ours)
		}
		for _, v := range e.Tried {
			fmt.Fprintf(&lines, "  with %s: %s\n", v.What, e.Verdict(run(t, e.With(v, false))))
		}
	}
	golden.Check(t, "testdata/verdicts.txt", lines.String())
}
