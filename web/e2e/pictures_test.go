package e2e

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"berth/engine/golden"
	"berth/engine/must"
	"berth/engine/placement/drawing"
	"berth/engine/placement/placementkind"
	"berth/engine/scenario"
)

// crowd returns an experiment with a number of jobs. Each depends on the previous job and on a
// distant one.
func crowd(jobs int) scenario.Scenario {
	var d, f strings.Builder
	d.WriteString("graph {\n")
	for i := range jobs {
		fmt.Fprintf(&d, "\tj%d [request=%d, limit=%d, label=\"Job %d <b>\"]\n", i, 5+i*7%11, 20, i)
	}
	for i := 1; i < jobs; i++ {
		fmt.Fprintf(&d, "\tj%d -- j%d [latency=%d]\n", i-1, i, 60+i*31%97)
		if far := i * 7 / 10; far < i-1 {
			fmt.Fprintf(&d, "\tj%d -- j%d [latency=%d]\n", far, i, 80+i*13%53)
		}
	}
	d.WriteString("}\n")
	clusters := max(4, jobs/80)
	f.WriteString("graph {\n")
	for j := range clusters {
		fmt.Fprintf(&f, "\tc%d [cpu=%d, cpu_cost=%d, label=\"City %d\"]\n", j, jobs*14/clusters+40*(j%5), 1+j%7, j)
	}
	for a := range clusters {
		for b := a + 1; b < clusters; b++ {
			fmt.Fprintf(&f, "\tc%d -- c%d [latency=%d, latency_cost=1]\n", a, b, 10+(a*17+b*29)%50)
		}
	}
	f.WriteString("}\n")
	return scenario.New(placementkind.Name, "", &placementkind.Document{
		Deployments: []placementkind.GraphSource{{Name: "crowd.dot", Text: d.String()}},
		Federation:  placementkind.GraphSource{Name: "cities.dot", Text: f.String()},
		Strategies:  []placementkind.StrategyRun{{Name: "heuristic"}},
	})
}

// overview returns the engine's native overview of the first strategy.
func overview(t testing.TB, s scenario.Scenario) drawing.Overview {
	t.Helper()
	e := must.Get(scenario.Prepare(t.Context(), s, scenario.Env{}))(t)
	must.Get(e.Run(t.Context()))(t)
	work := must.Get(scenario.WorkOf[*placementkind.Prepared](e))(t)
	o := must.Get(work.Overview(placementkind.OverviewQuery{}))(t)
	if o.Jobs[0].Cluster == nil {
		t.Fatal("the crowd was not placed")
	}
	return o
}

// crowd shows the placement of a crowd.
func (p *tab) crowd(jobs int) drawing.Overview {
	p.t.Helper()
	s := crowd(jobs)
	p.begin("Placement", s)
	p.waitForScenario(s)
	p.waitFor(`document.querySelector("[data-testid=result-graph] svg .node") && !document.querySelector(".dimmed")`)
	return overview(p.t, s)
}

const sentence = "[data-testid=figures-sentence]"

func TestPictures(t *testing.T) {
	golden.Long(t)
	t.Parallel()
	open(t, "/").journey(crowdedResultsAreShownByFigures, threeQuestionsAreAnsweredByKeyboard, picturesAreAccessible)
}

