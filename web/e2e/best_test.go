package e2e

import (
	"slices"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp/kb"
)

// The headline shows the cost of the best placement next to that of the heuristic. Showing the best
// one slides the jobs to their other clusters, unless motion is unwanted, and works in both
// directions by keyboard.
func theBestIsShown(t *testing.T, p *tab) {
	p.shop()
	if n := eval[int](p, footLags); n > 3 {
		t.Errorf("for %d frames the foot says something else than the headline", n)
	}
	p.waitForText(testID("headline"), "All 12 jobs placed for\u00a03\u202f033.4. Best possible: 2\u202f653.1 (proved).")
	heuristics := p.placement()
	eval[any](p, `void (globalThis.slid = 0, globalThis.animated = Element.prototype.animate,
		Element.prototype.animate = function (...how) { if (how[1]?.duration <= 200) slid++; return animated.apply(this, how); })`)
	p.screenshot("best-known")
	p.click(testID("show-best"))
	p.waitForText(testID("headline-best"), "the cheapest possible (proved)")
	p.waitFor(`slid > 0 && document.querySelector(".panzoom .is-moved")`)
	if now := p.placement(); slices.Equal(now, heuristics) || len(now) != len(heuristics) {
		t.Errorf("the best placement is listed as %v", now)
	}
	p.screenshot("best-shown")
	p.do(command(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-reduced-motion", Value: "reduce"}}}))
	eval[any](p, `void (slid = 0, document.querySelector('`+testID("show-best")+`').focus())`)
	p.press(kb.Enter)
	p.waitForText(testID("headline-best"), "Best possible")
	p.waitFor(`!document.querySelector(".panzoom .is-moved")`)
	if n := eval[int](p, "slid"); n > 0 || !slices.Equal(p.placement(), heuristics) {
		t.Errorf("going back slid %d jobs and lists %v", n, p.placement())
	}
	eval[any](p, `void (Element.prototype.animate = animated)`)
	p.do(command(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{}))
}

// footLags returns for how many frames in a row the foot differs from the headline, until the
// search for the best placement ends with a proof.
const footLags = `new Promise((resolve) => {
	let lag = 0, most = 0;
	const look = () => {
		const head = document.querySelector("[data-testid=headline]")?.textContent ?? "", foot = document.querySelector(".status-message span").textContent;
		lag = head.startsWith(foot) ? 0 : lag + 1;
		most = Math.max(most, lag);
		head.includes("(proved)") ? resolve(most) : requestAnimationFrame(look);
	};
	requestAnimationFrame(look);
})`

// A rule is typed with completion, refused with the position of a mistake, and drawn.
func rulesAreEdited(t *testing.T, p *tab) {
	p.shop()
	p.click(testID("rule-add"))
	p.waitFor(`document.activeElement?.matches('` + testID("rule-text") + `') && [...document.querySelectorAll("#rule-words option")].some((o) => o.value === "apart")`)
	p.fill("#rule-0", "db: only")
	p.press(kb.Enter)
	p.waitForText("#rule-0-wrong", "at character 9: found the end, expected an attribute of clusters")
	p.fill("#rule-0", "db: only cluster=")
	p.waitFor(`[...document.querySelectorAll("#rule-words option")].some((o) => o.value === "db: only cluster=eu-north")`)
	p.fill("#rule-0", "db: only cluster=eu-north")
	p.press(kb.Enter)
	p.waitFor(`document.querySelectorAll('` + testID("rule-row") + `').length === 1`)
	p.waitForText(".legend", "a rule names it")
}
