package e2e

import (
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"berth/app/ui"
	"berth/engine/golden"
	"berth/engine/input/workload"
	"berth/engine/must"
	"berth/engine/qos/qoskind"
	"berth/engine/scenario"
	"berth/engine/scenario/scenariotest"
)

// Parts of the QoS view's result.
var (
	qosStatus = testID("qos-status")
	qosDone   = qosStatus + `[data-state="done"]`
)

// qosLink returns the link to a scenario.
func qosLink(t testing.TB, s scenario.Scenario) string {
	t.Helper()
	return strings.Replace(linkTo(t, s), "/placement", "/qos", 1)
}

// classTable returns the table of policies and classes, cell by cell.
func (p *tab) classTable() [][]string {
	p.t.Helper()
	return eval[[][]string](p, fmt.Sprintf(`[...document.querySelectorAll(%q)].map((row) =>
		[...row.cells].map((cell) => cell.title || cell.textContent.trim()))`, testID("qos-classes")+" tbody tr"))
}

// wantSimulated waits for the result of a scenario and compares it with the native one.
func (p *tab) wantSimulated(s scenario.Scenario) *scenario.Report {
	p.t.Helper()
	p.waitForSimulation(s)
	report := native(p.t, s)
	p.waitForResults(report.Results)
	p.wantClasses(qoskind.ReportOf(report))
	return report
}

// waitForSimulation waits until the page shows the result of these inputs. A page on a
// slow machine may wait for Run.
func (p *tab) waitForSimulation(s scenario.Scenario) {
	p.t.Helper()
	p.waitFor(fmt.Sprintf(`(() => {
		const { state, scenario } = document.querySelector(%q)?.dataset ?? {};
		if (state == "idle") document.querySelector(".qos .run-bar .wanted")?.click();
		return state == "done" && scenario == %q;
	})()`, qosStatus, s.Hash()))
}

func (p *tab) wantClasses(r *qoskind.Report) {
	p.t.Helper()
	rows := p.classTable()
	heads := eval[[]string](p, `[...document.querySelectorAll("[data-testid=qos-classes] thead th")].map((e) => e.textContent.trim())`)
	for i := range r.Policies {
		policy := &r.Policies[i]
		for _, f := range append(slices.Clone(policy.Run.Classes), policy.Run.All) {
			n := slices.IndexFunc(rows, func(row []string) bool { return row[0] == policy.Title && row[1] == f.Name })
			if n < 0 {
				p.t.Errorf("there is no row for %s, %s", policy.Title, f.Name)
				continue
			}
			for column, want := range map[string]float64{"requests": float64(f.Requests), "fulfilled": float64(f.Fulfilled), "mean availability": float64(f.Availability.Mean)} {
				text := rows[n][slices.Index(heads, column)]
				if got, err := strconv.ParseFloat(text, 64); err != nil || math.Abs(got-want) > 1e-12 {
					p.t.Errorf("%s, %s, %s: %q, want %v", policy.Title, f.Name, column, text, want)
				}
			}
		}
	}
}

// focusNamed focuses a control in the same way as Tab.
func (p *tab) focusNamed(name string) {
	p.t.Helper()
	p.waitFor(named(name))
	eval[any](p, named(name)+".focus()")
}

const (
	fewRequests = "id,job,submit_s,duration_s,cpu,memory,class,anti_affinity,constraints\n" +
		"a,1,0,300,1,1,bronze,,\nb,2,1,300,1,1,silver,,\nc,3,2,300,1,1,gold,,\nd,4,3,100,1,1,gold,,\ne,5,4,200,1,1,bronze,,\n"
	threeHosts   = "name,cpu,memory,attributes\nh1,1,1,\nh2,1,1,\nh3,1,1,\n"
	twoOverheads = "overhead_s\n2\n3\n"
)

