package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"berth/engine/golden"
	"berth/engine/must"
)

// structure lists breaches of HTML's rules: duplicate ids, references to missing ids,
// headings that skip a level, and no or several h1, main or titles.
const structure = `(() => {
	const found = [], ids = new Set(), seen = (e) => e.checkVisibility();
	for (const { id } of document.querySelectorAll("[id]")) {
		if (ids.has(id)) found.push("id twice: " + id);
		ids.add(id);
	}
	for (const name of ["aria-labelledby", "aria-describedby", "aria-controls", "aria-activedescendant", "for"]) {
		for (const e of document.querySelectorAll("[" + name + "]")) {
			if (!seen(e)) continue; // such as a closed dialog
			for (const id of e.getAttribute(name).split(/\s+/)) if (!ids.has(id)) found.push(name + " of nothing: " + id);
		}
	}
	let level = 0;
	for (const heading of document.querySelectorAll("h1, h2, h3, h4, h5, h6")) {
		if (!seen(heading) || heading.closest("dialog")) continue;
		const next = +heading.tagName[1];
		if (next > level + 1) found.push("heading " + heading.innerText + " skips a level");
		level = next;
	}
	for (const one of ["h1", "main", "title", "header", "footer"]) {
		const n = [...document.querySelectorAll(one)].filter((e) => one == "title" ? !e.closest("svg") : !e.closest("dialog") && seen(e)).length;
		if (n != 1) found.push(n + " of " + one);
	}
	if (!document.documentElement.lang) found.push("no language");
	for (const e of document.querySelectorAll("[tabindex]")) if (e.tabIndex > 0) found.push("tabindex " + e.tabIndex);
	return found;
})()`

// accessible reports accessibility faults of the page in its current state.
func (p *tab) accessible(what string) {
	p.t.Helper()
	p.waitFor(still)
	for _, breach := range eval[[]string](p, structure) {
		p.t.Errorf("%s: %s", what, breach)
	}
	p.inspected(what)
}

func TestEveryStateIsAccessibleInTheDark(t *testing.T) {
	golden.Long(t)
	t.Parallel()
	everyStateIsAccessible(t, "dark", dark)
}

func everyStateIsAccessible(t *testing.T, name string, look option) {
	p := open(t, "/", look)
	p.small()
	p.waitFor(compared)
	p.click(testID("reproduce"))
	p.wait("#reproduce:not([hidden]) button")
	p.accessible("result")
	p.pressNamed("^Options$")
	p.pressNamed("jobs.dot$")
	p.fill(".pane-input textarea", strings.Replace(twoJobs, "request=50", "request=-50", 1))
	p.wait(status + `[data-state="error"]`)
	p.waitForText(".diagnostics", "3:")
	p.accessible("problems")
	p.screenshot("problems-" + name)
	p.pressNamed("^Undo")
	p.wait(done)
	p.pressNamed("^Whole CM$")
	p.waitFor(`document.querySelector("[data-testid=explain] canvas")`)
	p.pressNamed("^As a table$")
	p.accessible("matrix")
	p.pressNamed("^As a table$")
	for dialog, of := range map[string]struct {
		open  func()
		first string // first thing to do there
	}{
		"share":    {func() { p.click(testID("share")) }, testID("share-link")},
		"save":     {func() { p.click(testID("save")) }, testID("save-name")},
		"vary":     {func() { p.click(testID("vary")) }, testID("vary-field")},
		"paste":    {func() { p.pressNamed("^Paste$") }, "textarea"},
		"generate": {func() { p.pressNamed("^Generate") }, "select"},
		"help":     {func() { p.pressNamed("^Shortcuts") }, "[aria-label=Close]"}, // the only thing to do there
		"palette":  {func() { p.pressNamed("^Commands") }, "input"},
	} {
		of.open()
		p.waitFor(fmt.Sprintf(`document.activeElement.matches(%q)`, "dialog[open] "+of.first))
		p.inspected("dialog " + dialog)
		p.screenshot("dialog-" + dialog + "-" + name)
		p.pressNamed("^Close$")
		p.waitFor(closed)
	}
	framed := p.another("/embed/placement", look) // a new tab, which has nothing of the visit
	eval[any](framed, `fetch(location.pathname).then((page) => page.text()).then((text) => {
		const page = new DOMParser().parseFromString(text, "text/html");
		if (page.querySelectorAll("main h1").length != 1) throw new Error("before its program a framed page has no main with an h1");
	})`)
	framed.wait(done)
	framed.inspected("embedded") // it has neither header nor footer
	framed.panesAreInspected()
	framed.close()
	p.navigate("/gallery#qos-4")
	p.do(phone)
	p.wait(".scrolled")
	p.inspected("gallery on a phone")
	p.do(wide)
	p.visit("Library")
	p.waitForText(libraryList, "History")
	p.waitFor(named("^Open"))
	p.accessible("library")
	p.pressNamed("^How it works$")
	p.waitFor(`location.pathname == "/about"`)
	p.accessible("about")
	p.screenshot("about-" + name)
}

