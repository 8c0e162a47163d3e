package e2e

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/storage"
	"github.com/chromedp/chromedp"

	"berth/engine/golden"
	"berth/engine/must"
	"berth/engine/scenario"
	"berth/web/browser"
)

// All works in a browser that blocks cookies and with them all site data: every storage throws.
func TestEverythingWorksWithoutStorage(t *testing.T) {
	golden.Long(t)
	t.Parallel()
	origin := serve(t, dist(t)).URL
	profile := t.TempDir()
	must.Do(t, os.Mkdir(filepath.Join(profile, "Default"), 0o700))
	settings := `{"profile": {"default_content_setting_values": {"cookies": 2}}}`
	must.Do(t, os.WriteFile(filepath.Join(profile, "Default", "Preferences"), []byte(settings), 0o600))
	ctx, stop, err := browser.StartProfile(context.Background(), profile)
	must.Do(t, err)
	t.Cleanup(stop)
	p := openIn(ctx, t, origin, "/")
	p.wait(done)
	if !eval[bool](p, `localStorage.volatile && sessionStorage.volatile`) {
		t.Fatal("the browser does not block storage")
	}
	notice := testID("storage-notice")
	p.waitForText(notice, "Nothing will be kept")
	p.screenshot("storage-refused")
	p.do(phone)
	p.screenshot("storage-refused-phone")
	p.do(wide)
	p.click(testID("stage-toggle")) // no choice is remembered
	if n := p.count(notice); n != 1 {
		t.Errorf("it is said %d times", n)
	}
	s := p.uploadSmall()
	p.wantResult(s)
	p.save("two jobs")
	p.visit("Library")
	p.waitForText(libraryList, "two jobs")
	p.click(testID("theme"))
	p.waitFor(`document.documentElement.dataset.theme`)
	for _, view := range []string{"QoS", "Federate"} {
		p.visit(view)
		p.waitFor(`[...document.querySelectorAll("[data-testid$=status][data-state=done]")].some((e) => e.checkVisibility())`)
	}
	p.visit("Library")
	p.pressNamed("^Open two jobs$")
	p.wantResult(s)
	p.pressNamed("^Dismiss$")
	p.waitFor(`!document.querySelector(` + quote(notice) + `)`)
}

// edit types into the editor of the first source.
func (p *tab) edit(name, text string) {
	p.t.Helper()
	p.pressNamed(name + "$")
	p.wait(".pane-input textarea")
	p.do(chromedp.Focus(chromedp.CSS(".pane-input textarea")))
	eval[any](p, `document.activeElement.setSelectionRange(0, 0)`)
	p.press(text)
}

// Text that was typed a moment before a reload is kept, even if the page had not yet
// taken it from the editor and the fields.
func typingSurvivesAReload(t *testing.T, p *tab) {
	p.shop()
	p.uploadSmall()
	p.edit("jobs.dot", "//x\n")
	p.reload()
	p.wait(done)
	p.pressNamed("jobs.dot$")
	p.wait(".pane-input textarea")
	if got := p.value(".pane-input textarea"); !strings.HasPrefix(got, "//x\n") {
		t.Errorf("the editor has %.20q", got)
	}

	name := p.labelled("^Name$")
	p.do(chromedp.Focus(chromedp.CSS(name)))
	p.press("just typed")
	p.reload()
	p.wait(done)
	if got := p.value(p.labelled("^Name$")); got != "just typed" {
		t.Errorf("the name is %q", got)
	}
}

// A program that ends says why, and a reload restores the work.
func endOfTheProgramIsSaid(t *testing.T, p *tab) {
	p.shop()
	since := eval[int](p, `Date.now()`) // the draft of other work may be unsaved, too
	p.uploadSmall()
	p.waitForDraft(fmt.Sprintf(`e.unsaved && e.saved >= %d`, since))
	eval[any](p, `(() => {
		const event = new KeyboardEvent("keydown", { key: "?", bubbles: true });
		event.preventDefault = () => { throw new Error("no way out"); };
		document.body.dispatchEvent(event);
	})()`)
	p.waitForText(testID("ended"), "panic: JavaScript error: no way out")
	p.screenshot("ended")
	p.takeFaults()
	p.click(testID("ended") + " button")
	p.waitFor("!document.querySelector('" + testID("ended") + "')")
	p.wait(done)
	p.takeFaults() // from handlers of the ended program
	p.waitForText(".pane-input", "jobs.dot")
}

// A storage whose records are all damaged is reported on every page, and listed in
// the library.
func damagedStorageIsSaid(t *testing.T, p *tab) {
	p.shop()
	n := entries[int](p, `const keys = all.getAllKeys();
		keys.onsuccess = () => { result = keys.result.length; keys.result.forEach((key) => all.put(new Uint8Array([63]), key)); };`)
	if n == 0 {
		t.Fatal("nothing was kept")
	}
	p.reload()
	p.waitForText(testID("storage-damaged"), "cannot be read")
	p.screenshot("storage-damaged")
	p.pressNamed("^Open the library$")
	p.waitForText(testID("library-broken"), "Damaged")
}