func TestQoS(t *testing.T) {
	golden.Long(t)
	t.Parallel()
	open(t, "/qos").journey(qosDroppedFilesAreToldApart, qosRecipesAreGenerated, qosLargeFileIsStreamed, qosPackedFileIsUnpacked, qosTraceOf2GiBIsStreamed)
}

func TestQoSOptions(t *testing.T) {
	golden.Long(t)
	t.Parallel()
	open(t, "/qos").journey(qosWrongFieldsAreToldBesideThem, qosExampleWithControllers, qosLongListsOfControllersAreTurnedPageByPage, qosBoxIsTickedWhileThePageWorks)
}

func TestAQoSResult(t *testing.T) {
	golden.Long(t)
	t.Parallel()
	open(t, "/qos").journey(chartsStayInTheirPlaces, numbersOfAScaleStandApart, qosHeatMapHasItsQuadrants, qosChartsHaveTablesAndFiles,
		nothingMovesWhileFiguresAreAwaited, qosIsSharedSavedAndExported, comparisonOfClassesFitsItsPane, qosOnAPhoneAndInTheDark)
}

func qosOpensWithTheValidation(t *testing.T, p *tab) {
	p.wait(qosDone) // without a link
	p.wantSimulated(example(t, "validation-1"))
	p.wait(testID("qos-heatmap") + " svg")
	p.wait(testID("qos-timeline") + " canvas")
	p.waitForText(testID("qos-why"), "chosen")
	p.screenshot("qos-first")
	p.pressNamed("^Examples$")
	p.click(testID("example-validation-2"))
	p.wantSimulated(example(t, "validation-2"))
}

func qosFilesAreSimulated(t *testing.T, p *tab) {
	p.validation()
	for _, input := range []struct{ testID, name, text string }{
		{"qos-workload", "few.csv", fewRequests}, {"qos-hosts", "three.csv", threeHosts}, {"qos-overheads", "two.csv", twoOverheads},
	} {
		p.upload(testID(input.testID), must.File(t, input.name, input.text))
		p.waitForText(".pane-input", input.name)
	}
	s := fewScenario(t)
	p.wantSimulated(s)
	p.upload(testID("qos-workload"), must.File(t, "more.csv", fewRequests+"f,6,5,10,1,1,gold,,\n"))
	qoskind.Of(s).Workload = scenario.Source{Name: "more.csv", Text: fewRequests + "f,6,5,10,1,1,gold,,\n"}
	p.wantSimulated(s)
	p.pressNamed("^Undo")
	qoskind.Of(s).Workload = scenario.Source{Name: "few.csv", Text: fewRequests}
	p.wantSimulated(s)
}

func qosDroppedFilesAreToldApart(t *testing.T, p *tab) {
	p.validation()
	p.drop(must.File(t, "x.csv", twoOverheads), must.File(t, "y.csv", threeHosts), must.File(t, "z.csv", fewRequests))
	s := example(t, "validation-1")
	s.Name = ""
	qoskind.Of(s).Workload = scenario.Source{Name: "z.csv", Text: fewRequests}
	qoskind.Of(s).Hosts = scenario.Source{Name: "y.csv", Text: threeHosts}
	qoskind.Of(s).Overheads = &scenario.Source{Name: "x.csv", Text: twoOverheads}
	p.wantSimulated(s)
}

func qosPoliciesAreChosen(t *testing.T, p *tab) {
	s := p.few()
	p.click(testID("qos-policy-hybrid"))
	p.wait("#qos-hybrid-limit")
	p.fill("#qos-hybrid-limit", "2")
	p.press("\t")
	p.pick("#qos-scheduler-qos", "both")
	qoskind.Of(s).Policies = []qoskind.PolicyRun{
		{Name: "qos"}, {Name: "qos", Scheduler: qoskind.Literal}, {Name: "priority"}, {Name: "hybrid", HybridLimit: 2},
	}
	p.wantSimulated(s)
	p.click(testID("qos-policy-priority"))
	p.pick("#qos-scheduler-qos", "fast")
	qoskind.Of(s).Policies = []qoskind.PolicyRun{{Name: "qos"}, {Name: "hybrid", HybridLimit: 2}}
	p.wantSimulated(s)
}

