package e2e

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"berth/engine/federate/federatekind"
	"berth/engine/golden"
	"berth/engine/must"
	"berth/engine/placement/placementkind"
	"berth/engine/qos/qoskind"
	"berth/engine/scenario"
	"berth/web/browser"
)

// otherBrowsers are the tested browsers other than Chromium. The environment variable
// BERTH_BROWSERS lists those that must be installed.
var otherBrowsers = map[string]struct {
	path  func() string
	start func(context.Context) (*browser.Driver, error)
}{
	"firefox": {browser.Firefox, browser.StartFirefox},
	"webkit":  {browser.WebKit, browser.StartWebKit},
}

func TestWebKitGivesTheSameResults(t *testing.T) {
	golden.Long(t)
	t.Parallel()
	visitLaboratories(t, "webkit")
}

// visitLaboratories checks that each laboratory has the native results in a browser. It opens a
// link to it, changes a field, undoes that, and reloads the page.
func visitLaboratories(t *testing.T, name string) {
	v := visitIn(t, name)
	margin, placed, random := 60.0, smallScenario(v.t), smallScenario(v.t)
	placementkind.Of(placed).Strategies[1].Seeds = 2
	placementkind.Of(random).Strategies[1].Seeds = 2
	slices.Reverse(placementkind.Of(random).Strategies)
	loose, wider := fewScenario(v.t), slotsScenario(v.t)
	qoskind.Of(loose).Margin = &margin
	federatekind.Of(wider).Workers = 6
	v.open("/placement")
	v.wantResult(example(v.t, "shop"))
	for _, lab := range []struct {
		field, value  string
		before, after scenario.Scenario
	}{
		{testID("strategy"), "random", placed, random},
		{"#qos-margin", "60", fewScenario(v.t), loose},
		{"#fed-workers", "6", slotsScenario(v.t), wider},
	} {
		_, fragment, _ := strings.Cut(linkTo(v.t, lab.before), "#")
		v.do("void (location.hash = " + quote(fragment) + ")") // the fragment opens the laboratory
		v.wantResult(lab.before)
		v.do(fmt.Sprintf(`((field) => {
			field.focus();
			field.value = %q;
			for (const type of ["input", "change"]) field.dispatchEvent(new Event(type, { bubbles: true }));
			field.blur();
		})(document.querySelector(%q))`, lab.value, lab.field))
		v.wantResult(lab.after)
		v.waitFor(named("^Undo “"))
		v.do(named("^Undo “") + ".click()")
		v.wantResult(lab.before)
	}
	v.open("/federate") // its draft is restored
	v.wantResult(slotsScenario(v.t))
}

// A visit is a page in one of these browsers.
type visit struct {
	t      *testing.T
	ctx    context.Context
	driver *browser.Driver
	origin string
}

// visitIn starts one of these browsers, or skips the test if it is not installed.
func visitIn(t *testing.T, name string) *visit {
	b := otherBrowsers[name]
	if b.path() == "" && !slices.Contains(strings.Fields(os.Getenv("BERTH_BROWSERS")), name) {
		t.Skipf("%s is not installed: make tools or make deep-tools installs it", name)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*patience)
	t.Cleanup(cancel)
	driver := must.Get(b.start(ctx))(t)
	t.Cleanup(driver.Stop)
	return &visit{t, ctx, driver, serve(t, dist(t)).URL}
}

// open opens a page of the site.
func (v *visit) open(path string) {
	v.t.Helper()
	must.Do(v.t, v.driver.Open(v.ctx, v.origin+path))
}

// wantResult waits until the page shows a scenario's native result. It presses Run or Compare if
// the page waits for that.
func (v *visit) wantResult(s scenario.Scenario) {
	v.t.Helper()
	v.waitFor(fmt.Sprintf(`(document.querySelector("[data-testid$=run].wanted, [data-testid=compare]")?.click(),
		[...document.querySelectorAll("[data-testid$=status][data-state=done]")].some((e) => e.checkVisibility() && e.dataset.scenario == %q) &&
		[...document.querySelectorAll("footer button")].some((b) => b.title.endsWith("result: %s")))`, s.Hash(), native(v.t, s).Results))
}

// waitFor waits until an expression is true. WebKit takes several times as long as the
// others.
func (v *visit) waitFor(expression string) {
	v.t.Helper()
	v.do(fmt.Sprintf(`new Promise((resolve, reject) => {
		const late = performance.now() + %d;
		const look = () => {
			if (%s) resolve(true);
			else if (performance.now() > late) reject("waited in vain; the page shows:\n" + document.body.innerText);
			else setTimeout(look, 50);
		};
		look();
	})`, 3*patience.Milliseconds(), expression))
}

func (v *visit) do(expression string) {
	v.t.Helper()
	if err := v.driver.Value(v.ctx, expression, nil); err != nil {
		v.t.Fatalf("%s: %v", expression, err)
	}
}
