package e2e

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
	"github.com/klauspost/compress/zstd"

	"berth/engine/federate"
	"berth/engine/federate/federatekind"
	"berth/engine/golden"
	"berth/engine/input/workload"
	"berth/engine/must"
	"berth/engine/scenario"
)

// Parts of the Federate view's result.
var (
	fedStatus = testID("fed-status")
	fedDone   = fedStatus + `[data-state="done"]`
)

// masters returns the example that the view opens with.
func masters(t testing.TB) scenario.Scenario { return example(t, "three-masters") }

// fedLink returns the link to a scenario of this kind.
func fedLink(t testing.TB, s scenario.Scenario) string {
	t.Helper()
	return strings.Replace(linkTo(t, s), "/placement", "/federate", 1)
}

// slots is a trace of twelve tasks that take one slot each, on four workers.
const slots = "0 4 5 4 6 5 5\n0.5 3 2 2 2 2\n1 5 3 3 3 3 3 3\n"

// runUntil waits for a state of the view. It presses Run if the page waits for that,
// because on a busy machine runs take long.
func (p *tab) runUntil(state string) {
	p.t.Helper()
	p.waitFor(fmt.Sprintf(`(document.querySelector("[data-testid=fed-run].wanted")?.click(), document.querySelector(%q))`, state))
}

// set types a value into a field and moves the focus away.
func (p *tab) set(selector, text string) {
	p.t.Helper()
	p.fill(selector, text)
	p.press(kb.Tab)
}

// results returns the texts of a column of the table of results, by scheduler.
func (p *tab) results(column string) map[string]string {
	p.t.Helper()
	return eval[map[string]string](p, resultsIn(column))
}

func resultsIn(column string) string {
	return fmt.Sprintf(`((table) => {
		const at = [...table.tHead.rows[0].cells].findIndex((c) => c.innerText.trim() == %q);
		return Object.fromEntries([...table.tBodies[0].rows].map((r) => [r.cells[0].innerText.trim(), r.cells[at].title || r.cells[at].innerText]));
	})(document.querySelector('[data-testid=fed-results]'))`, column)
}

// waitForMasters waits for the result of a scenario, and until the table, which fills
// as schedulers finish, has their native results.
func (p *tab) waitForMasters(s scenario.Scenario) *scenario.Report {
	p.t.Helper()
	p.runUntil(fmt.Sprintf("%s[data-scenario=%q]", fedDone, s.Hash()))
	report := native(p.t, s)
	p.waitForResults(report.Results)
	for _, point := range federate.Percentiles {
		for _, x := range federatekind.ReportOf(report).Schedulers {
			p.waitFor(fmt.Sprintf(`((text) => text && Number(text) == %v)((%s)[%q])`, float64(x.Allocation.At(point.Name)), resultsIn(point.Label), x.Name))
		}
	}
	return report
}

func TestFederate(t *testing.T) {
	golden.Long(t)
	t.Parallel()
	open(t, "/federate").journey(machinesAndAPackedTraceAreRun, tracesOfOthersAreRead, generatedTraceIsARecipe, arrowsLeadThroughTheBoxesOfAList)
}

func TestAFederateResult(t *testing.T) {
	golden.Long(t)
	t.Parallel()
	open(t, "/federate").journey(cancelledRunLeavesWhatItHas, mastersAreSharedSavedAndTakenAway, mastersAreAccessible, mastersOnAPhoneAndInTheDark)
}

func mastersRunOnLoad(t *testing.T, p *tab) {
	s := masters(t) // the page opens with it, without a link
	p.waitForMasters(s)
	if got := p.results("tasks"); len(got) != len(federatekind.Of(s).Schedulers) {
		t.Errorf("the table has the tasks %v", got)
	}
	p.wait(testID("fed-cdf") + " svg path")
	p.wait(testID("fed-decisions") + " tbody tr")
	if head := p.text(testID("fed-why-head")); !strings.Contains(head, "under megha") {
		t.Errorf("the explanation is %q", head)
	}
}

func traceIsRunAsNatively(t *testing.T, p *tab) {
	p.masters()
	s := masters(t)
	d := *federatekind.Of(s)
	s.Body, s.Name = &d, ""
	d.Trace.Name, d.Trace.Text, d.Trace.Recipe = "slots.tr", slots, nil
	p.upload(testID("fed-trace"), must.File(t, "slots.tr", slots))
	p.waitForMasters(s)
	for id, value := range map[string]int{"fed-workers": 6, "fed-gms": 2, "fed-lms": 2} {
		p.set(testID(id), strconv.Itoa(value))
	}
	d.Workers, d.GMs, d.LMs = 6, 2, 2
	p.waitForMasters(s)
	p.click(testID("fed-run"))
	p.waitForMasters(s)
}

