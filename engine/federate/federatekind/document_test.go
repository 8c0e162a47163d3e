package federatekind_test

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"berth/engine/federate/federatekind"
	"berth/engine/input/workload"
	"berth/engine/must"
	"berth/engine/scenario"
	"berth/engine/study"
)

// federated has every field.
const federated = `{
  "version": 1,
  "kind": "federate",
  "name": "All of it",
  "federate": {
    "trace": {"name": "tasks.csv", "text": "arrival,job,user,duration,cpu,memory,constraints\n0,a,u,5,1,1,0\n0,a,u,7,2,1,\n1,b,v,3,1,1,1\n"},
    "load": 2,
    "workers": 8, "gms": 2, "lms": 2,
    "capacity": {"cpu": 4, "memory": 8},
    "constraints": [{"name": "all", "machine": [1, 1]}],
    "shares": [0.25, 0.75], "keepProgress": true,
    "preset": "paper", "heartbeat": 5, "delay": 0.001, "launchDelay": 0.002, "idealProcessing": true,
    "costs": {"take": 1e-5, "word": 0, "look": 0, "adopt": 0, "verify": 2e-5},
    "interference": 0.5,
    "outages": [{"subject": "gm", "index": 1, "at": 0.1, "duration": 0.5}],
    "schedulers": ["megha", "ideal"],
    "sparrow": {"probes": 3},
    "pigeon": {"groupSize": 4, "reserved": 1, "cutoff": 90, "weight": 10},
    "seed": 7, "seeds": 2,
    "sweep": [{"parameter": "workers", "values": [8, 16]}]
  }
}`

func init() { scenario.Register(federatekind.Kind, study.Kind) }

func TestFederateDocumentsTravel(t *testing.T) {
	s := must.Get(scenario.Decode([]byte(federated)))(t)
	again, err := scenario.Decode(scenario.Encode(s))
	if err != nil || !bytes.Equal(scenario.Encode(again), scenario.Encode(s)) {
		t.Errorf("the document changes when it is written and read (%v)", err)
	}
	link := must.Get(scenario.EncodeLink(s))(t)
	if got, err := scenario.DecodeLink(link); err != nil || got.Hash() != s.Hash() {
		t.Errorf("the link gives another scenario (%v)", err)
	}
	renamed := s.Clone()
	renamed.Name = "other"
	other := s.Clone()
	federatekind.Of(other).Trace.Text += "2,c,v,1,1,1,\n"
	if renamed.Hash() != s.Hash() || other.Hash() == s.Hash() {
		t.Error("the hash follows the name, or does not follow the trace")
	}
	federatekind.Of(s).Sweep = nil
	report := must.Get(scenario.Run(t.Context(), s, scenario.Env{}))(t)
	if report.Scenario != s.Hash() || !report.Complete() || report.Partial || len(federatekind.ReportOf(report).Schedulers) != 2 {
		t.Errorf("%+v", report)
	}
}

func TestFederateProblemsHaveTheirPlace(t *testing.T) {
	for want, change := range map[string][2]string{
		`scenario:11:15: federate.shares: they sum to 0.95: expected 1`:                                {"[0.25, 0.75]", "[0.25, 0.70]"},
		`scenario:12:37: federate.heartbeat: found the string "5", expected a number`:                  {`"heartbeat": 5`, `"heartbeat": "5"`},
		`federate.outages[0].index: found the number 1.5, expected a whole number`:                     {`"index": 1,`, `"index": 1.5,`},
		`federate.sweep[0].parametre: unknown field; known: parameter, values`:                         {`"parameter"`, `"parametre"`},
		`scenario:8:36: federate.lms: there are 9 for 8 workers: expected at most one for each worker`: {`"lms": 2`, `"lms": 9`},
	} {
		_, err := scenario.Decode([]byte(strings.Replace(federated, change[0], change[1], 1)))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the error is %v, want %s", err, want)
		}
	}
}

