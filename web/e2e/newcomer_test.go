package e2e

import (
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp/kb"

	"berth/engine/golden"
	"berth/engine/must"
	"berth/engine/placement/placementkind"
)

// countPresses counts mouse clicks from now on.
const countPresses = `(addEventListener("pointerdown", () => { globalThis.presses++; }, true), globalThis.presses = 0)`

// wantPresses fails after more clicks than a newcomer has patience for. It does not count file
// dialogs.
func (p *tab) wantPresses(task string, dialogs int) {
	p.t.Helper()
	if n := eval[int](p, "presses") + dialogs; n == 0 || n > 3 {
		p.t.Errorf("%s took %d clicks, want at most 3", task, n)
	}
	eval[any](p, "presses = 0")
}

// A newcomer reaches each goal with three clicks: to place and share their own pair, to double a
// price, and to see why a job is where it is.
func TestANewcomerNeedsThreeClicks(t *testing.T) {
	golden.Long(t)
	t.Parallel()
	p := openExample(t)
	p.waitFor(compared)
	eval[any](p, countPresses)
	shop := example(t, "shop")
	files := placementkind.Of(shop)

	p.pressScript(`[...document.querySelectorAll(".panzoom g.node")].find((e) => /^job cache on/.test(e.ariaLabel))`)
	p.waitForText(why, "job cache: ")
	p.wantPresses("Why a job is there", 0)

	p.click(testID("pin"))
	p.pressNamed("shop-federation.dot$")
	p.click(".pane-input :is(textarea, .cm-content)")
	p.press("a", kb.ModifierCtrl)
	p.do(command(input.InsertText, input.InsertTextParams{Text: strings.Replace(files.Federation.Text, "cpu_cost=0.42", "cpu_cost=0.84", 1)}))
	p.waitForText(testID("difference-inputs"), "price of eu-west 0.42 → 0.84")
	p.waitForText(testID("difference-head"), "total cost ")
	p.wantPresses("A price that doubles", 0)

	q := open(t, "/placement")
	q.waitFor(compared)
	eval[any](q, countPresses)
	q.upload(testID("file-federation"), must.File(t, "mine.dot", twoClusters))
	q.upload(testID("file-deployment"), must.File(t, "jobs.dot", twoJobs))
	q.waitForText(".placement .pane-input", "jobs.dot")
	q.waitForText(status, "All 2 jobs placed")
	q.click(testID("share"))
	q.wait(testID("share-link"))
	if link := q.value(testID("share-link")); !strings.Contains(link, "#s=") {
		t.Errorf("the link is %q", link)
	}
	q.wantPresses("An own pair, placed and shared", 2)
}
