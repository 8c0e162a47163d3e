package e2e

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"berth/engine/must"
)

// patience bounds every wait for the page. It only limits how long a failing test
// takes: the longest run of a figure, 4 s on a quiet machine, takes over 30 s while
// other pages run the same.
const patience = 90 * time.Second

// do runs actions of chromedp that have no helper here.
func (p *tab) do(actions ...option) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	must.Do(p.t, chromedp.Do(ctx, actions...))
}

// navigate opens a path of the site and waits until it is loaded. If only the fragment
// changes, the document stays.
func (p *tab) navigate(path string) {
	p.t.Helper()
	address := p.origin + path
	goes := fmt.Sprintf("!%[1]q.includes('#') || location.href.split('#')[0] != %[1]q.split('#')[0]", address)
	p.load(chromedp.Navigate(address), goes)
}

// reload reloads the page and waits until it is loaded.
func (p *tab) reload() {
	p.t.Helper()
	p.load(chromedp.Reload(), "true")
}

// load runs an action that loads a page and waits until it is loaded; goes is a
// JavaScript condition for whether the current document is replaced. chromedp may
// mistake late events of the old document, the end of its load or a change of its
// address, for the load of the new one.
func (p *tab) load(action option, goes string) {
	p.t.Helper()
	eval[any](p, "void (window.goes = "+goes+")")
	p.do(action)
	p.waitFor("!window.goes && document.readyState == 'complete'")
}

// testID is the selector of the element with this data-testid.
func testID(name string) string { return fmt.Sprintf("[data-testid=%q]", name) }

// eval returns the value of a JavaScript expression, awaited if it is a promise.
func eval[T any](p *tab, expression string) T {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	value, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		p.t.Fatalf("%s: %v", expression, err)
	}
	return value
}

// waitFor waits until a JavaScript expression is true, across page loads too.
func (p *tab) waitFor(expression string) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	poll := time.NewTicker(20 * time.Millisecond)
	defer poll.Stop()
	for {
		// An error may only mean that the page is being replaced.
		ok, err := chromedp.Run(ctx, chromedp.Evaluate[bool]("!!("+expression+")"))
		if ok {
			return
		}
		select {
		case <-ctx.Done():
			p.t.Fatalf("waited %v in vain for %s (%v); the page shows:\n%s", patience, expression, err, p.shown())
		case <-poll.C:
		}
	}
}

// shown is the text of the page, for failure messages.
func (p *tab) shown() string {
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	text, err := chromedp.Run(ctx, chromedp.Evaluate[string]("document.body.innerText"))
	if err != nil {
		return err.Error()
	}
	return text
}

// wait waits until an element that matches is on the page.
func (p *tab) wait(selector string) {
	p.t.Helper()
	p.waitFor(fmt.Sprintf("document.querySelector(%q)", selector))
}

// count returns how many elements match.
func (p *tab) count(selector string) int {
	p.t.Helper()
	return eval[int](p, fmt.Sprintf("document.querySelectorAll(%q).length", selector))
}

// text returns the trimmed text of the first element that matches.
func (p *tab) text(selector string) string {
	p.t.Helper()
	// In one step: between two steps the page could replace the element.
	p.waitFor(fmt.Sprintf("(globalThis.textOfTest = document.querySelector(%q)?.textContent) != null", selector))
	return strings.TrimSpace(eval[string](p, "textOfTest"))
}

// value returns the value of the first input that matches.
func (p *tab) value(selector string) string {
	p.t.Helper()
	p.wait(selector)
	return eval[string](p, fmt.Sprintf("document.querySelector(%q).value", selector))
}

// attribute returns an attribute of the first element that matches, "" for none.
func (p *tab) attribute(selector, name string) string {
	p.t.Helper()
	p.wait(selector)
	return eval[string](p, fmt.Sprintf("document.querySelector(%q).getAttribute(%q) ?? ''", selector, name))
}

