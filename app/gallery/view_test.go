//go:build !js

package gallery

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/chart"
	"berth/app/lab"
	"berth/app/lab/labtest"
	"berth/app/library"
	"berth/app/ui"
	"berth/engine/bundle"
	"berth/engine/federate/federatekind"
	"berth/engine/gallery"
	_ "berth/engine/kinds"
	"berth/engine/must"
	"berth/engine/policy"
	"berth/engine/scenario"
	"berth/engine/study"
)

func open(t *testing.T) (*View, app.TestEngine) {
	t.Helper()
	v := New(lab.Services{Engine: labtest.Engine(2), Shelf: labtest.Shelf(), Drafts: labtest.Drafts(), Workers: 2})
	return v, labtest.Mount(t, v)
}

// masters returns an experiment that varies the number of workers of a small data centre.
func masters() scenario.Scenario {
	return study.New("more workers", study.Document{
		Base: federatekind.New("base", federatekind.Document{
			Trace: scenario.Source{Name: "small.tr", Text: "0 2 5 4 6\n1 1 5 5\n"}, Workers: 2, GMs: 1, LMs: 1, Schedulers: []string{"megha"}, Seed: 1,
		}),
		Factors: []study.Factor{{Name: "workers", Path: "/federate/workers", Levels: study.Values(1, 2, 0)}},
		Seeds:   2, Metrics: []string{"allocation.mean"},
		Criteria: []study.Criterion{{ID: "fewer", Says: "fewer workers make tasks wait", Source: "common sense", Test: study.Test{
			Kind: study.Order, Metric: "allocation.mean", At: map[string]any{"workers": 1}, To: &study.Operand{At: map[string]any{"workers": 2}},
		}}},
	})
}

func TestAnExperimentRunsAndIsJudged(t *testing.T) {
	v, engine := open(t)
	v.own(masters(), nil)
	x := v.shown[ownID]
	settle(t, engine, func() bool { return x.result != nil && !x.at.busy && x.at.done == 6 })
	if x.at.failed != 2 || x.result.Runs != (study.Count{All: 6, Done: 6, Failed: 2}) {
		t.Errorf("%+v, %+v; want the two runs without workers to fail", x.at, x.result.Runs)
	}
	html := app.HTMLString(v.Render())
	labtest.Has(t, html, `data-testid="sweep-grid"`, `run-failed`, `data-testid="sweep-table"`, "Open workers 2 as a scenario", "fewer workers make tasks wait", "common sense")

	fitted := &exhibit{id: "x", sweep: x.sweep, result: &study.Report{Criteria: []study.Judged{{ID: "c", Verdict: study.Agrees, Evidence: study.Calibrated, Basis: "fitted to it"}}}}
	labtest.Has(t, app.HTMLString(v.criteria(fitted)), "calibrated", "fitted to it", "Not counted: 1 calibrated, 1 met")

	// Another visit loads the stored results, and repeats no run.
	again := reloaded(v)
	engine2 := labtest.Mount(t, again)
	again.own(masters(), nil)
	y := again.shown[ownID]
	settle(t, engine2, func() bool { return y.result != nil && !y.at.busy })
	if string(y.result.CSV()) != string(x.result.CSV()) || kept(t, v) != 4 {
		t.Errorf("%d results were kept; the tables are\n%s\n%s", kept(t, v), x.result.CSV(), y.result.CSV())
	}
}

// The page asks before it loses long runs: running ones, results that the browser does not keep,
// and runs of an unsaved experiment.
func TestLongRunsAreAtStake(t *testing.T) {
	v, engine := open(t)
	v.own(masters(), nil)
	x := v.shown[ownID]
	settle(t, engine, func() bool { return x.result != nil && !x.at.busy && x.at.done == 6 && x.kept })
	now := time.Now()
	if v.atStake(now) {
		t.Error("runs of less than ten seconds are at stake")
	}
	x.took = 11 * time.Second
	if !v.atStake(now) {
		t.Error("an experiment of 11 s that is kept nowhere is not at stake")
	}
	delete(v.shown, ownID)
	e := v.exhibit(&v.entries[0])
	e.took, e.kept = 11*time.Second, true
	if v.atStake(now) {
		t.Error("results that the browser keeps are at stake")
	}
	e.kept = false
	if !v.atStake(now) {
		t.Error("results that the browser does not keep are not at stake")
	}
	e.took, e.begun, e.cancel = 0, now, func() {}
	if v.atStake(now.Add(9*time.Second)) || !v.atStake(now.Add(11*time.Second)) {
		t.Error("runs under way have to be at stake after ten seconds")
	}
}