// Inputs that are too large for the localStorage and have not run survive a reload.
func largeInputsThatDidNotRunSurviveAReload(t *testing.T, p *tab) {
	p.shop()
	text := "graph {\n" + strings.Repeat("// a long remark that no one reads, but everybody keeps\n", 60_000) + "a [request=oops]\n}\n" // 3.3 MB
	p.openBroken(testID("file-deployment"), must.File(t, "large.dot", text))
	p.wait(testID("error") + ":not([hidden])")
	p.waitForDraft(`e.unsaved && e.size > 3e6`)
	p.reload()
	p.waitForText(".pane-input", "large.dot")
}

// waitForDraft waits until the store has a draft e that satisfies a condition.
func (p *tab) waitForDraft(condition string) {
	p.t.Helper()
	p.until("a draft is kept: "+condition, func() bool {
		return entries[bool](p, `const found = all.getAll();
			found.onsuccess = () => { result = found.result.map((b) => JSON.parse(new TextDecoder().decode(b))).some((e) => e.id.startsWith("draft/") && (`+condition+`)); };`)
	})
}

// entries runs a script on the object store all with the site's entries, and returns its result.
func entries[T any](p *tab, script string) T {
	p.t.Helper()
	return eval[T](p, `new Promise((resolve, reject) => {
		const open = indexedDB.open("berth");
		open.onerror = () => reject(open.error);
		open.onsuccess = () => {
			const all = open.result.transaction("entries", "readwrite").objectStore("entries");
			let result;
			all.transaction.oncomplete = () => { open.result.close(); resolve(result); };
			all.transaction.onerror = () => reject(all.transaction.error);
			`+script+`
		};
	})`)
}

// Each of two tabs has its own draft. A new tab offers the draft of a closed tab but does not open
// it by itself. It does not offer the draft of an open tab.
func TestEveryTabHasItsOwnDraft(t *testing.T) {
	golden.Long(t)
	t.Parallel()
	p, s := small(t)
	p.waitForDraft(`e.unsaved`)
	q := p.another("/")
	q.waitForScenario(example(t, "shop"))
	q.follow(linkTo(t, example(t, "backtracking")))
	q.waitForScenario(example(t, "backtracking"))
	if q.count(testID("draft-offer")) > 0 {
		t.Error("the draft of an open tab is offered")
	}
	p.reload()
	p.wantResult(s)
	q.reload()
	q.waitForScenario(example(t, "backtracking"))

	r := q.another("/")
	r.waitForScenario(example(t, "shop"))
	id, _, _ := strings.Cut(eval[string](p, `sessionStorage.getItem("berth.tab")`), " ")
	p.leave()
	r.until("the first tab is closed", func() bool {
		return eval[bool](r, `navigator.locks.query().then(({ held }) => !held.some(({ name }) => name === "berth.tab." + `+quote(id)+`))`)
	})
	r.reload()
	r.waitForText(testID("draft-offer"), "unsaved work")
	r.waitForScenario(example(t, "shop"))
	r.screenshot("draft-offer")
	r.do(phone, dark)
	r.screenshot("draft-offer-phone-dark")
	r.pressNamed("^Open it$")
	r.waitForScenario(s)
	r.waitFor(fmt.Sprintf(`!document.querySelector(%q)`, testID("draft-offer")))
	r.reload()
	r.waitForScenario(s)
	if r.count(testID("draft-offer")) > 0 {
		t.Error("a draft that was opened is offered again")
	}
}

// leave navigates the tab away from the site, which releases its locks.
func (p *tab) leave() {
	p.t.Helper()
	p.do(chromedp.Navigate("about:blank"))
}

// A duplicated tab has the work of the first one, and then a separate draft.
func TestADuplicatedTabHasADraftOfItsOwn(t *testing.T) {
	golden.Long(t)
	t.Parallel()
	p, s := small(t)
	p.waitForDraft(`e.unsaved`)
	copied := eval[string](p, `sessionStorage.getItem("berth.tab")`)
	// A duplicate begins with a copy of the sessionStorage.
	q := p.another("/", beforeScripts(`sessionStorage.getItem("berth.tab") ?? sessionStorage.setItem("berth.tab", `+quote(copied)+`)`))
	q.waitForScenario(s)
	if own := eval[string](q, `sessionStorage.getItem("berth.tab")`); own == copied {
		t.Error("both tabs have the same draft")
	}
	q.fill(q.labelled("^Name$"), "the copy")
	q.press("\t")
	q.waitForDraft(`e.name === "the copy"`)
	p.reload()
	p.waitForScenario(s)
	if got := p.value(p.labelled("^Name$")); got != "" {
		t.Errorf("the first tab has the name of the second, %q", got)
	}
	q.reload()
	q.waitForScenario(s)
	if got := q.value(q.labelled("^Name$")); got != "the copy" {
		t.Errorf("the second tab is called %q", got)
	}
}

