package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp/kb"

	"berth/engine/golden"
	"berth/engine/must"
)

// stages are the laboratories, with the data-testid of the status of their results.
var stages = map[string]string{"/placement": "result-status", "/qos": "qos-status", "/federate": "fed-status"}

// visibleControls counts the controls on the stage.
const visibleControls = `[...document.querySelectorAll("[data-testid=stage] :is(button, a[href], input, select, textarea, summary, [role=button][tabindex='0'])")]
	.filter((e) => !e.closest(".visually-hidden, .view[hidden]") && e.checkVisibility({ visibilityProperty: true })).length`

// pictureShare is the fraction of the window that the picture covers.
const pictureShare = `(({ width, height }) => width * height / (innerWidth * innerHeight))(
	document.querySelector(".view:not([hidden]) [data-testid=stage-picture]").getBoundingClientRect())`

// Each laboratory opens with a large picture and few controls around it.
func TestStage(t *testing.T) {
	golden.Long(t)
	t.Parallel()
	for path, status := range stages {
		for _, l := range looks() {
			least := 0.45
			if l.phone() {
				least = 0.35
			}
			p := open(t, path, l.option, onStage)
			p.wait(testID(status) + `:is([data-state="done"])[data-result]`)
			p.waitFor(started)
			if n := eval[int](p, visibleControls); n > 25 || n < 6 {
				t.Errorf("%s, %s: %d controls, want at most 25", path, l.name, n)
			}
			if share := eval[float64](p, pictureShare); share < least {
				t.Errorf("%s, %s: the picture has %.1f %% of the window, want %.0f %%", path, l.name, 100*share, 100*least)
			}
			if high := eval[float64](p, `document.querySelector(".top").getBoundingClientRect().height`); high > 56 {
				t.Errorf("%s, %s: the navigation takes %v px, want at most 56", path, l.name, high)
			}
			p.fits(path + ", " + l.name)
			p.screenshot(fmt.Sprintf("stage-%s-%s", path[1:], l.name))
			p.close()
		}
	}
}

// The workbench is one key or one button away. The choice is remembered for each laboratory, and a
// link includes it. Everything that people need first works without it.
func TestJourneyStage(t *testing.T) {
	t.Parallel()
	p := open(t, "/placement", onStage)
	p.wait(done)
	deployment, federation := must.File(t, "jobs.dot", twoJobs), must.File(t, "clusters.dot", twoClusters)
	p.upload(testID("file-federation"), federation)
	p.upload(testID("file-deployment"), deployment)
	p.click(testID("run"))
	p.wantResult(chosen(t, federation, deployment))
	p.press("w")
	p.wait(testID("workbench") + " .pane-input")
	p.reload()
	p.wait(testID("workbench") + " .pane-input")
	p.wait(done)
	p.click(testID("share"))
	p.wait(testID("share-link"))
	link := p.value(testID("share-link"))
	if !strings.HasSuffix(link, "&at=workbench") {
		t.Errorf("the link does not say that the workbench is shown: %s", link)
	}
	p.pressNamed("^Close$")
	p.waitFor(closed)
	p.click(testID("stage-toggle"))
	p.wait(testID("stage"))
	p.reload()
	p.wait(testID("stage"))
	p.wait(done)
	p.turnFirstDial()
	dialIsVaried(p)
	p.follow(link[strings.Index(link, "#"):])
	p.wait(testID("workbench"))
}

// One press on a dial gives a curve with its table, and a second one runs other values. The curve
// opens as an experiment, and Escape leads back to the dial.
func dialIsVaried(p *tab) {
	const curve = `((d) => !!d?.querySelector("figure svg") && d.querySelector("[role=status]").textContent.includes("Each point is"))(document.querySelector("dialog[open]"))`
	p.click(testID("dial") + ":first-child " + testID("vary-this"))
	p.waitFor(curve)
	p.isInspected("a dial varied")
	p.fill("dialog[open] "+testID("vary-levels"), "0.5, 1, oops")
	p.press(kb.Enter)
	p.waitForText("dialog[open] .problem", "oops")
	p.fill("dialog[open] "+testID("vary-levels"), "0.5, 1")
	p.fill("dialog[open] "+testID("vary-seeds"), "2")
	p.press(kb.Enter)
	p.waitFor(curve + ` && !document.querySelector("dialog[open] .problem")`)
	p.click("dialog[open] figure summary")
	p.waitFor(`document.querySelectorAll("dialog[open] figure tbody tr").length >= 2`)
	p.pressNamed("^Open as an experiment$")
	p.waitFor(`location.pathname == "/gallery" && document.querySelector("[data-testid=sweep-grid]")?.ariaLabel == "4 of 4 runs"`)
	p.visit("Placement")
	p.click(testID("dial") + ":first-child " + testID("vary-this"))
	p.wait("dialog[open] " + testID("vary-start"))
	p.press(kb.Escape)
	p.waitFor(closed + ` && document.activeElement.matches("[data-testid=vary-this]")`)
}

