package e2e

import (
	"fmt"
	"testing"

	"berth/engine/golden"
)

// TestLearning takes the tour to its end, compares two placements in pictures, and answers a
// question of a lesson on its stage.
func TestLearning(t *testing.T) {
	golden.Long(t)
	open(t, "/placement", onStage).journey(twoPicturesAreCompared, tourEndsInAnotherResult, twoSchedulersPlayTogether, lessonIsAnswered)
}

func tourEndsInAnotherResult(t *testing.T, p *tab) {
	p.click(testID("tour-start"))
	for step, part := range []string{".stage-picture", ".result-status", ".why-card", ".stage-player", ".dials"} {
		p.wait(testID("tour") + `[data-step="` + string(rune('1'+step)) + `"]`)
		p.waitFor(`getComputedStyle(document.querySelector("` + part + `")).outlineStyle == "solid"`)
		if step < 4 {
			p.click(testID("tour-next"))
		}
	}
	p.screenshot("tour")
	p.click(testID("tour-turn"))
	p.waitForText(testID("tour"), "The result has changed")
	p.click(testID("tour-done"))
	p.waitFor(`!document.querySelector("[data-testid=tour]")`)
}

func twoPicturesAreCompared(t *testing.T, p *tab) {
	p.wait(testID("show-best"))
	p.click(testID("stage-compare"))
	for _, id := range []string{"beside-picture-0", "beside-picture-1"} {
		p.wait(testID("side-by-side") + " " + testID(id) + " svg")
	}
	p.waitForText(testID("beside-differences"), "on another cluster")
	p.screenshot("side-by-side")
	p.click(testID("stage-compare"))
	p.waitFor(`!document.querySelector("[data-testid=side-by-side]")`)
}

// The player of the first data centre also plays the second; two policies play side
// by side.
func twoSchedulersPlayTogether(t *testing.T, p *tab) {
	p.navigate("/federate")
	p.click(testID("stage-toggle"))
	p.wait("#fed-cells canvas")
	p.click(testID("stage-compare"))
	const second = "#beside-picture-1 output"
	p.wait("#beside-picture-0 canvas")
	p.wait("#beside-picture-1 canvas")
	before := p.text(second)
	eval[any](p, `for (let i = 0; i < 50; i++) document.querySelector("[data-testid=player-next]").click()`)
	p.waitFor(fmt.Sprintf(`document.querySelector("%s").value !== %q`, second, before))
	p.waitForText(testID("beside-differences"), "Allocation time, mean (s)")
	p.screenshot("side-by-side-schedulers")
	p.navigate("/qos")
	p.click(testID("stage-toggle"))
	p.wait("#qos-lives canvas")
	p.click(testID("stage-compare"))
	p.wait("#beside-picture-1 canvas")
	p.waitForText(testID("side-by-side"), "B: priority")
}

func lessonIsAnswered(t *testing.T, p *tab) {
	p.navigate("/docs/lesson-placement")
	p.wait(".lesson-stage")
	eval[any](p, `document.querySelector(".lesson-stage").scrollIntoView()`)
	const inFrame = `document.querySelector(".lesson-stage").contentDocument?.querySelector("[data-testid=show-best]")`
	p.waitFor(`!!` + inFrame)
	if n := p.count(".lesson-question.answered"); n != 0 {
		t.Errorf("%d questions are answered before anybody did anything", n)
	}
	eval[bool](p, `(`+inFrame+`.click(), true)`)
	p.waitForText(".lesson-question.answered output", "Right: 2653.1")
}