// The draft of an earlier version, which had one for all tabs, is found.
func TestTheDraftOfAnEarlierVersionIsFound(t *testing.T) {
	golden.Long(t)
	t.Parallel()
	s := example(t, "backtracking")
	old := `{"unsaved":true,"scenario":` + string(scenario.Encode(s)) + `}`
	p := open(t, "/", beforeScripts(`sessionStorage.getItem("put") ?? (sessionStorage.setItem("put", 1), localStorage.setItem("berth.placement.draft", `+quote(old)+`))`))
	p.waitForScenario(s)
	p.waitFor(`localStorage.getItem("berth.placement.draft") === null`)
	p.reload()
	p.waitForScenario(s)
}

// asks reports whether the browser asks before the user leaves the page; record answers
// it.
func (p *tab) asks() (asked func() bool) {
	p.t.Helper()
	dialog := make(chan struct{}, 1)
	must.Do(p.t, chromedp.Listen(p.ctx, func(event any) {
		if e, ok := event.(*page.EventJavascriptDialogOpening); ok && e.Type == page.DialogTypeBeforeunload {
			select {
			case dialog <- struct{}{}:
			default:
			}
		}
	}))
	return func() bool {
		select {
		case <-dialog:
			return true
		default:
			return false
		}
	}
}

// The browser asks before the page closes only if something could not be kept.
func TestLeavingAsksOnlyForWhatIsNotKept(t *testing.T) {
	golden.Long(t)
	t.Parallel()
	full := `
		IDBObjectStore.prototype.put = () => { throw new DOMException("no room left", "QuotaExceededError") };
		Storage.prototype.setItem = () => { throw new DOMException("no room left", "QuotaExceededError") };`
	for _, c := range []struct {
		name, script string
		asks         bool
	}{{"room", "", false}, {"full", full, true}} {
		t.Run(c.name, func(t *testing.T) {
			p := openExample(t, beforeScripts(c.script))
			asked := p.asks()
			p.reload() // only an example, so nothing is lost
			p.wait(done)
			if asked() {
				t.Error("asked although there is nothing to lose")
			}
			p.click(p.labelled("^Name$")) // browsers ask only users who have touched the page
			p.fill(p.labelled("^Name$"), "mine")
			p.press("\t")
			if c.asks {
				p.waitForText(testID("draft-lost"), "no room left")
				p.screenshot("draft-lost")
			}
			p.reload()
			p.wait(done)
			if asked() != c.asks {
				t.Errorf("asked: %v, want %v", !c.asks, c.asks)
			}
			want := "mine"
			if c.asks {
				want = example(t, "shop").Name
			}
			if got := p.value(p.labelled("^Name$")); got != want {
				t.Errorf("the name is %q, want %q", got, want)
			}
		})
	}
}

// A record that cannot be read is skipped, reported and offered as a file.
func damagedRecordIsSkipped(t *testing.T, p *tab) {
	defer p.do(both(wide, light))
	for _, look := range []look{{"wide", both(wide, light)}, {"phone-dark", both(phone, dark)}} {
		name := look.name
		p.step(name, func(t *testing.T) {
			p.do(look.option)
			p.small()
			p.save("damaged " + name)
			entries[any](p, `all.put(new TextEncoder().encode('{"id": 7}'), "saved/lost");
				all.put("not even bytes", "saved/odd");`)
			p.visit("Library")
			p.waitForText(libraryList, "damaged "+name)
			broken := testID("library-broken")
			p.waitForText(broken, "2 damaged records in this browser")
			eval[any](p, `document.querySelector(`+quote(broken)+`).scrollIntoView()`)
			p.screenshot("damaged-" + name)
			_, data := p.saved(func() { p.pressNamed("^Save saved/lost as a file$") })
			if want := `{"id":"saved/lost","entry":"{\"id\": 7}"}`; string(data) != want {
				t.Errorf("saved %s, want %s", data, want)
			}
			p.visit("Placement")
			p.save("more jobs " + name)
			p.visit("Library")
			p.waitForText(libraryList, "more jobs "+name)
			p.pressNamed("^Delete saved/lost permanently$")
			p.waitForText(broken, "1 damaged record in")
			p.pressNamed("^Delete saved/odd permanently$")
			p.waitFor(fmt.Sprintf(`!document.querySelector(%q)`, broken))
		})
	}
}

// Clearing the site's data closes the database; saving opens it again.
func savingGoesOnAfterTheDataWereCleared(t *testing.T, p *tab) {
	p.small()
	p.save("to clear")
	p.do(command(storage.ClearDataForOrigin, storage.ClearDataForOriginParams{Origin: p.origin, StorageTypes: "all"}))
	p.save("again")
	p.visit("Library")
	p.waitForText(libraryList, "again")
	p.reload()
	p.waitForText(libraryList, "again")
	if strings.Contains(p.text(libraryList), "to clear") {
		t.Error("what was cleared is still there")
	}
}
