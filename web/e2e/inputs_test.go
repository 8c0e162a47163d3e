package e2e

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp/kb"

	"berth/engine/dot"
	"berth/engine/golden"
	"berth/engine/must"
	"berth/engine/placement/placementkind"
	"berth/engine/scenario"
)

const (
	oneJob  = `graph { solo [request=100, limit=200] }`
	twoJobs = `graph {
		a [request=100, limit=200]
		b [request=50, limit=100]
		a -- b [latency=20]
	}`
	twoClusters = `graph {
		eu [cpu=110, cpu_cost=0.5]
		us [cpu=400, cpu_cost=1]
		eu -- us [latency=15, latency_cost=0.25]
	}`
)

// small opens a page with two jobs on two clusters, and returns it with their scenario.
func small(t testing.TB, options ...option) (*tab, scenario.Scenario) {
	t.Helper()
	p := openExample(t, options...)
	return p, p.uploadSmall()
}

// uploadSmall uploads the files of small, which count as the user's own work.
func (p *tab) uploadSmall() scenario.Scenario {
	p.t.Helper()
	p.showInputs()
	p.choose(must.File(p.t, "jobs.dot", twoJobs), must.File(p.t, "clusters.dot", twoClusters))
	s := smallScenario(p.t)
	p.waitForScenario(s)
	return s
}

// showInputs shows the inputs if, as on a phone, only one pane is visible.
func (p *tab) showInputs() {
	p.t.Helper()
	eval[any](p, `[...document.querySelectorAll(".bench-tabs button")].find((tab) => tab.checkVisibility() && tab.innerText == "Input")?.click()`)
}

// drop drops files in the middle of the page.
func (p *tab) drop(files ...string) {
	p.t.Helper()
	data := &input.DragData{Items: []*input.DragDataItem{}, Files: files, DragOperationsMask: 1}
	eval[any](p, `globalThis.dropped = false; document.addEventListener("drop", () => { dropped = true; }, { capture: true, once: true })`)
	for begun := time.Now(); !eval[bool](p, "dropped"); { // like a hand, it keeps moving, because the element below may have been replaced
		if time.Since(begun) > patience {
			p.t.Fatal("the page accepts no files")
		}
		for _, kind := range []input.DispatchDragEventType{
			input.DispatchDragEventTypeDragEnter, input.DispatchDragEventTypeDragOver, input.DispatchDragEventTypeDrop,
		} {
			p.do(command(input.DispatchDragEvent, input.DispatchDragEventParams{Type: kind, X: 700, Y: 300, Data: data}))
		}
	}
}

func TestInputs(t *testing.T) {
	golden.Long(t)
	t.Parallel()
	open(t, "/").journey(inputsAreGenerated, nothingMovesWhenAnErrorComes)
	t.Run("of others", filesOfOthersAreDropped)
}

func TestMistakes(t *testing.T) {
	golden.Long(t)
	t.Parallel()
	open(t, "/").journey(tooMuchInputIsRefusedWhileThePageLives, namesAreShownShortAndPlain, largeFilesOfOtherSystemsAreOfferedThere)
}

func droppedFilesAreToldApart(t *testing.T, p *tab) {
	p.shop()
	// The names have no meaning, and the federation comes first.
	federation, deployment := must.File(t, "x.dot", twoClusters), must.File(t, "y.dot", twoJobs)
	p.drop(federation, deployment)
	p.wantResult(chosen(t, federation, deployment))
	// The browser accepts a drop only if the page allows it during the events, however busy the
	// page is.
	const refused = `[...Array(300)].filter((_, i) => document.body.dispatchEvent(new DragEvent(i % 2 ? "dragover" : "drop", {bubbles: true, cancelable: true, dataTransfer: new DataTransfer()}))).length`
	if n := eval[int](p, refused); n > 0 {
		t.Errorf("%d of 300 drops were left to the browser", n)
	}
	more := must.File(t, "z.dot", oneJob)
	p.drop(more)
	p.wantResult(chosen(t, federation, deployment, more))
}

func pastedInputsAreTaken(t *testing.T, p *tab) {
	s := p.small()
	p.pressNamed("^Paste$")
	p.fill("dialog[open] textarea", strings.Replace(twoClusters, "cpu=110", "cpu=500", 1))
	p.screenshot("paste")
	p.pressNamed("^Use it$")
	placementkind.Of(s).Federation = placementkind.GraphSource{Name: "pasted.dot", Text: strings.Replace(twoClusters, "cpu=110", "cpu=500", 1)}
	p.wantResult(s)
	if got, want := p.placement(), [][2]string{{"a", "eu"}, {"b", "eu"}}; !slices.Equal(got, want) {
		t.Errorf("placed %v, want %v", got, want)
	}
}

func inputsAreGenerated(t *testing.T, p *tab) {
	s := p.small()
	before := p.attribute(status, "data-scenario")
	p.pressNamed("^Generate a federation$")
	p.fill(p.labelled("^Seed$"), "7")
	p.fill(p.labelled("^Clusters, without the centre$"), "25")
	p.screenshot("generate")
	p.pressScript(`document.querySelector("dialog[open] [type=submit]")`)
	p.waitFor(fmt.Sprintf("document.querySelector(%q)?.dataset.scenario != %q", done, before))
	recipe := federationRecipe(7, 25)
	placementkind.Of(s).Federation = placementkind.GraphSource{Name: "thesis federation, seed 7", Recipe: &recipe}
	p.wantResult(s)

	p.pressNamed("thesis federation, seed 7$")
	p.pressNamed("^Make it text$")
	placementkind.Of(s).Federation.Recipe, placementkind.Of(s).Federation.Text = nil, federationText(t, recipe, dot.Plain)
	p.wantResult(s)
}

func editorMarksProblemsAndUndoes(t *testing.T, p *tab) {
	s := p.small()
	shown := p.placement()
	p.pressNamed("jobs.dot$")
	editor := ".pane-input textarea"
	p.waitFor(fmt.Sprintf("document.querySelector(%q)?.value == %s", editor, quote(twoJobs)))
	p.fill(editor, strings.ReplaceAll(strings.Replace(twoJobs, "request=50", "request=-50", 1), "latency=20", "speed=20"))
	p.waitFor(`/3:\d+/.test(document.querySelector(".diagnostics")?.innerText)`)
	p.waitFor(`/4:\d+/.test(document.querySelector(".diagnostics")?.innerText)`)
	p.wait(status + `[data-state="error"]`)
	p.wait(testID("error") + ":not([hidden])")
	if got := p.placement(); !slices.Equal(got, shown) {
		t.Errorf("an error took the result away: %v, before %v", got, shown)
	}
	if got := p.attribute(editor, "aria-invalid"); got != "true" {
		t.Errorf("aria-invalid of the editor is %q", got)
	}
	p.screenshot("editor-problems")
	p.pressNamed("^Undo")
	p.wantResult(s)
	p.waitFor(fmt.Sprintf(`document.querySelector(%q).hidden`, testID("error")))
	p.pressNamed("^Redo")
	p.wait(status + `[data-state="error"]`)
}

func typingRunsByItself(_ *testing.T, p *tab) {
	s := p.small()
	p.pressNamed("jobs.dot$")
	p.wait(".pane-input textarea")
	text := "graph { c [request=7, limit=9] }"
	p.fill(".pane-input textarea", text)
	placementkind.Of(s).Deployments[0].Text = text
	p.wantResult(s)
	p.press(" ")
	p.press(kb.Enter, kb.ModifierCtrl)
	placementkind.Of(s).Deployments[0].Text = text + " "
	p.wantResult(s)
}