// Between the click on a box and its change event the page may do other work. The test repeats this
// often: the box must stay ticked.
func qosBoxIsTickedWhileThePageWorks(_ *testing.T, p *tab) {
	p.few()
	eval[any](p, `document.addEventListener("click", () => {
		for (let i = 0; i < 100; i++) document.body.dispatchEvent(new Event("focusout", { bubbles: true }));
	}, true)`)
	p.click(testID("qos-policy-hybrid"))
	p.wait("#qos-hybrid-limit")
}

func qosRecipesAreGenerated(t *testing.T, p *tab) {
	s := p.few()
	p.pressNamed("^Generate hosts$")
	p.pick("#qos-generate-preset", qoskind.GoogleLike)
	p.wait("#qos-generate-count")
	p.fill("#qos-generate-count", "7")
	p.press("\t")
	p.screenshot("qos-generate")
	p.pressNamed("^Generate$")
	p.waitFor(closed)
	recipe := workload.Recipe{Generator: qoskind.HostsGenerator, Preset: qoskind.GoogleLike, Seed: 1, Parameters: map[string]float64{"count": 7}}
	qoskind.Of(s).Hosts = scenario.Source{Name: "google-like hosts, seed 1", Recipe: &recipe}
	p.wantSimulated(s)
	p.pressNamed("^Remove google-like hosts")
	p.wait(testID("qos-which-hosts"))
	p.accessible("the question which hosts")
	p.screenshot("qos-which-hosts")
	p.click(testID("qos-busy-50"))
	recipe.Preset, recipe.Parameters = qoskind.Busy, map[string]float64{"busy": 0.5}
	qoskind.Of(s).Hosts.Name = "hosts " + ui.Percent(0.5) + " busy"
	p.wantSimulated(s)
}

// badInputs are files that cannot be simulated: where each goes, and its error.
func badInputs() []struct{ slot, name, text, want string } {
	return []struct{ slot, name, text, want string }{
		{"workload", "empty.csv", "", ""},
		{"workload", "word.csv", strings.Replace(fewRequests, "b,2,1,", "b,2,soon,", 1), "3:5: submit_s"},
		{"workload", "negative.csv", strings.Replace(fewRequests, "b,2,1,300,1", "b,2,1,300,-1", 1), "3:11: cpu"},
		{"workload", "class.csv", strings.Replace(fewRequests, "gold", "platinum", 1), `"platinum"`},
		{"workload", "operator.csv", strings.Replace(fewRequests, "silver,,", "silver,,disk~ssd", 1), "3:23: constraints"},
		{"hosts", "twice.csv", threeHosts + "h1,1,1,\n", `"h1"`},
		{"hosts", "none.csv", "name,cpu,memory,attributes\n", "no hosts"},
		{"overheads", "none.csv", "overhead_s\n", "none.csv"},
		{"overheads", "word.csv", "overhead_s\nfast\n", "2:1:"},
	}
}

func qosBadInputIsToldBesideItAndTheLastResultStays(t *testing.T, p *tab) {
	s := p.few()
	shown := p.classTable()
	for _, bad := range badInputs() {
		p.openBroken(testID("qos-"+bad.slot), must.File(t, bad.name, bad.text))
		p.waitForText(".pane-input", bad.name)
		p.click(testID("qos-run"))
		p.wait(qosStatus + `[data-state="error"]`)
		p.waitForError(bad.name, bad.want)
		p.waitForText(".pane-input .problem", bad.name+":")
		if got := p.classTable(); !slices.EqualFunc(got, shown, slices.Equal) {
			t.Errorf("%s: the last result is gone", bad.name)
		}
		p.pressNamed("^Undo")
		p.waitForSimulation(s)
	}
}