// A cell without a result has no policy yet, and does not show one.
func TestACellWithoutAResultHasNoSubject(t *testing.T) {
	v, engine := open(t)
	s := masters()
	v.own(s, nil)
	x := v.shown[ownID]
	settle(t, engine, func() bool { return x.result != nil && !x.at.busy && x.at.done == 6 })
	x.result = x.plan.NewSheet().Report()
	x.result.Factors = append(x.result.Factors, study.FactorSummary{Name: "scheduler", Subjects: true, Levels: []any{"megha", "sparrow"}})
	if html := app.HTMLString(v.Render()); strings.Contains(html, "nil") || !strings.Contains(html, "–") {
		t.Error("a cell that has not run has no dash in place of its scheduler")
	}
	if name := gallery.CellName(x.result, 1); name != "workers 2" {
		t.Errorf("the cell is called %q", name)
	}
}

// The page's bundle equals the bundle of a run elsewhere.
func TestAnExperimentIsBundled(t *testing.T) {
	v, engine := open(t)
	if html := app.HTMLString(v.Render()); strings.Contains(html, `data-testid="gallery-bibtex"`) {
		t.Error("an entry that is closed has buttons")
	}
	s := masters()
	study.Of(s).Factors[0].Levels = study.Values(1, 2) // the third is invalid in every document
	v.own(s, nil)
	x := v.shown[ownID]
	settle(t, engine, func() bool { return x.result != nil && !x.at.busy && x.at.done == 4 })
	data := must.Get(x.packed())(t)
	b := must.Get(bundle.Decode(data))(t)
	if d, err := b.Verify(t.Context(), scenario.Env{}); err != nil || len(d) > 0 {
		t.Errorf("%v, %v", d, err)
	}

	e := &v.entries[0]
	y := v.exhibit(e)
	y.open = true
	if html := app.HTMLString(v.Render()); strings.Count(html, `data-testid="gallery-bibtex"`) != 1 || strings.Count(html, `data-testid="gallery-bundle"`) != 1 {
		t.Error("an entry before its runs has to have BibTeX, and no bundle as the experiment has")
	}
	y.result = x.result
	if html := app.HTMLString(v.Render()); strings.Count(html, `data-testid="gallery-bundle"`) != 2 {
		t.Error("an entry or an experiment whose runs are done has no bundle")
	}
}

// settle waits until a condition holds.
func settle(t *testing.T, engine app.TestEngine, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); ; {
		engine.ConsumeAll()
		if holds() {
			return
		}
		if time.Now().After(deadline) {
			t.Fatal("it does not settle")
		}
	}
}

func TestEveryEntryIsListed(t *testing.T) {
	v, _ := open(t)
	html := app.HTMLString(v.Render())
	if n := strings.Count(html, `data-testid="gallery-entry"`); n != len(v.entries) || n == 0 {
		t.Errorf("%d entries are listed of %d", n, len(v.entries))
	}
	// The card of an entry without a record says so too.
	if n := len(regexp.MustCompile(`<li[^>]*data-verdict="not-run"`).FindAllString(html, -1)); n != len(v.entries) {
		t.Errorf("%d entries of %d say that they were not run", n, len(v.entries))
	}
	v.paper = "megha"
	for _, html := range strings.Split(app.HTMLString(v.Render()), "<li")[1:] {
		if strings.Contains(html, "gallery-entry") && !strings.Contains(html, `data-figure="megha-`) {
			t.Errorf("another paper's: %s", html)
		}
	}
}

