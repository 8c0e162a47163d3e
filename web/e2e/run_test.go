package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/page"

	"berth/engine/golden"
	"berth/engine/must"
	"berth/engine/placement/placementkind"
	"berth/engine/scenario"
)

// endless returns a scenario whose search does not end: few clusters are as close to each other as
// all jobs require.
func endless(t testing.TB) scenario.Scenario {
	t.Helper()
	s := example(t, "shop")
	s.Name = "endless"
	jobs, clusters := deploymentRecipe(5, 60), federationRecipe(5, 60)
	jobs.Parameters["min_latency"], jobs.Parameters["max_latency"] = 9, 12
	placementkind.Of(s).Deployments = []placementkind.GraphSource{{Name: "jobs", Recipe: &jobs}}
	placementkind.Of(s).Federation = placementkind.GraphSource{Name: "clusters", Recipe: &clusters}
	placementkind.Of(s).Budget = placementkind.MaxBudget
	return s
}

func TestRuns(t *testing.T) {
	golden.Long(t)
	t.Parallel()
	open(t, "/", keepEngines).journey(stoppedComparisonKeepsWhatIsDone, exampleRunsOverALongRun)
}

func cancelKeepsWhatWasShown(t *testing.T, p *tab) {
	s := p.small()
	p.waitFor(compared)
	shown := p.placement()
	p.follow(linkTo(t, endless(t)))
	p.wait(status + `[data-state="running"]`)
	p.wait(testID("progress"))
	p.screenshot("running")
	p.click(testID("cancel"))
	p.wait(status + `[data-state="idle"]`)
	p.waitFor(`!document.querySelector("[data-testid=progress]")`)
	if got := p.placement(); !slices.Equal(got, shown) {
		t.Errorf("cancelling left %v, before %v", got, shown)
	}
	if got := p.attribute(status, "data-scenario"); got != s.Hash() {
		t.Errorf("the shown result is said to belong to %s, want %s", got, s.Hash())
	}
	p.screenshot("cancelled")
	p.pressNamed("^Undo")
	p.waitForScenario(s)
	p.click(testID("run")) // on a new worker
	p.wantResult(s)
}

// A stopped comparison keeps its placements so far, and is marked as partial.
func stoppedComparisonKeepsWhatIsDone(t *testing.T, p *tab) {
	p.shop()
	s := example(t, "shop")
	s.Name = "many seeds"
	jobs, clusters := deploymentRecipe(5, 500), federationRecipe(5, 400)
	placementkind.Of(s).Deployments = []placementkind.GraphSource{{Name: "jobs", Recipe: &jobs}}
	placementkind.Of(s).Federation = placementkind.GraphSource{Name: "clusters", Recipe: &clusters}
	placementkind.Of(s).Strategies = []placementkind.StrategyRun{{Name: "heuristic"}, {Name: "random", Seeds: placementkind.MaxSeeds}}
	p.follow(linkTo(t, s))
	p.waitForScenario(s)
	p.waitFor(fmt.Sprintf(`document.querySelector(%q) || document.querySelector(%q)`, testID("compare"), testID("progress")))
	if p.count(testID("compare")) > 0 {
		p.click(testID("compare"))
	}
	// The page itself presses Cancel when it sees progress: on a slow machine the comparison
	// would end before a click from outside arrives.
	p.waitFor(fmt.Sprintf(`document.querySelector(%q)?.value > 10 && (document.querySelector(%q).click(), true)`, testID("progress"), testID("cancel")))
	p.waitFor(fmt.Sprintf(`/Partial: stopped by you after \d+ of 1\D001 runs · All 500 jobs placed/.test(document.querySelector(%q).innerText)`, status))
	p.waitFor(`/random ×[0-9]+ of 1000/.test(document.querySelector(".comparison").innerText)`)
	p.wait(testID("compare"))
}