// long returns a scenario that takes a while: two million requests.
func long(t testing.TB) scenario.Scenario {
	t.Helper()
	s := example(t, "google-day")
	s.Name = "long"
	qoskind.Of(s).Workload.Recipe.Parameters = map[string]float64{"requests": 2_000_000, "days": 27}
	qoskind.Of(s).Hosts.Recipe.Parameters = map[string]float64{"count": 700}
	qoskind.Of(s).Horizon = 0
	return s
}

func qosCancelKeepsAPart(t *testing.T, p *tab) {
	p.validation()
	// The page shows the time left only for a moment if its first estimate was too
	// short.
	eval[any](p, `globalThis.said = { left: false }; new MutationObserver(() => {
		said.left ||= !!document.querySelector(".runs")?.innerText.includes(" left");
	}).observe(document.body, { subtree: true, childList: true, characterData: true })`)
	p.follow(qosLink(t, long(t)))
	p.waitFor(fmt.Sprintf(`document.querySelector(%q).value == "long"`, "#qos-scenario-name"))
	p.click(testID("qos-run")) // the page may wait for it
	p.wait(qosStatus + `[data-state="running"]`)
	p.waitFor(fmt.Sprintf(`document.querySelector(%q)?.value > 0`, testID("qos-progress")))
	p.waitForText(".runs", "events/s")
	p.screenshot("qos-running")
	p.waitFor("said.left") // the run may end soon
	p.click(testID("qos-cancel"))
	p.wait(qosDone + `[data-partial]`)
	p.waitForText(qosStatus, "Stopped early")
	p.waitForText(testID("qos-classes"), "(part)")
	p.waitForText(testID("qos-remarks"), "the figures cover only the time until then")
	p.waitFor(fmt.Sprintf(`!document.querySelector(%q)`, testID("qos-progress")))
	p.screenshot("qos-partial")
	p.pressNamed("^Undo")
	p.waitFor(fmt.Sprintf(`!document.querySelector(%q).dataset.partial || document.querySelector(%q).dataset.state == "idle"`, qosStatus, qosStatus))
	p.click(testID("qos-run"))
	p.wantSimulated(example(t, "validation-1"))
}

// qosFigures are the charts of each tab, by test id.
var qosFigures = map[string][]string{
	"Overview":     {"qos-heatmap", "qos-deficits", "qos-timeline"},
	"Availability": {"qos-strips"},
	"Penalties":    {"qos-increase", "qos-penalties"},
	"Fairness":     {"qos-fair-least", "qos-fair-kept", "qos-fair-gini"},
	"Demand":       {"qos-demand-0-cpu", "qos-demand-1-memory"},
	"Queue":        {"qos-queue", "qos-preemptions", "qos-operations"},
}

func qosChartsHaveTablesAndFiles(t *testing.T, p *tab) {
	p.validation()
	for name, figures := range qosFigures {
		p.pressNamed("^" + name + "$")
		for _, figure := range figures {
			p.wait(testID(figure) + " .chart-field :is(svg, canvas)")
			p.click(testID(figure) + " summary")
			p.waitFor(fmt.Sprintf(`document.querySelector(%q)`, testID(figure)+" details :is(table, p)"))
		}
		if name == "Demand" { // the mark that follows the mouse has no label either
			p.hover(testID(figures[0]) + " .chart-field svg")
			p.wait(testID(figures[0]) + " svg [pointer-events=none] text")
		}
		p.accessible(name)
		p.fits(name)
		p.screenshot("qos-" + strings.ToLower(name))
	}
	for extension, want := range map[string]string{"CSV": "series,time (h),requests", "SVG": "<svg"} {
		p.pressNamed("^Queue$")
		button := fmt.Sprintf(`[...document.querySelectorAll(%q)].find((b) => b.innerText.trim() == %q)`, testID("qos-queue")+" button", extension)
		if name, data := p.saved(func() { p.pressScript(button) }); !strings.Contains(string(data), want) {
			t.Errorf("%s begins %.60q", name, data)
		}
	}
}

