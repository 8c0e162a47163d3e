package gallery_test

import (
	"context"
	"runtime"
	"slices"
	"strings"
	"testing"

	"berth/engine/gallery"
	"berth/engine/golden"
	_ "berth/engine/kinds"
	"berth/engine/must"
	"berth/engine/runs"
	"berth/engine/scenario"
	"berth/engine/study"
)

// Every entry is a document that can be written, read and run, in both sizes, with a
// source for each criterion.
func TestEntriesAreDocuments(t *testing.T) {
	var papers []string
	for _, p := range gallery.Papers() {
		papers = append(papers, p.ID)
	}
	ids := map[string]bool{}
	named := map[string]string{"mesos-7": "omega", "map": "berth"} // after what they are about
	for _, e := range gallery.List() {
		if ids[e.ID] || !slices.Contains(papers, e.Paper) || !strings.HasPrefix(e.ID, e.Paper+"-") && named[e.ID] != e.Paper || e.Title == "" || e.Shows == "" || e.Setup == "" {
			t.Errorf("the entry %+v is there twice or says too little", e)
		}
		ids[e.ID] = true
		for _, full := range []bool{false, true} {
			s := e.Scenario(full)
			again, err := scenario.Decode(scenario.Encode(s))
			if err != nil || again.Hash() != s.Hash() {
				t.Errorf("%s, full %t: %v", e.ID, full, err)
				continue
			}
			d := study.Of(again)
			if d.Seeds < 2 {
				t.Errorf("%s, full %t: %d seeds decide nothing", e.ID, full, d.Seeds)
			}
			for _, c := range d.Criteria {
				if c.Says == "" || !strings.Contains(c.Source, "section") {
					t.Errorf("%s: the criterion %s has no source", e.ID, c.ID)
				}
			}
		}
	}
}

// The citation of each paper has all that a BibTeX entry needs.
func TestPapersAreCited(t *testing.T) {
	keys := map[string]bool{}
	for _, p := range gallery.Papers() {
		head, _, ok := strings.Cut(p.BibTeX, ",\n")
		if !ok || keys[head] || !strings.HasPrefix(head, "@") || !strings.HasSuffix(p.BibTeX, "}\n}\n") ||
			strings.Count(p.BibTeX, "{") != strings.Count(p.BibTeX, "}") {
			t.Errorf("%s: no entry of BibTeX, or one that is there twice:\n%s", p.ID, p.BibTeX)
		}
		keys[head] = true
		for _, field := range []string{"author", "title", "year"} {
			if strings.Count(p.BibTeX, "\n  "+field+" ") != 1 {
				t.Errorf("%s: not one %s:\n%s", p.ID, field, p.BibTeX)
			}
		}
	}
}

// known has the results of all tests.
var known study.Memory

// run runs an experiment and reuses the known results.
func run(t *testing.T, s scenario.Scenario) *study.Report {
	t.Helper()
	plan := must.Get(study.NewPlan(study.Of(s)))(t)
	sheet := plan.NewSheet()
	workers := runs.AtOnce(runtime.GOMAXPROCS(0), func(ctx context.Context, j study.Job) (*study.Result, error) {
		return study.Execute(ctx, j.Scenario, scenario.Env{})
	})
	must.Do(t, sheet.Carry(t.Context(), &known, workers, nil))
	return sheet.Report()
}

// No verdict is fixed: another parameter of the runs changes it.
func TestAnotherParameterGivesAnotherVerdict(t *testing.T) {
	golden.Long(t)
	for _, test := range []struct {
		id     string
		change func(d *study.Document)
		was    study.Verdict
		is     study.Verdict
	}{
		{"qos-5", func(d *study.Document) {
			d.Factors = []study.Factor{{Name: "horizon", Path: "/qos/horizon", Levels: study.Values(120)}}
		}, study.Agrees, study.Differs},
		{"megha-6", func(d *study.Document) { // jobs that arrive one at a time need no second master
			d.Factors[1].Levels = study.Values(1, 2)
		}, study.Direction, study.Undecided},
		{"megha-6", func(d *study.Document) { d.Seeds = 1 }, study.Direction, study.Undecided},
	} {
		e, _ := gallery.Lookup(test.id)
		s := e.Scenario(false)
		if r := run(t, s); e.Verdict(r) != test.was {
			t.Errorf("%s: %s, want %s: %+v", test.id, e.Verdict(r), test.was, r.Criteria)
		}
		test.change(study.Of(s))
		if r := run(t, s); e.Verdict(r) != test.is {
			t.Errorf("%s with another parameter: %s, want %s: %+v", test.id, e.Verdict(r), test.is, r.Criteria)
		}
	}
}

// A generated workload that replaces an unpublished one does not reproduce the published numbers.
func TestGeneratedWorkloadsAgreeInDirectionAtBest(t *testing.T) {
	for _, generated := range []bool{false, true} {
		e := gallery.Entry{Generated: generated}
		got := e.Verdict(&study.Report{Verdict: study.Agrees})
		if want := map[bool]study.Verdict{false: study.Agrees, true: study.Direction}[generated]; got != want {
			t.Errorf("generated %t: %s, want %s", generated, got, want)
		}
		if got := e.Verdict(&study.Report{}); got != study.Undecided {
			t.Errorf("without criteria it is %s", got)
		}
	}
}

// With the authors' files an entry's verdict is not limited as with a generated
// workload, and files without a slot are refused.
func TestAuthorsFiles(t *testing.T) {
	golden.Long(t)
	e, _ := gallery.Lookup("megha-6")
	if got := e.Files(); !slices.Equal(got, []string{"trace"}) {
		t.Fatalf("%s takes %v", e.ID, got)
	}
	on := must.Get(e.On(map[string]scenario.Source{"trace": {Name: "their.tr", Text: "0 2 5 4 6\n1 1 5 5\n"}}))(t)
	if r := on.Recorded(); r != nil {
		t.Errorf("with other files it says what was recorded without them: %+v", r)
	}
	if on.Generated || !e.Generated {
		t.Error("the bound does not go with the file")
	}
	e = *on // the result of On does not depend on the other entry
	for _, slot := range study.Of(e.Scenario(true)).Base.Slots() {
		if slot.Source.Name != "their.tr" || slot.Source.Recipe != nil {
			t.Errorf("%s is %+v", slot.Name, slot.Source)
		}
	}
	if r := run(t, on.Scenario(false)); r.Runs.Failed > 0 || r.Runs.Done != r.Runs.All {
		t.Errorf("%+v", r.Runs)
	}
	q, _ := gallery.Lookup("qos-8") // a recipe varies its hosts
	if got := q.Files(); !slices.Equal(got, []string{"workload", "overheads"}) {
		t.Errorf("%s takes %v", q.ID, got)
	}
	on, err := q.On(map[string]scenario.Source{"overheads": {Name: "o.csv", Text: "overhead_s\n1\n"}})
	if err != nil || !on.Generated {
		t.Errorf("%v: overheads alone are not the paper's workload", err)
	}
	v, _ := gallery.Lookup("qos-5")
	for _, each := range []gallery.Entry{q, v} {
		if _, err := each.On(map[string]scenario.Source{"hosts": {Name: "h.csv"}}); err == nil || !strings.Contains(err.Error(), "takes no file") {
			t.Errorf("%s: %v", each.ID, err)
		}
	}
}