// At any size a few keys lead to the answers of three questions, which are also announced: where is
// a job, which dependency is the tightest, and which cluster is full.
func threeQuestionsAreAnsweredByKeyboard(t *testing.T, p *tab) {
	for _, jobs := range []int{12, 200, 10000} {
		p.step(fmt.Sprint(jobs), func(t *testing.T) {
			o := p.crowd(jobs)
			nameOf := func(job string) string {
				_, i, _ := drawing.JobOf(job)
				return fmt.Sprintf("job %s on %s", o.Jobs[0].Names[i], o.Clusters[o.Jobs[0].Cluster[i]].Name)
			}
			tight := o.Tightest[0]
			p.press("vd")
			p.waitForText(sentence, "Tightest dependency: "+nameOf(tight.Ends[0])+" – "+nameOf(tight.Ends[1]))
			p.screenshot(fmt.Sprintf("pictures-%d-dependencies", jobs))

			most := 0.0
			for _, c := range o.Clusters {
				most = max(most, c.Share[0])
			}
			p.press("vc")
			p.waitForText(sentence, "Fullest cluster: ")
			first := p.text(testID("cluster-bars") + " tbody tr td")
			if !slices.ContainsFunc(o.Clusters, func(c drawing.ClusterUse) bool { return c.Name == first && c.Share[0] == most }) {
				t.Errorf("the first bar is that of %s, which is not the fullest", first)
			}
			p.waitForText(sentence, "Fullest cluster: "+first+", ")
			p.screenshot(fmt.Sprintf("pictures-%d-clusters", jobs))

			x := jobs * 2 / 3
			where := o.Clusters[o.Jobs[0].Cluster[x]].Name
			find := func() {
				p.press(fmt.Sprintf("/job %d <", x))
				p.waitForText("#drawing-search-list [aria-selected=true]", nameOf(drawing.JobID(0, x)))
				p.press(kb.Enter)
			}
			find()
			p.waitFor(fmt.Sprintf(`document.activeElement.closest("#cluster-rows tr.found")?.cells[0].textContent == %q && document.activeElement.checkVisibility()`, where))
			p.waitFor(`document.querySelectorAll(".use-bar rect.found").length == 1`)
			p.waitForText(".toasts", nameOf(drawing.JobID(0, x))[len("job "):])
			p.press("vn")
			p.waitFor(fmt.Sprintf(`document.querySelector("[data-testid=result-graph]").ariaLabel.startsWith(%q)`, "Drawing of the neighbours of "))
			find()
			p.waitFor(fmt.Sprintf(`document.activeElement.id == %q && document.activeElement.ariaLabel == %q`, drawing.JobID(0, x), nameOf(drawing.JobID(0, x))))
			p.screenshot(fmt.Sprintf("pictures-%d-neighbours", jobs))
		})
	}
}

// In the drawing edges are below all labels, a legend explains them, and pointing at an
// element highlights only its own edges.
func drawingIsReadable(t *testing.T, p *tab) {
	p.shop()
	p.pressNamed("^Result$")
	p.wait(testID("result-graph") + " svg .node")
	if n := eval[int](p, `[...document.querySelectorAll("[data-testid=result-graph] svg .edge")].filter((edge) =>
		[...document.querySelectorAll("[data-testid=result-graph] svg :is(.node, .cluster)")].some((e) => e.compareDocumentPosition(edge) & Node.DOCUMENT_POSITION_FOLLOWING)).length`); n > 0 {
		t.Errorf("%d edges are drawn over clusters or nodes", n)
	}
	p.waitForText(".legend", "used cpu")
	p.wait("#cluster-0")
	legend := p.text(".legend")
	for _, want := range []string{"tight: under 20\u202f% of bound left", "20 to 50\u202f% of bound left", "50\u202f% or more of bound left", "within one cluster", "used cpu"} {
		if !strings.Contains(legend, want) {
			t.Errorf("the legend is %q, without %q", legend, want)
		}
	}
	if title := p.text(testID("result-graph") + " #job-0-0 title"); !strings.HasPrefix(title, "job ") || !strings.Contains(title, " on ") {
		t.Errorf("the first job's title is %q", title)
	}
	eval[any](p, `document.querySelector("#job-0-0").focus()`)
	own := eval[[]string](p, `[...document.querySelectorAll(".is-own")].map((e) => e.ariaLabel)`)
	name := p.text(testID("result-graph") + " #job-0-0 text")
	if len(own) == 0 || slices.ContainsFunc(own, func(edge string) bool { return !strings.Contains(edge, name) }) {
		t.Errorf("of %s stand out %q", name, own)
	}
	if faint := p.count(".is-pointed .edge:not(.is-own)"); faint == 0 {
		t.Error("no edge steps back")
	}
	eval[any](p, `document.querySelector("#cluster-0").focus()`)
	cluster := p.text(testID("result-graph") + " #cluster-0 text")
	cluster, _, _ = strings.Cut(cluster, " · ")
	raised := eval[[]string](p, `[...document.querySelectorAll(".is-own")].map((e) => e.ariaLabel)`)
	inside := eval[[]string](p, `[...document.querySelectorAll("[data-testid=result-graph] .node")].filter((e) => e.ariaLabel.endsWith(" on `+cluster+`")).map((e) => e.querySelector("text").textContent)`)
	if len(raised) == 0 || slices.ContainsFunc(raised, func(edge string) bool {
		return !slices.ContainsFunc(inside, func(job string) bool { return strings.Contains(edge, job) })
	}) {
		t.Errorf("of %s with %q stand out %q", cluster, inside, raised)
	}
	eval[any](p, `document.activeElement.blur()`)
	if p.count(".is-pointed, .is-own") > 0 {
		t.Error("what was pointed at still stands out")
	}
	_, svg := p.export("SVG")
	if !strings.Contains(string(svg), "<title>An online shop on six clusters: All 12 jobs placed for") || !strings.Contains(string(svg), "or more of bound left") {
		t.Errorf("the SVG has no title or legend:\n%s", svg)
	}
}

