package e2e

import (
	"fmt"
	"strings"
	"testing"

	"berth/engine/federate/federatekind"
	"berth/engine/golden"
	"berth/engine/must"
	"berth/engine/placement/drawing"
	"berth/engine/placement/placementkind"
	"berth/engine/qos/qoskind"
	"berth/engine/scenario"
)

// dearer returns the online shop with another price for the cluster eu-west.
func dearer(t testing.TB) scenario.Scenario {
	t.Helper()
	s := example(t, "shop")
	placementkind.Of(s).Federation.Text = strings.Replace(placementkind.Of(s).Federation.Text, "cpu_cost=0.42", "cpu_cost=0.90", 1)
	return s
}

// compare returns the engine's comparison of two scenarios.
func compare(t testing.TB, before, after scenario.Scenario) *scenario.Difference {
	t.Helper()
	return must.Get(scenario.Compare(native(t, before), native(t, after)))(t)
}

// wantCompared waits until the page compares two results of the shop.
func (p *tab) wantCompared(d *scenario.Difference) {
	p.t.Helper()
	p.waitForText(testID("difference-head"), d.Headline)
	p.waitForText(testID("difference-inputs"), "price of eu-west 0.42 → 0.9")
	moved := 0
	for _, m := range d.Moved {
		if m.Subject == "heuristic" {
			moved++
		}
	}
	p.waitFor(fmt.Sprintf(`document.querySelectorAll("[data-testid=moved] tbody tr").length == %d`, len(d.Moved)))
	p.waitFor(fmt.Sprintf(`document.querySelectorAll("[data-testid=placement-table] tr.moved").length == %d`, moved))
	p.waitFor(fmt.Sprintf(`document.querySelectorAll(".panzoom .is-moved").length == %d`, moved))
	p.waitForText(".comparison", "Δ heuristic")
	p.waitForText(testID("changes"), "Total cost")
}

// wantDeltasInSight fails if a phone hides a table's differences from the pinned result
// until the user scrolls the table.
func (p *tab) wantDeltasInSight(table string, deltas int) {
	p.t.Helper()
	p.do(phone)
	p.pressNamed("^Compare$")
	p.waitFor(fmt.Sprintf(`document.querySelector(%q).checkVisibility()`, table))
	inSight := fmt.Sprintf(`(() => {
		const heads = [...document.querySelectorAll(%q + " thead th")], { right } = heads[0].getBoundingClientRect();
		return heads.filter((e) => e.innerText.trim().startsWith("Δ")).map((e) => e.getBoundingClientRect()).filter((box) => box.width > 0 && box.left >= right - 1 && box.right <= innerWidth).length;
	})()`, table)
	if got := eval[int](p, inSight); got < deltas {
		p.t.Errorf("%d differences of %s are in sight, want %d", got, table, deltas)
	}
	p.pressNamed("^Result$")
	p.do(wide)
}

// A pinned result stays next to later results, and a link contains both.
func pinnedPlacementIsCompared(t *testing.T, p *tab) {
	p.shop()
	p.click(testID("pin"))
	p.waitForText(testID("difference"), "Pinned")
	after := dearer(t)
	p.follow(linkTo(t, after))
	p.wantResult(after)
	d := compare(t, example(t, "shop"), after)
	p.wantCompared(d)
	p.waitForText(".legend", drawing.MovedKey.Text)
	if _, svg := p.export("SVG"); !strings.Contains(string(svg), drawing.MovedKey.Text) || !strings.Contains(string(svg), "stroke-dasharray:6 3}</style>") {
		t.Errorf("the SVG does not say what moved: %.600s", svg)
	}
	p.screenshot("pinned")
	p.wantDeltasInSight(testID("changes"), 1)
	p.wantDeltasInSight(".comparison", 1)
	p.click(testID("share"))
	p.waitFor(fmt.Sprintf(`document.querySelector(%q)?.value.includes("&with=")`, testID("share-link")))
	q := openAt(t, p.origin, strings.TrimPrefix(p.value(testID("share-link")), p.origin))
	q.wantCompared(d)
	p.press("\x1b")
	p.click(testID("pin"))
	p.waitFor(fmt.Sprintf(`!document.querySelector(%q)`, testID("difference")))
}

// Two results of the library open as a pair.
func twoResultsOfTheLibraryAreCompared(t *testing.T, p *tab) {
	p.shop()
	p.save("cheap")
	after := dearer(t)
	p.follow(linkTo(t, after))
	p.wantResult(after)
	p.waitFor(compared)
	p.save("dear")
	p.visit("Library")
	p.pressNamed("^Compare cheap with another one$")
	p.pressNamed("^Compare with this: dear$")
	p.wantCompared(compare(t, example(t, "shop"), after))
}

func TestPins(t *testing.T) {
	golden.Long(t)
	t.Parallel()
	p := open(t, "/")
	p.step("federate", func(t *testing.T) {
		s := p.slots()
		p.waitForMasters(s)
		p.click(testID("fed-pin"))
		after := s.Clone()
		federatekind.Of(after).Workers *= 2
		p.follow(fedLink(t, after))
		p.waitForMasters(after)
		p.waitForText(testID("fed-difference-head"), compare(t, s, after).Headline)
		p.waitForText(testID("fed-difference-inputs"), "workers ")
		p.waitForText(testID("fed-cdf"), "megha (pinned)")
		p.waitForText(testID("fed-results"), "Δ p99")
		p.waitForText(testID("fed-comparison"), "Δ megha")
		p.screenshot("federate-pinned")
		p.wantDeltasInSight(testID("fed-results"), 2)
		p.wantDeltasInSight(testID("fed-comparison"), 2)
		p.click(testID("share"))
		p.waitFor(fmt.Sprintf(`[...document.querySelectorAll(%q)].some((e) => e.value.includes("&with="))`, testID("share-link")))
		q := openAt(t, p.origin, strings.TrimPrefix(p.value(testID("share-link")), p.origin))
		q.waitForText(testID("fed-cdf"), "megha (pinned)")
		q.waitForText(testID("fed-comparison"), "Δ megha")
	})
	p.step("qos", func(t *testing.T) {
		s := p.few()
		p.wantSimulated(s)
		p.click(testID("qos-pin"))
		after := s.Clone()
		qoskind.Of(after).Policies = qoskind.Of(after).Policies[:1]
		margin := 60.0
		qoskind.Of(after).Margin = &margin
		p.follow(qosLink(t, after))
		p.wantSimulated(after)
		p.waitForText(testID("qos-difference-head"), compare(t, s, after).Headline)
		p.waitForText(testID("qos-difference-inputs"), "margin ")
		p.waitForText(testID("qos-classes"), "Δ penalty")
		p.waitForText(testID("qos-policies"), "Δ qos")
		p.wantDeltasInSight(testID("qos-classes"), 4)
		p.wantDeltasInSight(testID("qos-policies"), 1)
		p.pressNamed("^Queue$")
		p.waitForText(testID("qos-queue"), "qos (pinned)")
		p.screenshot("qos-pinned")
		p.click(testID("share"))
		p.waitFor(fmt.Sprintf(`[...document.querySelectorAll(%q)].some((e) => e.value.includes("&with="))`, testID("share-link")))
		q := openAt(t, p.origin, strings.TrimPrefix(p.value(testID("share-link")), p.origin))
		q.waitForText(testID("qos-classes"), "Δ penalty")
	})
}
