package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"berth/engine/dot"
	"berth/engine/placement/placementkind"
	"berth/engine/scenario"
	"berth/engine/workload"
)

func TestTheExampleIsPlacedOnLoad(t *testing.T) {
	t.Parallel()
	p := openExample(t)
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
	p.screenshot("wide-light")
}

// compared is true once every strategy has run.
const compared = `document.querySelector(".comparison") && !document.querySelector(".comparison").innerText.includes("…")`

func deploymentText(t testing.TB, r workload.Recipe, dialect dot.Dialect) string {
	t.Helper()
	d, err := workload.Deployment(r)
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	if err := dot.WriteDeployment(&text, d, dialect); err != nil {
		t.Fatal(err)
	}
	return text.String()
}

func federationText(t testing.TB, r workload.Recipe, dialect dot.Dialect) string {
	t.Helper()
	f, err := workload.Federation(r)
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	if err := dot.WriteFederation(&text, f, dialect); err != nil {
		t.Fatal(err)
	}
	return text.String()
}

func deploymentRecipe(seed uint64, jobs float64) workload.Recipe {
	return workload.Recipe{Generator: workload.DeploymentGenerator, Preset: workload.ThesisPreset, Seed: seed,
		Parameters: map[string]float64{"n_nodes": jobs, "n_edges": 2 * jobs}}
}

func federationRecipe(seed uint64, clusters float64) workload.Recipe {
	return workload.Recipe{Generator: workload.FederationGenerator, Preset: workload.ThesisPreset, Seed: seed,
		Parameters: map[string]float64{"n_nodes": clusters}}
}

// choose gives the page a deployment and a federation and has it run.
func (p *tab) choose(deployment, federation string) {
	p.t.Helper()
	p.upload(testID("file-deployment"), deployment)
	p.upload(testID("file-federation"), federation)
	p.click(testID("run"))
}

func TestFilesArePlacedAsNatively(t *testing.T) {
	t.Parallel()
	p := openExample(t)
	for i, dialect := range []dot.Dialect{dot.Thesis, dot.Plain} {
		seed := uint64(i)
		deployment := writeFile(t, "jobs.dot", deploymentText(t, deploymentRecipe(seed, 30), dialect))
		federation := writeFile(t, "clusters.dot", federationText(t, federationRecipe(seed, 40), dialect))
		p.choose(deployment, federation)
		report := p.wantResult(chosen(t, federation, deployment))
		p.waitFor(compared)
		if _, got := p.export("Report as JSON"); !bytes.Equal(got, scenario.EncodeReport(report)) {
			t.Errorf("the report differs from the native one:\n%s\nwant\n%s", got, scenario.EncodeReport(report))
		}
		if got := p.count(testID("result-graph") + " svg .node"); got != 30 {
			t.Errorf("%d nodes are drawn, want 30", got)
		}
	}
}

func TestReferencePlacements(t *testing.T) {
	t.Parallel()
	dir := os.Getenv("BERTH_DATA")
	if dir == "" {
		t.Skip("BERTH_DATA is not set: the reference placements are not compared")
	}
	data, err := os.ReadFile(filepath.Join(dir, "placement/expected.json"))
	if err != nil {
		t.Fatal(err)
	}
	var expected map[string]struct {
		Placement map[string]string `json:"placement"`
		Cost      struct {
			Total float64 `json:"total"`
		} `json:"cost"`
	}
	if err := json.Unmarshal(data, &expected); err != nil {
		t.Fatal(err)
	}
	p := openExample(t)
	for name, want := range expected {
		file := func(what string) string { return filepath.Join(dir, "placement", name+"-"+what+".dot") }
		p.choose(file("deployment"), file("federation"))
		p.waitForScenario(chosen(t, file("federation"), file("deployment")))
		got := p.placement()
		if len(got) != len(want.Placement) {
			t.Errorf("%s: %d jobs are placed, want %d", name, len(got), len(want.Placement))
		}
		for _, row := range got {
			if want.Placement[row[0]] != row[1] {
				t.Errorf("%s: job %s is on %s, want %s", name, row[0], row[1], want.Placement[row[0]])
			}
		}
		if cost := p.cost(); fmt.Sprintf("%.1f", cost) != fmt.Sprintf("%.1f", want.Cost.Total) {
			t.Errorf("%s: cost %v, want %v", name, cost, want.Cost.Total)
		}
	}
}

// TestExportsAreTheNativeOnes compares, byte by byte, what the page saves with
// what the engine writes natively.
func TestExportsAreTheNativeOnes(t *testing.T) {
	t.Parallel()
	p := openExample(t)
	p.waitFor(compared)
	s := example(t, "shop")
	e, err := scenario.Prepare(t.Context(), s, scenario.Env{})
	if err != nil {
		t.Fatal(err)
	}
	report, err := e.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	placed, err := scenario.WorkOf[*placementkind.Experiment](e)
	if err != nil {
		t.Fatal(err)
	}
	if name, got := p.export("Report as JSON"); name != s.Name+".report.json" || !bytes.Equal(got, scenario.EncodeReport(report)) {
		t.Errorf("the report is saved as %s:\n%s", name, got)
	}
	for label, saved := range map[string]struct{ format, extension string }{
		"Placement as CSV": {placementkind.CSV, ".heuristic.placement.csv"}, "Figures as CSV": {placementkind.FiguresCSV, ".figures.csv"},
		"thesis dialect": {placementkind.DOTThesis, ".heuristic.dot"}, "plain attributes": {placementkind.DOTPlain, ".heuristic.dot"},
	} {
		want, err := placed.Export(placementkind.ExportQuery{Deployment: placementkind.AllDeployments, Format: saved.format})
		if err != nil {
			t.Fatal(err)
		}
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
}

// export saves the result through the menu.
func (p *tab) export(label string) (string, []byte) {
	p.t.Helper()
	return p.saved(func() {
		p.pressNamed("^Export$")
		p.pressNamed(label)
	})
}

// A placement is improved from what is shown, with a bound on how good it can be;
// the link holds the steps, so that another person gets the same.
func TestAPlacementIsImproved(t *testing.T) {
	t.Parallel()
	p := open(t, "/placement")
	p.wait(done)
	before := example(t, "shop")
	heuristic := placementkind.ReportOf(native(t, before)).Strategies[0]
	p.waitForText(testID("result-bound"), "at least")
	p.click(testID("improve"))
	s := example(t, "shop")
	d := placementkind.Of(s)
	d.Strategies = append([]placementkind.StrategyRun{{Name: "exact"}}, d.Strategies...)
	p.wantResult(s)
	better := placementkind.ReportOf(native(t, s)).Strategies[0]
	if !(*better.Total.Total < *heuristic.Total.Total) {
		t.Errorf("the improved placement costs %v, the heuristic's %v", *better.Total.Total, *heuristic.Total.Total)
	}
	p.waitForText(testID("improve-headline"), "saved")
	p.waitForText(testID("result-proved"), "optimal")
	p.screenshot("improved")
}
