//go:build !js

package gallery_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"berth/engine/gallery"
	"berth/engine/golden"
	"berth/engine/must"
	"berth/engine/study"
)

const (
	powerFile = "testdata/power.txt"

	pilotFrom  = 1_000_000 // added to the seeds of an entry, so that a pilot shares none with it
	mostSeeds  = 20        // more at reduced size would take too long
	pilotSeeds = 5
)

// A pilot with other seeds determines the number of seeds at reduced size: enough for a power of 80
// % for each criterion that at most mostSeeds can decide. A subtest updates its own line. Entries
// have the number in their documents, where it is frozen.
func TestSeedsFollowFromAPilot(t *testing.T) {
	lines := goldenLines(t, powerFile)
	var order []string
	for _, e := range gallery.List() {
		for _, on := range e.OnInputs(gallery.AuthorFiles{}) {
			id := on.ID + " " + on.Input
			order = append(order, id)
			t.Run(id, func(t *testing.T) {
				s := on.Scenario(false)
				own := study.Of(s).Seeds
				if golden.Updates() {
					golden.Long(t)
					lines[id] = pilot(t, &on)
				}
				var needed int
				if _, err := fmt.Sscanf(strings.TrimPrefix(lines[id], id), ": %d seeds", &needed); err != nil {
					t.Fatalf("%q: %v", lines[id], err)
				}
				if own < needed && on.ID != "map" { // 272 runs for each seed
					t.Errorf("%d seeds, and a pilot asks for %d", own, needed)
				}
			})
		}
	}
	var file strings.Builder
	for _, id := range order {
		file.WriteString(lines[id])
	}
	golden.Check(t, powerFile, file.String())
}

// pilot returns the line of an entry after runs with other seeds.
func pilot(t *testing.T, e *gallery.Entry) string {
	s := e.Scenario(false)
	d := *study.Of(s)
	d.Base, d.Seeds = d.Base.Reseed(pilotFrom), pilotSeeds
	s.Body = &d
	most, by, beyond := 2, "", 0
	for _, c := range run(t, s).Criteria {
		switch need := c.Seeds(); {
		case need > mostSeeds:
			beyond++
		case need > most:
			most, by = need, " for "+c.ID
		}
	}
	line := fmt.Sprintf("%s %s: %d seeds%s", e.ID, e.Input, most, by)
	if beyond > 0 {
		line += fmt.Sprintf("; %d criteria would need more than %d", beyond, mostSeeds)
	}
	return line + "\n"
}

// goldenLines returns the lines of a golden file by their text before the colon.
func goldenLines(t *testing.T, name string) map[string]string {
	t.Helper()
	data := must.Get(os.ReadFile(name))(t)
	all := map[string]string{}
	for line := range strings.Lines(string(data)) {
		id, _, _ := strings.Cut(line, ":")
		all[id] = line
	}
	return all
}
