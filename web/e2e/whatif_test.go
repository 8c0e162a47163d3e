package e2e

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"

	"berth/engine/golden"
	"berth/engine/must"
)

// On narrow screens, in the light and in the dark, a user makes and undoes changes,
// reads their effects and sees mistakes in manifests; nothing is cut off, and on a
// phone targets suit fingers.
func TestWhatIfOnNarrowScreens(t *testing.T) {
	golden.Long(t)
	t.Parallel()
	const cut = `[...document.querySelectorAll(".chip span, .diagnostic span, .what-if-diff td")].filter((e) => e.checkVisibility() && e.scrollWidth > e.clientWidth + 1 && e.clientWidth > 0).map((e) => e.textContent)`
	for name, options := range map[string][]option{"phone": {phone, dark}, "narrow": {chromedp.EmulateViewport(1024, 768)}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := openExample(t, options...)
			pane := func(called string) {
				if name == "phone" {
					p.pressNamed("^" + called + "$")
				}
			}
			looked := func(what, selector string) {
				t.Helper()
				eval[any](p, fmt.Sprintf(`document.querySelector(%q).scrollIntoView({ block: "center" })`, selector))
				p.fits(what)
				if texts := eval[[]string](p, cut); len(texts) > 0 {
					t.Errorf("%s: cut off: %q", what, texts)
				}
				if small := eval[[]string](p, small44); name == "phone" && len(small) > 0 {
					t.Errorf("%s: too small for fingers: %q", what, small)
				}
				p.screenshot("what-if-" + name + "-" + what)
			}
			pane("Input")
			p.chooseExample("clusters")
			p.waitFor(`document.querySelector(".pane-result").checkVisibility()`)
			p.waitFor(compared)
			pane("Input")
			p.click(testID("what-if") + " summary")
			p.wait(testID("what-if") + " option[value=frankfurt]")
			p.pick(testID("what-if-of"), "frankfurt")
			p.click(testID("what-if-add"))
			p.wait(testID("what-if-chip"))
			p.pick(testID("what-if-kind"), "drain")
			p.fill("input"+testID("what-if-of"), "virginia/a-node-with-a-long-name.us-east-1.compute.internal")
			p.click(testID("what-if-add"))
			p.waitFor(fmt.Sprintf("document.querySelectorAll(%q).length == 2", testID("what-if-chip")))
			looked("chips", testID("what-if-chip"))
			p.click(testID("what-if-chip") + ":last-child button")
			p.waitFor(fmt.Sprintf("document.querySelectorAll(%q).length == 1", testID("what-if-chip")))
			looked("inferred", testID("inferred-dependencies"))
			p.click(testID("run")) // after a slow first run the page waits for Run
			pane("Compare")
			p.waitForText(testID("what-if-left"), "gone")
			looked("difference", testID("what-if-left"))
			pane("Result")
			p.click(testID("export"))
			looked("export", testID("export-karmada"))
			if inside := `((menu, pane) => menu.left >= pane.left && menu.right <= pane.right)(document.querySelector("[data-testid=export-karmada]").getBoundingClientRect(), document.querySelector(".pane-result").getBoundingClientRect())`; !eval[bool](p, inside) {
				t.Error("the menu of exports is not in its pane")
			}
			pane("Input")
			p.openBroken(testID("file-deployment"), must.File(t, "broken.yaml", "apiVersion: v1\nkind: Pod\nmetadata: {name: a-pod-with-a-long-name-5b7f9cdd-x2x4z}\nspec:\n  containers:\n  - name: c\n    resources: {requests: {memory: 12GiB}}\n"))
			pane("Input")
			p.click(testID("run")) // after a slow run the page waits for Run
			p.waitForText(".diagnostic", "GiB")
			p.takeFaults() // from the failed run
			looked("error", ".diagnostic")
		})
	}
}
