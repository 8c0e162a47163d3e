//go:build !js

package gallery_test

import (
	"bufio"
	"encoding/json"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"berth/engine/gallery"
	"berth/engine/golden"
	"berth/engine/study"
)

// The documentation has the verdicts of both sizes as they were computed.
func TestTableOfVerdicts(t *testing.T) {
	golden.Part(t, "../../web/docs/pages/verdicts.md", "verdicts of the gallery", gallery.Table(reducedVerdicts(t)))
}

// reducedVerdicts are those of the golden file.
func reducedVerdicts(t *testing.T) map[string]study.Verdict {
	t.Helper()
	file, err := os.Open("testdata/verdicts.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	verdicts := map[string]study.Verdict{}
	for lines := bufio.NewScanner(file); lines.Scan(); {
		if id, verdict, ok := strings.Cut(lines.Text(), " "); ok && id != "" {
			verdicts[id] = study.Verdict(verdict)
		}
	}
	return verdicts
}

// Every entry has a record of the experiment that it is now, whose verdict follows
// from its criteria.
func TestEveryEntryIsRecorded(t *testing.T) {
	for _, e := range gallery.List() {
		r := e.Recorded()
		s := e.Scenario(true)
		if r == nil || r.Experiment != s.Hash() {
			t.Errorf("%s has no record, or one of another experiment: berth gallery --full --figure %[1]s --record engine/gallery/recorded.json", e.ID)
			continue
		}
		if _, err := time.Parse(time.DateOnly, r.Date); err != nil || r.Runs.Done != r.Runs.All || r.Runs.Failed > 0 || !strings.HasSuffix(r.Command, e.ID) || len(r.Tried) != len(e.Tried) ||
			(r.Carried == 0) != (r.Reused != "") {
			t.Errorf("%s: a record that is not whole: %+v", e.ID, r)
		}
		var judged []study.Judged
		for i, c := range study.Of(s).Criteria {
			if r.Criteria[i].ID != c.ID {
				t.Fatalf("%s: a record of other criteria: %s, want %s", e.ID, r.Criteria[i].ID, c.ID)
			}
			number := c.Test.Kind != study.Order && c.Test.Kind != study.Monotone
			judged = append(judged, study.Judged{Verdict: r.Criteria[i].Verdict, Number: number})
		}
		if got := e.Verdict(&study.Report{Verdict: study.Conclude(judged)}); got != r.Verdict {
			t.Errorf("%s: %s follows from the criteria, and %s is recorded", e.ID, got, r.Verdict)
		}
	}
}

// An entry that differs, at either size, says what was tried.
func TestDifferencesWereLookedInto(t *testing.T) {
	reduced := reducedVerdicts(t)
	for _, e := range gallery.List() {
		r := e.Recorded()
		if (reduced[e.ID] == study.Differs || r != nil && r.Verdict == study.Differs) && len(e.Tried) == 0 {
			t.Errorf("%s differs, and nothing else was tried", e.ID)
		}
	}
}

// A sample of the records is computed again: of each paper an entry that takes no more
// than seconds.
func TestRecordsAreReproduced(t *testing.T) {
	ids := []string{"thesis-4.5", "qos-5", "megha-5", "megha-7"}
	if !testing.Short() {
		ids = append(ids, "megha-6")
	}
	for _, id := range ids {
		e, _ := gallery.Lookup(id)
		s, was := e.Scenario(true), e.Recorded()
		if was == nil {
			t.Errorf("%s has no record", id)
			continue
		}
		judged := e.Judge(s, run(t, s))
		is := judged.Record(time.Now(), 0, 0)
		is.Date, is.Carried, is.Seconds = was.Date, was.Carried, was.Seconds
		if !reflect.DeepEqual(&is, was) {
			t.Errorf("%s: now it is\n%+v, and what was recorded\n%+v", id, is, *was)
		}
	}
}

// A file of records keeps those of other entries, and the time of one that is recorded
// again without a run. An entry that took all of its runs from another one names it.
func TestRecordsAreAdded(t *testing.T) {
	judged := gallery.Judged{ID: "qos-5", Outcome: gallery.Outcome{Verdict: study.Agrees, Experiment: "a"}}
	day := time.Date(2026, 1, 31, 0, 0, 0, 0, time.UTC)
	file, err := gallery.AddRecord(nil, judged.Record(day, 10, 90*time.Second))
	if err == nil {
		judged.ID = "thesis-6.3"
		file, err = gallery.AddRecord(file, judged.Record(day, 1, time.Second))
	}
	if err == nil {
		judged.ID, judged.Verdict = "qos-5", study.Differs
		file, err = gallery.AddRecord(file, judged.Record(day, 0, time.Second))
	}
	if err == nil {
		judged.ID = "thesis-6.4"
		file, err = gallery.AddRecord(file, judged.Record(day, 0, time.Second))
	}
	var all []gallery.Record
	if err == nil {
		err = json.Unmarshal(file, &all)
	}
	if err != nil || len(all) != 3 || all[0].Figure != "thesis-6.3" || all[2].Verdict != study.Differs ||
		all[1].How() != "2026-01-31, berth gallery --full --figure thesis-6.4, runs reused from figure 6.3" ||
		all[2].How() != "2026-01-31, berth gallery --full --figure qos-5, 10 runs in 1m30s" {
		t.Errorf("%v: %s", err, file)
	}
	if _, err := gallery.AddRecord([]byte("{"), all[0]); err == nil {
		t.Error("a damaged file is taken")
	}
}
