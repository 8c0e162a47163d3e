package e2e

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/chromedp"

	"berth/engine/must"
	"berth/engine/placement"
	"berth/engine/placement/placementkind"
	"berth/engine/scenario"
	"berth/examples"
)

// Parts of the placement view's result.
var (
	status = testID("result-status")
	done   = status + `[data-state="done"]`
)

// closed is true once no dialog is open and the page, which empties closed dialogs,
// knows it.
const closed = `!document.querySelector("dialog[open], dialog article")`

// openExample opens the site as a first visit does and waits for the example's
// result.
func openExample(t testing.TB, options ...option) *tab {
	t.Helper()
	p := open(t, "/", options...)
	p.wait(done)
	return p
}

// example returns an example of the site.
func example(t testing.TB, name string) scenario.Scenario {
	t.Helper()
	for _, e := range examples.List() {
		if e.Name == name {
			return must.Get(scenario.Decode(scenario.Encode(e.Scenario)))(t)
		}
	}
	t.Fatalf("there is no example %q", name)
	return scenario.Scenario{}
}

// chooseExample opens an example from the menu and waits for its result.
func (p *tab) chooseExample(name string) (scenario.Scenario, *scenario.Report) {
	p.t.Helper()
	p.click(testID("examples"))
	p.click(testID("example-" + name))
	s := example(p.t, name)
	return s, p.wantResult(s)
}

// chosen returns the first example with its graphs replaced by files: the scenario that the page
// should run.
func chosen(t testing.TB, federation string, deployments ...string) scenario.Scenario {
	t.Helper()
	source := func(file string) placementkind.GraphSource {
		text := must.Get(os.ReadFile(file))(t)
		return placementkind.GraphSource{Name: filepath.Base(file), Text: string(text)}
	}
	s := example(t, "shop")
	s.Name = ""
	placementkind.Of(s).Federation = source(federation)
	placementkind.Of(s).Deployments = nil
	for _, file := range deployments {
		placementkind.Of(s).Deployments = append(placementkind.Of(s).Deployments, source(file))
	}
	return s
}

// native returns the engine's native report.
func native(t testing.TB, s scenario.Scenario) *scenario.Report {
	t.Helper()
	return must.Get(scenario.Run(t.Context(), s, scenario.Env{}))(t)
}

// waitForScenario waits until the page shows the result of these inputs. It presses Run
// if the page waits for that, because on a busy machine runs take long.
func (p *tab) waitForScenario(s scenario.Scenario) {
	p.t.Helper()
	p.waitFor(fmt.Sprintf(`(document.querySelector("[data-testid=run].wanted")?.click(), document.querySelector(%q))`,
		fmt.Sprintf("%s[data-scenario=%q]", done, s.Hash())))
}

// wantResult waits for the result of a scenario and compares it with the native result
// of its first strategy.
func (p *tab) wantResult(s scenario.Scenario) *scenario.Report {
	p.t.Helper()
	p.waitForScenario(s)
	report := native(p.t, s)
	first := placementkind.ReportOf(report).Strategies[0]
	var want [][2]string
	for _, d := range first.Deployments {
		for _, a := range d.Placement {
			want = append(want, [2]string{a.Job, a.Cluster})
		}
	}
	if got := p.placement(); !slices.Equal(got, want) {
		p.t.Errorf("the page placed %v, want %v", got, want)
	}
	if first.Deployments[0].Status == placement.Placed {
		if got, want := p.cost(), float64(first.Total.Total); math.Abs(got-want) > 0.05+1e-9 { // the page shows one decimal
			p.t.Errorf("the page says the cost is %v, want %v", got, want)
		}
	}
	return report
}

// placement returns the placement table: the ids of each job and of its cluster.
func (p *tab) placement() [][2]string {
	p.t.Helper()
	return eval[[][2]string](p, fmt.Sprintf(`[...document.querySelectorAll(%q)].map((row) =>
		[...row.cells].slice(0, 2).map((cell) => cell.textContent.trim()))`, testID("placement-table")+" tbody tr"))
}

