package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"berth/engine/scenario"
)

const saysStep = `[data-testid=presentation-text]`

// turnFirstDial presses the right arrow on the first dial, and waits for the result. The figure
// beside the dial is drawn once the page has the value.
func (p *tab) turnFirstDial() {
	p.t.Helper()
	dial := ".view:not([hidden]) " + testID("dial") + " input"
	figure := fmt.Sprintf("document.querySelector(%q)?.textContent", dial+" ~ .figures")
	p.wait(dial)
	before := eval[string](p, figure)
	eval[any](p, `document.querySelector(`+quote(dial)+`).focus()`)
	p.press(kb.ArrowRight)
	p.waitFor(fmt.Sprintf("%s !== %q && %s", figure, before, settledStage))
}

// settledStage is true once the result on the stage belongs to the inputs.
const settledStage = `document.querySelector(".view:not([hidden]) [data-testid$=status][data-state=done]")`

// saveStep saves the state of the stage as a step of the lecture.
func (p *tab) saveStep(says string) {
	p.t.Helper()
	n := p.count(".view:not([hidden]) " + testID("lecture-step"))
	p.fill(".view:not([hidden]) "+testID("lecture-says"), says)
	p.press(kb.Enter)
	p.waitFor(fmt.Sprintf(`document.querySelectorAll(".view:not([hidden]) [data-testid=lecture-step]").length === %d`, n+1))
}

// lectureIsMade creates a lecture of ten steps about the shop, and returns its address.
func lectureIsMade(t *testing.T, p *tab) string {
	p.click(testID("present"))
	p.waitFor(`document.activeElement.matches("[data-testid=lecture-says]")`)
	p.saveStep("Where should each service run?")
	for i := 2; i <= 8; i++ {
		p.turnFirstDial()
		p.saveStep(fmt.Sprintf("Step %d: <b>dearer</b> again", i))
	}
	p.click(testID("player-play"))
	p.wait(testID("player") + " " + testID("player-next"))
	for range 3 {
		before := p.value(testID("player-step"))
		p.click(testID("player-next"))
		p.until("the player moves", func() bool { return p.value(testID("player-step")) != before })
	}
	p.saveStep("The search tries a job")
	p.pressNamed("^Show the result$")
	p.saveStep("And this is its end")
	p.pressNamed("^Move step 10 up$")
	p.waitForText(testID("lecture-step")+":last-child", "The search tries")
	p.pressNamed("^Remove step 2$")
	p.turnFirstDial()
	p.saveStep("The last one")
	p.screenshot("lecture")
	p.inspected("the card of a lecture")
	p.allowCopying()
	p.waitFor(`!document.querySelector("[data-testid=lecture-copy]").disabled`)
	p.click(testID("lecture-copy"))
	p.waitFor("/link to the lecture was copied/.test(document.body.innerText)")
	address := eval[string](p, "navigator.clipboard.readText()")
	steps, err := scenario.DecodeLecture(address)
	if err != nil || len(steps) != 10 || len(address) > 2000 {
		t.Fatalf("the lecture has %d steps in %d characters (%v)", len(steps), len(address), err)
	}
	t.Logf("the link has %d characters", len(address))
	return address
}

// lecturePlays plays the lecture that lectureIsMade has made.
func lecturePlays(t *testing.T, p *tab, address string) {
	p.navigate(strings.TrimPrefix(address, p.origin))
	p.waitForText(saysStep, "1 of 10")
	p.waitForText(saysStep, "Where should each service run?")
	p.waitFor(settledStage)
	p.inspected("a presentation")
	for _, l := range looks() {
		p.resize(l.option)
		p.fits("the presentation, " + l.name)
		p.screenshot("presentation-" + l.name)
	}
	p.resize(wide)
	if size := eval[[]string](p, `[...document.querySelectorAll("[data-testid=presentation-text], .headline, .dial label, .why-card p")].filter((e) => e.checkVisibility() && parseFloat(getComputedStyle(e).fontSize) < 24).map((e) => e.outerHTML)`); len(size) > 0 {
		t.Errorf("text below 24 px: %s", size)
	}
	dial := testID("dial") + " input"
	first := p.value(dial)
	p.press(kb.ArrowRight)
	p.waitForText(saysStep, "2 of 10 Step 3: <b>dearer</b> again")
	p.waitFor(fmt.Sprintf("document.querySelector(%q).value !== %q", dial, first))
	p.press(kb.PageDown)
	p.press(" ")
	p.waitForText(saysStep, "4 of 10")
	p.press(kb.ArrowLeft)
	p.press(kb.PageUp)
	p.press(kb.ArrowLeft)
	p.press(kb.ArrowLeft)
	p.waitForText(saysStep, "1 of 10")
	p.waitFor(fmt.Sprintf("document.querySelector(%q).value === %q && %s", dial, first, settledStage))
	for range 8 {
		p.press(kb.PageDown)
	}
	p.waitForText(saysStep, "9 of 10 The search tries a job")
	p.waitFor(`document.querySelector("[data-testid=player-step]")?.value > 2`)
	p.screenshot("presentation-player")
	p.press(kb.PageDown)
	p.waitForText(saysStep, "10 of 10 The last one")
	p.waitFor(`!document.querySelector("[data-testid=player-step]") && ` + settledStage)
	p.press(kb.Escape)
	p.waitFor(`!document.querySelector("[data-testid=presentation]") && document.querySelector(".top").checkVisibility() && document.activeElement.matches("[data-testid=present]")`)
}

// lectureOfPlayer creates two steps in QoS or Federate with the player at two times, which forward
// separates, and presents them.
func lectureOfPlayer(t *testing.T, p *tab, forward func()) {
	p.press("w")
	p.waitFor(settledStage)
	const in = ".view:not([hidden]) "
	time := func() string { return p.value(in + testID("player-step")) }
	p.click(in + testID("present"))
	first := time()
	save := func(says string) string {
		before := time()
		forward()
		p.until("the player moves", func() bool { return time() != before })
		p.saveStep(says)
		return time()
	}
	early := save("Early")
	p.turnFirstDial()
	late := save("Late")
	if early == late || early == first {
		t.Fatalf("the player was at %s, %s and %s", first, early, late)
	}
	p.click(in + testID("lecture-present"))
	p.waitFor("document.fullscreenElement")
	for _, step := range [][2]string{{"1 of 2 Early", early}, {"2 of 2 Late", late}} {
		p.waitForText(saysStep, step[0])
		p.until("the player is at "+step[1], func() bool { return time() == step[1] })
		p.press(kb.PageDown)
	}
	p.screenshot("presentation" + strings.ReplaceAll(eval[string](p, "location.pathname"), "/", "-"))
	p.inspected("a presentation of a player")
	eval[any](p, "document.exitFullscreen()")
	p.waitFor(`!document.querySelector("[data-testid=presentation]")`)
	p.press("w")
}

func lectureOfDecisions(t *testing.T, p *tab) {
	p.validation()
	lectureOfPlayer(t, p, func() { p.click(".view:not([hidden]) .why-card [aria-label^='Next decision']") })
}

func lectureOfMessages(t *testing.T, p *tab) {
	p.masters()
	lectureOfPlayer(t, p, func() { p.click(".view:not([hidden]) " + testID("player-next")) })
}
