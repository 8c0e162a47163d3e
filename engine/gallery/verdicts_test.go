//go:build !js

package gallery_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"berth/engine/gallery"
	"berth/engine/golden"
	"berth/engine/must"
)

const verdictsFile = "testdata/verdicts.txt"

// brief are entries of each laboratory that take only a moment.
var brief = []string{"thesis-4.5", "qos-4", "qos-5", "megha-3", "megha-5", "megha-6", "fgd-default", "fgd-multigpu"}

// These are the verdicts at reduced size, except on authors' inputs that need files. Examine a
// changed verdict before you update its block; a subtest updates its own.
func TestVerdictsAreGolden(t *testing.T) {
	blocks := goldenBlocks(t)
	var order []string
	for _, e := range gallery.List() {
		for _, on := range e.OnInputs(gallery.AuthorFiles{}) {
			id := on.ID
			if on.Input == gallery.Authors {
				id += "/" + gallery.Authors
			}
			order = append(order, id)
			t.Run(id, func(t *testing.T) {
				if !slices.Contains(brief, id) {
					golden.Long(t)
				}
				got := verdictBlock(t, id, &on)
				if golden.Updates() {
					blocks[id] = got
				} else if got != blocks[id] {
					t.Errorf("%s has another block (go test -update rewrites it); got\n%s", verdictsFile, got)
				}
			})
		}
	}
	var file strings.Builder
	for _, id := range order {
		file.WriteString(blocks[id])
	}
	golden.Check(t, verdictsFile, file.String())
}

func verdictBlock(t *testing.T, id string, e *gallery.Entry) string {
	var lines strings.Builder
	r := run(t, e.Scenario(false))
	fmt.Fprintf(&lines, "%s %s\n", id, e.Verdict(r))
	for _, c := range r.Criteria {
		fmt.Fprintf(&lines, "  %s %s: %s\n", c.ID, c.Verdict, c.Ours)
	}
	for _, v := range e.Tried {
		fmt.Fprintf(&lines, "  with %s: %s\n", v.What, e.Verdict(run(t, e.With(v, false))))
	}
	return lines.String()
}

// goldenBlocks returns the parts of the golden file by entry.
func goldenBlocks(t *testing.T) map[string]string {
	t.Helper()
	data := must.Get(os.ReadFile(verdictsFile))(t)
	blocks, id := map[string]string{}, ""
	for line := range strings.Lines(string(data)) {
		if !strings.HasPrefix(line, " ") {
			id, _, _ = strings.Cut(line, " ")
		}
		blocks[id] += line
	}
	return blocks
}