// machinesAndAPackedTraceAreRun chooses both files at once.
func machinesAndAPackedTraceAreRun(t *testing.T, p *tab) {
	p.masters()
	const list = "name,cpu,memory,attributes,gpus,count,slots,speed\nsmall,1,1,,,4,1,1\nfast,1,1,,,2,1,2\n"
	encoder := must.Get(zstd.NewWriter(nil))(t)
	s := masters(t)
	d := *federatekind.Of(s)
	s.Body, s.Name = &d, ""
	d.Trace.Name, d.Trace.Text, d.Trace.Recipe = "slots.tr", slots, nil
	d.Machines = &scenario.Source{Name: "nodes.csv", Text: list}
	p.upload(testID("fed-machines"), must.File(t, "nodes.csv", list), must.File(t, "slots.tr.zst", string(encoder.EncodeAll([]byte(slots), nil))))
	p.waitForMasters(s)
	p.wait(fedStatus + `[data-workers="6"]`)
	if eval[bool](p, `document.body.innerText.includes("replaced the file")`) {
		t.Error("a number of workers is said to have replaced a file")
	}
	p.screenshot("federate-machines")
	p.click(testID("fed-machines-remove"))
	d.Machines = nil
	report := p.waitForMasters(s)
	p.click(testID("fed-busy-50"))
	d.Workers = federatekind.ReportOf(report).Workload.WorkersFor(d.Workers, 0.5)
	p.waitForMasters(s)
}

func tracesOfOthersAreRead(t *testing.T, p *tab) {
	p.masters()
	p.upload(testID("fed-trace"), must.File(t, "log.swf", "; of our own\n1 0 5 100 2 -1 -1 2 200 -1 1 7 1 -1 1 -1 -1 -1\n2 30 0 10 1 -1 -1 1 60 -1 1 8 1 -1 1 -1 -1 -1\n"))
	p.waitForText(fedStatus, "3 tasks of 2 jobs")
	p.upload(testID("fed-trace"), "../../engine/cmd/berth/testdata/parquet/opendc.parquet")
	p.waitForError("a table in Parquet", "export", "as CSV with commas and decimal points")
}

func generatedTraceIsARecipe(t *testing.T, p *tab) {
	p.masters()
	p.click(testID("fed-generate"))
	p.pick("#fed-generate-preset", "cloudera")
	p.set("#fed-generate-seed", "7")
	p.set("#fed-generate-jobs", "20")
	p.click(testID("fed-generate-use"))
	s := masters(t)
	d := *federatekind.Of(s)
	s.Body, s.Name = &d, ""
	d.Trace.Name = "cloudera jobs, seed 7"
	d.Trace.Recipe = &workload.Recipe{Generator: workload.JobsGenerator, Preset: "cloudera", Seed: 7, Parameters: map[string]float64{"jobs": 20}}
	p.waitForMasters(s)
}

func wrongTracesAreToldWithTheirLine(t *testing.T, p *tab) {
	p.masters()
	shown := p.results("max")
	for _, c := range []struct{ name, text, line, want string }{
		{"count.tr", "0 1 5 5\n1 3 5 5 5\n", "2", "3, but the line has 2 durations"},
		{"negative.tr", "0 1 5 -5\n", "1", "-5"},
		{"words.tr", "zero one two\n", "1", "the format is unknown"},
		{"word.tr", "0 1 5 5\n1 1 5 zero\n", "2", "zero"},
		{"columns.csv", "arrival,job\n0,a\n", "1", "duration"},
	} {
		p.openBroken(testID("fed-trace"), must.File(t, c.name, c.text))
		p.runUntil(fedStatus + `[data-state="error"]`)
		p.waitForText(".diagnostics", c.line)
		p.waitForText(".diagnostics", c.want)
		if got := p.results("max"); fmt.Sprint(got) != fmt.Sprint(shown) {
			t.Errorf("%s: the last result is gone: %v", c.name, got)
		}
		p.screenshot("federate-" + c.name)
	}
}

