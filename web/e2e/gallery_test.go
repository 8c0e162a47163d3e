package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"berth/engine/bundle"
	"berth/engine/federate/federatekind"
	"berth/engine/gallery"
	"berth/engine/golden"
	"berth/engine/must"
	"berth/engine/scenario"
	"berth/engine/study"
)

func TestGallery(t *testing.T) {
	golden.Long(t)
	t.Parallel()
	open(t, "/gallery#megha-6").journey(authorsFilesGiveAnotherVerdict, figuresAreJudgedAsNatively, fieldIsVaried, sweepIsAnExperiment, experimentGoesOnAfterAReload)
}

// A figure of the gallery gives the native run and verdict in the browser.
func figureIsRunAndJudged(t *testing.T, p *tab) {
	const id = "megha-6"
	e, ok := gallery.Lookup(id)
	if !ok {
		t.Fatal("there is no such entry")
	}
	native := must.Get(scenario.Run(t.Context(), e.Scenario(false), scenario.Env{}))(t)
	report := native.Body.(*study.Report)

	p.navigate("/gallery")
	p.waitFor(taken) // and not before all entries are there
	if n := p.count(testID("gallery-entry")); n != len(gallery.List()) {
		t.Errorf("%d entries are listed, want %d", n, len(gallery.List()))
	}
	entry := fmt.Sprintf("[data-figure=%q]", id)
	p.click(entry + " " + testID("gallery-run"))
	p.waitFor(fmt.Sprintf(`document.querySelector(%q).dataset.verdict == %q && !document.querySelector(%[1]q+" [data-testid=sweep-cancel]")`, entry, e.Verdict(report)))
	for _, c := range report.Criteria {
		got := eval[string](p, fmt.Sprintf(`document.querySelector(%q)?.innerText ?? ""`, fmt.Sprintf("%s [data-criterion=%q]", entry, c.ID)))
		if !strings.Contains(got, c.Ours) || !strings.Contains(got, c.Published) {
			t.Errorf("%s: the page says %q, want %q and %q", c.ID, got, c.Published, c.Ours)
		}
	}
	p.screenshot("gallery-entry")

	name, packed := p.saved(func() { p.click(entry + " " + testID("gallery-bundle")) })
	b := must.Get(bundle.Decode(packed))(t)
	if d, err := b.Verify(t.Context(), scenario.Env{}); name != id+".zip" || len(d) > 0 || err != nil || string(b.Report) != string(scenario.EncodeReport(native)) {
		t.Errorf("%s is not the bundle of the native run: %q, %v", name, d, err)
	}
}

// An experiment from a link can be stopped, and continues after a reload.
func experimentGoesOnAfterAReload(t *testing.T, p *tab) {
	s := study.New("more workers", study.Document{
		Base: federatekind.New("base", federatekind.Document{
			Trace: scenario.Source{Name: "small.tr", Text: "0 2 5 4 6\n1 1 5 5\n"}, Workers: 2, GMs: 1, LMs: 1, Schedulers: []string{"megha"}, Seed: 1,
		}),
		Factors: []study.Factor{{Name: "workers", Path: "/federate/workers", Levels: study.Values(1, 2, 3)}},
		Seeds:   4, Metrics: []string{"allocation.mean"},
	})
	native := must.Get(scenario.Run(t.Context(), s, scenario.Env{}))(t)
	p.navigate(strings.Replace(linkTo(t, s), "/placement", "/gallery", 1))
	whole := `document.querySelector("[data-testid=sweep-grid]")?.ariaLabel == "12 of 12 runs" &&
		document.querySelectorAll("[data-testid=sweep-table] tbody tr").length == 3 && !document.querySelector("[data-testid=sweep-cancel]")`
	p.waitFor(whole)
	for range 2 {
		for i, cell := range native.Body.(*study.Report).Cells {
			a := cell.Metrics["allocation.mean"]
			row := eval[string](p, fmt.Sprintf(`document.querySelectorAll("[data-testid=sweep-table] tbody tr")[%d].innerText`, i))
			if !strings.Contains(row, a.String()) {
				t.Errorf("the page says %q, want %s", row, a)
			}
		}
		p.screenshot("experiment")
		p.reload()
		p.waitFor(whole)
	}
}

