package gallery

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"berth/engine/diag"
	"berth/engine/scenario"
	"berth/engine/show"
	"berth/engine/study"
)

// Record is the result of an entry at full size, with the day and the command that
// reproduces it. "berth gallery --full --record FILE" writes it.
type Record struct {
	Figure     string            `json:"figure"` // id of the entry
	Experiment string            `json:"experiment"`
	Engine     string            `json:"engine"`
	Date       string            `json:"date"` // as 2026-01-31
	Command    string            `json:"command"`
	Carried    int               `json:"carried"`             // number of runs executed, including variants; the store of the command had the others
	Reused     string            `json:"reused,omitempty"`    // figure whose runs were reused if none was executed: "6.3"
	Seconds    float64           `json:"seconds"`             // duration
	Runs       study.Count       `json:"runs"`                // runs of the entry itself, without variants
	Revision   int               `json:"revision,omitempty"`  // revision of the criteria; 0 is the first
	Frozen     string            `json:"frozen,omitempty"`    // hash of the entry's criteria; "" for the first revision
	Input      string            `json:"input,omitempty"`     // first input, which the fields below describe
	Generated  study.Verdict     `json:"generated,omitempty"` // verdict on the generated input, if the first is the authors'
	Verdict    study.Verdict     `json:"verdict"`
	Criteria   []CriterionRecord `json:"criteria"`
	Tried      []TriedVerdict    `json:"tried,omitempty"`
	Authors    *AuthorsRecord    `json:"authors,omitempty"` // what the same command found on the authors' files
	Chart      *Chart            `json:"chart,omitempty"`   // chart on its card; missing in records of earlier builds
	History    []Past            `json:"history,omitempty"` // results under earlier revisions of the criteria, latest first
}

// Past is the result of an entry under an earlier revision of the criteria.
type Past struct {
	Revision int           `json:"revision"`
	Date     string        `json:"date"`
	Verdict  study.Verdict `json:"verdict"`
}

// CriterionRecord is the result of a criterion.
type CriterionRecord struct {
	ID       string         `json:"id"`
	Verdict  study.Verdict  `json:"verdict"`
	Evidence study.Evidence `json:"evidence,omitempty"` // "" for measured
	Ours     string         `json:"ours"`
}

// TriedVerdict is the result of a variant.
type TriedVerdict struct {
	What    string        `json:"what"`
	Verdict study.Verdict `json:"verdict"`
}

// AuthorsRecord is the result on files of the authors, which others can fetch (see [Manifest]).
type AuthorsRecord struct {
	Verdict    study.Verdict  `json:"verdict"`
	Numbers    study.Tally    `json:"numbers"`
	Directions study.Tally    `json:"directions"`
	Tried      []TriedVerdict `json:"tried,omitempty"`
}

// Record returns the record of an entry at full size. carried is the number of runs that were
// executed, and took is their duration. If files of the authors were there, only Authors and the
// chart are about them, because a test runs the generated input again.
func (j *Judged) Record(day time.Time, carried int, took time.Duration) Record {
	r := Record{
		Figure: j.ID, Engine: scenario.Engine, Date: day.UTC().Format(time.DateOnly), Command: "berth gallery --full --figure " + j.ID,
		Carried: carried, Seconds: float64(took.Milliseconds()) / 1000, Criteria: []CriterionRecord{}, Revision: Current().Number, Chart: j.Chart.rounded(),
	}
	e, known := Lookup(j.ID)
	if known {
		r.Frozen = e.Frozen()
	}
	on, others := &j.Inputs[0], j.Inputs[1:]
	switch needs, _ := e.Needs(); {
	case on.Input == Authors && len(needs) > 0:
		r.Command = "berth gallery --full --data DIR --figure " + j.ID
		r.Authors = &AuthorsRecord{on.Verdict, on.Numbers, on.Directions, triedVerdicts(on.Tried)}
		on = &others[0]
	case len(others) > 0:
		r.Generated = others[0].Verdict
	}
	r.Input, r.Experiment, r.Runs, r.Verdict, r.Tried = on.Input, on.Experiment, on.Runs, on.Verdict, triedVerdicts(on.Tried)
	for _, c := range on.Criteria {
		own := CriterionRecord{c.ID, c.Verdict, c.Evidence, c.Ours}
		if c.Evidence == study.Measured {
			own.Evidence = ""
		}
		r.Criteria = append(r.Criteria, own)
	}
	return r
}