// An experiment from a link waits for the visitor's request if its runs have a policy
// written as text; any other experiment runs at once.
func TestAPolicyFromALinkWaits(t *testing.T) {
	v, engine := open(t)
	v.take(masters(), nil, false)
	x := v.shown[ownID]
	settle(t, engine, func() bool { return !x.at.busy && x.at.done == 6 })
	s := masters()
	base := *federatekind.Of(study.Of(s).Base)
	base.Policies = []policy.Text{{Name: "mine", Text: "def pick(task, workers):\n    return workers.first\n"}}
	base.Schedulers = []string{"mine"}
	study.Of(s).Base.Body = &base
	v.take(s, nil, false)
	y := v.shown[ownID]
	settle(t, engine, func() bool {
		draft, _ := v.Drafts.Begin(t.Context(), study.Name)
		return draft != nil && strings.Contains(string(draft.Scenario), "mine")
	})
	engine.ConsumeAll()
	html := app.HTMLString(v.Render())
	if y.at.busy || y.at.done > 0 || !strings.Contains(html, `data-testid="sweep-run"`) {
		t.Errorf("the experiment runs without being asked for: %+v", y.at)
	}
	v.start(y)
	settle(t, engine, func() bool { return !y.at.busy && y.at.done == 6 })
}

// The common runs of two experiments run once, in this visit and in the next.
func TestExperimentsShareTheirRuns(t *testing.T) {
	v, engine := open(t)
	v.own(masters(), nil) // with 1 and 2 workers, and with none, which fails
	x := v.shown[ownID]
	settle(t, engine, func() bool { return x.result != nil && !x.at.busy && x.at.done == 6 })
	other := masters()
	study.Of(other).Factors[0].Levels = study.Values(2, 1, 3)
	other.Name = "in another order, and with 3"
	again := reloaded(v)
	engine2 := labtest.Mount(t, again)
	again.own(other, nil)
	y := again.shown[ownID]
	settle(t, engine2, func() bool { return y.result != nil && !y.at.busy && y.at.done == 6 })
	common := 0
	for run := range y.plan.Runs() {
		if v.results.has(t.Context(), y.plan, run) {
			common++
		}
	}
	if common != 4 || kept(t, v) != 6 {
		t.Errorf("%d runs are common and %d are kept, want 4 and 6", common, kept(t, v))
	}
}

// reloaded returns the view after a reload of the page, in the same browser.
func reloaded(v *View) *View {
	s := v.Services
	s.Shelf = library.NewShelf(s.Engine, v.Shelf.Store)
	return New(s)
}