// On a phone the picture has few columns: all of it fits into the width of the page, and its labels
// can be read. A page that becomes wide or narrow draws it again.
func TestPictureOnAPhone(t *testing.T) {
	golden.Long(t)
	t.Parallel()
	p := open(t, "/placement", phone, onStage)
	p.waitFor(taken)
	legible := func(what, graph string, drawings int) {
		t.Helper()
		graph += ".panzoom"
		p.waitFor(fmt.Sprintf(`[...document.querySelectorAll(%q)].filter((g) => g.querySelector("svg.narrow .node")).length === %d`, graph, drawings))
		for _, breach := range eval[[]string](p, fmt.Sprintf(`[...document.querySelectorAll(%q)].flatMap((graph) => {
			const place = graph.getBoundingClientRect(), svg = graph.querySelector("svg").getBoundingClientRect(), part = svg.width / graph.querySelector("svg").viewBox.baseVal.width;
			return [
				...[...graph.querySelectorAll("text")].map((text) => parseFloat(getComputedStyle(text).fontSize) * part).filter((size) => size < 10).map((size) => "a label has " + size + " px"),
				...(svg.left < place.left || svg.right > place.right || svg.top < place.top || svg.bottom > place.bottom ? ["it is cropped"] : []),
			];
		})`, graph)) {
			t.Errorf("%s: %s", what, breach)
		}
		p.fits(what)
	}
	for name, theme := range map[string]option{"light": light, "dark": dark} {
		p.do(theme)
		legible("the result", "#result-graph", 1)
		p.screenshot("phone-picture-" + name)
	}
	fingersScrollAndCarry(t, p)
	p.do(wide)
	p.waitFor(`document.querySelector("#result-graph svg:not(.narrow) .node")`)
	p.do(phone)
	legible("the result again", "#result-graph", 1)
	p.click(testID("stage-compare"))
	legible("two results", ".beside ", 2)
	p.screenshot("phone-picture-beside")
	p.click(testID("stage-compare"))
	p.click(testID("player-play"))
	legible("the player", "#play-board", 1)
	p.screenshot("phone-picture-play")
}

// A finger scrolls past the picture, but carries a job that it holds, and the page scrolls when the
// job comes to its edge.
func fingersScrollAndCarry(t *testing.T, p *tab) {
	finger := func(kind input.DispatchTouchEventType, at ...*input.TouchPoint) {
		p.do(command(input.DispatchTouchEvent, input.DispatchTouchEventParams{Type: kind, TouchPoints: at}))
	}
	const scrolled = `document.querySelector("[data-testid=stage]").scrollTop`
	moves := func(from [2]float64, to float64) {
		finger(input.DispatchTouchEventTypeTouchStart, &input.TouchPoint{X: from[0], Y: from[1]})
		for part := 0.1; part < 1.05; part += 0.1 {
			finger(input.DispatchTouchEventTypeTouchMove, &input.TouchPoint{X: from[0], Y: from[1] + part*(to-from[1])})
		}
	}
	middle := func(element string) [2]float64 {
		at := eval[[]float64](p, fmt.Sprintf(`(({ x, y, width, height }) => [x + width / 2, y + height / 2])(document.querySelector("#result-graph %s").getBoundingClientRect())`, element))
		return [2]float64(at)
	}
	rests := func() {
		p.until("the page rests", func() bool {
			return eval[bool](p, `new Promise((rests) => { const at = `+scrolled+`; setTimeout(() => rests(at === `+scrolled+`), 300); })`)
		})
	}
	free := middle("#job-0-8")
	free[1] += 120 // inside the cluster, below its two jobs
	moves(free, free[1]-100)
	finger(input.DispatchTouchEventTypeTouchEnd)
	p.waitFor(scrolled + " > 50")
	rests() // a touch on a page that still scrolls only stops it
	if !eval[bool](p, `document.querySelector("#result-graph [data-fitted]") !== null`) {
		t.Error("a finger that scrolls also moves the drawing")
	}
	before := eval[float64](p, scrolled)
	moves(middle("#job-0-8"), 780)
	p.waitFor(`document.querySelector("#result-graph .is-carried")`)
	p.waitFor(fmt.Sprintf("%s > %v", scrolled, before+100))
	rests()
	last := middle("#cluster-5 rect")
	finger(input.DispatchTouchEventTypeTouchMove, &input.TouchPoint{X: last[0], Y: last[1]})
	p.waitFor(`document.querySelector("#result-graph #cluster-5.is-over")`)
	p.press(kb.Escape)
	finger(input.DispatchTouchEventTypeTouchEnd)
	p.waitFor(`!document.querySelector("#result-graph .is-carried")`)
}
