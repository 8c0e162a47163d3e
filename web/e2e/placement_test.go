package e2e

import (
	"bytes"
	"strings"
	"testing"

	"berth/engine/dot"
	"berth/engine/golden"
	"berth/engine/input/workload"
	"berth/engine/must"
	"berth/engine/placement/graphs"
	"berth/engine/placement/placementkind"
	"berth/engine/scenario"
)

func TestAPlacementIsQuestioned(t *testing.T) {
	golden.Long(t)
	t.Parallel()
	open(t, "/placement").journey(improvementIsFollowedAndStopped, whatCannotHoldTogetherIsTold)
}

func exampleIsPlacedOnLoad(t *testing.T, p *tab) {
	p.wait(done)                                                   // without a link
	p.waitFor(`performance.getEntriesByName("taken").length == 1`) // the program took over from the first result, which came with the page
	report := p.wantResult(example(t, "shop"))
	if got, want := p.count(testID("result-graph")+" svg .node"), placementkind.ReportOf(report).Deployments[0].Jobs; got != want {
		t.Errorf("%d nodes are drawn, want one for each of %d jobs", got, want)
	}
	p.waitFor(compared)
	if title := eval[string](p, "document.title"); !strings.Contains(title, "online shop") {
		t.Errorf("the title %q does not name the scenario", title)
	}
	if text := p.text("header"); !strings.Contains(text, "stays here") {
		t.Errorf("nothing beside Share says that all stays here: %s", text)
	}
	for _, name := range []string{"error", "cancel", "progress"} {
		if p.count(testID(name)+":not([hidden])") != 0 {
			t.Errorf("%s is shown without a reason", name)
		}
	}
}

// compared is true once every strategy has run.
const compared = `document.querySelector(".comparison") && !document.querySelector(".comparison").innerText.includes("…")`

func deploymentText(t testing.TB, r workload.Recipe, dialect dot.Dialect) string {
	t.Helper()
	d := must.Get(graphs.Deployment(r))(t)
	var text strings.Builder
	must.Do(t, dot.WriteDeployment(&text, d, dialect))
	return text.String()
}

func federationText(t testing.TB, r workload.Recipe, dialect dot.Dialect) string {
	t.Helper()
	f := must.Get(graphs.Federation(r))(t)
	var text strings.Builder
	must.Do(t, dot.WriteFederation(&text, f, dialect))
	return text.String()
}

func deploymentRecipe(seed uint64, jobs float64) workload.Recipe {
	return workload.Recipe{Generator: graphs.DeploymentGenerator, Preset: graphs.ThesisPreset, Seed: seed,
		Parameters: map[string]float64{"n_nodes": jobs, "n_edges": 2 * jobs}}
}

func federationRecipe(seed uint64, clusters float64) workload.Recipe {
	return workload.Recipe{Generator: graphs.FederationGenerator, Preset: graphs.ThesisPreset, Seed: seed,
		Parameters: map[string]float64{"n_nodes": clusters}}
}

// choose uploads a deployment and a federation and runs them.
func (p *tab) choose(deployment, federation string) {
	p.t.Helper()
	p.upload(testID("file-deployment"), deployment)
	p.upload(testID("file-federation"), federation)
	p.click(testID("run"))
}

func filesArePlacedAsNatively(t *testing.T, p *tab) {
	p.shop()
	for i, dialect := range []dot.Dialect{dot.Thesis, dot.Plain} {
		seed := uint64(i)
		deployment := must.File(t, "jobs.dot", deploymentText(t, deploymentRecipe(seed, 30), dialect))
		federation := must.File(t, "clusters.dot", federationText(t, federationRecipe(seed, 40), dialect))
		p.choose(deployment, federation)
		report := p.wantResult(chosen(t, federation, deployment))
		p.waitFor(compared)
		if _, got := p.export("Report as JSON"); !bytes.Equal(got, scenario.EncodeReport(report)) {
			t.Errorf("the report differs from the native one:\n%s\nwant\n%s", got, scenario.EncodeReport(report))
		}
		p.waitFor(`!document.querySelector(".pane-result .dimmed")`)
		if got := p.count(testID("result-graph") + " svg .node"); got != 30 {
			t.Errorf("%d nodes are drawn, want 30", got)
		}
	}
}

