package gallery

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"berth/engine/study"
)

// Revision is a version of the criteria and numbers of seeds, which are frozen before
// runs at full size. Any change makes a new revision, with its reason.
type Revision struct {
	Number int
	Day    string // as 2026-01-31
	Hash   string // result of [Frozen]; "" for the first revision, which has no hash
	Reason string
}

// Revisions are all revisions, the current one last.
var Revisions = []Revision{
	{1, "2026-11-22", "", "The first criteria. A mean inside its tolerance agreed, however wide its interval, and a direction could hide a number that was contradicted."},
	{2, "2026-11-26", "73983f5d9b93c5fa", "A number agrees with its whole 95 % interval inside the tolerance. A contradiction counts after Holm's correction, is never hidden by a direction, and effects below 5 % are no directions. Ratios have bootstrap intervals. Entries run on the authors' input where it is public."},
	{3, "2026-11-27", "0dc9d582212a629c", "Figure 5 of the QoS paper is held against the availabilities in the authors' logs, and figure 6 of Megha names megha-1 by its name. All other criteria are as before."},
	{4, "2026-11-27", "ac338176489fe4a8", "Four figures of the FGD paper are new, with the allocations that its authors' repository expects for thirteen lists of pods. All other criteria are as before."},
	{5, "2026-11-27", "ef07ee6bb2c80780", "Figure 14 of the paper on Firmament is new. All other criteria are as before."},
	{6, "2026-11-27", "77cda4f056087469", "Five figures on Hawk, Eagle, Omega and Mesos are new, and the map of schedulers with claims from a pilot. All other criteria are as before."},
	{7, "2026-11-28", "77cda4f056087469", "Two figures that are 0 for each seed meet a ratio of 1, where the ratio was not defined: penalties with all SLOs kept. The criteria are as before."},
	{8, "2026-11-28", "9a3368701a41bacf", "Figure 7.6 of the thesis is judged by means over the levels of contention, as its text has them; each level had been held against the mean of all. All other criteria are as before."},
}

// Current returns the revision in force.
func Current() Revision { return Revisions[len(Revisions)-1] }

// Frozen returns the hash of the criteria and numbers of seeds of all entries, on
// each input and in each size.
func Frozen() string { return frozen(List()) }

// Frozen returns the hash of the criteria and numbers of seeds of the entry.
func (e *Entry) Frozen() string { return frozen([]Entry{*e}) }

func frozen(entries []Entry) string {
	hash := sha256.New()
	encoder := json.NewEncoder(hash)
	freeze := func(id, what string, d study.Document) {
		// Encoding cannot fail: criteria are plain values.
		_ = encoder.Encode([]any{id, what, d.Seeds, d.Criteria})
	}
	for _, e := range entries {
		freeze(e.ID, "reduced", e.document(false))
		freeze(e.ID, "full", e.document(true))
		if e.authors != nil {
			freeze(e.ID, Authors, e.authors.document(AuthorFiles{}))
		}
	}
	return hex.EncodeToString(hash.Sum(nil)[:8])
}
