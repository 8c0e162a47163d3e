package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"berth/engine/golden"
)

// background is the colour of the page as a number: 0 black, 255 white.
const background = `parseInt(getComputedStyle(document.body).backgroundColor.match(/\d+/)[0])`

func TestThemeFollowsTheSystemAndTheSwitch(t *testing.T) {
	golden.Long(t)
	t.Parallel()
	p := openExample(t, dark)
	if shade := eval[int](p, background); shade > 80 {
		t.Errorf("the background has the shade %d although the system is dark", shade)
	}
	p.waitFor(compared)
	p.screenshot("wide-dark")
	p.click(testID("theme"))
	p.waitFor(background + " > 180")
	p.reload()
	p.wait(done)
	if shade := eval[int](p, background); shade < 180 {
		t.Errorf("the switch to light is forgotten: shade %d", shade)
	}
	p.click(testID("theme"))
	p.waitFor(background + " < 80")
	p.click(testID("theme"))
	p.waitFor(`!document.documentElement.dataset.theme`)

	p.click(testID("theme"))
	p.waitFor(background + " > 180")
	p.navigate("/docs/keyboard")
	if shade := eval[int](p, background); shade < 180 {
		t.Errorf("the documentation does not follow the switch to light: shade %d", shade)
	}

	q := openExample(t)
	if shade := eval[int](q, background); shade < 180 {
		t.Errorf("the background has the shade %d although the system is light", shade)
	}
}

func TestADrawingHasRoom(t *testing.T) {
	golden.Long(t)
	t.Parallel()
	t.Run("enlarged", enlargedPageLeavesRoom)
	t.Run("narrow", drawingUsesItsRoom)
	t.Run("resized", func(t *testing.T) { panesKeepTheirSizes(t, open(t, "/")) })
}

// A page at twice its size in a low window leaves most of the window to the result.
func enlargedPageLeavesRoom(t *testing.T) {
	p := openExample(t, chromedp.EmulateViewport(720, 450, chromedp.EmulateScale(2)))
	p.waitFor(compared + " && " + started)
	if height := eval[float64](p, `document.querySelector(".top").getBoundingClientRect().height`); height > 50 {
		t.Errorf("the head of the page takes %v px", height)
	}
	eval[any](p, `document.querySelector(".pane-result .panzoom").scrollIntoView({ block: "nearest" })`)
	if !eval[bool](p, `((box) => box.top >= 0 && box.bottom <= document.querySelector(".status").getBoundingClientRect().top + 1)(document.querySelector(".pane-result .panzoom").getBoundingClientRect())`) {
		t.Error("the whole drawing cannot be brought into view")
	}
}

// drawn has the boxes of the drawing, its container, the buttons in its corner and its pane.
const drawn = `((box) => ({
	drawing: box(".panzoom svg g.graph"), place: box(".panzoom"), tools: box(".drawing-tools"), pane: box(".pane-body"),
}))((part) => {
	const { left, top, right, bottom } = document.querySelector(".pane-result").querySelector(part).getBoundingClientRect();
	return { left, top, right, bottom };
})`

// At a medium width the drawing uses the available room, and the buttons cover none of
// it.
func drawingUsesItsRoom(t *testing.T) {
	p := openExample(t, narrow)
	p.waitFor(compared + " && " + started)
	type box struct{ Left, Top, Right, Bottom float64 }
	all := eval[struct{ Drawing, Place, Tools, Pane box }](p, drawn)
	width := (all.Drawing.Right - all.Drawing.Left) / (all.Place.Right - all.Place.Left)
	height := (all.Drawing.Bottom - all.Drawing.Top) / (all.Place.Bottom - all.Place.Top)
	if max(width, height) < 0.75 || all.Place.Bottom-all.Place.Top < 270 {
		t.Errorf("the drawing has %.0f %% of the width and %.0f %% of the height of %+v", 100*width, 100*height, all.Place)
	}
	if all.Drawing.Bottom > all.Pane.Bottom {
		t.Errorf("the drawing %+v has to be scrolled in its pane %+v", all.Drawing, all.Pane)
	}
	if all.Drawing.Right > all.Tools.Left && all.Drawing.Top < all.Tools.Bottom {
		t.Errorf("the drawing %+v is under the buttons %+v", all.Drawing, all.Tools)
	}
	p.screenshot("narrow")
}

