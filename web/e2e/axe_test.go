package e2e

import (
	"encoding/json"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/chromedp/chromedp"
)

// axe is the source of axe-core, which runs in the page that it looks at.
var axe = sync.OnceValues(func() (string, error) {
	source, err := os.ReadFile(filepath.Join(repository, "web/node_modules/axe-core/axe.min.js"))
	return string(source), err
})

// violations has axe-core look at the page as it is, with all its rules.
const violations = `axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) =>
	violations.flatMap(({ id, nodes }) => nodes.map((n) => id + ": " + n.target.join(" ") + " " + n.html.slice(0, 200) + " " + n.failureSummary)))`

// inspected reports what axe-core finds wrong with the page as it is.
func (p *tab) inspected(what string) {
	p.t.Helper()
	source, err := axe()
	if err != nil {
		p.t.Fatal(err)
	}
	if !eval[bool](p, "typeof axe == 'object'") {
		eval[any](p, source+";0")
	}
	for _, v := range eval[[]string](p, violations) {
		p.t.Errorf("%s: %s", what, v)
	}
}

// settledViews are the views with what is there once they show a result, and the tabs
// that they do not show first.
var settledViews = []struct {
	name, settled string
	tabs          []string
}{
	{"Placement", compared + ` && document.querySelector("[data-testid=explain] table")`, []string{"Deployment", "Federation", "Options"}},
	{"QoS", `document.querySelector("[data-testid=qos-why] table") && [...document.querySelectorAll(".qos figure")].every((f) => !f.classList.contains("dimmed"))`,
		[]string{"Availability", "Penalties", "Fairness", "Demand", "Queue"}},
	{"Federate", `document.querySelector(".federate .result-status")?.dataset.state == "done" && document.querySelector(".federate figure svg, .federate figure canvas")`,
		[]string{"Components", "Over time", "Play"}},
	{"Library", `document.querySelector("[data-testid=library-list], .library")`, nil},
}

func TestAxeFindsNothing(t *testing.T) {
	t.Parallel()
	widths := map[string][]option{"wide": nil, "narrow": {chromedp.EmulateViewport(1024, 768)}, "phone": {phone}}
	for name, options := range widths {
		for theme, and := range map[string][]option{"light": nil, "dark": {dark}} {
			t.Run(name+"-"+theme, func(t *testing.T) {
				t.Parallel()
				p := open(t, "/", append(and, options...)...)
				for _, view := range settledViews {
					p.visit(view.name)
					p.waitFor(view.settled)
					p.inspected(view.name)
					p.screenshot("axe-" + name + "-" + theme + "-" + view.name)
					if name == "wide" {
						for _, tab := range view.tabs {
							p.pressNamed("^" + tab + "$")
							p.waitFor(view.settled)
							p.inspected(view.name + ", " + tab)
						}
					}
					if name == "phone" && view.name != "Library" {
						for _, pane := range []string{"Input", "Compare", "Why"} { // Result is in sight first
							p.pressNamed("^" + pane + "$")
							p.inspected(view.name + ", " + pane)
							p.screenshot("axe-" + name + "-" + theme + "-" + view.name + "-" + pane)
						}
					}
				}
				p.navigate("/about")
				p.waitFor(started)
				p.inspected("about")
			})
		}
	}
}

// A fault is found, so that finding none says something.
func TestAxeNoticesFaults(t *testing.T) {
	p := openAt(t, servePage(t, `<title>x</title><main><h1>x</h1><button></button></main>`), "/")
	source, err := axe()
	if err != nil {
		t.Fatal(err)
	}
	eval[any](p, source+";0")
	found, _ := json.Marshal(eval[[]string](p, violations))
	if string(found) == "null" || string(found) == "[]" {
		t.Error("axe-core finds nothing wrong with a button without a name")
	}
}

// small44 lists what is smaller than a finger needs: what can be pressed below 44 px,
// what is typed into with letters below 16 px. What is invisible is pressed by its
// label, and links within sentences are as high as these.
const small44 = `[...document.querySelectorAll("button, a[href], summary, select, textarea, input, label.button, [role=tab]")].flatMap((e) => {
	if (!e.checkVisibility({ visibilityProperty: true }) || e.matches(".visually-hidden, .skip, .term > summary, p a, p button, li > a, caption button, dt a")) return [];
	const target = e.matches("[type=checkbox], [type=radio]") ? e.closest("label") ?? e : e, box = target.getBoundingClientRect();
	const what = e.tagName + "." + e.className + " " + (e.ariaLabel ?? e.innerText ?? "").slice(0, 30) + " in " + e.parentElement.className;
	const found = [];
	if (box.height > 0 && box.height < 43.5) found.push(what + ": " + box.height + " px high");
	if (e.matches("select, textarea, input:not([type=checkbox], [type=radio], [type=range], [type=file])") && parseFloat(getComputedStyle(e).fontSize) < 16) found.push(what + ": letters of " + getComputedStyle(e).fontSize);
	return found;
})`

func TestTargetsAreLargeEnoughForFingers(t *testing.T) {
	t.Parallel()
	p := open(t, "/", phone)
	for _, view := range settledViews {
		p.visit(view.name)
		p.waitFor(view.settled)
		panes := []string{"Result", "Compare", "Why", "Input"}
		if view.name == "Library" {
			panes = panes[:0]
		}
		check := func(what string) {
			for _, breach := range eval[[]string](p, small44) {
				t.Errorf("%s: %s", what, breach)
			}
			p.fits(what)
		}
		check(view.name)
		for _, pane := range panes {
			p.pressNamed("^" + pane + "$")
			check(view.name + ", " + pane)
			p.screenshot("phone-" + view.name + "-" + pane)
		}
		eval[any](p, `document.querySelectorAll("details").forEach((e) => { if (!e.closest(".menu")) e.open = true })`)
		check(view.name + ", all open")
		p.screenshot("phone-" + view.name + "-open")
	}
}