// One button turns any scenario on screen into an experiment.
func fieldIsVaried(t *testing.T, p *tab) {
	p.masters()
	p.pressNamed(`^Vary …$`)
	p.fill(testID("vary-field"), "/federate/workers")
	p.fill(testID("vary-levels"), "40, 60")
	p.fill(testID("vary-seeds"), "2")
	p.press("\t")
	p.waitFor(fmt.Sprintf(`[%q, %q, %q].map((id) => document.querySelector(id).value).join(";") == "/federate/workers;40, 60;2"`,
		testID("vary-field"), testID("vary-levels"), testID("vary-seeds")))
	p.click(testID("vary-start"))
	whole := `location.pathname == "/gallery" && document.querySelector("[data-testid=sweep-grid]")?.ariaLabel == "4 of 4 runs" &&
		document.querySelector("[data-testid=sweep-table]") && !document.querySelector("[data-testid=sweep-cancel]")`
	p.waitFor(whole)
	p.reload() // the tab shows its experiment again, with all results
	p.waitFor(whole)
	if rows := p.count(testID("sweep-table") + " tbody tr"); rows != 2*5 {
		t.Errorf("%d rows, want one for each number of workers and scheduler", rows)
	}
	p.screenshot("varied")

	// Any cell opens as a scenario.
	p.click(`[data-testid="sweep-table"] tbody tr:nth-child(6) [data-testid="sweep-open"]`)
	p.wait(`[data-testid="fed-status"][data-state="done"]`)
	p.waitFor(`location.pathname == "/federate" && document.querySelector("#fed-workers")?.value == "60"`)

	// An experiment that opens far below scrolls into view and gets the focus.
	p.navigate("/gallery")
	entry := `[data-testid="gallery-entry"][data-figure="megha-12"]`
	p.click(entry + " .source-name")
	p.click(entry + ` [data-testid="vary"]`)
	p.waitFor(`((e) => e && document.activeElement == e && e.getBoundingClientRect().top >= 0 && e.getBoundingClientRect().bottom <= innerHeight)(document.querySelector("#own-experiment"))`)
	p.screenshot("own")
	p.click(testID("sweep-cancel"))
}

// An example with a sweep opens as an experiment, with the native figures.
func sweepIsAnExperiment(t *testing.T, p *tab) {
	p.masters()
	p.click(testID("examples"))
	p.click(testID("example-megha-figure-12"))
	p.waitFor(`location.pathname == "/gallery" && document.querySelector("[data-testid=sweep-grid]")?.ariaLabel == "3 of 3 runs" &&
		document.querySelector("[data-testid=sweep-table]") && !document.querySelector("[data-testid=sweep-cancel]")`)
	swept := native(t, study.Expand(example(t, "megha-figure-12"))).Body.(*study.Report)
	for i := range swept.Cells {
		row := eval[string](p, fmt.Sprintf(`document.querySelectorAll("[data-testid=sweep-table] tbody tr")[%d].innerText`, i))
		for _, m := range swept.Metrics {
			if a := swept.Cells[i].Of(m.Name); !strings.Contains(row, a.String()) {
				t.Errorf("row %d is %q, want %s of %s", i, row, a, m.Name)
			}
		}
	}
	p.screenshot("swept")
	p.click(`[data-testid="sweep-table"] tbody tr:nth-child(3) [data-testid="sweep-open"]`)
	p.waitFor(`location.pathname == "/federate" && document.querySelector("#fed-interference")?.value == "3"`)
}

// One entry of each paper gives the native verdict in the browser, and each criterion
// the native verdict and figures. All entries take minutes: a test of package gallery
// compares their figures with one seed.
func figuresAreJudgedAsNatively(t *testing.T, p *tab) {
	want := goldenVerdicts(t)
	p.visit("Gallery")
	p.wait(testID("gallery-summary"))
	for _, id := range []string{"thesis-4.5", "qos-5", "phd-7.1", "megha-7"} {
		p.judged(id, want[id])
	}
}

// goldenVerdicts returns each entry's lines of the golden file, except the lines about variants.
func goldenVerdicts(t *testing.T) map[string][]string {
	t.Helper()
	data := must.Get(os.ReadFile("../../engine/gallery/testdata/verdicts.txt"))(t)
	entries, id := map[string][]string{}, ""
	for line := range strings.Lines(string(data)) {
		line = strings.TrimRight(line, "\n")
		if !strings.HasPrefix(line, " ") {
			id, _, _ = strings.Cut(line, " ")
		}
		if !strings.HasPrefix(line, "  with ") {
			entries[id] = append(entries[id], line)
		}
	}
	return entries
}