func qosHeatMapHasItsQuadrants(_ *testing.T, p *tab) {
	p.validation()
	p.waitForText(testID("qos-heatmap"), "bronze")
	p.waitForText(".pane-result", "the SLO was kept under both for 0")
	p.pick("#qos-paired-class", "silver")
	p.waitForText(testID("qos-heatmap"), "silver")
	p.waitForText(".pane-result", "under both for 100")
}

func qosTimelineIsPlayedAndDecisionsAreExplained(_ *testing.T, p *tab) {
	p.few()
	p.pressNamed("^Overview$")
	p.wait(testID("qos-timeline") + " canvas")
	p.waitForText(testID("qos-why"), "chosen")
	first := p.text(testID("qos-why") + " .why-head")
	p.press("n")
	p.waitFor(fmt.Sprintf(`document.querySelector(%q)?.innerText != %s`, testID("qos-why")+" .why-head", quote(first)))
	p.waitForText(testID("qos-candidates"), "h3")
	p.screenshot("qos-why")
	p.pick("#qos-followed", "1")
	p.waitForText(testID("qos-why"), "under priority")
}

func qosIsSharedSavedAndExported(t *testing.T, p *tab) {
	s := p.few()
	report := native(t, s)
	p.click(testID("share"))
	link := p.value(testID("share-link"))
	p.pressNamed("^Close$")
	p.waitFor(closed)
	q := open(t, strings.TrimPrefix(link, p.origin), phone) // another visitor
	q.wantSimulated(s)
	q.fits("the result")

	for entry, want := range map[string]string{
		"json": `"results": "` + report.Results + `"`, "figures": "priority,gold,", "requests": "\npriority,e,bronze,4,", "scenario": `"kind": "qos"`,
	} {
		name, data := p.saved(func() {
			p.click(testID("qos-export"))
			p.click(testID("qos-export-" + entry))
		})
		if !strings.Contains(string(data), want) {
			t.Errorf("%s of %d bytes does not contain %q", name, len(data), want)
		}
	}

	p.click(testID("save"))
	p.fill(testID("save-name"), "few requests")
	p.click(testID("save-confirm"))
	p.waitFor(closed)
	p.pressNamed("^Undo")
	p.visit("Library")
	p.waitForText(libraryList, "few requests")
	p.pressNamed("^Open “few requests”|^Open few requests|^few requests")
	s.Name = "few requests"
	p.wantSimulated(s)
}

func qosOnAPhoneAndInTheDark(t *testing.T, p *tab) {
	p.validation()
	p.do(both(phone, dark))
	defer p.do(both(wide, light))
	for _, pane := range []string{"Input", "Result", "Compare", "Why"} {
		p.pressNamed("^" + pane + "$")
		p.waitFor(fmt.Sprintf(`document.querySelector(".pane-%s").checkVisibility()`, strings.ToLower(pane)))
		p.fits(pane)
		p.screenshot("qos-phone-" + strings.ToLower(pane))
	}
	p.pressNamed("^Input$")
	for _, part := range []string{"^Classes and SLOs", "^Controllers$", "^Sampling and admission", "^Times, limits and seeds$", "^Failures of hosts$"} {
		p.pressNamed(part)
		p.fits(part)
	}
}

// The page does not load a file of more than 256 KiB: the worker streams it.
func qosLargeFileIsStreamed(t *testing.T, p *tab) {
	s := p.few()
	var b strings.Builder
	b.WriteString("id,job,submit_s,duration_s,cpu,memory,class,anti_affinity,constraints\n")
	for i := range 13_000 {
		fmt.Fprintf(&b, "request-%d,%d,%d,%d,0.5,0.5,%s,,\n", i, i, 15*i, 40+i%60, []string{"gold", "silver", "bronze"}[i%3])
	}
	p.upload(testID("qos-workload"), must.File(t, "large.csv", b.String()))
	p.waitForText(".pane-input", "large.csv")
	p.pressNamed(`^Times, limits and seeds$`)
	p.fill("#qos-horizon", "200000")
	p.press("\t")
	qoskind.Of(s).Workload, qoskind.Of(s).Horizon = scenario.Source{Name: "large.csv", Text: b.String()}, 200_000
	p.wantSimulated(s)
	p.waitForText(testID("qos-timeline"), "A timeline shows up to")
	p.waitForText(testID("qos-why"), "A timeline shows up to")
	p.pressNamed("^large.csv$")
	p.waitForText(".pane-input", "reads it in parts")
}

