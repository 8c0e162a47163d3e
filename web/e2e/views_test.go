package e2e

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"berth/engine/golden"
)

// settledViews are the views, with a selector that appears with their result, and the tabs that
// they do not show first.
var settledViews = []struct {
	name, settled string
	tabs          []string
}{
	{"Placement", compared + ` && document.querySelector("[data-testid=explain] table")`, []string{"Deployment", "Federation", "Play", "Options"}},
	{"QoS", `document.querySelector("[data-testid=qos-why] table") && [...document.querySelectorAll(".qos figure")].every((f) => !f.classList.contains("dimmed"))`,
		[]string{"Availability", "Penalties", "Fairness", "Demand", "Queue"}},
	{"Federate", `document.querySelector(".federate .result-status")?.dataset.state == "done" && document.querySelector(".federate figure svg, .federate figure canvas")`,
		[]string{"Components", "Over time", "Play"}},
	{"Library", `document.querySelector("[data-testid=library-list], .library")`, nil},
}

// more are further tabs, inspected in one window only.
var more = map[string][]string{"Placement": {"Whole CM", "Whole NAM", "Elsewhere", "What each strategy does"}, "QoS": {"Controllers"}, "Federate": {"Users and shares", "Parameters of schedulers"}}

// Every view and its tabs are inspected in each window: axe-core finds no fault, headings skip no
// level, terms of the papers have definitions, everything except tables and drawings is visible,
// and on a phone targets are large enough for fingers.
func TestEveryView(t *testing.T) {
	golden.Long(t)
	t.Parallel()
	p := open(t, "/")
	p.waitFor(taken)
	for _, view := range settledViews {
		p.step(view.name, func(*testing.T) {
			p.do(both(wide, light))
			p.visit(view.name)
			p.waitFor(view.settled)
			p.isInOrder(view.name)
			p.isInspected(view.name)
			p.fitsEveryWindow(view.name)
			p.resize(narrow)
			p.isInspected(view.name + ", narrow")
			p.suitsFingers(view.name)
			for _, tab := range view.tabs {
				p.pressNamed("^" + tab + "$")
				p.waitFor(view.settled)
				p.isInOrder(view.name + ", " + tab)
				p.isInspected(view.name + ", " + tab)
				p.fitsEveryWindow(view.name + ", " + tab)
			}
			for _, tab := range more[view.name] {
				p.pressNamed("^" + tab + "$")
				p.waitFor(`!document.querySelector(".bench .dimmed, figure[aria-busy=true]")`)
				p.isInOrder(view.name + ", " + tab)
			}
		})
	}
	p.journey(wordsOfThePapersAreDefinedInPlace, galleryAndPagesAreInOrder)
}

func galleryAndPagesAreInOrder(t *testing.T, p *tab) {
	p.visit("Gallery")
	p.wait(testID("gallery-summary"))
	p.isInOrder("Gallery")
	p.fitsEveryWindow("Gallery")
	p.navigate("/about")
	p.waitFor(started)
	p.fitsEveryWindow("About")
	p.isInspected("about")
	for _, window := range []look{{"narrow", narrow}, {"phone", phone}} {
		p.resize(window.option)
		p.isInspected("about, " + window.name)
	}
	p.do(wide)
	for _, page := range []string{"/about", "/docs", "/docs/tutorial-placement", "/docs/tutorial-qos", "/docs/tutorial-federate", "/docs/formats", "/docs/decisions", "/docs/module", "/docs/keyboard"} {
		p.navigate(page)
		p.waitFor(`document.querySelector("main h1, main h2")`)
		for _, breach := range eval[[]string](p, structure) {
			if breach != "0 of footer" || page == "/about" {
				t.Errorf("%s: %s", page, breach)
			}
		}
	}
}

// isInspected runs axe-core on the page in the light and in the dark.
func (p *tab) isInspected(what string) {
	p.t.Helper()
	p.inspected(what)
	p.screenshot("axe-" + what)
	p.do(dark)
	p.waitFor(`matchMedia("(prefers-color-scheme: dark)").matches`)
	p.inspected(what + ", dark")
	p.screenshot("axe-" + what + ", dark")
	p.do(light)
}