func phoneVisit(t *testing.T) {
	p := openExample(t, phone)
	p.waitFor(compared)
	inSight := func(pane string) string {
		return fmt.Sprintf(`document.querySelector(".pane-%s").checkVisibility()`, pane)
	}
	if !eval[bool](p, inSight("result")+" && !"+inSight("input")) {
		t.Error("a first visit does not begin with the result alone")
	}
	for _, pane := range []string{"Result", "Compare", "Why", "Input"} {
		p.pressNamed("^" + pane + "$")
		p.waitFor(inSight(strings.ToLower(pane)))
		p.fits(pane)
		p.screenshot("phone-" + strings.ToLower(pane))
	}
	p.pressNamed("^Why$")
	p.waitFor(inSight("why"))
	if tops := eval[[]float64](p, `[...new Set([...document.querySelectorAll(".pane-why .pane-tools .tab")].map((e) => e.getBoundingClientRect().top))]`); len(tops) != 1 {
		t.Errorf("the tabs of the explanation begin at %v", tops)
	}
	p.pressNamed("^Whole NAM$")
	p.waitFor(`document.querySelector("[data-testid=explain] canvas")`)
	p.fits("the heat map")
	p.pressNamed("^Input$")
	p.pressNamed("^Options$")
	p.fits("the options")
	p.pressNamed("^Generate a deployment$")
	p.wait("dialog[open]")
	p.fits("the generator")
	p.screenshot("phone-generate")
	p.pressNamed("^Close$")
	p.waitFor(closed)
	p.click(testID("share"))
	p.wait(testID("share-link"))
	p.fits("the link")
	p.pressNamed("^Close$")
	p.waitFor(closed)
	for _, path := range []string{"/library", "/about"} {
		p.navigate(path)
		p.waitFor(started)
		p.fits(path)
		p.screenshot("phone" + strings.ReplaceAll(path, "/", "-"))
	}
}

func TestPhone(t *testing.T) {
	golden.Long(t)
	t.Parallel()
	s := example(t, "backtracking")
	p := open(t, linkTo(t, s), phone, dark)
	p.wantResult(s)
	if !eval[bool](p, `document.querySelector(".pane-result").checkVisibility() && !document.querySelector(".pane-input").checkVisibility()`) {
		t.Error("the result is not what is seen first")
	}
	p.fits("the result")
	p.screenshot("phone-dark-link")
	p.pressNamed("^Input$")
	p.click(testID("run"))
	p.waitForScenario(s)
}

func panesKeepTheirSizes(t *testing.T, p *tab) {
	p.shop()
	width := `document.querySelector(".pane-input").offsetWidth`
	before := eval[int](p, width)
	eval[any](p, `document.querySelector("[role=separator]").focus()`)
	p.press(kb.ArrowRight)
	p.waitFor(fmt.Sprintf("%s > %d", width, before))
	after := eval[int](p, width)
	p.pressNamed("^Collapse Why$")
	p.reload()
	p.wait(done)
	if got := eval[int](p, width); got != after {
		t.Errorf("after a reload the input is %d wide, before %d", got, after)
	}
	p.pressNamed("^Open Why$")
}

// A chart is as wide as its container, whatever the pages around the program look like.
func chartsStayInTheirPlaces(t *testing.T, p *tab) {
	p.validation()
	p.waitFor(settledViews[1].settled)
	const outside = `[...document.querySelectorAll(".qos .chart")].filter((e) => e.checkVisibility() && e.getBoundingClientRect().width > e.parentElement.getBoundingClientRect().width + 1).map((e) => e.dataset.testid)`
	if wide := eval[[]string](p, outside); len(wide) > 0 {
		t.Errorf("wider than their places: %q", wide)
	}
}

// The numbers of a colour scale do not overlap, however large they are.
func numbersOfAScaleStandApart(t *testing.T, p *tab) {
	p.validation()
	numbers := eval[[]string](p, `berth.charts().then(async () => {
		const host = document.body.appendChild(document.createElement("div"));
		host.style.width = "342px";
		berth.chart.paired(host, { bins: 2, counts: Float64Array.of(1, 10, 1000, 400000), xLabel: "x", yLabel: "y", limit: 0 });
		await new Promise((r) => requestAnimationFrame(() => requestAnimationFrame(r)));
		const scale = [...host.querySelectorAll("text")].find((e) => e.textContent == "in a bin").parentElement;
		return [...scale.querySelectorAll("text[y='20']")].filter((e, i, all) => i > 0 && e.getBoundingClientRect().left < all[i - 1].getBoundingClientRect().right + 4).map((e) => e.textContent);
	})`)
	if len(numbers) > 0 {
		t.Errorf("numbers stand on those before them: %q", numbers)
	}
}
