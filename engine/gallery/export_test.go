//go:build !js

package gallery

import (
	"cmp"
	"fmt"
	"strings"

	"berth/engine/scenario"
	"berth/engine/study"
)

// Table returns the verdicts of all entries in Markdown: the given verdicts at reduced size and the
// recorded ones.
func Table(reduced map[string]study.Verdict) string {
	var b strings.Builder
	b.WriteString("| figure | what | authors' input | generated, reduced | generated, full | revision | day | runs carried out |\n|---|---|---|---|---|---|---|---|\n")
	for _, e := range List() {
		full, revision, day, took := study.Verdict("–"), "–", "–", "–"
		authors := cmp.Or(reduced[e.ID+"/"+Authors], "–")
		if needs, ok := e.Needs(); ok && len(needs) > 0 {
			authors = "by --data"
		}
		if r := e.Recorded(); r != nil {
			if r.Authors != nil {
				authors = r.Authors.Verdict
			}
			full, revision, day, took = cmp.Or(r.Generated, r.Verdict), fmt.Sprint(r.revision()), r.Date, r.took()
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s | %s | %s |\n", e.ID, e.Title, authors, reduced[e.ID], full, revision, day, took)
	}
	return b.String()
}

// Logged exports [logged].
var Logged = logged

// WrittenFrozen returns the hash in the document of an entry.
func WrittenFrozen(e *Entry) string { return e.frozen }

// Find exports [AuthorFiles.find].
func Find(f AuthorFiles, id string) scenario.Source { return f.find(id) }
