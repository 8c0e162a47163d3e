package e2e

import (
	"math"
	"slices"
	"strings"
	"testing"

	"berth/engine/golden"
	"berth/engine/qos/qoskind"
)

// shownCharts returns the visible charts, and where each chart and its next element begin. It omits
// the element after a timeline, because the number of lanes takes long to compute.
const shownCharts = `[...document.querySelectorAll("figure.chart")].filter((f) => f.offsetHeight)`
const places = `[...new Set(` + shownCharts + `.flatMap((f) => [f, f.parentElement.lastElementChild, f.querySelector("figure:not(.chart-timeline) > details")]))]
	.filter((e) => e?.offsetHeight).map((e) => ({ name: e.nodeName + " " + (e.dataset.testid ?? e.className), top: e.getBoundingClientRect().top }))`

// standing is an element and its position in pixels.
type standing struct {
	Name string
	Top  float64
}

func TestNothingMovesWhenTheChartsCome(t *testing.T) {
	golden.Long(t)
	t.Parallel()
	qosDone := testID("qos-status") + `[data-state="done"]`
	for _, c := range []struct {
		name, path, done string
		size             option
		press            []string // buttons that open the charts
		chart            string   // one of the charts
	}{
		{"qos", "/qos", qosDone, wide, nil, testID("qos-timeline")},
		{"qos, narrow", "/qos", qosDone, phone, []string{"^Result$"}, testID("qos-deficits")},
		{"qos, availability", "/qos", qosDone, wide, []string{"^Availability$"}, testID("qos-strips")},
		{"qos, demand", "/qos", qosDone, wide, []string{"^Demand$"}, testID("qos-demand-0-cpu")},
		{"qos, demand, narrow", "/qos", qosDone, phone, []string{"^Result$", "^Demand$"}, testID("qos-demand-0-cpu")},
		{"federate", "/federate", fedDone, wide, nil, testID("fed-task-parts")},
		{"placement", "/placement", done, wide, []string{"^Whole CM$"}, "#matrix"},
	} {
		t.Run(c.name, func(t *testing.T) {
			origin, release := serveWithout(t, "/plot.")
			p := openAt(t, origin, c.path, c.size)
			p.waitFor(`document.querySelector(` + quote(c.done) + `)`)
			for _, name := range c.press {
				p.pressNamed(name)
			}
			p.waitFor(`document.querySelector(` + quote(c.chart) + `) && !document.querySelector("figure[aria-busy=true]")`)
			before := eval[[]standing](p, places)
			eval[any](p, `globalThis.moves = []; new PerformanceObserver((list) => moves.push(...list.getEntries().flatMap(
				(e) => e.sources.filter((s) => s.node?.parentElement?.closest("figure, .charts, .fed-charts")).map((s) => s.node.nodeName + "." + s.node.className +
				" from " + s.previousRect.y + " to " + s.currentRect.y)))).observe({ type: "layout-shift" })`)
			release()
			p.waitFor(`(` + shownCharts + `).every((f) => f.querySelector(".chart-field > *"))`)
			eval[any](p, "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
			after := eval[[]standing](p, places)
			if !slices.EqualFunc(before, after, func(a, b standing) bool { return a.Name == b.Name && math.Abs(a.Top-b.Top) < 3 }) {
				t.Errorf("they stood at\n%v\nand then at\n%v", before, after)
			}
			if moves := eval[[]string](p, "moves"); len(moves) > 0 {
				t.Errorf("this moved: %s", strings.Join(moves, "; "))
			}
		})
	}
}

// While the figures of another run arrive, the drawings of the previous run stay in
// place.
func nothingMovesWhileFiguresAreAwaited(t *testing.T, p *tab) {
	s := p.few()
	p.pressNamed("^Overview$")
	const heads = `[...document.querySelectorAll("#qos-panel figure.chart figcaption")].map(
		(e) => Math.round(e.getBoundingClientRect().top - document.getElementById("qos-panel").getBoundingClientRect().top) + "")`
	p.wait(testID("qos-timeline") + " canvas")
	before := eval[[]string](p, heads)
	eval[any](p, `globalThis.busy = [], new MutationObserver(() => {
		if (document.querySelector("#qos-panel [aria-busy=true]")) busy.push(`+heads+`.join(" "));
	}).observe(document.getElementById("qos-panel"), { subtree: true, childList: true, attributes: true })`)
	p.pressNamed("^Times, limits and seeds$")
	p.fill("#qos-margin", "29")
	p.press("\t")
	margin := 29.0
	qoskind.Of(s).Margin = &margin
	p.wantSimulated(s)
	p.waitFor(`busy.length > 0 && !document.querySelector("#qos-panel [aria-busy=true]")`)
	for _, heads := range eval[[]string](p, "busy") {
		if heads != strings.Join(before, " ") {
			t.Fatalf("the charts began at %v, and while others were awaited at %s", before, heads)
		}
	}
}

// An error that appears and disappears during typing moves nothing.
func nothingMovesWhenAnErrorComes(t *testing.T, p *tab) {
	p.shop()
	p.pressNamed("shop-deployment.dot$")
	p.wait(".pane-input textarea")
	const places = `["main", ".pane-input textarea", ".pane-result", ".pane-why", "footer.status"].map((s) => {
		const { x, y, width, height } = document.querySelector(s).getBoundingClientRect();
		return [s, x, y, width, height].join(" ");
	})`
	before := eval[[]string](p, places)
	eval[any](p, `document.querySelector(".pane-input textarea").focus()`)
	p.press("graph {")
	p.wait(testID("error") + ":not([hidden])")
	if got := eval[[]string](p, places); !slices.Equal(got, before) {
		t.Errorf("before the error these stood at\n%v\nand with it at\n%v", before, got)
	}
}