// The report of a stopped run is marked as partial.
func TestStoppedFederateReportIsPartial(t *testing.T) {
	s := must.Get(scenario.Decode([]byte(federated)))(t)
	federatekind.Of(s).Sweep = nil
	e := must.Get(scenario.Prepare(t.Context(), s, scenario.Env{}))(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	report, err := e.Run(ctx)
	if err != nil || !report.Partial || report.Complete() || federatekind.ReportOf(report).Workload.Tasks != 3 {
		t.Errorf("%+v, %v", report, err)
	}
	parts := scenario.Parts(s)
	if len(parts) != 4 {
		t.Fatalf("%d parts, want one for each scheduler and seed", len(parts))
	}
	first := must.Get(scenario.Run(t.Context(), parts[0].Scenario, scenario.Env{}))(t)
	joined, err := scenario.Join(s, []*scenario.Report{first, nil, nil, nil})
	if err != nil || !joined.Partial || len(federatekind.ReportOf(joined).Schedulers) != 1 || federatekind.ReportOf(joined).Workload.Tasks != 3 {
		t.Errorf("%+v, %v", joined, err)
	}
	if data := federatekind.Tables[0].CSV(federatekind.ReportOf(joined)); bytes.Count(data, []byte("\n")) != 2 {
		t.Errorf("%s, %v", data, err)
	}
}

// Documents, links and commands may use the former name of a scheduler.
func TestOldNamesOfSchedulersStayAccepted(t *testing.T) {
	d := slots()
	d.Schedulers = []string{"centralised", "megha-1"}
	if err := federatekind.New("", *d).Validate(); err == nil || !strings.HasPrefix(err.Error(), "federate.schedulers[1]: megha-1 is given twice") {
		t.Errorf("got %v", err)
	}
	d.Schedulers = d.Schedulers[:1]
	before := run(t, d)
	d.Schedulers = []string{"megha-1"}
	now := run(t, d)
	notes, _ := before.Remarks()
	if want := []string{"the scheduler centralised is now called megha-1, which is the same"}; !slices.Equal(notes, want) {
		t.Errorf("the notes are %q, want %q", notes, want)
	}
	was, is := before.Schedulers[0], now.Schedulers[0]
	if named := was.Name; named != "centralised" || text(t, was.Allocation) != text(t, is.Allocation) || text(t, was.JobCompletion) != text(t, is.JobCompletion) {
		t.Errorf("%s and %s differ", was.Name, is.Name)
	}
}

// A window leaves out jobs, and the report says so. A window without jobs is an error.
func TestAWindowIsAPartOfTheTrace(t *testing.T) {
	d := slots()
	d.Schedulers = []string{"fcfs"}
	d.Window = &workload.Window{From: 1, Every: 2}
	r := run(t, d)
	if want := []string{"1 of 3 jobs are within the window"}; r.Workload.Jobs != 1 || r.Workload.Tasks != 2 || !slices.Equal(r.Warnings, want) {
		t.Errorf("%d jobs with %d tasks, and %q, want one of 2 and %q", r.Workload.Jobs, r.Workload.Tasks, r.Warnings, want)
	}
	d.Window = &workload.Window{From: 100}
	if _, err := federatekind.Prepare(t.Context(), d, scenario.Env{}); err == nil || !strings.HasPrefix(err.Error(), "federate.window: none of 3 jobs") {
		t.Errorf("got %v", err)
	}
	d.Window = &workload.Window{From: 2, To: 1}
	if err := federatekind.New("", *d).Validate(); err == nil || !strings.HasPrefix(err.Error(), "federate.window: to: 1 s is not after from, 2 s") {
		t.Errorf("got %v", err)
	}
}

// A window separates jobs that wait for each other, and the report says so.
func TestAWindowSaysThatJobsNoLongerWait(t *testing.T) {
	d := slots()
	d.Schedulers = []string{"fcfs"}
	d.Trace = scenario.Source{Name: "stages.csv", Text: "arrival,job,user,duration,cpu,memory,constraints,after\n0,a,,5,1,1,,\n2,b,,5,1,1,,a\n3,c,,5,1,1,,b\n"}
	for from, want := range map[float64]bool{0: false, 1: true} {
		d.Window = &workload.Window{From: from}
		r := run(t, d)
		if got := slices.Contains(r.Warnings, "jobs within the window wait for none outside it"); got != want {
			t.Errorf("from %v s: %q", from, r.Warnings)
		}
	}
}

// A policy may replace a scheduler's name. Its errors are reported at its place.
func TestAPolicyInPlaceOfASchedulersName(t *testing.T) {
	const document = `{"version": 1, "kind": "federate", "federate": {"trace": {"name": "a.tr", "text": "0 1 5 5\n"}, "workers": 2, "gms": 1, "lms": 1,
		"schedulers": ["megha", {"policy": {"name": "mine", %s: "def pick(task, workers):\n    return workers.first\n"}}]}}`
	s := must.Get(scenario.Decode(fmt.Appendf(nil, document, `"text"`)))(t)
	if d := federatekind.Of(s); !slices.Equal(d.Schedulers, []string{"megha", "mine"}) || len(d.Policies) != 1 || d.Policies[0].Name != "mine" {
		t.Errorf("got %q and %+v", d.Schedulers, d.Policies)
	}
	_, err := scenario.Decode(fmt.Appendf(nil, document, `"txt"`))
	if err == nil || !strings.Contains(err.Error(), "federate.schedulers[1].policy.txt") {
		t.Errorf("got %v", err)
	}
}
