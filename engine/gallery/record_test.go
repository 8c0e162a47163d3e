//go:build !js

package gallery_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"berth/engine/gallery"
	"berth/engine/golden"
	"berth/engine/must"
	"berth/engine/study"
)

// The documentation has the computed verdicts of both sizes.
func TestTableOfVerdicts(t *testing.T) {
	golden.Part(t, "../../web/docs/pages/verdicts.md", "verdicts of the gallery", gallery.Table(reducedVerdicts(t)))
}

// reducedVerdicts returns the verdicts in the golden file, by entry, or by "entry/authors" for the
// authors' input.
func reducedVerdicts(t *testing.T) map[string]study.Verdict {
	t.Helper()
	verdicts := map[string]study.Verdict{}
	for id, block := range goldenBlocks(t) {
		head, _, _ := strings.Cut(block, "\n")
		_, verdict, _ := strings.Cut(head, " ")
		verdicts[id] = study.Verdict(verdict)
	}
	return verdicts
}

// Every record is complete. A record by the current criteria belongs to the entry's current
// experiment, and its verdict follows from its criteria. A record by earlier criteria says so.
func TestEveryEntryIsRecorded(t *testing.T) {
	superseded := 0
	for _, e := range gallery.List() {
		r := e.Recorded()
		if r == nil {
			t.Logf("%s has no record: berth gallery --full --figure %[1]s --record engine/gallery/recorded.json", e.ID)
			continue
		}
		if _, err := time.Parse(time.DateOnly, r.Date); err != nil || r.Runs.Done != r.Runs.All || r.Runs.Failed > 0 || !strings.HasSuffix(r.Command, e.ID) ||
			(r.Carried == 0) != (r.Reused != "") {
			t.Errorf("%s: a record that is not whole: %+v", e.ID, r)
		}
		if r.Superseded() {
			superseded++
			if !strings.Contains(r.How(), "of the criteria") {
				t.Errorf("%s: a record by earlier criteria does not say so: %s", e.ID, r.How())
			}
			continue
		}
		on := e.OnInputs(gallery.AuthorFiles{})[0]
		s := on.Scenario(true)
		if r.Experiment != s.Hash() || len(r.Tried) != len(on.Tried) {
			t.Errorf("%s: a record of another experiment: berth gallery --full --figure %[1]s --record engine/gallery/recorded.json", e.ID)
			continue
		}
		var judged []study.Judged
		for i, c := range study.Of(s).Criteria {
			if r.Criteria[i].ID != c.ID {
				t.Fatalf("%s: a record of other criteria: %s, want %s", e.ID, r.Criteria[i].ID, c.ID)
			}
			number := c.Test.Kind != study.Order && c.Test.Kind != study.Monotone
			judged = append(judged, study.Judged{Verdict: r.Criteria[i].Verdict, Evidence: r.Criteria[i].Evidence, Number: number})
		}
		if got := on.Verdict(&study.Report{Verdict: study.Conclude(judged)}); got != r.Verdict {
			t.Errorf("%s: %s follows from the criteria, and %s is recorded", e.ID, got, r.Verdict)
		}
	}
	t.Logf("%d records are by earlier criteria", superseded)
}

// The criteria and the numbers of seeds are frozen. A change of either needs another revision, with
// its reason.
func TestCriteriaAreFrozen(t *testing.T) {
	last := 0
	for _, r := range gallery.Revisions() {
		if _, err := time.Parse(time.DateOnly, r.Day); err != nil || r.Number != last+1 || len(r.Reason) < 40 {
			t.Errorf("a revision without number, day or reason: %+v", r)
		}
		last = r.Number
	}
	for _, e := range gallery.List() {
		if got, want := gallery.WrittenFrozen(&e), e.Frozen(); got != want {
			t.Errorf("the document of %s has the hash %s of its criteria, want %s", e.ID, got, want)
		}
	}
	if got, want := gallery.Frozen(), gallery.Current().Hash; got != want {
		t.Errorf("the criteria have the hash %s, and revision %d has %s: add a revision with its reason to entries/revisions.json", got, gallery.Current().Number, want)
	}
}

// An entry that differs, at either size, lists the variants that were tried.
func TestDifferencesWereLookedInto(t *testing.T) {
	reduced := reducedVerdicts(t)
	for _, e := range gallery.List() {
		r := e.Recorded()
		if (reduced[e.ID] == study.Differs || r != nil && r.Verdict == study.Differs) && len(e.Tried) == 0 {
			t.Errorf("%s differs, and nothing else was tried", e.ID)
		}
		if r != nil && r.Authors != nil && r.Authors.Verdict == study.Differs && len(r.Authors.Tried) == 0 {
			t.Errorf("%s differs on the authors' files, and nothing else was tried", e.ID)
		}
	}
}

// The test computes a sample of the records again: for each paper an entry that takes only seconds.
func TestRecordsAreReproduced(t *testing.T) {
	golden.Long(t)
	ids := []string{"thesis-4.5", "qos-5", "megha-5", "megha-7"}
	if !testing.Short() {
		ids = append(ids, "megha-6")
	}
	for _, id := range ids {
		e, _ := gallery.Lookup(id)
		was := e.Recorded()
		if was == nil || was.Superseded() {
			t.Errorf("%s has no record by the criteria in force", id)
			continue
		}
		var inputs []gallery.OnInput
		for _, on := range e.OnInputs(gallery.AuthorFiles{}) {
			s := on.Scenario(true)
			report := run(t, s)
			one := gallery.OnInput{Input: on.Input, Outcome: on.Outcome(s, report), Chart: on.Chart(study.Of(s), report)}
			for _, v := range on.Tried {
				s := on.With(v, true)
				one.Tried = append(one.Tried, gallery.Tried{What: v.What, Outcome: on.Outcome(s, run(t, s))})
			}
			inputs = append(inputs, one)
		}
		judged := e.Judge(inputs)
		is := judged.Record(time.Now(), 0, 0)
		is.Engine, is.Date, is.Revision, is.Carried, is.Seconds, is.History = was.Engine, was.Date, was.Revision, was.Carried, was.Seconds, was.History
		if was.Authors != nil { // these are about files that the test does not have
			is.Command, is.Authors, is.Chart = was.Command, was.Authors, was.Chart
		}
		if !reflect.DeepEqual(&is, was) {
			t.Errorf("%s: now it is\n%+v, and what was recorded\n%+v", id, is, *was)
		}
	}
}

