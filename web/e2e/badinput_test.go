package e2e

import (
	"archive/zip"
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"berth/engine/must"
	"berth/engine/placement/placementkind"
)

// badDeployments are files that cannot be placed, with the texts of their errors:
// where, and what would be right.
func badDeployments() []struct{ name, text, where, want string } {
	return []struct{ name, text, where, want string }{
		{"empty", "", "", "graph"},
		{"truncated", "graph {\n a [request=1, limit=2]\n b [request=", "3:", ""},
		{"directed", "digraph {\n a -> b\n}", "1:", "directed"},
		{"nested", "graph {" + strings.Repeat("{", 20_000) + strings.Repeat("}", 20_000) + "}", "1:", "subgraph"},
		{"twice", "graph {\n a [label=\"cpuOffloading - request:1 - limit:2\", label=\"cpuOffloading - request:3 - limit:4\", label=\"a\"];\n}", "2:", "cpuOffloading"},
		{"negative", "graph {\n a [request=-1, limit=2]\n}", "2:", "negative"},
		{"infinite", "graph {\n a [request=1e999, limit=2]\n}", "2:", "request"},
		{"absent", "graph {\n a [request=1]\n}", "2:", "limit"},
		{"unknown", "graph {\n a [label=\"gpuOffloading - request:1 - limit:2\", label=\"a\"];\n}", "2:", "gpuOffloading"},
		{"unlabelled", "graph {\n a [request=1, limit=2]\n a -- b [latency=3]\n}", "3:", "b"},
	}
}

// waitForError waits until the error region contains all texts.
func (p *tab) waitForError(texts ...string) {
	p.t.Helper()
	p.waitFor(fmt.Sprintf(`((e) => !e.hidden && %s.every((text) => e.innerText.includes(text)))(document.querySelector(%q))`,
		quoteAll(texts), testID("error")))
}