// cost returns the total cost on screen.
func (p *tab) cost() float64 {
	p.t.Helper()
	text := strings.ReplaceAll(p.text(testID("result-total-cost")), "\u202f", "")
	return must.Get(strconv.ParseFloat(text, 64))(p.t)
}

// named returns a JavaScript expression for the first visible control whose name matches a regular
// expression.
func named(name string) string {
	return fmt.Sprintf(`[...document.querySelectorAll("a, button, input, label, select, summary, textarea, [role=option]")].find((e) =>
		e.checkVisibility({ visibilityProperty: true }) && !e.disabled &&
		new RegExp(%q).test((e.ariaLabel ?? e.labels?.[0]?.innerText ?? e.innerText).replace(/\s+/g, " ").trim()))`, name)
}

// pressNamed clicks the first visible control whose name matches a regular expression.
func (p *tab) pressNamed(name string) { p.t.Helper(); p.pressScript(named(name)) }

// pressScript clicks the element that a JavaScript expression returns.
func (p *tab) pressScript(expression string) {
	p.t.Helper()
	p.waitFor(expression)
	p.clickOn(chromedp.Click(chromedp.JSPath(expression)))
}

// saved presses a control that saves a file and returns the file.
func (p *tab) saved(press func()) (name string, data []byte) {
	p.t.Helper()
	dir := p.t.TempDir()
	must.Get(chromedp.CallBrowser(p.ctx, browser.SetDownloadBehavior, browser.SetDownloadBehaviorParams{
		Behavior:         browser.SetDownloadBehaviorBehaviorAllow,
		BrowserContextID: chromedp.FromContext(p.ctx).BrowserContextID,
		DownloadPath:     dir,
	}))(p.t)
	press()
	finished := func() bool {
		entries := must.Get(os.ReadDir(dir))(p.t)
		if len(entries) != 1 {
			return false
		}
		name = entries[0].Name()
		return !strings.HasPrefix(name, ".") && filepath.Ext(name) != ".crdownload"
	}
	p.until("a file is saved", finished)
	data = must.Get(os.ReadFile(filepath.Join(dir, name)))(p.t)
	return name, data
}

// until waits until a condition outside the page is true.
func (p *tab) until(what string, holds func() bool) {
	p.t.Helper()
	for deadline := time.Now().Add(patience); !holds(); {
		if time.Now().After(deadline) {
			p.t.Fatalf("waited %v in vain until %s; the page shows:\n%s", patience, what, p.shown())
		}
		eval[any](p, "new Promise(requestAnimationFrame)")
	}
}

// linkTo returns the link to a scenario.
func linkTo(t testing.TB, s scenario.Scenario) string {
	t.Helper()
	link := must.Get(scenario.EncodeLink(s))(t)
	return "/placement#s=" + link
}

// follow opens a link on the current page, like a click.
func (p *tab) follow(link string) {
	p.t.Helper()
	_, fragment, _ := strings.Cut(link, "#")
	eval[any](p, "location.hash = "+quote(fragment))
}

// quote writes a text as JavaScript.
func quote(text string) string {
	quoted, err := json.Marshal(text)
	if err != nil {
		panic(err) // every string encodes
	}
	return string(quoted)
}

// labelled returns the selector of the field whose label matches a regular expression.
func (p *tab) labelled(label string) string {
	p.t.Helper()
	find := fmt.Sprintf(`[...document.querySelectorAll("label")].find((e) => e.checkVisibility() && new RegExp(%q).test(e.innerText.trim()))`, label)
	p.waitFor(find)
	return "#" + eval[string](p, find+".htmlFor")
}

// pick chooses an option of a select.
func (p *tab) pick(selector, value string) {
	p.t.Helper()
	p.wait(selector)
	eval[any](p, fmt.Sprintf(`((select) => {
		select.value = %q;
		select.dispatchEvent(new Event("change", { bubbles: true }));
	})(document.querySelector(%q))`, value, selector))
}