// Changed criteria of other entries leave a record valid; changed criteria of its own
// entry do not.
func TestRecordsAreSupersededByTheirOwnCriteria(t *testing.T) {
	all := gallery.List()
	record := judgedOn(t, all[0].ID, study.Agrees).Record(time.Now(), 1, 0)
	record.Revision = 1 // of the criteria of all entries
	if record.Superseded() || strings.Contains(record.How(), "of the criteria") {
		t.Errorf("a record by the criteria in force is superseded: %s", record.How())
	}
	record.Frozen = all[1].Frozen()
	if !record.Superseded() || !strings.HasSuffix(record.How(), "by revision 1 of the criteria") {
		t.Errorf("a record by other criteria is in force: %s", record.How())
	}
	if record.Engine = "0.1.0"; !strings.HasSuffix(record.How(), ", computed by an earlier engine (0.1.0)") {
		t.Errorf("a record by an earlier engine does not say so: %s", record.How())
	}
	record.Figure = "removed-1"
	if !record.Superseded() {
		t.Error("a record of an entry that is gone is in force")
	}
}

// judgedOn returns an entry with a verdict on the generated input, after others on the authors'.
func judgedOn(t *testing.T, id string, generated study.Verdict, authors ...study.Verdict) *gallery.Judged {
	t.Helper()
	e, known := gallery.Lookup(id)
	if !known {
		t.Fatalf("there is no entry %s", id)
	}
	var inputs []gallery.OnInput
	for _, v := range authors {
		inputs = append(inputs, gallery.OnInput{Input: gallery.Authors, Outcome: gallery.Outcome{Verdict: v, Experiment: "b"}})
	}
	j := e.Judge(append(inputs, gallery.OnInput{Input: gallery.Generated, Outcome: gallery.Outcome{Verdict: generated, Experiment: "a"}}))
	return &j
}

// The verdict on files of the authors is the figure's own, and its record has both. With a preset
// of the authors the record is about it, and has the other verdict besides.
func TestRecordsHaveBothInputs(t *testing.T) {
	files := judgedOn(t, "fgd-gpuspec", study.Differs, study.Agrees).Record(time.Now(), 1, 0)
	if own, _ := files.Own(); own != study.Agrees || files.Verdict != study.Differs || files.Experiment != "a" || files.Input != gallery.Generated ||
		files.Command != "berth gallery --full --data DIR --figure fgd-gpuspec" {
		t.Errorf("with files: %+v", files)
	}
	preset := judgedOn(t, "thesis-6.3", study.Differs, study.Direction).Record(time.Now(), 1, 0)
	if own, _ := preset.Own(); own != study.Direction || preset.Generated != study.Differs || preset.Experiment != "b" || preset.Authors != nil {
		t.Errorf("with a preset: %+v", preset)
	}
}

// A file of records keeps the records of other entries, and the duration of a record that is
// written again without a run. An entry that took all its runs from another entry names it.
func TestRecordsAreAdded(t *testing.T) {
	day := time.Date(2026, 1, 31, 0, 0, 0, 0, time.UTC)
	var file []byte
	for _, r := range []gallery.Record{
		judgedOn(t, "qos-5", study.Agrees).Record(day, 10, 90*time.Second), judgedOn(t, "thesis-6.3", study.Agrees).Record(day, 1, time.Second),
		judgedOn(t, "qos-5", study.Differs).Record(day, 0, time.Second), judgedOn(t, "thesis-6.4", study.Differs).Record(day, 0, time.Second),
	} {
		file = must.Get(gallery.AddRecord(file, r))(t)
	}
	var all []gallery.Record
	must.Do(t, json.Unmarshal(file, &all))
	if len(all) != 3 || all[0].Figure != "thesis-6.3" || all[2].Verdict != study.Differs ||
		all[1].How() != "2026-01-31, berth gallery --full --figure thesis-6.4, runs reused from figure 6.3" ||
		all[2].How() != "2026-01-31, berth gallery --full --figure qos-5, 10 runs in 1m30s" {
		t.Errorf("%s", file)
	}
	old := all[2]
	old.Revision, old.Frozen, old.Date = 1, "", "2026-01-30"
	file = must.Get(gallery.AddRecord(must.Get(json.Marshal([]gallery.Record{old}))(t), judgedOn(t, "qos-5", study.Differs).Record(day, 10, time.Second)))(t)
	all = must.Get(gallery.DecodeRecords(file))(t)
	if len(all) != 1 || len(all[0].History) != 1 || all[0].History[0] != (gallery.Past{Revision: 1, Date: "2026-01-30", Verdict: study.Differs}) {
		t.Errorf("after other criteria: %s", file)
	}
	if _, err := gallery.AddRecord([]byte("{"), all[0]); err == nil {
		t.Error("a damaged file is taken")
	}
}