// kept returns how many results of runs the browser keeps.
func kept(t *testing.T, v *View) int {
	t.Helper()
	s, _ := v.Shelf.Store(t.Context())
	n, _, err := s.RowsKept(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// After a reload, the rows in the browser give a figure its verdict without a run. Once they are
// removed, there is no verdict.
func TestFiguresAreRestored(t *testing.T) {
	v, engine := open(t)
	e, _ := gallery.Lookup("megha-5")
	v.run(&e)
	x := v.shown[e.ID]
	settle(t, engine, func() bool { return x.whole() && !x.at.busy && x.kept })
	want := x.verdict()

	again := reloaded(v)
	engine = labtest.Mount(t, again)
	settle(t, engine, func() bool { return again.shown[e.ID] != nil && again.shown[e.ID].whole() })
	if got := again.shown[e.ID].verdict(); got != want || again.shown[e.ID].at.busy || again.shown[e.ID].open {
		t.Errorf("the verdict is %q, want %q", got, want)
	}
	s, _ := v.Shelf.Store(t.Context())
	must.Do(t, s.ClearRows(t.Context()))
	if n := reloaded(v).Shelf.ReadRows(t.Context()); n != 0 {
		t.Errorf("%d rows are there after they were removed", n)
	}
}

// After a reload the tab shows its experiment and the results again.
func TestAVariedExperimentIsThereAfterAReload(t *testing.T) {
	v, engine := open(t)
	s := masters()
	study.Of(s).Factors[0].Levels = study.Values(1, 2) // the third is invalid in every document
	v.own(s, nil)
	x := v.shown[ownID]
	settle(t, engine, func() bool { return x.whole() && !x.at.busy && x.kept })
	again := reloaded(v)
	engine = labtest.Mount(t, again)
	settle(t, engine, func() bool { y := again.shown[ownID]; return y != nil && y.whole() && !y.at.busy })
	if y := again.shown[ownID]; y.experiment.Hash() != s.Hash() || string(y.result.CSV()) != string(x.result.CSV()) {
		t.Errorf("the experiment is %s, with\n%s\nwant\n%s", y.experiment.Name, y.result.CSV(), x.result.CSV())
	}
}

// An experiment continues even after a reload before its first result was stored.
func TestAnExperimentWithoutResultsGoesOnAfterAReload(t *testing.T) {
	v, engine := open(t)
	s := masters()
	study.Of(s).Factors[0].Levels = study.Values(1, 2)
	v.own(s, nil)
	x := v.shown[ownID]
	settle(t, engine, func() bool { return x.whole() && !x.at.busy && x.kept })
	opened, _ := v.Shelf.Store(t.Context())
	must.Do(t, opened.ClearRows(t.Context()))
	again := reloaded(v)
	engine = labtest.Mount(t, again)
	settle(t, engine, func() bool { y := again.shown[ownID]; return y != nil && y.whole() && !y.at.busy })
}

// The runs that ended before the page was left in the middle of a sweep do not run again.
func TestASweepThatWasLeftResumes(t *testing.T) {
	v, _ := open(t)
	plan := must.Get(study.NewPlan(study.Of(masters())))(t)
	job := plan.Run(0)
	r := must.Get(study.Execute(t.Context(), job.Scenario, scenario.Env{}))(t)
	key, _ := plan.Key(0)
	r.Results = "kept before" // distinguishes it from a new run
	must.Do(t, errors.Join(v.results.Put(t.Context(), key, r), v.Shelf.SaveRows(t.Context())))
	again := reloaded(v)
	engine := labtest.Mount(t, again)
	again.own(masters(), nil)
	x := again.shown[ownID]
	settle(t, engine, func() bool { return x.result != nil && !x.at.busy && x.at.done == 6 })
	got, err := again.results.Get(t.Context(), key)
	if err != nil || got.Results != "kept before" {
		t.Errorf("the first run has %+v (%v)", got, err)
	}
}

// A card shows the recorded figure and its verdict until the entry runs here.
func TestACardHasTheRecordedFigure(t *testing.T) {
	v, engine := open(t)
	engine.ConsumeAll()
	e := &v.entries[0]
	paper := 2.0
	v.full[e.ID] = &gallery.Record{Figure: e.ID, Verdict: study.Differs, Chart: &gallery.Chart{Name: "c", Title: "Waiting", Unit: "s", Marks: []gallery.Mark{
		{Label: "megha & co", Value: 1, Low: 0.5, High: 1.5, Paper: &paper}, {Label: "sparrow", Value: 3, Low: 3, High: 3},
	}}}
	html := app.HTMLString(v.card(e, nil, notRun))
	labtest.Has(t, html, `data-figure="`+e.ID+`"`, `data-verdict="differs"`, `data-testid="earlier-engine"`, ", by an earlier engine", "Waiting (s), recorded at full size", "megha &amp; co", "the paper’s number")
	if n := strings.Count(html, `class="paper"`); n != 1 {
		t.Errorf("%d numbers of the paper are drawn, want 1", n)
	}
	v.full[e.ID].Authors = &gallery.AuthorsRecord{Verdict: study.Agrees, Numbers: study.Tally{Met: 3, Of: 3}, Tried: []gallery.TriedVerdict{{What: "more", Verdict: study.Differs}}}
	labtest.Has(t, app.HTMLString(v.card(e, nil, notRun)), `data-verdict="agrees"`, "Waiting (s), recorded on the authors’ files")
	labtest.Has(t, app.HTMLString(recordedResult(v.full[e.ID])), "On the authors’ files: ", "agrees; numbers met 3 of 3", "With more: differs.", "Full size, generated: ", "differs (")
	v.full[e.ID].Chart = nil
	if html := app.HTMLString(v.card(e, nil, notRun)); !strings.Contains(html, "Run it to see") {
		t.Error("a card without a chart does not say what to do")
	}
}

// A card has a table of the winner of each cell, in the subject's colour.
func TestACardHasATableOfWinners(t *testing.T) {
	v, engine := open(t)
	engine.ConsumeAll()
	e := &v.entries[0]
	v.full[e.ID] = &gallery.Record{Figure: e.ID, Verdict: study.Differs, Chart: &gallery.Chart{Name: "c", Title: "Lowest", Unit: "s", Across: "load", Marks: []gallery.Mark{
		{Row: "Yahoo & co", Column: "0.5", Subject: "eagle", Place: 2, Value: 7.5}, {Row: "Yahoo & co", Column: "1.1", Subject: "fair", Place: 11, Value: 9}, {Row: "Google", Column: "1.1", Subject: "eagle", Place: 2, Value: 8},
	}}}
	html := app.HTMLString(v.card(e, nil, notRun))
	for want, times := range map[string]int{"<td": 4, "eagle": 2, "fair": 1, `scope="row"`: 2, `scope="col"`: 3, "Yahoo &amp; co": 1, chart.StyleOf("eagle", 2).Color(): 2} {
		if n := strings.Count(html, want); n != times {
			t.Errorf("the card has %q %d times, want %d: %s", want, n, times, html)
		}
	}
}

// A changed number of a figure runs another experiment; the original number restores
// the figure.
func TestANumberOfAFigureIsChanged(t *testing.T) {
	v, engine := open(t)
	engine.ConsumeAll()
	e, _ := gallery.Lookup("megha-12")
	before := v.exhibit(&e)
	before.open = true
	changed := map[string]string{"workers": "40"}
	if !v.put(&e, nil, changed) {
		t.Fatal("the change was refused")
	}
	x := v.shown[e.ID]
	if x.experiment.Hash() == before.experiment.Hash() || len(x.changed) != 1 {
		t.Errorf("the same is run: %v", x.changed)
	}
	html := app.HTMLString(v.numbers(&e, x))
	labtest.Has(t, html, `data-testid="gallery-parameter"`, `data-parameter="workers"`, `data-value="40"`, `data-testid="gallery-unchanged"`)
	if v.put(&e, nil, map[string]string{"workers": "-1"}) || v.shown[e.ID] != x {
		t.Error("workers below 0 are taken")
	}
	if v.put(&e, nil, nil); v.shown[e.ID].experiment.Hash() != before.experiment.Hash() {
		t.Error("the numbers of the figure are not back")
	}
}

// The recorded verdicts are counted and shown before anything runs here, and a filter by verdict
// finds them.
func TestRecordedVerdictsComeFirst(t *testing.T) {
	v, _ := open(t)
	recorded := 0
	for i := range v.entries {
		if v.recorded(&v.entries[i]) == study.Agrees {
			recorded++
		}
	}
	html := app.HTMLString(v.Render())
	summary := html[strings.Index(html, "gallery-summary"):]
	if got := regexp.MustCompile(`<td>\s*(\d+)`).FindStringSubmatch(summary); recorded == 0 || len(got) == 0 || got[1] != strconv.Itoa(recorded) {
		t.Errorf("%q agree in the summary, want %d", got, recorded)
	}
	v.verdict = study.Agrees
	if n := strings.Count(app.HTMLString(v.Render()), `data-testid="gallery-entry"`); n != recorded {
		t.Errorf("%d entries agree under the filter, want %d", n, recorded)
	}
	v.paper = "no-such-paper"
	if html := app.HTMLString(v.Render()); strings.Contains(html, `data-testid="gallery-entry"`) || !strings.Contains(html, "Show all") {
		t.Error("a filter without an entry leads nowhere")
	}
}

// A link with one changed number opens the entry with it and runs it. A link with invalid numbers
// says so, and opens the entry unchanged.
func TestALinkHasTheChangedNumber(t *testing.T) {
	v, engine := open(t)
	if v.follow("no-such-figure") || !v.follow("megha-12&workers=40&seed=x") {
		t.Error("an entry was found that is none, or none that is one")
	}
	e, _ := gallery.Lookup("megha-12")
	if x := v.shown[e.ID]; !x.open || len(x.changed) > 0 || x.fragment() != "megha-12" {
		t.Errorf("numbers that the figure lacks were taken: %v", x.changed)
	}
	e, _ = gallery.Lookup("megha-6")
	v.follow("megha-6&trace%2Fjobs=20")
	x := v.shown[e.ID]
	settle(t, engine, func() bool { return x.whole() && !x.at.busy })
	if x.fragment() != "megha-6&trace%2Fjobs=20" || x.changed["trace/jobs"] != "20" {
		t.Errorf("the link is %s", x.fragment())
	}
	labtest.Has(t, app.HTMLString(v.card(&e, x, x.verdict())), `href="#megha-6&trace%2Fjobs=20"`, "with your numbers")
	if v.follow("megha-6&trace%2Fjobs=20"); v.shown[e.ID] != x {
		t.Error("the link to the figure on screen replaced it")
	}
}

// Share copies the link to the visitor's experiment, or the address.
func TestShareInTheGallery(t *testing.T) {
	v, engine := open(t)
	v.share()
	if html := app.HTMLString(v.shareDialog().(*ui.Dialog).Render()); !strings.Contains(html, `data-testid="share-link"`) {
		t.Errorf("there is no link in %s", html)
	}
	v.link = ""
	s := masters()
	study.Of(s).Factors[0].Levels = study.Values(1, 2) // the third is invalid in every document
	v.own(s, nil)
	v.share()
	settle(t, engine, func() bool { return v.link != "" && !v.shown[ownID].at.busy })
	if link, _ := scenario.EncodeLink(s); !strings.HasSuffix(v.link, "/gallery#s="+link) {
		t.Errorf("the link is %s", v.link)
	}
}

// Files of the authors are recognised by their hashes, packed or not, and an entry
// with all its files has two verdicts side by side.
func TestAuthorsFilesAreRecognised(t *testing.T) {
	v, engine := open(t)
	e, _ := gallery.Lookup("qos-4")
	x := v.planned(&e)
	html := app.HTMLString(v.sideBySide(&e, x))
	if !strings.Contains(html, "validation1-workload") || v.onAuthors(&e) != nil {
		t.Errorf("without files: %s", html)
	}
	v.takeAuthors("notes.txt", []byte("nothing of theirs"))
	if len(v.files) != 0 || len(v.strangers) != 1 || !strings.Contains(app.HTMLString(v.authorsZone()), "Not of the authors: notes.txt.") {
		t.Errorf("%d files, strangers %q", len(v.files), v.strangers)
	}
	preset, _ := gallery.Lookup("thesis-6.3")
	if html := app.HTMLString(v.sideBySide(&preset, v.planned(&preset))); strings.Count(html, `data-testid="gallery-input"`) != 2 {
		t.Errorf("a preset has the authors' prices without files: %s", html)
	}
	folder := os.Getenv("BERTH_DATA")
	if folder == "" {
		t.Skip("BERTH_DATA is not set: the authors' files are not at hand")
	}
	must.Do(t, filepath.WalkDir(filepath.Join(folder, "qos"), func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		v.takeAuthors(entry.Name(), data)
		return err
	}))
	theirs := v.onAuthors(&e)
	if theirs == nil {
		t.Fatalf("%d files, none for the entry; strangers are %q", len(v.files), v.strangers)
	}
	v.start(theirs)
	settle(t, engine, func() bool { return theirs.whole() && !theirs.at.busy })
	if theirs.verdict() != study.Agrees || x.verdict() != notRun {
		t.Errorf("%s with their input, %s with the generated one: %s", theirs.verdict(), x.verdict(), app.HTMLString(v.sideBySide(&e, x)))
	}
}

// The name of every paper fits into the headings.
func TestPapersHaveShortNames(t *testing.T) {
	for _, p := range gallery.Papers() {
		if shortPapers[p.ID] == "" {
			t.Errorf("%s has none", p.ID)
		}
	}
}