func (p *tab) isInOrder(what string) {
	p.t.Helper()
	for _, breach := range append(eval[[]string](p, structure), eval[[]string](p, unexplained)...) {
		p.t.Errorf("%s: %s", what, breach)
	}
}

// still is true while no colour changes.
const still = `!document.getAnimations().some((a) => a instanceof CSSTransition)`

// fitsEveryWindow reports elements that do not fit in any of the windows, and ends with
// a wide one.
func (p *tab) fitsEveryWindow(what string) {
	p.t.Helper()
	for _, width := range []look{{"wide", wide}, {"narrow", narrow}, {"enlarged", chromedp.EmulateViewport(720, 450, chromedp.EmulateScale(2))}, {"phone", phone}} {
		p.resize(width.option)
		p.fits(what + ", " + width.name)
		for _, e := range eval[[]string](p, spilling) {
			p.t.Errorf("%s, %s: %s", what, width.name, e)
		}
	}
	p.do(wide)
}

// resize changes the window and waits two frames, in which charts resize.
func (p *tab) resize(window option) {
	p.t.Helper()
	p.do(window)
	eval[any](p, "new Promise((r) => requestAnimationFrame(() => requestAnimationFrame(r)))")
}

// suitsFingers inspects each pane of a view on a phone, and ends with a wide window.
func (p *tab) suitsFingers(view string) {
	p.t.Helper()
	p.resize(phone)
	check := func(what string) {
		p.t.Helper()
		for _, breach := range eval[[]string](p, small44) {
			p.t.Errorf("%s: %s", what, breach)
		}
		p.fits(what)
		p.screenshot("phone-" + what)
	}
	check(view)
	p.isInspected(view + ", phone")
	if view != "Library" {
		for _, pane := range []string{"Result", "Compare", "Why", "Input"} {
			p.pressNamed("^" + pane + "$")
			check(view + ", " + pane)
			if pane != "Result" { // the page showed it first
				p.isInspected(view + ", phone, " + pane)
			}
		}
	}
	const groups = `document.querySelectorAll("details:not([open])").forEach((e) => { if (!e.closest(".menu")) e.toggleAttribute("data-opened", e.open = true) })`
	eval[any](p, groups)
	check(view + ", all open")
	eval[any](p, `document.querySelectorAll("[data-opened]").forEach((e) => { e.open = false; e.removeAttribute("data-opened"); })`)
	p.do(wide)
}

// unexplained lists the visible terms of the papers without any link to their
// definition. Terms in controls, headings of tables, drawings and definitions do not count.
const unexplained = `(() => {
	const known = new Set([...document.querySelectorAll(".term > summary")].filter((e) => e.checkVisibility()).map((e) => e.innerText.trim())), found = new Set();
	const walker = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
	while (walker.nextNode()) {
		const e = walker.currentNode.parentElement;
		if (e.checkVisibility() && !e.closest("svg, script, style, select, textarea, .cm-editor, pre, code, .visually-hidden"))
			for (const [, word] of walker.currentNode.data.matchAll(/(?<![\p{L}\p{N}])(SJ|CM|NAM|PA|Q|φ|TTV|GM|LM)s?(?![\p{L}\p{N}])/gu)) if (!known.has(word)) found.add(word + ": " + walker.currentNode.data.trim().slice(0, 60));
	}
	return [...found];
})()`

// Terms of the papers link to definitions that open in place.
func wordsOfThePapersAreDefinedInPlace(_ *testing.T, p *tab) {
	p.shop()
	for _, view := range []struct {
		name  string
		words []string
	}{{"Placement", []string{"SJ", "PA", "CM", "NAM"}}, {"QoS", []string{"Q", "TTV", "φ"}}, {"Federate", []string{"GM", "LM"}}} {
		p.visit(view.name)
		for _, word := range view.words {
			p.pressNamed("^" + word + ", what is that")
			open := fmt.Sprintf(`[...document.querySelectorAll(%q)].find((e) => e.checkVisibility() && e.innerText.startsWith(%q))`, testID("definition"), word)
			p.waitFor(open)
			p.inspected(view.name + ", " + word)
			p.screenshot("term-" + view.name)
			p.press(kb.Escape)
			p.waitFor("!" + open)
		}
	}
}

