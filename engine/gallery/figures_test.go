package gallery_test

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"berth/engine/gallery"
	"berth/engine/golden"
	"berth/engine/must"
	"berth/engine/study"
)

// With one seed, every entry has the same figures natively and in the browser, bit for bit. All
// seeds would take minutes there.
func TestFiguresAreTheSameEverywhere(t *testing.T) {
	golden.Long(t)
	var lines strings.Builder
	for _, e := range gallery.List() {
		s := e.Scenario(false)
		d := *study.Of(s)
		d.Seeds = 1
		s.Body = &d
		figures := must.Get(json.Marshal(run(t, s)))(t)
		fmt.Fprintf(&lines, "%s %.8x\n", e.ID, sha256.Sum256(figures))
	}
	golden.Check(t, "testdata/figures.txt", lines.String())
}