// A packed file is unpacked: a small one in the page, a large one by the worker in
// pieces; errors have their position in the text.
func qosPackedFileIsUnpacked(t *testing.T, p *tab) {
	s := p.few()
	p.upload(testID("qos-workload"), must.File(t, "few.csv.gz", string(scenariotest.Packed(strings.Replace(fewRequests, "b,2,1,", "b,2,3,", 1)))))
	qoskind.Of(s).Workload = scenario.Source{Name: "few.csv", Text: strings.Replace(fewRequests, "b,2,1,", "b,2,3,", 1)}
	p.wantSimulated(s)
	var b strings.Builder
	b.WriteString("id,job,submit_s,duration_s,cpu,memory,class,user\n")
	for i := range 25_000 {
		fmt.Fprintf(&b, "request-%d,%d,%d,%d,0.5,0.5,%s,%x\n", i, i, 20*i, 40+i*i%61, []string{"gold", "silver", "bronze"}[i%3], uint32(i)*2_654_435_761)
	}
	large := string(scenariotest.Packed(b.String()))
	if len(large) < 256<<10 {
		t.Fatalf("the packed file has %d bytes: the page would read it", len(large))
	}
	p.upload(testID("qos-workload"), must.File(t, "large.csv.gz", large))
	qoskind.Of(s).Workload = scenario.Source{Name: "large.csv.gz", Text: b.String()}
	p.wantSimulated(s)
	p.upload(testID("qos-workload"), must.File(t, "short.csv.gz", large[:len(large)-5000]))
	p.click(testID("qos-run"))
	p.waitForError("short.csv.gz: the gzip file is cut off")
	p.upload(testID("qos-workload"), must.File(t, "bad.csv.gz", string(scenariotest.Packed(b.String()+"request,0,soon,1,1,1,gold,me\n"))))
	p.click(testID("qos-run"))
	p.waitForError("bad.csv.gz:25002:11: submit_s")
}

// The page asks before it reads a file of 2 GiB. A file that does not begin with text is refused;
// the worker reads a trace of that size up to its first bad line. The page stores neither.
func qosTraceOf2GiBIsStreamed(t *testing.T, p *tab) {
	s := p.few()
	head, row, _ := strings.Cut(fewRequests, "\n")
	row, _, _ = strings.Cut(row, "\n")
	const rows = 4000 // more than the part that identifies the format
	for _, c := range []struct {
		name, text string
		errors     []string
		taken      bool
	}{
		{"hole.csv", fewRequests, []string{"hole.csv is not text. Nothing was changed"}, false},
		{"trace.csv", head + "\n" + strings.Repeat(row+"\n", rows), []string{fmt.Sprintf("trace.csv:%d:1:", rows+2), "the line has more than 1048576 bytes"}, true},
	} {
		path := must.File(t, c.name, c.text)
		if err := os.Truncate(path, 2<<30); err != nil {
			t.Skipf("no file with a hole can be made here: %v", err)
		}
		p.upload(testID("qos-workload"), path)
		p.pressNamed("^Read it anyway")
		p.waitForError(c.errors...)
		if heap := eval[float64](p, "performance.memory.usedJSHeapSize"); heap > 256<<20 {
			t.Errorf("%s: the page holds %.0f bytes", c.name, heap)
		}
		if c.taken {
			p.waitForText(".pane-input", c.name)
			p.pressNamed("^Undo")
		}
		p.waitForSimulation(s)
	}
}