// small44 lists targets that are too small for a finger: buttons below 44 px, and fields with text
// below 16 px. Invisible inputs are pressed by their labels, and links in sentences are as high as
// the text.
const small44 = `[...document.querySelectorAll("button, a[href], summary, select, textarea, input, label.button, [role=tab]")].flatMap((e) => {
	if (!e.checkVisibility({ visibilityProperty: true }) || e.matches(".visually-hidden, .skip, .term > summary, p a, p button, li > a, caption button, dt a")) return [];
	const target = e.matches("[type=checkbox], [type=radio]") ? e.closest("label") ?? e : e, box = target.getBoundingClientRect();
	const what = e.tagName + "." + e.className + " " + (e.ariaLabel ?? e.innerText ?? "").slice(0, 30) + " in " + e.parentElement.className;
	const found = [];
	if (box.height > 0 && box.height < 43.5) found.push(what + ": " + box.height + " px high");
	if (e.matches("select, textarea, input:not([type=checkbox], [type=radio], [type=range], [type=file])") && parseFloat(getComputedStyle(e).fontSize) < 16) found.push(what + ": letters of " + getComputedStyle(e).fontSize);
	return found;
})`

// tooWide lists elements that reach beyond the viewport and cannot be scrolled to.
const tooWide = `[...document.querySelectorAll("body *")].filter((e) => {
	const box = e.getBoundingClientRect();
	if (!e.checkVisibility() || box.width == 0 || box.right <= innerWidth + 1 && box.left >= -1) return false;
	for (let up = e; up; up = up.parentElement) {
		const style = getComputedStyle(up);
		if (style.overflowX != "visible" && up != document.documentElement || up.classList.contains("visually-hidden") || up.classList.contains("skip")) return false;
	}
	return true;
}).map((e) => e.tagName + "." + e.getAttribute("class") + " " + e.textContent.slice(0, 40))`

// fits reports elements that are wider than the viewport.
func (p *tab) fits(what string) {
	p.t.Helper()
	if wide := eval[[]string](p, tooWide); len(wide) > 0 {
		p.t.Errorf("%s is wider than the viewport: %q", what, wide)
	}
	if eval[bool](p, "document.documentElement.scrollWidth > innerWidth || document.body.scrollWidth > innerWidth") {
		p.t.Errorf("%s has to be scrolled sideways", what)
	}
}

// spilling lists elements that need sideways scrolling, except tables; tools and
// headings that reach beyond their lines; status texts that are cut off; and Pin and
// the gallery's Run if they are not at the end of their lines.
const spilling = `[
	...[...document.querySelectorAll("main, .pane, .pane-body, .inputs-scroll, .gallery, .status > *")].filter((e) => e.checkVisibility() && e.scrollWidth > e.clientWidth + 1),
	...[...document.querySelectorAll(".player > *, .pane-tools > *, figcaption > *, .row > *, .top > *, .top nav > *")].filter((e) =>
		e.checkVisibility() && e.getBoundingClientRect().right > e.parentElement.getBoundingClientRect().right + 1 && getComputedStyle(e.parentElement).display != "contents"),
	...[...document.querySelectorAll(".status > *")].filter((e) => {
		const box = e.getBoundingClientRect();
		return box.right > e.parentElement.getBoundingClientRect().right && e.contains(document.elementFromPoint(box.left + 1, (box.top + box.bottom) / 2));
	}),
	...[...document.querySelectorAll(".pane-result .pane-head [data-testid$=pin], [data-testid=gallery-run]")].filter((e) => e.checkVisibility() && e.closest(".pane-head, .entry-head").getBoundingClientRect().right - e.getBoundingClientRect().right > 12),
].map((e) => e.tagName + "." + e.className + " in " + e.parentElement.className + ": " + e.innerText.slice(0, 40))`