func failuresAreEdited(_ *testing.T, p *tab) {
	s := p.slots()
	p.waitForMasters(s)
	d := *federatekind.Of(s)
	s.Body = &d
	p.pressNamed("^Failures$")
	p.click(testID("fed-outage-add"))
	p.pick("#fed-outage-0-subject", "worker")
	p.set("#fed-outage-0-number", "3")
	p.set("#fed-outage-0-start", "2")
	p.set("#fed-outage-0-duration", "4")
	d.Outages = []federatekind.Outage{{Subject: "worker", Index: 2, At: 2, Duration: 4}}
	p.waitForMasters(s)
	p.set("#fed-outage-0-number", "30")
	p.waitForText("#fed-outage-0-wrong", "no worker 30: expected 1 to 4")
}

// endlessMasters returns a scenario that takes a while.
func endlessMasters(t testing.TB) scenario.Scenario {
	t.Helper()
	s := masters(t)
	d := *federatekind.Of(s)
	s.Body, s.Name = &d, "endless"
	d.Trace.Name = "many"
	d.Trace.Recipe = &workload.Recipe{Generator: workload.JobsGenerator, Preset: "yahoo", Seed: 1, Parameters: map[string]float64{"jobs": 20_000}}
	d.Workers, d.GMs, d.LMs = 5000, 10, 10
	d.Schedulers = []string{"ideal", "megha"}
	return s
}

func cancelledRunLeavesWhatItHas(t *testing.T, p *tab) {
	s := p.slots()
	p.waitForMasters(s)
	p.follow(fedLink(t, endlessMasters(t)))
	p.runUntil(testID("fed-progress"))
	p.waitForText(".pane-result .runs", "1 of 2 runs") // the other run takes longer
	p.screenshot("federate-running")
	p.click(testID("fed-cancel"))
	p.wait(fedStatus + `[data-state="done"][data-partial]`)
	p.waitForText(fedStatus, "Partial: stopped by you after")
	p.waitForText(testID("fed-cdf"), "megha (partial)")
	if text := p.text(".pane-result"); strings.Contains(text, "canceled") {
		t.Errorf("the page says %s", text)
	}
	p.waitFor(`!document.querySelector("[data-testid=fed-progress]")`)
	if got := p.results("tasks"); len(got) == 0 {
		t.Error("the cancelled run left no result")
	}
	p.screenshot("federate-partial")
	p.pressNamed("^Undo")
	p.waitForMasters(s)
}

func everyTabShowsItsCharts(t *testing.T, p *tab) {
	s := p.slots()
	p.waitForMasters(s)
	for tab, charts := range map[string][]string{
		"Waiting":    {"fed-cdf", "fed-quantiles", "fed-inconsistencies", "fed-repartitions", "fed-preemptions", "fed-messages"},
		"Components": {"fed-components", "fed-component-shares", "fed-component-medians", "fed-job-delay"},
		"Over time":  {"fed-demand", "fed-utilisation", "fed-shares-chart", "fed-jain"},
		"Play":       {"fed-cells"},
	} {
		p.pressNamed("^" + tab + "$")
		for _, chart := range charts {
			p.wait(testID(chart) + " .chart-field > *")
			if eval[bool](p, fmt.Sprintf(`!document.querySelector('[data-testid=%q] summary')`, chart)) {
				t.Errorf("%s has no table", chart)
			}
		}
		p.screenshot("federate-" + strings.ReplaceAll(strings.ToLower(tab), " ", "-"))
	}
	p.pressNamed("^Waiting$")
}

func taskIsExplained(t *testing.T, p *tab) {
	s := p.slots()
	p.waitForMasters(s)
	prepared := must.Get(scenario.Prepare(t.Context(), s, scenario.Env{}))(t)
	e := must.Get(scenario.WorkOf[*federatekind.Prepared](prepared))(t)
	for _, scheduler := range []string{"megha", "pigeon"} {
		p.pick(testID("fed-why-scheduler"), scheduler)
		p.set(testID("fed-task"), "8")
		want := must.Get(e.Task(t.Context(), federatekind.TaskQuery{Scheduler: scheduler, Task: 7}))(t)
		p.waitForText(testID("fed-why-head"), "task 8 of job 3")
		p.waitForText(testID("fed-why-head"), "under "+scheduler)
		got := eval[[]string](p, `[...document.querySelectorAll("[data-testid=fed-decisions] tbody tr")].map((r) => r.cells[1].innerText)`)
		if len(got) != len(want.Events) {
			t.Fatalf("%s: the decisions are %q, want %d of them", scheduler, got, len(want.Events))
		}
		for i, d := range want.Events {
			if got[i] != d.Text {
				t.Errorf("%s: decision %d is %q, want %q", scheduler, i, got[i], d.Text)
			}
		}
	}
	eval[any](p, "document.activeElement.blur()")
	p.press("n")
	p.waitForText(testID("fed-why-head"), "task 9 of job 3")
	p.press("p")
	p.waitForText(testID("fed-why-head"), "task 8 of job 3")
}