func quoteAll(texts []string) string {
	quoted := make([]string, len(texts))
	for i, text := range texts {
		quoted[i] = quote(text)
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}

func badFilesAreToldAndTheLastResultStays(t *testing.T, p *tab) {
	s := p.small()
	shown := p.placement()
	for _, bad := range badDeployments() {
		name := bad.name + ".dot"
		p.openBroken(testID("file-deployment"), must.File(t, name, bad.text))
		p.click(testID("run"))
		p.wait(status + `[data-state="error"]`)
		p.waitForError(name+":"+bad.where, bad.want)
		if got := p.placement(); !slices.Equal(got, shown) {
			t.Errorf("%s: the last result is gone: %v", bad.name, got)
		}
		if eval[bool](p, `!!document.querySelector(`+quote(status+`[data-state="error"]`)+`) && document.body.innerText.includes("Running ")`) {
			t.Errorf("%s: nothing runs any more, and the page shows\n%s", bad.name, p.shown())
		}
		p.pressNamed("^Undo")
		p.waitForScenario(s)
	}
	p.upload(testID("file-deployment"), must.File(t, "binary.dot", "\x7fELF\x02\x01\x01\x00\x00\xff\xfe\x00"))
	p.waitForError("binary.dot is not text. Nothing was changed")
	p.waitForScenario(s)
	p.upload(testID("file-federation"), must.File(t, "none.dot", "graph { eu }"))
	p.waitForError("none.dot:1:", "Nothing was changed")
	p.waitForScenario(s)
}

const (
	directedJobs = `digraph {
		"front" [cpu_request=50];
		"api" [cpu=80];
		"front" -> "api" [latency=20, bandwidth=10];
	}`
	pricelessClusters = `graph {
		paris [cpu=1500, memory=4096, cpu_cost=0.4];
		oslo [cpu=2000, memory=8192, cpu_cost=0.1];
		paris -- oslo [latency=8, bandwidth=100];
	}`
)

// Files that are dropped after a job of the example was pinned give a picture and an answer within
// two presses. Their valid parts are taken, errors have a button that repairs them, and the rule
// goes with its job.
func filesAreRepaired(t *testing.T, p *tab) {
	jobs, clusters := must.File(t, "jobs.dot", twoJobs), must.File(t, "clusters.dot", twoClusters)
	var pair bytes.Buffer
	z := zip.NewWriter(&pair)
	for name, text := range map[string]string{"jobs.dot": twoJobs, "clusters.dot": twoClusters} {
		w, err := z.Create(name)
		if err == nil {
			_, err = w.Write([]byte(text))
		}
		must.Do(t, err)
	}
	must.Do(t, z.Close())
	repair := testID("intake") + " " + testID("intake-repair")
	for _, test := range []struct {
		files   []string
		repairs []string
	}{
		{[]string{jobs, clusters}, nil},
		{[]string{must.File(t, "pair.zip", pair.String())}, nil},
		{[]string{must.File(t, "directed.dot", directedJobs), clusters}, []string{"Read as undirected"}},
		{[]string{jobs, must.File(t, "priceless.dot", pricelessClusters)}, []string{"Missing prices are 0"}},
		{[]string{must.File(t, "directed.dot", directedJobs), must.File(t, "priceless.dot", pricelessClusters)}, []string{"Read as undirected", "Missing prices are 0"}},
		{[]string{jobs}, []string{"Clusters made to fit"}},
	} {
		p.shop()
		p.pick(testID("move-to"), p.value(testID("move-to")+" option:last-child"))
		p.waitFor(`document.querySelector("[data-testid=rules] input") && document.querySelector(` + quote(done) + `)`)
		p.drop(test.files...)
		p.wait(testID("intake"))
		for _, name := range test.repairs {
			p.waitForText(repair, name)
			p.screenshot("intake-" + strings.ToLower(strings.ReplaceAll(name, " ", "-")))
			p.click(repair)
		}
		if test.repairs != nil {
			p.waitFor(`!document.querySelector("[data-testid=intake-repair]")`)
		}
		p.waitForText(testID("intake"), "Dropped with what it was about: the rule")
		p.wait(done)
		if got := p.count(testID("result-graph") + " svg .node"); got != 2 || !strings.Contains(p.text(testID("headline")), "2 jobs") {
			t.Errorf("%v: %d jobs are drawn, the headline says %q", test.files, got, p.text(testID("headline")))
		}
		p.screenshot("intake")
		p.pressScript(`[...document.querySelectorAll("[data-testid=intake] button")].find((b) => b.innerText == "Undo")`)
		p.waitFor(`document.querySelector("[data-testid=rules] input") && !document.querySelector("[data-testid=intake]")`)
	}
}

func tooMuchInputIsRefusedWhileThePageLives(t *testing.T, p *tab) {
	s := p.small()
	huge := must.File(t, "huge.dot", strings.Repeat("// nothing to place\n", 5_000_000))
	p.upload(testID("file-deployment"), huge)
	p.waitForError("huge.dot has 100", "at most")
	p.waitForScenario(s)

	var edges strings.Builder
	edges.WriteString("graph {\n one [request=1, limit=2]\n two [request=1, limit=2]\n")
	edges.WriteString("one" + strings.Repeat("--two--one", 2_100_000) + " [latency=9]\n")
	edges.WriteString("}\n")
	p.upload(testID("file-deployment"), must.File(t, "edges.dot", edges.String()))
	p.click(testID("run"))
	eval[any](p, `void (function count() { window.frames_drawn = (window.frames_drawn ?? 0) + 1; requestAnimationFrame(count) })()`)
	p.press("?") // the page still answers
	p.wait("dialog#help[open]")
	p.waitForError("edges.dot", "more than 4000000 dependencies and links")
	if frames := eval[int](p, "frames_drawn"); frames < 10 {
		t.Errorf("the page drew %d frames while the file was read", frames)
	}
	p.pressNamed("^Close$")
	p.pressNamed("^Undo")
	p.wantResult(s)
}

// labelsStayText has markup in every name that comes from a file.
func labelsStayText(t *testing.T, p *tab) {
	const markup = `<img src=x onerror="window.ran=1"><script>window.ran=1</script>`
	escaped := strings.ReplaceAll(markup, `"`, `\"`)
	deployment := fmt.Sprintf(`graph "%[1]s" { "%[1]s" [request=100, limit=200, label="%[1]s"]; "b" [request=50, limit=100]; "%[1]s" -- b [latency=20] }`, escaped)
	federation := fmt.Sprintf(`graph { "%[1]s" [cpu=400, cpu_cost=0.5, label="%[1]s"]; us [cpu=10, cpu_cost=9]; "%[1]s" -- us [latency=15, latency_cost=1] }`, escaped)
	p.shop()
	s := example(t, "shop")
	s.Name = markup
	placementkind.Of(s).Deployments[0].Name, placementkind.Of(s).Deployments[0].Text = markup, deployment
	placementkind.Of(s).Federation.Name, placementkind.Of(s).Federation.Text = markup, federation
	p.follow(linkTo(t, s))
	p.wantResult(s)
	p.waitFor(compared)
	p.pressNamed("^Whole CM$")
	p.waitFor(`document.querySelector("[data-testid=explain] canvas")`)
	p.pressNamed("^As a table$")
	p.click("svg .node")
	p.save(markup)
	p.screenshot("markup")
	p.visit("Library")
	p.waitForText(libraryList, markup)
	p.visit("Placement")

	// An error quotes the wrong name.
	p.follow("#s=1.<img src=x onerror=window.ran=1>")
	p.waitForError("link")
	p.upload(testID("file-deployment"), must.File(t, "bad.dot", strings.Replace(deployment, "100", "-1", 1)))
	p.waitForError("bad.dot:1:", "<img")

	// Markup that became HTML would load within a few frames.
	eval[any](p, "new Promise((r) => requestAnimationFrame(() => requestAnimationFrame(r)))")
	if eval[bool](p, `!!window.ran || !!document.querySelector("img[src=x], body script:not([src], #first-answers)")`) {
		t.Error("markup in a label became part of the page")
	}
}