func triedVerdicts(tried []Tried) (all []TriedVerdict) {
	for _, v := range tried {
		all = append(all, TriedVerdict{v.What, v.Verdict})
	}
	return all
}

// AddRecord adds a record to a file of records, in the order of entries, and returns
// the new text. A record without executed runs keeps the duration of its predecessor,
// or names the figure whose runs it reused.
func AddRecord(file []byte, r Record) ([]byte, error) {
	var all []Record
	if len(file) > 0 {
		var err error
		if all, err = DecodeRecords(file); err != nil {
			return nil, err
		}
	}
	var next []Record
	for _, e := range List() {
		old := slices.IndexFunc(all, func(r Record) bool { return r.Figure == e.ID })
		switch {
		case e.ID == r.Figure:
			if old >= 0 {
				r.follow(&all[old])
			}
			if r.Carried == 0 {
				r.Reused = e.lender(all)
			}
			next = append(next, r)
		case old >= 0:
			next = append(next, all[old])
		}
	}
	data, err := json.MarshalIndent(next, "", " ")
	return append(data, '\n'), err
}

// follow copies from the previous record the history of earlier criteria and, if this record reused
// runs, their duration.
func (r *Record) follow(before *Record) {
	if r.Carried == 0 {
		r.Carried, r.Seconds = before.Carried, before.Seconds
	}
	r.History = before.History
	if before.Frozen != r.Frozen {
		r.History = append([]Past{{before.revision(), before.Date, before.Verdict}}, before.History...)
	}
}

// revision returns the revision of the criteria that the record was judged by.
func (r *Record) revision() int { return max(1, r.Revision) }

// Superseded reports whether the criteria of the entry have changed after the record. Changes of
// other entries do not matter.
func (r *Record) Superseded() bool {
	e, known := Lookup(r.Figure)
	return !known || r.Frozen != e.frozen
}

// lender returns the figure of an entry whose recorded runs include all runs of e at full size, or
// "".
func (e *Entry) lender(all []Record) string {
	wanted := e.runHashes()
	for _, other := range List() {
		recorded := slices.ContainsFunc(all, func(r Record) bool { return r.Figure == other.ID && r.Carried > 0 })
		if !recorded || other.ID == e.ID || other.Paper != e.Paper {
			continue
		}
		has := other.runHashes()
		if !slices.ContainsFunc(slices.Collect(maps.Keys(wanted)), func(hash string) bool { return !has[hash] }) {
			return other.Figure
		}
	}
	return ""
}

// runHashes returns the hashes of the runs of the entry at full size.
func (e *Entry) runHashes() map[string]bool {
	d := e.document(true)
	plan, err := study.NewPlan(&d)
	if err != nil {
		return nil
	}
	hashes := make(map[string]bool, plan.Runs())
	for i := range plan.Runs() {
		run := plan.Run(i)
		hashes[run.Scenario.Hash()] = true
	}
	return hashes
}

// DecodeRecords parses and validates a file of records from any source: see
// [scenario.DecodeReport].
func DecodeRecords(file []byte) (all []Record, err error) {
	seen := map[string]bool{}
	err = scenario.DecodeChecked(file, "records of berth gallery", &all, func(p *scenario.Problems) {
		for i := range all {
			at := fmt.Sprintf("[%d]", i)
			if seen[all[i].Figure] {
				p.Add(at+".figure", recordedTwice, scenario.Shorten(all[i].Figure))
			}
			seen[all[i].Figure] = true
			all[i].check(at, p)
		}
	})
	if err != nil {
		return nil, err
	}
	return all, nil
}