// exportsAreTheNativeOnes compares the page's exports with the engine's native ones, byte by byte.
func exportsAreTheNativeOnes(t *testing.T, p *tab) {
	p.shop()
	s := example(t, "shop")
	e := must.Get(scenario.Prepare(t.Context(), s, scenario.Env{}))(t)
	report := must.Get(e.Run(t.Context()))(t)
	placed := must.Get(scenario.WorkOf[*placementkind.Prepared](e))(t)
	if name, got := p.export("Report as JSON"); name != s.Name+".report.json" || !bytes.Equal(got, scenario.EncodeReport(report)) {
		t.Errorf("the report is saved as %s:\n%s", name, got)
	}
	for label, saved := range map[string]struct{ format, extension string }{
		"Placement as CSV": {placementkind.CSV, ".heuristic.placement.csv"}, "Figures as CSV": {placementkind.FiguresCSV, ".figures.csv"},
		"thesis dialect": {placementkind.DOTThesis, ".heuristic.dot"}, "plain attributes": {placementkind.DOTPlain, ".heuristic.dot"},
	} {
		want := must.Get(placed.Export(placementkind.ExportQuery{Deployment: placementkind.AllDeployments, Format: saved.format}))(t)
		gotName, got := p.export(label)
		if name := s.Name + saved.extension; gotName != name {
			t.Errorf("%s is saved as %s, want %s", label, gotName, name)
		}
		if !bytes.Equal(got, want.Data) {
			t.Errorf("%s differs from what the engine writes natively:\n%s\nwant\n%s", label, got, want.Data)
		}
	}
	if _, file := p.export("Scenario file"); !bytes.Equal(file, scenario.Encode(s)) {
		t.Errorf("the scenario file is\n%s\nwant\n%s", file, scenario.Encode(s))
	}
	if _, svg := p.export("SVG"); !bytes.Contains(svg, []byte("<svg")) || !bytes.Contains(svg, []byte("Frankfurt")) {
		t.Errorf("the SVG is\n%s", svg)
	}
	if _, png := p.export("PNG"); !bytes.HasPrefix(png, []byte("\x89PNG\r\n")) {
		t.Errorf("the PNG begins with %q", png[:min(len(png), 16)])
	}
	p.picturesOpenAgain(s, report)
}

// picturesOpenAgain saves the result as pictures and as a page, and drops each of them on other
// inputs. It opens the scenario, which has the same report.
func (p *tab) picturesOpenAgain(s scenario.Scenario, report *scenario.Report) {
	p.t.Helper()
	for label, name := range map[string]string{"Drawing as SVG": "again.svg", "Drawing as PNG": "again.png", "Report as a page": "again.html"} {
		_, file := p.export(label)
		p.uploadSmall()
		p.drop(must.File(p.t, name, string(file)))
		p.wantResult(s)
		p.waitFor(compared)
		if _, got := p.export("Report as JSON"); !bytes.Equal(got, scenario.EncodeReport(report)) {
			p.t.Errorf("%s opens as another scenario, or has another result", label)
		}
	}
}

// export saves the result through the menu.
func (p *tab) export(label string) (string, []byte) {
	p.t.Helper()
	return p.saved(func() {
		p.pressNamed("^Export$")
		p.pressNamed(label)
	})
}

// improvable returns a scenario whose optimum cannot be proved in a few seconds.
func improvable() scenario.Scenario {
	return placementkind.New("improvable", placementkind.Document{
		Federation:  placementkind.GraphSource{Name: "f.dot", Recipe: new(federationRecipe(1, 200))},
		Deployments: []placementkind.GraphSource{{Name: "d.dot", Recipe: new(deploymentRecipe(1, 100))}},
		Strategies:  []placementkind.StrategyRun{{Name: "heuristic"}},
	})
}

