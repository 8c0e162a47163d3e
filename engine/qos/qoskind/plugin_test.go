package qoskind_test

import (
	"encoding/json"
	"strings"
	"testing"

	"berth/engine/must"
	"berth/engine/parameter"
	"berth/engine/qos"
	"berth/engine/qos/qoskind"
	"berth/engine/qos/qostest/roundrobin"
)

func init() {
	if err := qos.Register(roundrobin.Plugin); err != nil {
		panic(err)
	}
}

// oneHost has a host of one unit and four requests that each need all of it.
func oneHost(run qoskind.PolicyRun, classes ...qoskind.Class) *qoskind.Document {
	overheads := text("overheads.csv", "overhead_s\n0\n")
	d := &qoskind.Document{
		Workload: text("requests.csv", "id,submit_s,duration_s,cpu,memory,class\nfirst,0,100,1,1,bronze\nsecond,5,100,1,1,gold\nthird,25,100,1,1,silver\n"),
		Hosts:    text("hosts.csv", "name,cpu,memory\nonly,1,1\n"), Overheads: &overheads,
		Policies: []qoskind.PolicyRun{run}, Classes: classes, Horizon: 300,
	}
	return d
}

// A document can use a policy of another package with its parameter, and explanations use the
// policy's own words.
func TestAPolicyFromOutsideIsExplainedInItsWords(t *testing.T) {
	d := oneHost(qoskind.PolicyRun{Name: "round-robin", Parameters: parameter.Values{"quantum": 20}})
	e, r := run(t, d)
	if got := r.Policies[0].Title; got != "round-robin(20)" {
		t.Errorf("it is called %q", got)
	}
	kept := must.Get(e.Why(t.Context(), qoskind.WhyQuery{Request: 1, Time: 5}))(t)
	if got := kept.Candidates[0].Instances[0]; kept.Chosen != -1 || got.ID != "first" || got.Kept != "it has run for 5 s of its quantum of 20 s" {
		t.Errorf("at 5 s: chosen %d, %+v", kept.Chosen, got)
	}
	went := must.Get(e.Why(t.Context(), qoskind.WhyQuery{Request: 1, Time: 20}))(t)
	chosen := went.Candidates[0]
	if went.Policy != "round-robin" || went.Chosen != 0 || len(chosen.Victims) != 1 || chosen.Victims[0].ID != "first" || chosen.Instances[0].Kept != "" {
		t.Fatalf("at %v s: %+v", went.Time, went)
	}
	want := []qos.Term{{Name: "victims", Unit: "negative"}, {Name: "run time", Unit: "s"}}
	if len(went.Terms) != 2 || went.Terms[0] != want[0] || went.Terms[1] != want[1] || chosen.Cost[0] != -1 || chosen.Cost[1] != went.Time {
		t.Errorf("the cost %v is of %v, want 1 victim that has run for %v s, of %v", chosen.Cost, went.Terms, went.Time, want)
	}
}

// The counts and notes of a policy appear in the report, in its text and in its JSON.
func TestAPolicyFromOutsideTellsOfItsRun(t *testing.T) {
	d := oneHost(qoskind.PolicyRun{Name: "round-robin", Parameters: parameter.Values{"quantum": 20}})
	_, r := run(t, d)
	var text strings.Builder
	r.WriteText(&text, nil)
	encoded := must.Get(json.Marshal(qoskind.CommandReport(r, [][]float64{{0}})))(t)
	notes, _ := r.Remarks()
	for got, want := range map[string]string{
		text.String():             "  counted: quanta that ended ",
		string(encoded):           `"own":{"counters":[{"name":"quanta that ended","value":`,
		strings.Join(notes, "\n"): "round-robin: some ran for longer than their quantum, until another could take the place",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%s lacks %q", got, want)
		}
	}
}

func TestParametersOfAPolicyAreChecked(t *testing.T) {
	for _, test := range []struct {
		given parameter.Values
		want  string
	}{
		{parameter.Values{"quantum": 0}, "qos.policies[0].parameters: quantum: 0 s is out of range: expected 1 to 86400 s"},
		{parameter.Values{"slice": 5}, `qos.policies[0].parameters: there is no parameter "slice"`},
	} {
		d := oneHost(qoskind.PolicyRun{Name: "round-robin", Parameters: test.given})
		if err := qoskind.New("", *d).Validate(); err == nil || err.Error() != test.want {
			t.Errorf("%v: %v", test.given, err)
		}
	}
}

// Importances may have gaps. Each term is for a level that exists.
func TestTermsNameTheClassesThatThereAre(t *testing.T) {
	classes := []qoskind.Class{
		{Name: "gold", SLO: 0.99, Importance: 2}, {Name: "silver", SLO: 0.9, Importance: 7}, {Name: "bronze", SLO: 0.5, Importance: 7},
	}
	for name, want := range map[string][]qos.Term{
		"qos":      {{Name: "gold below margin", Unit: "s"}, {Name: "silver, bronze below margin", Unit: "s"}, {Name: "above margin", Unit: "s"}},
		"priority": {{Name: "gold", Unit: "victims, negative"}, {Name: "silver, bronze", Unit: "victims, negative"}},
	} {
		e, _ := run(t, oneHost(qoskind.PolicyRun{Name: name}, classes...))
		w := must.Get(e.Why(t.Context(), qoskind.WhyQuery{Request: 1, Time: 5}))(t)
		if c := w.Candidates[0]; len(c.Victims) != 1 || len(c.Cost) != len(want) {
			t.Errorf("%s: victims %v at the cost %v", name, c.Victims, c.Cost)
		}
		if len(w.Terms) != len(want) {
			t.Fatalf("%s: the terms are %q", name, w.Terms)
		}
		for i, term := range w.Terms {
			if term != want[i] {
				t.Errorf("%s: term %d is %q, want %q", name, i, term, want[i])
			}
		}
	}
}
