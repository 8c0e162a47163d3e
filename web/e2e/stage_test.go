package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"berth/engine/golden"
)

// stages are the laboratories with the data-testid of what says how their results did.
var stages = map[string]string{"/placement": "result-status", "/qos": "qos-status", "/federate": "fed-status"}

// visibleControls counts what can be pressed or changed on the stage.
const visibleControls = `[...document.querySelectorAll("[data-testid=stage] :is(button, a[href], input, select, textarea, summary, [role=button][tabindex='0'])")]
	.filter((e) => !e.closest(".visually-hidden, .view[hidden]") && e.checkVisibility({ visibilityProperty: true })).length`

// pictureShare is the part of the window that the picture has.
const pictureShare = `(({ width, height }) => width * height / (innerWidth * innerHeight))(
	document.querySelector(".view:not([hidden]) [data-testid=stage-picture]").getBoundingClientRect())`

// Each laboratory opens with its picture, large, and few controls around it.
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

// The workbench is one key or one button away, the choice is remembered for each
// laboratory, and a link says it. What people need first works without it.
func TestJourneyStage(t *testing.T) {
	t.Parallel()
	p := open(t, "/placement", onStage)
	p.wait(done)
	deployment, federation := writeFile(t, "jobs.dot", twoJobs), writeFile(t, "clusters.dot", twoClusters)
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
	dial := testID("dial") + " input"
	before := p.value(dial)
	eval[any](p, `document.querySelector(`+quote(dial)+`).focus()`)
	p.press(kb.ArrowRight)
	p.waitFor(fmt.Sprintf("document.querySelector(%q).value !== %q", dial, before))
	p.wait(done)
	p.follow(link[strings.Index(link, "#"):])
	p.wait(testID("workbench"))
}