// judged runs an entry and compares its results with the golden file.
func (p *tab) judged(id string, want []string) {
	p.t.Helper()
	entry := fmt.Sprintf("[data-figure=%q]", id)
	p.click(entry + " " + testID("gallery-run"))
	at := fmt.Sprintf(`document.querySelector("[data-figure='%s']")`, id)
	ended := at + `.querySelector("[data-testid=sweep-table]") && !` + at + `.querySelector("[data-testid=sweep-cancel]")`
	done := at + `.querySelector("[data-testid=sweep-grid]")?.ariaLabel.split(" runs")[0] ?? ""`
	for !eval[bool](p, "!!("+ended+")") { // patience limits a single run
		p.waitFor(fmt.Sprintf("(%s) || (%s) != %q", ended, done, eval[string](p, done)))
	}
	got := []string{id + " " + p.attribute(entry, "data-verdict")}
	got = append(got, eval[[]string](p, `[...`+at+`.querySelectorAll("[data-criterion]")].map(
		row => "  " + row.dataset.criterion + " " + row.dataset.verdict + ": " + row.children[3].textContent)`)...)
	if !slices.Equal(got, want) {
		p.t.Errorf("in the browser it is\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	p.screenshot("gallery-" + id)
}

// The address of an entry opens it. With the authors' files it runs on them and has
// another verdict.
func authorsFilesGiveAnotherVerdict(t *testing.T, p *tab) {
	const entry = `[data-figure="megha-6"]`
	p.wait(entry + " " + testID("gallery-full"))
	trace := must.File(t, "their.tr", "0 1 5 5\n100 1 5 5\n")
	p.upload(entry+" "+testID("gallery-file-trace"), trace)
	p.wait(entry + " " + testID("gallery-generated"))
	p.click(entry + " " + testID("gallery-run"))
	p.waitFor(`document.querySelector('[data-figure="megha-6"]').dataset.verdict == "differs" && !document.querySelector("[data-testid=sweep-cancel]")`)
	p.screenshot("gallery-authors-files")
	p.click(entry + " " + testID("gallery-generated"))
	p.waitFor(`!document.querySelector("[data-testid=gallery-generated]") && document.querySelector('[data-figure="megha-6"]').dataset.verdict == "not-run"`)
}

// The gallery recognises dropped files of the authors by their hashes, and an entry
// with all its files has a verdict on each input.
func TestGalleryRecognisesFiles(t *testing.T) {
	golden.Long(t)
	t.Parallel()
	data := golden.Data(t)
	p := open(t, "/gallery#qos-4")
	const entry = `[data-figure="qos-4"]`
	p.wait(entry + " " + testID("gallery-needs"))
	notes := must.File(t, "notes.txt", "nothing of theirs")
	files := []string{notes}
	for _, name := range []string{"workload_validation1.erl.txt", "hosts_validation.erl.txt", "overheads_validation1.csv", "availability_validation1.csv"} {
		files = append(files, filepath.Join(data, "qos", name))
	}
	p.upload(testID("gallery-authors"), files...)
	p.wait(entry + " " + testID("gallery-run-authors"))
	p.waitFor(`document.querySelector("[data-testid=gallery-strangers]").textContent.includes("notes.txt")`)
	p.click(entry + " " + testID("gallery-run-authors"))
	p.waitFor(`document.querySelector('[data-figure="qos-4"] [data-input=authors]').dataset.verdict == "agrees" && !document.querySelector("[data-testid=sweep-cancel]")`)
	p.screenshot("gallery-two-verdicts")
}

// When a number of a figure changes, its runs begin at once, and chart and verdict follow. One
// press restores the figure's own numbers.
func numberOfAFigureIsChanged(t *testing.T, p *tab) {
	const card = `[data-testid="gallery-card"][data-figure="megha-6"]`
	field := card + ` [data-testid="gallery-parameter"][data-parameter="trace/jobs"]`
	p.click(card + " .gallery-numbers summary")
	p.set(field, "20")
	p.waitFor(`document.querySelector('[data-figure="megha-6"] .verdict')?.textContent.endsWith("with your numbers") &&
		!document.querySelector("[data-testid=sweep-cancel]") && !!document.querySelector('[data-figure="megha-6"] .card-figure svg')`)
	p.screenshot("gallery-changed")
	p.waitFor(`location.hash == "#megha-6&trace%2Fjobs=20"`)
	p.click(testID("share"))
	p.waitFor(`document.querySelector("dialog[open] [data-testid=share-link]")?.value.endsWith("/gallery#megha-6&trace%2Fjobs=20")`)
	p.isInspected("share in the gallery")
	p.press(kb.Escape)
	p.waitFor(closed)
	p.reload() // the link runs the figure with its number
	p.waitFor(`document.querySelector('[data-figure="megha-6"] .verdict')?.textContent.endsWith("with your numbers") && !document.querySelector("[data-testid=sweep-cancel]")`)
	p.click(card + " " + testID("gallery-unchanged"))
	p.waitFor(`!document.querySelector("[data-testid=gallery-unchanged]") && document.querySelector('[data-figure="megha-6"]').dataset.verdict == "not-run"`)
}