func mastersAreSharedSavedAndTakenAway(t *testing.T, p *tab) {
	s := p.slots()
	report := p.waitForMasters(s)
	p.click(testID("share"))
	p.wait(testID("share-link"))
	link := p.value(testID("share-link"))
	p.pressNamed("^Close$")
	p.waitFor(closed)
	q := open(t, strings.TrimPrefix(link, p.origin))
	q.waitForMasters(s)

	name, data := p.saved(func() {
		p.click(testID("fed-export"))
		p.click(testID("fed-export-report"))
	})
	if want := string(scenario.EncodeReport(plain(report))); string(data) != want {
		t.Errorf("%s has %d bytes, the command line writes %d", name, len(data), len(want))
	}
	for what, press := range map[string]func(){
		"the page of the report": func() { p.click(testID("fed-export")); p.click(testID("fed-export-html")) },
		"the chart": func() {
			p.pressScript(`[...document.querySelectorAll("[data-testid=fed-cdf] figcaption button")].at(-1)`)
		},
	} {
		_, file := p.saved(press)
		document, err := scenario.Carried(file)
		if err != nil || !bytes.Equal(document, scenario.Encode(s)) || !bytes.Contains(file, []byte("<svg")) {
			t.Errorf("%s carries %q, %v", what, document, err)
		}
	}
	want := federatekind.Tables[0].CSV(federatekind.ReportOf(report))
	name, data = p.saved(func() {
		p.click(testID("fed-export"))
		p.click(testID("fed-export-" + federatekind.Tables[0].Name))
	})
	if string(data) != string(want) {
		t.Errorf("%s has\n%s\nwant\n%s", name, data, want)
	}

	p.save("twelve tasks")
	s.Name = "twelve tasks"
	p.visit("Library")
	p.waitForText(libraryList, "twelve tasks")
	p.visit("Federate")
	p.follow(fedLink(t, masters(t)))
	p.waitForMasters(masters(t))
	p.visit("Library")
	p.pressNamed("^Open twelve tasks$")
	p.waitForMasters(s)
}

// plain returns a report in the common format.
func plain(r *scenario.Report) *scenario.Report {
	x := *r
	x.Timings = nil
	return &x
}

func mastersOnAPhoneAndInTheDark(t *testing.T, p *tab) {
	p.waitForMasters(p.slots())
	for name, look := range map[string]option{"light": both(phone, light), "dark": both(phone, dark)} {
		p.step(name, func(t *testing.T) {
			p.do(look)
			for _, pane := range []string{"Input", "Compare", "Why", "Result"} {
				p.pressNamed("^" + pane + "$")
				p.waitFor(fmt.Sprintf(`document.querySelector("[role=tab][aria-selected=true]").innerText.trim() == %q`, pane))
				p.fits(pane)
				p.screenshot("federate-phone-" + strings.ToLower(pane) + "-" + name)
			}
			for _, tab := range []string{"Components", "Over time", "Play", "Waiting"} {
				p.pressNamed("^" + tab + "$")
				p.fits(tab)
			}
		})
	}
}

func mastersAreAccessible(t *testing.T, p *tab) {
	p.waitForMasters(p.slots())
	for _, group := range []string{"Users and shares", "Time and costs", "Capacity and constraints", "Failures", "Parameters of schedulers"} {
		p.pressNamed("^" + group + "$")
	}
	p.click(testID("fed-outage-add"))
	p.runUntil(fedDone)
	defer p.do(light)
	for name, look := range map[string]option{"light": light, "dark": dark} {
		p.step(name, func(t *testing.T) {
			p.do(look)
			for _, tab := range []string{"Waiting", "Components", "Over time", "Play"} {
				p.pressNamed("^" + tab + "$")
				p.wait(".fed-charts .chart-field > *")
				p.accessible(tab)
			}
			p.screenshot("federate-all-" + name)
		})
	}
}
