package gallery

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"sync"

	"berth/engine/study"
)

// Revision is a version of the rules, the criteria and the numbers of seeds, which must not change
// once runs at full size begin. Any change makes a new revision, with its reason.
type Revision struct {
	Number int
	Day    string // as 2026-01-31
	Hash   string // result of [Frozen]; "" for the first revision, which has no hash
	Reason string
}

// Revisions returns all revisions, the current one last.
var Revisions = sync.OnceValue(func() (all []Revision) {
	read(revisionsName, &all)
	return all
})

// Current returns the latest revision. New results are judged by its criteria.
func Current() Revision {
	all := Revisions()
	return all[len(all)-1]
}

// Frozen returns the hash of the rules, criteria and numbers of seeds of all entries, on
// each input and in each size.
func Frozen() string { return frozen(List()) }

// Frozen returns the hash of the rules, criteria and numbers of seeds of the entry.
func (e *Entry) Frozen() string { return frozen([]Entry{*e}) }

func frozen(entries []Entry) string {
	hash := sha256.New()
	encoder := json.NewEncoder(hash)
	freeze := func(id, what string, d study.Document) {
		// encoding cannot fail, because criteria are plain values
		_ = encoder.Encode([]any{study.RulesVersion, id, what, d.Seeds, d.Criteria})
	}
	for _, e := range entries {
		freeze(e.ID, "reduced", e.document(false))
		freeze(e.ID, "full", e.document(true))
		if e.authors != nil {
			freeze(e.ID, Authors, e.authors.on(AuthorFiles{}, e.Figure))
		}
	}
	return hex.EncodeToString(hash.Sum(nil)[:8])
}
