//go:build !js

package worker_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"berth/engine/input/workload"
	"berth/engine/must"
	"berth/engine/qos/qoskind"
	"berth/engine/scenario"
	"berth/engine/scenario/scenariotest"
)

// made returns a source with a recipe.
func made(generator, preset string, parameters map[string]float64) scenario.Source {
	return scenario.Source{Name: preset, Recipe: &workload.Recipe{Generator: generator, Preset: preset, Seed: 3, Parameters: parameters}}
}

// validation returns the first validation test under all policies.
func validation() scenario.Scenario {
	overheads := made("overheads", qoskind.Validation, nil)
	return qoskind.New("validation", qoskind.Document{
		Workload: made("requests", qoskind.Validation1, nil), Hosts: made("hosts", qoskind.Validation, nil), Overheads: &overheads,
		Policies: []qoskind.PolicyRun{{Name: "qos"}, {Name: "priority"}, {Name: "hybrid", HybridLimit: 40}, {Name: "qos", Scheduler: "literal"}},
		Horizon:  3599, Seed: 5, Seeds: 2,
	})
}

// table returns a workload that is longer than one piece of a stream.
func table(requests int) string {
	var b strings.Builder
	b.WriteString("id,submit_s,duration_s,cpu,memory,class\n")
	for i := range requests {
		fmt.Fprintf(&b, "request-%d,%d,%d,0.%d,0.25,%s\n", i, i/3, 30+i%97, 1+i%9, []string{"gold", "silver", "bronze"}[i%3])
	}
	return b.String()
}

// A workload that the worker streams from a file, packed or not, gives the same report
// as its text.
func testStreamedWorkload(t *testing.T, tab context.Context) {
	s := validation()
	qoskind.Of(s).Policies, qoskind.Of(s).Seeds = qoskind.Of(s).Policies[:1], 0
	text := table(30_000) // 1.2 MB
	qoskind.Of(s).Workload = scenario.Source{Name: "requests.csv", Text: text}
	want := native(t, s)
	qoskind.Of(s).Workload.Text = ""
	document := must.Get(json.Marshal(s))(t)
	evaluate[int](t, tab, fmt.Sprintf("table = %q; packed = Uint8Array.from(atob(%q), c => c.charCodeAt(0)); 0",
		text, base64.StdEncoding.EncodeToString(scenariotest.Packed(text))))
	for _, file := range []string{
		"new File([table], 'requests.csv')", "new TextEncoder().encode(table)", "table", "new File([packed], 'requests.csv')", "packed",
	} {
		r := ask(t, tab, fmt.Sprintf("runWith('streamed', %q, %s)", document, file))
		if r.Error != nil {
			t.Fatalf("%s: %v", file, r.Error)
		}
		expectReport(t, tab, "streamed", want)
	}
}

// A simulation that is stopped returns its result so far, and its worker continues.
func testStop(t *testing.T, tab context.Context) {
	before := evaluate[int](t, tab, "started")
	s := validation()
	qoskind.Of(s).Horizon, qoskind.Of(s).Policies = 3e7, qoskind.Of(s).Policies[3:]
	evaluate[int](t, tab, "progress = ''; stopped = "+runScenario("long", s)+"; 0")
	if _, err := chromedp.Run(tab, chromedp.Poll[bool]("globalThis.progress === 'long running'")); err != nil {
		t.Fatalf("there was no progress: %v", err)
	}
	ask(t, tab, call("stop", "long"))
	if r := ask(t, tab, "stopped"); r.Error != nil || !r.Partial {
		t.Fatalf("the stopped run gave %+v", r)
	}
	var report scenario.Report
	must.Do(t, json.Unmarshal(ask(t, tab, call("report", "long")).Report, &report))
	part := qoskind.ReportOf(&report).Policies[0].Run
	if part.End <= 0 || part.End >= 3e7 {
		t.Fatalf("it was stopped at %v s", part.End)
	}
	// The progress at the stop depends on the machine. The result equals that of a run that ends
	// there.
	part.Partial = false
	got, _ := json.Marshal(part) // decoded from a report
	qoskind.Of(s).Horizon = part.End
	must.Do(t, json.Unmarshal(native(t, s), &report))
	if want, _ := json.Marshal(qoskind.ReportOf(&report).Policies[0].Run); !bytes.Equal(got, want) {
		t.Errorf("stopped at %v s:\n%.1000s\na run until there:\n%.1000s", part.End, got, want)
	}
	if n := evaluate[int](t, tab, "started"); n != before {
		t.Errorf("%d workers were started, though the one there could be stopped", n-before)
	}
}