// check reports values that no run can have.
func (r *Record) check(path string, p *scenario.Problems) {
	if _, err := time.Parse(time.DateOnly, r.Date); err != nil {
		p.Add(path+".date", noDay, scenario.Shorten(r.Date))
	}
	if r.Carried < 0 || r.Seconds < 0 || r.Runs.Failed < 0 || r.Runs.Done < r.Runs.Failed || r.Runs.All < r.Runs.Done {
		p.Add(path+".runs", recordedRuns, r.Runs.All, r.Runs.Done, r.Runs.Failed, r.Carried, r.Seconds)
	}
	verdict := func(at string, v study.Verdict) {
		if !v.Known() {
			p.Add(path+at, diag.UnknownOne, "verdict", scenario.Shorten(string(v)))
		}
	}
	verdict(".verdict", r.Verdict)
	if r.Generated != "" {
		verdict(".generated", r.Generated)
	}
	for i, h := range r.History {
		verdict(fmt.Sprintf(".history[%d].verdict", i), h.Verdict)
	}
	for i, f := range r.Criteria {
		verdict(fmt.Sprintf(".criteria[%d].verdict", i), f.Verdict)
	}
	tried := func(at string, all []TriedVerdict) {
		for i, v := range all {
			verdict(fmt.Sprintf("%s[%d].verdict", at, i), v.Verdict)
		}
	}
	tried(".tried", r.Tried)
	if r.Authors != nil {
		verdict(".authors.verdict", r.Authors.Verdict)
		tried(".authors.tried", r.Authors.Tried)
	}
}

// records are the records in the file, by entry.
var records = sync.OnceValue(func() map[string]*Record {
	byEntry := map[string]*Record{}
	var all []Record
	text, err := file(recordsName)
	if err == nil {
		err = json.Unmarshal(text, &all)
	}
	if err != nil {
		panic(err) // cannot happen: a test reads the records
	}
	for i := range all {
		byEntry[all[i].Figure] = &all[i]
	}
	return byEntry
})

// Recorded returns the record of the entry at full size; nil if the entry runs with other files or
// numbers. It does not check that the recorded experiment is the current one: a test does, because
// hashing all experiments takes a tenth of a second on the page.
func (e *Entry) Recorded() *Record {
	r := records()[e.ID]
	if r == nil || e.replaced {
		return nil
	}
	return r
}

// Own returns the verdict of the figure, which is that on the authors' files if they were there, and
// says what it is about.
func (r *Record) Own() (verdict study.Verdict, about string) {
	if r.Authors != nil {
		return r.Authors.Verdict, "on the authors’ files"
	}
	return r.Verdict, "at full size"
}

// Of returns the result of a criterion, zero if the record lacks it.
func (r *Record) Of(criterion string) CriterionRecord {
	for _, f := range r.Criteria {
		if f.ID == criterion {
			return f
		}
	}
	return CriterionRecord{}
}

// How describes when and how the record was made: "2026-01-31, berth gallery --full
// --figure qos-8, 90 runs in 4m10s". It adds the revision of the criteria if they
// have changed since, and an earlier engine.
func (r *Record) How() string {
	how := fmt.Sprintf("%s, %s, %s", r.Date, r.Command, r.took())
	if r.Superseded() {
		how += fmt.Sprintf(", by revision %d of the criteria", r.revision())
	}
	if earlier := scenario.Earlier(r.Engine); earlier != "" {
		how += ", " + earlier
	}
	return how
}

func (r *Record) took() string {
	if r.Carried == 0 {
		return "runs reused from figure " + r.Reused
	}
	return show.Count(r.Carried, "run") + " in " + time.Duration(r.Seconds*float64(time.Second)).Round(time.Second).String()
}