// During an improvement the chart and the drawing follow; after a stop the best
// placement so far is kept, and everyone who opens the link gets the same result.
func improvementIsFollowedAndStopped(t *testing.T, p *tab) {
	s := improvable()
	p.begin("Placement", s)
	p.wantResult(s)
	p.waitForLink(s)
	heuristic := p.cost()
	drawn := `document.querySelector("#result-graph svg")`
	eval[bool](p, "Boolean(globalThis.before = "+drawn+")")
	eval[string](p, "globalThis.led = location.hash")
	p.click(testID("improve"))
	p.wait(testID("improve-stop"))
	p.waitFor(`/saved; lower bound .* above the cheapest possible · after .* steps/.test(document.querySelector('` + testID("improve-headline") + `').innerText)`)
	p.wait("#improve-chart svg")
	eval[string](p, `globalThis.chart = document.querySelector('#improve-chart').innerHTML`)
	p.waitFor(`document.querySelector('#improve-chart').innerHTML != globalThis.chart`)
	p.waitFor(drawn + ` != globalThis.before && document.querySelector("#result-graph .is-moved")`)
	eval[any](p, `document.querySelector("#improve-chart").scrollIntoView()`)
	p.screenshot("improving")
	p.click(testID("improve-stop"))
	p.wait(testID("improve"))
	p.waitFor(compared)
	p.waitFor(`/^#s=/.test(location.hash) && location.hash != globalThis.led`)
	if p.cost() >= heuristic {
		t.Errorf("it costs %v, before it was improved %v", p.cost(), heuristic)
	}
	p.screenshot("improved-stopped")
	address := eval[string](p, "location.pathname + location.hash")
	link, _, _ := strings.Cut(strings.TrimPrefix(address, "/placement#s="), "&")
	kept := must.Get(scenario.DecodeLink(link))(t)
	if d := placementkind.Of(kept); d.Steps <= 0 || d.Strategies[0].Name != "best" {
		t.Fatalf("the link holds %d steps of %s", d.Steps, d.Strategies[0].Name)
	}
	report := p.wantResult(kept) // natively
	p.waitForResults(report.Results)
	q := p.another(address, phone, dark)
	q.wantResult(kept)
	q.waitForResults(report.Results)
	q.pressNamed("^Compare$")
	q.wait("#improve-chart svg")
	eval[any](q, `document.querySelector("#improve-chart").scrollIntoView()`)
	q.screenshot("improved-phone")
}

// A sentence explains why nothing can be placed, and the drawing marks it.
func whatCannotHoldTogetherIsTold(t *testing.T, p *tab) {
	job := "[storage_request=8, storage_limit=8]"
	s := placementkind.New("apart", placementkind.Document{
		Federation: placementkind.GraphSource{Name: "f.dot", Text: `graph { eu [storage=9, storage_cost=1]; us [storage=9, storage_cost=1]; ap [storage=1, storage_cost=1];
			eu -- us [latency=80, latency_cost=1]; us -- ap [latency=10, latency_cost=1]; eu -- ap [latency=10, latency_cost=1] }`},
		Deployments: []placementkind.GraphSource{{Name: "d.dot", Text: `graph { api ` + job + `; db ` + job + `; web [storage_request=1, storage_limit=1]; api -- db [latency=20]; web -- api [latency=20] }`}},
		Strategies:  []placementkind.StrategyRun{{Name: "heuristic"}},
	})
	p.begin("Placement", s)
	p.waitForText(testID("result-core"), "api and db need 20 ms to each other; only eu and us hold 8 GB of storage, and they are 80 ms apart")
	p.waitFor(`document.querySelectorAll("#result-graph .core").length == 5`)
	p.waitForText(".legend", "in the conflict set")
	p.screenshot("core-result")
	p.pressNamed("^the jobs$")
	p.waitFor(`document.querySelectorAll("#result-graph .core").length == 2`)
	p.screenshot("core-jobs")
	p.pressNamed("^the clusters$")
	p.waitFor(`document.querySelectorAll("#result-graph .core").length == 3`)
}