// panesAreInspected inspects the panes beside the picture of a stage, and the explanation as a
// sheet on a phone. Each takes the focus, and Escape gives it back.
func (p *tab) panesAreInspected() {
	p.t.Helper()
	const focused = `document.activeElement.matches(%q)`
	for opener, pane := range map[string]string{testID("stage-numbers"): ".pane-compare", testID("stage-policy"): ".pane-input"} {
		p.click(opener)
		p.waitFor(fmt.Sprintf(focused, pane))
		p.inspected(pane + " beside the picture")
		p.press(kb.Escape)
		p.waitFor(fmt.Sprintf(focused, opener) + ` && document.querySelector(".why-card").checkVisibility()`)
	}
	p.resize(phone)
	p.waitFor(`!document.querySelector(".why-card").checkVisibility()`)
	if parts := eval[int](p, `((field) => [...document.querySelectorAll(".panzoom :is(.node, .cluster)")].filter((e) => {
		const box = e.getBoundingClientRect();
		return box.left < field.left || box.right > field.right || box.top < field.top || box.bottom > field.bottom;
	}).length)(document.querySelector(".panzoom").getBoundingClientRect())`); parts > 0 {
		p.t.Errorf("%d parts of the picture are cut off on a phone", parts)
	}
	p.click(".panzoom .node")
	p.waitFor(fmt.Sprintf(focused, ".pane-why"))
	p.inspected("why on a phone")
	for _, breach := range eval[[]string](p, small44) {
		p.t.Errorf("on a phone: %s", breach)
	}
	p.screenshot("why-phone")
	p.press(kb.Escape)
	p.waitFor(fmt.Sprintf(focused, ".panzoom .node") + ` && !document.querySelector(".why-card").checkVisibility()`)
}

// hears records in window.heard what live regions announce, in order: all text of a
// region that is read as a whole, each toast of the others.
const hears = `addEventListener("DOMContentLoaded", () => {
	const last = new Map(window.heard = []);
	const hear = () => {
		const silent = new Set(last.keys());
		for (const e of document.querySelectorAll("[role=status]:not([aria-atomic=false]), [aria-live]:not([aria-atomic=false], [aria-live=off]), [role=alert], .toast")) {
			const text = e.checkVisibility() ? e.innerText.replace(/\s+/g, " ").trim() : "";
			// A region's first text is part of the page, not an announcement.
			if (text && last.get(e) !== text && (last.has(e) || e.matches("[role=alert], .toast"))) heard.push(text);
			last.set(e, text);
			silent.delete(e);
		}
		for (const e of silent) last.set(e, "");
	};
	new MutationObserver(hear).observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
})`

// said waits until an announcement contains a text, and reports an error if several
// do; what names the event in the message.
func (p *tab) said(what, text string) {
	p.t.Helper()
	one := `heard.filter((text) => text.includes(` + quote(text) + `))`
	p.waitFor(one + ".length > 0")
	eval[any](p, "new Promise(requestAnimationFrame)")
	if all := eval[[]string](p, one); len(all) > 1 {
		p.t.Errorf("%s is said %d times: %q", what, len(all), all)
	}
	eval[any](p, "void (heard.length = 0)")
}

func TestWhatHappensIsSaidOnce(t *testing.T) {
	golden.Long(t)
	t.Parallel()
	open(t, "/", beforeScripts(hears)).journey(eachAnnouncementIsSaidOnce, eachStatusIsSaidOnce)
}

// A result, a pin and a mistake are each announced exactly once.
func eachStatusIsSaidOnce(t *testing.T, p *tab) {
	p.shop()
	eval[any](p, "void (heard.length = 0)")
	p.click(testID("pin"))
	p.said("a pin", "Pinned")
	p.follow(linkTo(t, dearer(t)))
	p.waitForText(testID("changes"), "Total cost")
	p.said("the end of a run", "All 12 jobs placed for")
	p.upload(testID("file-deployment"), must.File(t, "jobs.dot", "graph { a [request=-1, limit=1] }"))
	p.said("a mistake", "jobs.dot:1:")
	p.follow(linkTo(t, endless(t)))
	p.wait(testID("progress"))
	p.said("the start of a run", "Running heuristic")
	p.click(testID("cancel"))
	p.wait(status + `[data-state="idle"]`)
	p.said("the stop of a run", "topped")
	for _, view := range []struct{ name, status, pin string }{{"QoS", "qos-status", "qos-pin"}, {"Federate", "fed-status", "fed-pin"}} {
		p.visit(view.name)
		p.wait(testID(view.status) + `[data-state="done"]`)
		p.click(testID(view.pin))
		p.said("a pin of "+view.name, "Pinned")
	}
}

// When an announcement disappears, the later ones stay in place, so none is read out
// again.
func eachAnnouncementIsSaidOnce(t *testing.T, p *tab) {
	p.shop()
	p.click(testID("pin"))
	p.toast("Pinned")
	p.click(testID("pin"))
	p.toast("Unpinned")
	p.waitFor(`!document.querySelector(".toast")`)
	heard := eval[[]string](p, `heard.filter((text) => /^(Pinned|Unpinned)/.test(text))`)
	if len(heard) != 2 || heard[0] == heard[1] {
		t.Errorf("said %q, want the two announcements, each once", heard)
	}
}
