package e2e

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"berth/engine/placement/placementkind"
)

// A user who moves each job to its cluster in the best placement reaches the optimum, and sees the
// distance on the way.
func challengeIsMet(t *testing.T, p *tab) {
	p.shop()
	p.press("w")
	s := example(t, "shop")
	placementkind.Of(s).Strategies = []placementkind.StrategyRun{{Name: "best"}}
	best := placementkind.ReportOf(native(t, s)).Strategies[0].Deployments[0].Placement
	p.waitForText(testID("headline"), "Best possible: 2\u202f653.1 (proved)")
	p.click(testID("challenge"))
	p.waitForText(testID("headline"), "All 12 jobs placed by hand for\u00a03\u202f033.4, 14.3\u202f% above the cheapest possible.")
	p.waitForText("footer", "14.3")
	p.screenshot("challenge")
	p.inspected("a challenge")
	moves := 0
	for last := false; !last; {
		question := p.text(".why-card h2")
		name := strings.TrimSuffix(strings.TrimPrefix(question, "Where should "), " go?")
		at := slices.IndexFunc(best, func(a placementkind.Assigned) bool { return a.Job == name })
		if at < 0 {
			t.Fatalf("the card asks %q", question)
		}
		p.waitFor(`((select) => select.value === select.dataset.value)(document.querySelector("[data-testid=challenge-move]"))`) // filled after the drawing
		if p.value(testID("challenge-move")) != best[at].Cluster {
			moves++
			p.pick(testID("challenge-move"), best[at].Cluster)
			p.waitForText(".why-card", fmt.Sprintf("%d move", moves))
		}
		p.waitFor(`/^All 12 jobs placed by hand for|^By hand: \d+ jobs? do/.test(document.querySelector("[data-testid=headline]").innerText)`)
		if last = eval[bool](p, `document.querySelector(".why-card [aria-label^='Next']").disabled`); !last {
			p.press("n")
			p.waitFor(`document.querySelector(".why-card h2").innerText !== ` + quote(question))
		}
	}
	p.waitForText(testID("headline"), "All 12 jobs placed by hand for\u00a02\u202f653.1, the cheapest possible (proved).")
	p.waitForText(".result-status", "You reached it.")
	p.waitFor(`document.querySelectorAll("#result-graph .is-moved").length > 0`)
	p.screenshot("challenge-met")
	p.click(testID("challenge-back"))
	p.waitFor(`!document.querySelector("[data-testid=headline]").innerText.includes("(proved)")`)
	p.click(testID("challenge"))
	p.waitForText(testID("headline"), "Best possible: 2\u202f653.1 (proved)")
	p.press(kb.Escape)
	p.press("w")
}
