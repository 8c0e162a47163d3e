package e2e

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"berth/engine/golden"
	"berth/engine/scenario"
)

func TestKeyboard(t *testing.T) {
	golden.Long(t)
	t.Parallel()
	open(t, "/").journey(keyboardAlone, graphCanBeReadWithKeys, arrowsLeadThroughToolbarsAndTables, paletteFindsThings)
}

// keyboardAlone does everything without a mouse.
func keyboardAlone(t *testing.T, p *tab) {
	p.shop()
	s := example(t, "shop")

	p.press("?")
	p.wait("dialog[open]")
	p.waitForText("dialog[open]", "Run")
	p.screenshot("shortcuts")
	p.press(kb.Escape)
	p.waitFor(closed)

	p.press("k", kb.ModifierCtrl)
	p.waitFor(`document.activeElement.role == "combobox"`)
	p.press("clear")
	p.waitFor(`document.querySelectorAll("[role=option]").length == 1`)
	p.screenshot("palette")
	p.press(kb.Enter)
	p.wait(status + `[data-state="idle"]`)
	p.press("u")
	p.waitForScenario(s)

	p.press("n")
	p.waitForText(why, ": 2nd of 12")
	p.press("p")
	p.waitForText(why, ": 1st of 12")

	p.press("s")
	link := p.value(testID("share-link"))
	if shared, err := scenario.DecodeLink(link); err != nil || shared.Hash() != s.Hash() {
		t.Errorf("the link of the keyboard holds another scenario (%v)", err)
	}
	p.press(kb.Escape)
	p.waitFor(closed)

	p.press("gl")
	p.waitFor(`location.pathname == "/library"`)
	p.waitForText(libraryList, "History")
	p.press("gp")
	p.waitFor(`location.pathname == "/placement"`)
	p.press("r")
	p.waitForScenario(s)

	p.press("s", kb.ModifierCtrl)
	p.waitFor(`document.activeElement.matches("dialog[open] input")`)
	p.press(kb.Enter)
	p.toast("Saved as")
}

// tabStop is an element that Tab reaches.
type tabStop struct {
	Name    string
	TestID  string
	Visible bool // the focus is visible
	InSight bool // the element is visible too
}

// focused describes the focused element. The focus is visible if the element, a part of
// it or its label looks different without it.
const focused = `((e) => {
	const box = e.getBoundingClientRect();
	const look = () => [e, ...e.querySelectorAll("*"), ...e.labels ?? []].map((part) => {
		const s = getComputedStyle(part);
		return [s.outline, s.boxShadow, s.backgroundColor, s.borderColor, s.stroke, s.strokeWidth].join();
	}).join();
	const with_ = look();
	e.blur();
	const without = look();
	e.focus();
	return {
		Name: (e.ariaLabel ?? e.labels?.[0]?.innerText ?? e.innerText ?? "").trim(), TestID: e.dataset.testid ?? "",
		Visible: with_ != without,
		InSight: e.type == "file" || box.bottom > 0 && box.right > 0 && box.top < innerHeight && box.left < innerWidth,
	};
})(document.activeElement)`

// The button of a group of fields and the boxes of a list are one stop each.
func TestTabReachesEverythingAndIsSeen(t *testing.T) {
	golden.Long(t)
	t.Parallel()
	everywhere := []string{"share", "theme"}
	p := open(t, "/about")
	for _, test := range []struct {
		path, settled string
		names         []string
	}{
		{"/placement", compared, []string{"file-deployment", "file-federation", "strategy", "run", "save", "result-graph"}},
		{"/qos", settledViews[1].settled, []string{"qos-run", "qos-policy-qos"}},
		{"/federate", settledViews[2].settled, []string{"fed-run", "fed-workers"}},
	} {
		p.navigate(test.path)
		p.waitFor(`!document.getElementById("first") && ` + test.settled)
		for theme, look := range map[string]option{"light": light, "dark": dark} { // the first stop comes after the last
			p.step(test.path[1:]+"-"+theme, func(t *testing.T) {
				p.do(look)
				stops := p.stops()
				if len(stops) >= 30 {
					t.Errorf("there are %d stops, want less than 30: %+v", len(stops), stops)
				}
				for _, name := range append(everywhere, test.names...) {
					if !slices.ContainsFunc(stops, func(s tabStop) bool { return s.TestID == name }) {
						t.Errorf("Tab does not reach %s", name)
					}
				}
				if len(stops) == 0 || !strings.HasPrefix(stops[0].Name, "Skip") {
					t.Errorf("the first stop is not the link that skips the header: %+v", stops)
				}
			})
		}
	}
}

// stops returns the tab stops from the beginning of the page to its end.
func (p *tab) stops() []tabStop {
	p.t.Helper()
	var stops []tabStop
	for {
		p.press(kb.Tab)
		if eval[bool](p, "document.activeElement == document.body") {
			return stops // the last stop was reached
		}
		stop := eval[tabStop](p, focused)
		stops = append(stops, stop)
		if !stop.Visible || !stop.InSight || stop.Name == "" {
			p.t.Errorf("stop %d has no visible focus, is out of sight or has no name: %+v", len(stops), stop)
		}
		if len(stops) > 300 {
			p.t.Fatalf("Tab leads nowhere: %v", stops[:100])
		}
	}
}

