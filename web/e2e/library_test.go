package e2e

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/page"

	"berth/engine/golden"
	"berth/engine/must"
	"berth/engine/scenario"
)

var libraryList = testID("library-list")

// beforeScripts adds a script that runs before the scripts of every page.
func beforeScripts(source string) option {
	return command(page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: source})
}

// waitForText waits until an element contains a text.
func (p *tab) waitForText(selector, text string) {
	p.t.Helper()
	p.waitFor(fmt.Sprintf("document.querySelector(%q)?.innerText.includes(%q)", selector, text))
}

// toast waits until an announcement contains a text.
func (p *tab) toast(text string) { p.t.Helper(); p.waitForText(".toasts", text) }

// save saves the scenario under a name.
func (p *tab) save(name string) {
	p.t.Helper()
	p.showInputs()
	p.click(testID("save"))
	p.fill("dialog[open] input", name)
	p.pressScript(`document.querySelector("dialog[open] [type=submit]")`)
	p.toast("Saved as “" + name)
}

// visit goes to another view by its link in the header.
func (p *tab) visit(view string) {
	p.t.Helper()
	p.pressNamed("^" + view + "$")
	p.waitFor(fmt.Sprintf(`document.title.includes(%q)`, view))
}

func TestLibrary(t *testing.T) {
	golden.Long(t)
	t.Parallel()
	open(t, "/").journey(historyHasNoDuplicates, deletedScenariosComeBack, twoResultsOfTheLibraryAreCompared, damagedRecordIsSkipped, savingGoesOnAfterTheDataWereCleared, largeInputsThatDidNotRunSurviveAReload)
}

func savedScenariosSurviveAReload(t *testing.T, p *tab) {
	s := p.small()
	p.save("two jobs")
	p.visit("Library")
	p.waitForText(libraryList, "two jobs")
	p.reload()
	p.waitForText(libraryList, "two jobs")
	p.waitForText(libraryList, s.Hash()[:8])
	p.screenshot("library")

	p.visit("Placement")
	p.follow(linkTo(t, example(t, "backtracking")))
	p.wantResult(example(t, "backtracking"))
	p.visit("Library")
	p.pressNamed("^Open two jobs$")
	p.wantResult(s)
	if got := p.value("#" + strings.TrimPrefix(p.labelled("^Name$"), "#")); got != "two jobs" {
		t.Errorf("the scenario is called %q", got)
	}
}

func deletedScenariosComeBack(_ *testing.T, p *tab) {
	p.small()
	p.save("jobs to delete")
	p.visit("Library")
	p.waitForText(libraryList, "jobs to delete")
	p.pressNamed("^Delete jobs to delete$")
	p.waitFor(fmt.Sprintf(`!/Open jobs to delete/.test([...document.querySelectorAll(%q)].map((b) => b.ariaLabel).join())`, libraryList+" h2:first-of-type + ul button"))
	p.pressNamed("^Undo$")
	p.waitFor(named("^Open jobs to delete$"))
	p.reload()
	p.waitFor(named("^Open jobs to delete$"))
}

func exportAndImportOfEverything(t *testing.T, p *tab) {
	s := p.small()
	p.save("jobs to export")
	p.visit("Library")
	p.waitForText(libraryList, "jobs to export")
	name, data := p.saved(func() { p.pressNamed("^Export everything$") })
	file := must.File(t, name, string(data))

	q := open(t, "/library") // another visitor
	q.waitForText(libraryList, "Nothing is saved yet")
	q.upload(testID("library-import"), file)
	q.waitFor(named("^Open jobs to export$"))
	q.toast("Imported")
	q.pressNamed("^Open jobs to export$")
	q.wantResult(s)

	q.visit("Library")
	q.upload(testID("library-import"), must.File(t, "broken.json", `{"version": 99`))
	q.wait(testID("error") + ":not([hidden])")
	q.waitForText(testID("error"), "broken.json")
	q.waitFor(named("^Open jobs to export$"))
}

func historyHasNoDuplicates(t *testing.T, p *tab) {
	p.shop()
	s := p.small()
	p.waitFor(compared)
	for range 3 {
		p.click(testID("run"))
		p.waitForScenario(s)
		p.waitFor(compared)
	}
	other := example(t, "backtracking")
	p.follow(linkTo(t, other))
	p.wantResult(other)
	p.waitFor(compared)
	p.pressNamed("^Undo")
	p.wantResult(s)
	p.waitFor(compared)
	p.visit("Library")
	for _, want := range []scenario.Scenario{s, other, example(t, "shop")} {
		p.waitForText(libraryList, want.Hash()[:8])
	}
	hashes := eval[[]string](p, fmt.Sprintf(`document.querySelector(%q).innerText.match(/scenario [0-9a-f]{8}/g)`, libraryList))
	slices.Sort(hashes)
	if unique := slices.Compact(slices.Clone(hashes)); len(unique) != len(hashes) {
		t.Errorf("the history has %v", hashes)
	}
}

func TestBlockedStorageBreaksNothingElse(t *testing.T) {
	golden.Long(t)
	t.Parallel()
	for name, script := range map[string]string{
		"blocked": `IDBFactory.prototype.open = () => { throw new DOMException("no storage here", "SecurityError") }`,
		"full": `IDBObjectStore.prototype.put = IDBObjectStore.prototype.add =
			() => { throw new DOMException("no room left", "QuotaExceededError") }`,
	} {
		t.Run(name, func(t *testing.T) {
			p := open(t, "/", beforeScripts(script))
			p.wait(done)
			if name == "full" {
				p.toast("no room left")
			} else {
				p.waitForText(testID("storage-notice"), "Nothing will be kept")
			}
			p.screenshot("storage-" + name)
			s := p.uploadSmall()
			p.wantResult(s)
			p.click(testID("share"))
			if _, err := scenario.DecodeLink(p.value(testID("share-link"))); err != nil {
				t.Error(err)
			}
			p.pressNamed("^Close$")
			p.waitFor(closed)
			p.click(testID("save"))
			p.fill("dialog[open] input", "two jobs")
			p.pressScript(`document.querySelector("dialog[open] [type=submit]")`)
			p.waitFor(`/Saved as|was not saved/.test(document.body.innerText)`)
			p.visit("Library")
			p.wait(libraryList)
			p.visit("Placement")
			p.waitForScenario(s)
		})
	}
}