// The table of jobs has names; ids are optional.
func idsAreShownOnDemand(t *testing.T, p *tab) {
	p.shop()
	heads := `[...document.querySelectorAll("[data-testid=placement-table] th")].filter((e) => e.checkVisibility()).map((e) => e.innerText)`
	if got := eval[[]string](p, heads); !slices.Equal(got, []string{"Job", "Cluster"}) {
		t.Errorf("the columns are %q", got)
	}
	ids := p.placement()
	p.pressNamed("^DOT ids$")
	p.waitFor(heads + `.join() == "Id,Cluster id,Job,Cluster"`)
	if got := p.placement(); !slices.Equal(got, ids) {
		t.Errorf("the ids were %v and are %v", ids, got)
	}
}

// From 40 jobs on, the page opens the view that suits any size, and it remembers another choice.
func crowdedResultsAreShownByFigures(t *testing.T, p *tab) {
	p.crowd(60)
	selected := func(name string) string {
		return fmt.Sprintf(`document.querySelector("#picture-views [aria-selected=true]").innerText == %q`, name)
	}
	p.waitFor(selected("Clusters"))
	if n := p.count(testID("result-graph") + " svg .node"); n != 60 {
		t.Errorf("%d jobs are drawn", n)
	}
	p.pressNamed("^Dependencies$")
	p.waitForText(sentence, "Tightest")
	small := example(t, "shop")
	p.follow(linkTo(t, small))
	p.waitForScenario(small)
	p.waitFor(selected("Result"))
	again := crowd(61)
	p.follow(linkTo(t, again))
	p.waitForScenario(again)
	p.waitFor(selected("Dependencies"))
}

// axe-core finds no fault in the views, at three widths and in both themes, and names from files
// stay text.
func picturesAreAccessible(t *testing.T, p *tab) {
	p.crowd(200)
	for _, look := range looks() {
		p.step(look.name, func(t *testing.T) {
			p.do(look.option)
			for _, view := range []string{"Clusters", "Dependencies", "Neighbours", "Result"} {
				p.pressNamed("^" + view + "$")
				p.waitFor(`!document.querySelector(".pane-result .dimmed") && !document.querySelector("figure[aria-busy=true]")`)
				p.inspected(view)
				p.fits(view)
				p.screenshot("pictures-" + look.name + "-" + view)
				if look.phone() {
					for _, breach := range eval[[]string](p, small44) {
						t.Errorf("%s: %s", view, breach)
					}
				}
			}
			if n := p.count(".pane-result b"); n > 0 {
				t.Errorf("names became %d elements", n)
			}
			p.fill(testID("drawing-search"), "job 1")
			p.wait("#drawing-search-list li")
			p.inspected("search")
			p.screenshot("pictures-" + look.name + "-search")
			p.press(kb.Escape)
		})
	}
}
