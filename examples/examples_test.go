package examples_test

import (
	"context"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"berth/engine/federate/federatekind"
	"berth/engine/golden"
	"berth/engine/input/format"
	"berth/engine/must"
	"berth/engine/placement"
	"berth/engine/placement/placementkind"
	"berth/engine/qos/qoskind"
	"berth/engine/scenario"
	"berth/engine/show"
	"berth/engine/study"
	"berth/examples"
)

// The .json files have the form in which Berth writes scenarios, and contain the texts of the files
// with the same names.
func TestFiles(t *testing.T) {
	same := 0
	for _, e := range examples.List() {
		golden.Check(t, e.Name+".json", string(scenario.Encode(e.Scenario)))
		for _, slot := range e.Scenario.Slots() {
			for _, folder := range []string{"", "kubernetes/"} {
				text, err := os.ReadFile(folder + slot.Source.Name)
				if err != nil {
					continue
				}
				if same++; string(text) != slot.Source.Text {
					t.Errorf("%s: %s is not the file %s%[2]s", e.Name, slot.Source.Name, folder)
				}
			}
		}
	}
	if same < 20 {
		t.Errorf("%d texts are files, too", same)
	}
}

// outcomes has the first letter of the status of each deployment: placed,
// infeasible or budget-exhausted.
var outcomes = map[string]string{
	"shop": "p", "thesis-small": "p", "backtracking": "p", "hard": "p",
	"thesis-50":  "pppppiiibp",
	"thesis-100": "ppppppippp",
	"thesis-200": "pppppppppp",
	"thesis-500": "pppppppppp",
	"clusters":   "p", "on-call": "p", "clusters-drain": "p", "clusters-failure": "p", "research-network": "p",
}

func TestExamplesRun(t *testing.T) {
	for _, e := range examples.List() {
		if findings[e.Name] != nil {
			continue // see TestFindings
		}
		t.Run(e.Name, func(t *testing.T) {
			report := run(t, e)
			if n := utf8.RuneCountInString(report.Headline); n > show.MostHeadline || n == 0 {
				t.Errorf("the headline has %d characters: %s", n, report.Headline)
			}
			if strings.HasPrefix(e.Name, "table-7-1-") {
				wantSavings(t, qoskind.ReportOf(report))
				return
			}
			if qoskind.ReportOf(report) != nil {
				wantContention(t, qoskind.ReportOf(report))
				return
			}
			if federatekind.Of(e.Scenario) != nil {
				wantStaleCopies(t, report)
				return
			}
			var got string
			for _, d := range placementkind.ReportOf(report).Strategies[0].Deployments {
				got += string(d.Status)[:1]
			}
			if got != outcomes[e.Name] {
				t.Errorf("the outcomes are %s, want %s", got, outcomes[e.Name])
			}
		})
	}
}

// wantContention checks that the policies of a simulation differ. If there were room for all, an
// example would show nothing.
func wantContention(t *testing.T, r *qoskind.Report) {
	t.Helper()
	first, second := r.Policies[0].Run, r.Policies[1].Run
	if first.All.Availability.Mean == second.All.Availability.Mean || first.Preemptions == 0 {
		t.Errorf("%s and %s come to the same availability of %v", r.Policies[0].Title, r.Policies[1].Title, first.All.Availability.Mean)
	}
}

// wantSavings checks that each set of optimisations saves operations.
func wantSavings(t *testing.T, r *qoskind.Report) {
	t.Helper()
	var operations []int64
	for i := range r.Policies {
		operations = append(operations, r.Policies[i].Run.Operations)
	}
	if cached, plain, driven, none := operations[0], operations[1], operations[2], operations[3]; !(cached < plain && driven < none/2) {
		t.Errorf("the operations are %v", operations)
	}
	if a := r.Workload.Admission; a.Admitted == 0 || a.Admitted == a.Offered {
		t.Errorf("admission control admits %d of %d", a.Admitted, a.Offered)
	}
}

// wantStaleCopies checks that some masters have a stale copy of the state. If none had, an example
// would show nothing.
func wantStaleCopies(t *testing.T, report *scenario.Report) {
	t.Helper()
	if r := federatekind.ReportOf(report); r != nil {
		for _, s := range r.Schedulers {
			if s.Name == "megha" && s.Inconsistencies > 0 && s.Repartitions > 0 {
				return
			}
		}
	}
	if r, ok := report.Body.(*study.Report); ok && r.Cells[0].Of("inconsistencies").Mean > 0 {
		return
	}
	t.Error("no request is ever refused")
}

// run runs the part of an example that is shown at first.
func run(t *testing.T, e examples.Example) *scenario.Report {
	t.Helper()
	s := must.Get(scenario.Decode(scenario.Encode(e.Scenario)))(t)
	if placementkind.Of(s) != nil {
		placementkind.Of(s).Strategies = placementkind.Of(s).Strategies[:1]
	}
	report := must.Get(scenario.Run(context.Background(), study.Expand(s), scenario.Env{}))(t)
	notes := report.Notes
	if d := placementkind.Of(e.Scenario); d != nil && format.Beyond(d.Federation.Text) != "" {
		notes = nil // they say what is inferred and estimated
	}
	for _, w := range slices.Concat(report.Warnings, notes) {
		if qoskind.Of(e.Scenario) != nil && qoskind.Of(e.Scenario).Admission != nil && strings.HasPrefix(w, "admission control") {
			continue
		}
		t.Errorf("an example should be without reproach: %s", w)
	}
	return report
}

// The page opens with the first example, so its result must be interesting.
func TestTheFirstExampleIsInteresting(t *testing.T) {
	s := must.Get(scenario.Decode(scenario.Encode(examples.List()[0].Scenario)))(t)
	e := must.Get(scenario.Prepare(context.Background(), s, scenario.Env{}))(t)
	report := must.Get(e.Run(context.Background()))(t)
	placed := must.Get(scenario.WorkOf[*placementkind.Prepared](e))(t)
	deployment := placementkind.ReportOf(report).Strategies[0].Deployments[0]
	clusters, reasons := map[string]bool{}, map[string]bool{}
	for step := range deployment.Expansions - deployment.Backtracks {
		x := must.Get(placed.Explain(placementkind.ExplainQuery{Step: int(step)}))(t)
		clusters[x.Cluster] = true
		for _, r := range x.Refusals {
			reasons[r.Kind] = true
		}
	}
	if len(clusters) < 4 || len(reasons) < 4 || deployment.Backtracks == 0 {
		t.Errorf("clusters %v, reasons %v, %d backtracks", clusters, reasons, deployment.Backtracks)
	}
	if deployment.Status != placement.Placed {
		t.Errorf("status %s", deployment.Status)
	}
}

func TestBacktrackingExampleBacktracks(t *testing.T) {
	for _, e := range examples.List() {
		if e.Name != "backtracking" {
			continue
		}
		if d := placementkind.ReportOf(run(t, e)).Strategies[0].Deployments[0]; d.Backtracks == 0 {
			t.Error("the search does not turn back")
		}
		return
	}
	t.Fatal("there is no such example")
}

func TestNamesTitlesAndDescriptions(t *testing.T) {
	seen := map[string]bool{}
	for _, e := range examples.List() {
		if seen[e.Name] || seen[e.Title] || e.Name == "" || e.Title == "" || e.Description == "" || strings.Contains(e.Description, "\n") {
			t.Errorf("%+q", []string{e.Name, e.Title, e.Description})
		}
		seen[e.Name], seen[e.Title] = true, true
	}
}