// An example that opens over the result of a long run starts by itself. Until its result is there,
// the page says which result it shows.
func exampleRunsOverALongRun(t *testing.T, p *tab) {
	p.small()
	p.waitFor(compared)
	p.follow(linkTo(t, endless(t)))
	p.wait(testID("progress"))
	p.waitForText(status, "The result on screen is still from ")
	p.click(testID("cancel"))
	p.wait(status + `[data-state="idle"]`)
	p.chooseExample("shop")
}

// While a new drawing is being made, the old one says so.
func drawingThatGivesWayIsDimmed(_ *testing.T, p *tab) {
	p.shop()
	eval[any](p, `globalThis.dimmed = 0, new MutationObserver(() => dimmed += document.querySelectorAll(".picture.dimmed svg").length).observe(
		document.querySelector(".pane-result"), { subtree: true, attributes: true, childList: true })`)
	p.pressNamed("^Federation$")
	p.waitFor(`dimmed > 0 && document.querySelector(".picture svg") && !document.querySelector(".picture.dimmed")`)
}

func TestACrashOfTheWorkerIsAMessage(t *testing.T) {
	golden.Long(t)
	t.Parallel()
	dir := copySite(t, dist(t))
	workers, err := filepath.Glob(filepath.Join(dir, "web/engine-worker.*.js"))
	if err != nil || len(workers) != 1 {
		t.Fatalf("the site has the workers %v (%v)", workers, err)
	}
	script := must.Get(os.ReadFile(workers[0]))(t)
	const crash = `
addEventListener("message", ({ data }) => {
	if (data.body && new TextDecoder().decode(data.body).includes('"seed":4711')) throw new Error("the plug was pulled");
});`
	must.Do(t, os.WriteFile(workers[0], append(script, crash...), 0o644))
	p := openAt(t, serve(t, dir).URL, "/")
	p.wait(done)
	shown := p.placement()
	p.pressNamed("^Options$")
	seed := p.labelled("^first seed$")
	p.fill(seed, "4711")
	p.click(testID("run"))
	p.wait(status + `[data-state="error"]`)
	p.waitForError("the plug was pulled")
	p.screenshot("crashed")
	if got := p.placement(); !slices.Equal(got, shown) || p.value(seed) != "4711" {
		t.Errorf("the crash left seed %s and %v", p.value(seed), got)
	}
	for _, fault := range p.takeFaults() {
		if !strings.Contains(fault, "the plug was pulled") {
			t.Error(fault)
		}
	}
	p.fill(seed, "4712")
	p.click(testID("run"))
	s := example(t, "shop")
	placementkind.Of(s).Seed = 4712
	p.wantResult(s)
}

// keepEngines keeps references to the engine workers that a page starts.
var keepEngines = command(page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: `
	globalThis.engines = [];
	Worker = class extends Worker {
		constructor(script, options) {
			super(script, options);
			if (script.includes("engine-worker")) engines.push(this);
		}
	};`})

// A worker that the browser kills, for example when memory runs out, sends nothing.
func killedWorkerIsAMessage(t *testing.T, p *tab) {
	s := p.small()
	p.waitFor(compared)
	shown := p.placement()
	p.follow(linkTo(t, endless(t)))
	p.wait(status + `[data-state="running"]`)
	p.wait(testID("progress"))
	eval[any](p, "engines.forEach((engine) => engine.terminate())")
	p.wait(status + `[data-state="error"]`)
	p.waitForError("the engine stopped without an error", "the inputs are kept")
	p.screenshot("killed")
	if got := p.placement(); !slices.Equal(got, shown) {
		t.Errorf("the end of the worker left %v, before %v", got, shown)
	}
	p.click(testID("run")) // the same inputs, on a new worker
	p.wait(status + `[data-state="running"]`)
	p.wait(testID("progress"))
	p.click(testID("cancel"))
	p.wait(status + `[data-state="idle"]`)
	p.pressNamed("^Undo")
	p.click(testID("run"))
	p.wantResult(s)
}