// Arrow keys move between the boxes of a list, and between groups of fields.
func arrowsLeadThroughTheBoxesOfAList(_ *testing.T, p *tab) {
	p.masters()
	eval[any](p, `document.querySelector("#fed-scheduler-megha").focus()`)
	p.press(kb.ArrowDown)
	p.waitFor(`document.activeElement.id == "fed-scheduler-megha-1"`)
	p.press(kb.End)
	p.waitFor(`document.activeElement.id == "fed-scheduler-firmament"`)
	eval[any](p, `[...document.querySelectorAll(".more > summary")].find((e) => e.innerText == "Failures").focus()`)
	p.press(kb.ArrowDown)
	p.waitFor(`document.activeElement.innerText == "Parameters of schedulers"`)
	eval[any](p, `document.querySelector("[role=separator][aria-label='Width of Compare']").focus()`)
	p.press(kb.Enter)
	p.waitFor(`document.querySelector(".bench").dataset.collapsedCompare`)
	p.press(kb.Enter)
	p.waitFor(`!document.querySelector(".bench").dataset.collapsedCompare`)
}

func graphCanBeReadWithKeys(_ *testing.T, p *tab) {
	p.shop()
	eval[any](p, fmt.Sprintf("document.querySelector(%q).focus()", testID("result-graph")))
	p.press(kb.Tab)
	p.waitFor(`document.activeElement.closest("svg g.node, svg g.cluster, svg g.edge")`)
	p.waitFor(`document.querySelector(".element-card dl")`)
	first := p.text(".element-card")
	p.press(kb.ArrowDown)
	p.waitFor(fmt.Sprintf(`document.querySelector(".element-card").textContent.trim() != %s`, quote(first)))
	p.press(kb.Escape)
	p.waitFor(fmt.Sprintf("document.activeElement == document.querySelector(%q)", testID("result-graph")))
	before := eval[string](p, `document.querySelector(".panzoom-stage").style.transform`)
	p.press("+")
	p.waitFor(fmt.Sprintf(`document.querySelector(".panzoom-stage").style.transform != %q`, before))
}

// The palette finds examples, exports, jobs and settings.
func paletteFindsThings(t *testing.T, p *tab) {
	p.shop()
	find := func(pattern, want string) {
		t.Helper()
		p.press("k", kb.ModifierCtrl)
		p.waitFor(`document.activeElement.role == "combobox"`)
		p.press(pattern)
		p.waitFor(fmt.Sprintf(`document.querySelector("[role=option][aria-selected=true]")?.innerText.startsWith(%q)`, want))
		p.screenshot("palette-found")
		p.press(kb.Enter)
		p.waitFor(closed)
	}
	find("job images", "Job images on Stockholm")
	p.waitForText(why, "job images:")
	find("search budget, steps", "Setting: search budget, steps")
	p.waitFor(`document.activeElement.id == "budget" && document.activeElement.checkVisibility()`)
	if name, _ := p.saved(func() { find("figures csv", "Export: Figures as CSV") }); !strings.HasSuffix(name, ".figures.csv") {
		t.Errorf("the palette saved %s", name)
	}
	find("megha figure 7", "Example: What the allocation time consists of")
	p.waitFor(`location.pathname == "/federate" && document.title.includes("What the allocation time consists of")`)
}

// Arrow keys move within a group of buttons, and within a table.
func arrowsLeadThroughToolbarsAndTables(t *testing.T, p *tab) {
	p.shop()
	on := func(name string) string {
		return fmt.Sprintf("(document.activeElement.ariaLabel ?? document.activeElement.innerText).startsWith(%q)", name)
	}
	p.focusNamed("^Placement$")
	for _, step := range []struct{ key, leads string }{{kb.ArrowRight, "QoS"}, {kb.End, "Library"}, {kb.Home, "Berth"}} {
		p.press(step.key)
		p.waitFor(on(step.leads))
	}
	p.focusNamed("^Job$")
	for _, step := range []struct{ key, leads string }{
		{kb.ArrowRight, "Cluster"}, {kb.ArrowDown, "web"}, {kb.ArrowDown, "gateway"}, {kb.ArrowUp, "web"}, {kb.ArrowUp, "Job"}, {kb.End, "recommend"},
	} {
		p.press(step.key)
		p.waitFor(on(step.leads))
	}
	p.press(kb.Enter)
	p.waitForText(why, "job recommend:")
	p.press(kb.Tab)
	p.press(kb.Tab, kb.ModifierShift)
	p.waitFor(on("recommend")) // at the last position, not at the beginning
	stops := fmt.Sprintf("[...document.querySelectorAll(%q)].filter((e) => e.tabIndex == 0).length", "#placement-rows button")
	if n := eval[int](p, stops); n != 1 {
		t.Errorf("the table has %d stops", n)
	}

	eval[any](p, `document.querySelector(".skip").focus()`)
	p.press(kb.ArrowRight)
	p.waitFor(on("Skip to the result"))
	p.press(kb.Enter)
	p.waitFor(`document.activeElement.id == "placement-result"`)
	p.waitForText(".panzoom", "catalogue")
	if names := eval[[]string](p, `[...document.querySelectorAll(".panzoom g.node")].map((e) => e.ariaLabel)`); !slices.Contains(names, "job catalogue on Frankfurt") {
		t.Errorf("the jobs are called %q", names)
	}
}
