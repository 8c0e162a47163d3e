package e2e

import (
	"slices"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp/kb"
)

// The best placement stands in the headline beside the heuristic's. Showing it slides the
// jobs from their clusters to others, unless motion is unwanted, and goes both ways by
// keyboard.
func theBestIsShown(t *testing.T, p *tab) {
	p.shop()
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