// click clicks the first element that matches with the mouse.
func (p *tab) click(selector string) {
	p.t.Helper()
	p.wait(selector)
	p.clickOn(chromedp.Click(chromedp.CSS(selector)))
}

// clickOn clicks, and clicks again if the page replaced the element between finding and
// clicking it: a person would hit the new element.
func (p *tab) clickOn(click option) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	for {
		err := chromedp.Do(ctx, click)
		if err == nil {
			return
		}
		if !strings.Contains(err.Error(), "Could not find node") {
			p.t.Fatal(err)
		}
	}
}

// waitUntilStill waits until an expression has had the same value, other than null, for
// half a second.
func (p *tab) waitUntilStill(expression string) {
	p.t.Helper()
	p.waitFor(fmt.Sprintf(`((value) => {
		if (window.still?.value !== value) window.still = { value, since: performance.now() };
		return value != null && performance.now() - window.still.since > 500;
	})(%s)`, expression))
}

// hover moves the mouse to the middle of the first element that matches.
func (p *tab) hover(selector string) {
	p.t.Helper()
	p.wait(selector)
	at := eval[struct{ X, Y float64 }](p, fmt.Sprintf(`(() => {
		const e = document.querySelector(%q);
		e.scrollIntoView({ block: "center", behavior: "instant" });
		const box = e.getBoundingClientRect();
		return { X: box.x + box.width / 2, Y: box.y + box.height / 2 };
	})()`, selector))
	p.do(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, at.X, at.Y))
}

// fill replaces the value of the first input that matches, as pasting would.
func (p *tab) fill(selector, text string) {
	p.t.Helper()
	p.wait(selector)
	p.do(chromedp.Focus(chromedp.CSS(selector)),
		chromedp.Evaluate[chromedp.Void]("document.activeElement.select()"),
		command(input.InsertText, input.InsertTextParams{Text: text}))
}

// press presses keys one after the other, all with the modifiers. Package kb names the
// keys that write nothing.
func (p *tab) press(keys string, modifiers ...kb.Modifier) {
	p.t.Helper()
	p.do(chromedp.KeyEvent(keys, chromedp.KeyModifiers(modifiers...)))
}

// upload chooses files in a file input; paths are relative to this package.
func (p *tab) upload(selector string, files ...string) {
	p.t.Helper()
	p.wait(selector)
	for i, file := range files {
		path := must.Get(filepath.Abs(file))(p.t)
		files[i] = path
	}
	p.do(chromedp.SetUploadFiles(chromedp.CSS(selector), files, chromedp.NodeReady))
}

// openBroken chooses a file that cannot be read, which changes nothing, and then opens
// it anyway to repair it. The button must stay where it is when the error above it grows:
// somebody may be about to press it.
func (p *tab) openBroken(selector, file string) {
	p.t.Helper()
	p.upload(selector, file)
	opener := named("^Open it to fix it$")
	p.waitFor(opener)
	if moved := eval[float64](p, fmt.Sprintf(`(() => {
		const button = %s, more = document.createElement("p");
		const before = button.getBoundingClientRect().top;
		more.innerText = "one more line";
		document.querySelector(".alert").append(more);
		const moved = button.getBoundingClientRect().top - before;
		more.remove();
		return moved;
	})()`, opener)); moved != 0 {
		p.t.Errorf("another line of an error moves the button by %v px", moved)
	}
	p.pressScript(opener)
}

// screenshot writes <name>.png into the directory BERTH_SCREENSHOTS, if set.
func (p *tab) screenshot(name string) {
	p.t.Helper()
	dir := os.Getenv("BERTH_SCREENSHOTS")
	if dir == "" {
		return
	}
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	png, err := chromedp.Run(ctx, chromedp.CaptureScreenshot())
	if err == nil {
		err = os.MkdirAll(dir, 0o755)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, name+".png"), png, 0o644)
	}
	if err != nil {
		p.t.Fatal(err)
	}
}
