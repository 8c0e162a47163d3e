package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"berth/engine/golden"
	"berth/engine/must"
	"berth/engine/placement/placementkind"
)

const (
	area        = ".pane-input textarea"    // scripts use it
	content     = ".pane-input .cm-content" // element that people type into
	completions = ".cm-tooltip-autocomplete"
)

// caret puts the caret of the editor after the first occurrence of some words.
func (p *tab) caret(after string) {
	p.t.Helper()
	eval[any](p, fmt.Sprintf(`(() => {
		const content = document.querySelector(%q), line = [...content.querySelectorAll(".cm-line")].find((e) => e.textContent.includes(%q));
		content.focus();
		let left = line.textContent.indexOf(%[2]q) + %d;
		const walk = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
		while (walk.nextNode().length < left) left -= walk.currentNode.length;
		getSelection().setBaseAndExtent(walk.currentNode, left, walk.currentNode, left);
		document.dispatchEvent(new Event("selectionchange")); // now, not some time later
	})()`, content, after, len(after)))
	p.waitFor(fmt.Sprintf(`document.activeElement.matches(%q)`, content))
}

// enter presses Enter as a keyboard does: a handled key writes nothing.
func (p *tab) enter(times int) {
	p.t.Helper()
	for range times {
		p.do(command(input.DispatchKeyEvent, input.DispatchKeyEventParams{Type: kb.KeyDown, Key: "Enter", Code: "Enter", WindowsVirtualKeyCode: 13}))
	}
}

// complete accepts a completion, once the list has stopped moving.
func (p *tab) complete(word string) {
	p.t.Helper()
	option := fmt.Sprintf(`[...document.querySelectorAll(%q)].find((e) => e.innerText.includes(%q))`, completions+" li", word)
	p.waitUntilStill(fmt.Sprintf(`((option) => {
		const { x, y } = option?.getBoundingClientRect() ?? { y: -1 };
		return y < 0 ? null : [x, y, option.id].join();
	})(%s)`, option))
	p.pressScript(option)
}

func TestTheEditor(t *testing.T) {
	golden.Long(t)
	t.Parallel()
	open(t, "/").journey(editorHoldsWhatIsTyped, marksStandAtTheirColumns, editorCompletes, editorFinds, editorUndoesWithThePage, escapeAndTabLeaveTheEditor,
		editorIsChangedWhileItDraws, graphIsPastedOnThePage, tenThousandLinesAreEdited, otherTextsAreEdited, editorIsWideEnough, editorKeepsItsHeight,
		editorInEveryLook)
}

func editorAndItsTextAreaAreOne(t *testing.T, p *tab) {
	s := p.editor("jobs.dot")
	if got := p.attribute(content, "aria-label"); got != "jobs.dot" {
		t.Errorf("the editor is called %q", got)
	}
	p.caret("request=50")
	p.press("5")
	text := strings.Replace(twoJobs, "request=50", "request=505", 1)
	if got := p.value(area); got != text {
		t.Errorf("after a key the text area has %q", got)
	}
	p.press(kb.Backspace)
	p.press("")
	p.waitForScenario(s)

	// A script sets the value in the same way as for any text area.
	set := "graph { c [request=7, limit=9] }"
	eval[any](p, fmt.Sprintf(`((area) => { area.value = %s; area.dispatchEvent(new Event("input", { bubbles: true })); })(document.querySelector(%q))`, quote(set), area))
	placementkind.Of(s).Deployments[0].Text = set
	p.wantResult(s)
	if got := eval[string](p, fmt.Sprintf("document.querySelector(%q).innerText", content)); got != set {
		t.Errorf("the editor shows %q", got)
	}
	// Or it writes into the text area itself.
	p.fill(area, oneJob)
	placementkind.Of(s).Deployments[0].Text = oneJob
	p.wantResult(s)
	if got := p.value(area); got != oneJob {
		t.Errorf("the text area has %q", got)
	}
}

// Text that is being typed stays when something else changes the inputs.
func editorHoldsWhatIsTyped(t *testing.T, p *tab) {
	s := p.editor("jobs.dot")
	p.caret("limit=100")
	// A key and immediately another change arrive before the page knows of the key.
	eval[any](p, fmt.Sprintf(`(() => {
		document.execCommand("insertText", false, "0");
		const select = document.querySelector(%q);
		select.value = "random";
		select.dispatchEvent(new Event("change", { bubbles: true }));
	})()`, testID("strategy")))
	d := placementkind.Of(s)
	d.Deployments[0].Text = strings.Replace(twoJobs, "limit=100", "limit=1000", 1)
	d.Strategies = []placementkind.StrategyRun{d.Strategies[1], d.Strategies[0]}
	p.waitForScenario(s)
	if got := p.value(area); got != d.Deployments[0].Text {
		t.Errorf("the editor has %q", got)
	}
}

func marksStandAtTheirColumns(t *testing.T, p *tab) {
	p.editor("jobs.dot")
	p.fill(area, strings.ReplaceAll(strings.Replace(twoJobs, "request=50", "request=-50", 1), "latency=20", "speed=20"))
	p.waitFor(`document.querySelectorAll(".cm-lintRange").length >= 2`)
	type place struct {
		Line, Column int
		Text         string
	}
	const marked = `[...document.querySelectorAll(".cm-lintRange")].map((e) => {
		const line = e.closest(".cm-line"), before = document.createRange();
		before.setStart(line, 0);
		before.setEndBefore(e);
		return { Line: [...line.parentElement.children].indexOf(line) + 1, Column: before.toString().length + 1, Text: e.textContent };
	})`
	got := eval[[]place](p, marked)
	if want := []place{{3, 14, "-50"}, {4, 3, "a"}, {4, 11, "speed"}}; !slices.Equal(got, want) {
		t.Errorf("marked are %v, want %v", got, want)
	}
	if listed := p.text(".diagnostics"); !strings.Contains(listed, "3:14") || !strings.Contains(listed, "4:11") {
		t.Errorf("listed is %q", listed)
	}
	// Marks move with the text before it is parsed again.
	p.caret("graph {")
	eval[any](p, `document.execCommand("insertText", false, "// ")`)
	p.enter(1)
	if got := eval[[]place](p, marked); len(got) != 3 || got[0] != (place{4, 14, "-50"}) {
		t.Errorf("after another line marked are %v", got)
	}
	p.screenshot("editor-marks")
	// The list of errors leads to their positions.
	p.pressScript(`document.querySelector(".diagnostic button")`)
	p.waitFor(fmt.Sprintf(`document.activeElement.matches(%q)`, content))
}

func editorCompletes(t *testing.T, p *tab) {
	s := p.editor("jobs.dot")
	p.fill(area, "graph {\n\tfrontend [request=100, limit=200]\n\t\"data base\" [request=50, limit=100]\n\t\n}")
	p.caret("limit=100]")
	p.enter(1)
	p.press("fro")
	p.complete("frontend")
	p.press(" -- dat")
	p.waitForText(completions, "data base")
	p.screenshot("editor-completion")
	p.complete("data base")
	p.press(" [lat")
	p.complete("latency")
	p.press("20]")
	text := "graph {\n\tfrontend [request=100, limit=200]\n\t\"data base\" [request=50, limit=100]\n\tfrontend -- \"data base\" [latency=20]\n\t\n}"
	if got := p.value(area); got != text {
		t.Errorf("completed to %q", got)
	}
	placementkind.Of(s).Deployments[0].Text = text
	p.wantResult(s)
	// Labels in the thesis's notation.
	p.caret("limit=100")
	p.press(", label=\"mem")
	p.complete("memoryOffloading")
	if got := p.value(area); !strings.Contains(got, `limit=100, label="memoryOffloading - request: - limit:]`) {
		t.Errorf("completed to %q", got)
	}
	// A job has other attributes than a dependency.
	p.caret("limit=200")
	p.press(", memory_")
	p.waitForText(completions, "memory_request")
	if got := p.text(completions); strings.Contains(got, "latency") || !strings.Contains(got, "memory_limitMB") {
		t.Errorf("for a job are offered %q", got)
	}
	p.press(kb.Escape)
	p.fill(area, twoJobs)
	p.waitForScenario(smallScenario(t))
}

func editorFinds(t *testing.T, p *tab) {
	p.editor("jobs.dot")
	p.caret("graph")
	p.press("f", kb.ModifierCtrl)
	p.waitFor(`document.activeElement.name == "search"`)
	p.press("limit")
	p.enter(1)
	p.waitFor(`document.querySelector(".cm-searchMatch-selected")?.textContent == "limit"`)
	if n := p.count(content + " .cm-searchMatch"); n != 2 {
		t.Errorf("%d are found, want 2", n)
	}
	p.screenshot("editor-find")
	p.press(kb.Escape)
	p.waitFor(fmt.Sprintf(`document.activeElement.matches(%q) && !document.querySelector(".cm-search")`, content))
	p.pressNamed("^Find in the text")
	p.waitFor(`document.activeElement.name == "search"`)
	p.press(kb.Escape)
	p.waitFor(`!document.querySelector(".cm-search")`)
}

// There is one history: Undo reverts the latest change first, typed or chosen.
func editorUndoesWithThePage(t *testing.T, p *tab) {
	s := p.editor("jobs.dot")
	d := placementkind.Of(s)
	p.caret("request=50")
	p.press("5")
	d.Deployments[0].Text = strings.Replace(twoJobs, "request=50", "request=505", 1)
	p.waitForScenario(s)
	p.pick(testID("strategy"), "random")
	slices.Reverse(d.Strategies)
	p.waitForScenario(s)
	p.caret("limit=100")
	p.press("0") // and immediately, before the page hears of it:
	p.press("z", kb.ModifierCtrl)
	p.waitFor(fmt.Sprintf(`document.querySelector(%q).value == %s`, area, quote(d.Deployments[0].Text)))
	p.waitForScenario(s)

	p.press("z", kb.ModifierCtrl) // the strategy
	slices.Reverse(d.Strategies)
	p.waitForScenario(s)
	p.press("z", kb.ModifierCtrl)
	d.Deployments[0].Text = twoJobs
	p.waitForScenario(s)
	if got := p.value(area); got != twoJobs {
		t.Errorf("the editor has %q", got)
	}
	if !eval[bool](p, fmt.Sprintf(`document.activeElement.matches(%q)`, content)) {
		t.Error("undoing took the focus")
	}
	p.press("y", kb.ModifierCtrl)
	d.Deployments[0].Text = strings.Replace(twoJobs, "request=50", "request=505", 1)
	p.waitForScenario(s)
	// Undo also works outside the editor; but a field undoes its own typing.
	eval[any](p, `document.activeElement.blur()`)
	p.press("z", kb.ModifierCtrl)
	d.Deployments[0].Text = twoJobs
	p.waitForScenario(s)
	p.do(chromedp.Focus(chromedp.CSS(p.labelled("^Name$"))))
	p.press("Z", kb.ModifierCtrl, kb.ModifierShift)
	p.press("z", kb.ModifierCtrl)
	p.waitForScenario(s)
	// The browser's menu undoes through another event.
	p.caret("limit=100")
	eval[any](p, fmt.Sprintf(`document.querySelector(%q).dispatchEvent(new InputEvent("beforeinput", { inputType: "historyRedo", bubbles: true, cancelable: true }))`, content))
	d.Deployments[0].Text = strings.Replace(twoJobs, "request=50", "request=505", 1)
	p.waitForScenario(s)
}

func editorKeepsItsHeight(t *testing.T, p *tab) {
	p.editor("jobs.dot")
	const height = `document.querySelector(".editor-frame").offsetHeight`
	before := eval[int](p, height)
	at := eval[[]float64](p, `((box) => [box.x + box.width / 2, box.y + box.height / 2])(document.querySelector(".editor [role=separator]").getBoundingClientRect())`)
	mouse := func(kind input.DispatchMouseEventType, y float64) {
		p.do(command(input.DispatchMouseEvent, input.DispatchMouseEventParams{Type: kind, X: at[0], Y: y, Button: input.MouseButtonLeft, ClickCount: 1}))
	}
	mouse(input.DispatchMouseEventTypeMousePressed, at[1])
	mouse(input.DispatchMouseEventTypeMouseMoved, at[1]+80)
	mouse(input.DispatchMouseEventTypeMouseReleased, at[1]+80)
	p.waitFor(fmt.Sprintf("%s == %d", height, before+80))
	eval[any](p, `document.querySelector(".editor [role=separator]").focus()`)
	p.press(kb.ArrowDown)
	p.waitFor(fmt.Sprintf("%s == %d", height, before+96))
	// Keys arrive faster than the page draws.
	eval[any](p, `for (let i = 0; i < 2; i++) document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowDown", bubbles: true, cancelable: true }))`)
	p.waitFor(fmt.Sprintf("%s == %d", height, before+128))
	p.caret("limit=100")
	p.enter(30) // it scrolls
	p.waitFor(`document.querySelector(".cm-scroller").scrollHeight > document.querySelector(".cm-scroller").clientHeight`)
	if got := eval[int](p, height); got != before+128 {
		t.Errorf("with more text it is %d high, before %d", got, before+128)
	}
	p.reload()
	p.wait(done)
	p.pressNamed("jobs.dot$")
	p.wait(content)
	if got := eval[int](p, height); got != before+128 {
		t.Errorf("after a reload it is %d high, before %d", got, before+128)
	}
}

func editorIsWideEnough(t *testing.T, p *tab) {
	defer p.do(wide)
	for name, size := range map[string]option{"wide": wide, "narrow": narrow} {
		p.do(size)
		p.editor("jobs.dot")
		const width = `document.querySelector(".editor-frame").offsetWidth`
		if got := eval[int](p, width); got < 480 {
			t.Errorf("%s: the editor is %d wide", name, got)
		}
		p.fits(name)
		p.screenshot("editor-" + name)
		p.pressNamed("^Full screen$")
		p.waitFor(width + " > innerWidth - 32")
		p.screenshot("editor-full-" + name)
		p.caret("limit=100")
		p.press(kb.Escape)
		p.waitFor(width + " < innerWidth - 200")
		if !eval[bool](p, fmt.Sprintf(`document.activeElement.matches(%q)`, content)) {
			t.Error("leaving the full screen took the focus")
		}
	}
}

func escapeAndTabLeaveTheEditor(t *testing.T, p *tab) {
	p.editor("jobs.dot")
	p.caret("limit=100")
	p.press(kb.Tab)
	if got := p.value(area); !strings.Contains(got, "limit=100\t") {
		t.Errorf("Tab did not write: %q", got)
	}
	p.press(kb.Escape)
	p.press(kb.Tab)
	p.waitFor(fmt.Sprintf(`!document.activeElement.matches(%q)`, content))
	help := eval[string](p, fmt.Sprintf(`document.querySelector(%q).getAttribute("aria-describedby").split(" ").map((id) => document.getElementById(id)?.innerText).join(" ")`, content))
	if !strings.Contains(help, "Esc, then Tab") {
		t.Errorf("the help of the editor is %q", help)
	}
}

// If the editor's script cannot be loaded, the plain text area works.
func TestWithoutItsScriptTheEditorIsATextArea(t *testing.T) {
	golden.Long(t)
	t.Parallel()
	dir := copySite(t, dist(t))
	scripts, err := filepath.Glob(filepath.Join(dir, "web", "editor.*"))
	if err != nil || len(scripts) == 0 {
		t.Fatalf("the site has no script of the editor: %v", err)
	}
	for _, file := range scripts {
		must.Do(t, os.Remove(file))
	}
	p := openAt(t, serve(t, dir).URL, "/")
	p.wait(done)
	s := p.uploadSmall()
	p.edit("jobs.dot", "//x\n")
	placementkind.Of(s).Deployments[0].Text = "//x\n" + twoJobs
	p.wantResult(s)
	p.fill(area, "graph { oops")
	p.waitForText(".diagnostics", "1:")
	p.pressScript(`document.querySelector(".diagnostic button")`)
	p.waitFor(fmt.Sprintf(`document.activeElement.matches(%q)`, area))
	p.screenshot("editor-without-script")
	if p.count(".cm-editor") > 0 {
		t.Error("the script was loaded")
	}
	if faults := p.takeFaults(); len(faults) == 0 {
		t.Error("the script was not blocked")
	}
}

// A graph of 10,000 lines can be edited, and the page does not get the text while keys
// come.
func tenThousandLinesAreEdited(t *testing.T, p *tab) {
	p.shop()
	federation := must.File(t, "clusters.dot", strings.ReplaceAll(twoClusters, "cpu=400", "cpu=400000"))
	deployment := must.File(t, "jobs.dot", manyJobs(10_000))
	p.choose(deployment, federation)
	s := chosen(t, federation, deployment)
	p.waitForScenario(s)
	p.pressNamed("jobs.dot$")
	p.wait(content)
	eval[any](p, fmt.Sprintf(`((area) => {
		const { get, set } = Object.getOwnPropertyDescriptor(area, "value");
		window.reads = 0;
		Object.defineProperty(area, "value", { configurable: true, get() { window.reads++; return get(); }, set });
	})(document.querySelector(%q))`, area))
	p.caret("graph {")
	eval[any](p, `for (const c of "// twenty keys at once") document.execCommand("insertText", false, c)`)
	if n := eval[int](p, "window.reads"); n > 0 {
		t.Errorf("the text was read %d times while keys came", n)
	}
	d := placementkind.Of(s)
	d.Deployments[0].Text = strings.Replace(d.Deployments[0].Text, "graph {", "graph {// twenty keys at once", 1)
	p.waitForScenario(s)
	if n := eval[int](p, "window.reads"); n != 1 {
		t.Errorf("the text was read %d times when they rested, want once", n)
	}
}

// manyJobs is a graph with this number of lines.
func manyJobs(lines int) string {
	var text strings.Builder
	text.WriteString("graph {\n")
	for i := range lines - 2 {
		fmt.Fprintf(&text, "\tjob%d [request=1, limit=2]\n", i)
	}
	text.WriteString("}\n")
	return text.String()
}

// Pasting a graph outside of the fields opens it like a dropped file.
func graphIsPastedOnThePage(t *testing.T, p *tab) {
	s := p.small()
	paste := func(selector, text string) {
		t.Helper()
		eval[any](p, fmt.Sprintf(`((e) => {
			const clipboardData = new DataTransfer();
			clipboardData.setData("text/plain", %s);
			e.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
		})(document.querySelector(%q))`, quote(text), selector))
	}
	paste(p.labelled("^Name$"), oneJob) // a paste into the field
	federation := strings.Replace(twoClusters, "cpu=110", "cpu=500", 1)
	paste("body", federation)
	d := placementkind.Of(s)
	d.Federation = placementkind.GraphSource{Name: "pasted text", Text: federation}
	p.wantResult(s)
	paste("body", oneJob)
	d.Deployments = append(d.Deployments, placementkind.GraphSource{Name: "pasted text-2", Text: oneJob})
	p.wantResult(s)
	paste("body", "just some words")
	p.waitForText(testID("error"), "pasted text is neither a graph in DOT")
	p.waitForScenario(s)
	p.press("z", kb.ModifierCtrl)
	d.Deployments = d.Deployments[:1]
	p.waitForScenario(s)
}

// The editor works offline, and axe-core finds nothing wrong with it.
func editorInEveryLook(t *testing.T, p *tab) {
	still := command(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{
		{Name: "prefers-color-scheme", Value: "dark"}, {Name: "prefers-reduced-motion", Value: "reduce"}}})
	for _, look := range slices.Concat([]look{{"still", both(wide, still)}}, looks()) {
		p.step(look.name, func(t *testing.T) {
			p.do(look.option)
			p.editor("jobs.dot")
			p.fill(area, strings.Replace(twoJobs, "request=50", "request=-50", 1))
			p.wait(".cm-lintRange-error")
			p.caret("limit=200]")
			p.enter(1)
			p.press("b -- ")
			p.press(" ", kb.ModifierCtrl)
			p.wait(completions)
			eval[any](p, `document.querySelector(".editor").scrollIntoView({ block: "center" })`)
			p.inspected("completion")
			p.screenshot("editor-look-" + look.name)
			p.press(kb.Escape)
			p.press("f", kb.ModifierCtrl)
			p.waitFor(`document.activeElement.name == "search"`)
			p.press("limit")
			p.wait(".cm-searchMatch")
			p.inspected("search")
			p.fits(look.name)
			p.screenshot("editor-search-" + look.name)
			if look.phone() {
				if small := eval[[]string](p, small44); len(small) > 0 {
					t.Errorf("too small for fingers:\n%s", strings.Join(small, "\n"))
				}
				if size := eval[string](p, fmt.Sprintf("getComputedStyle(document.querySelector(%q)).fontSize", content)); size != "16px" {
					t.Errorf("the letters of the editor are %s high", size)
				}
			}
		})
	}
}

// If the page changes the editor during an event of the editor's drawing, the change waits until
// the drawing ends.
func editorIsChangedWhileItDraws(_ *testing.T, p *tab) {
	p.editor("jobs.dot")
	p.do(chromedp.Focus(chromedp.CSS(content)))
	eval[any](p, fmt.Sprintf(`void document.addEventListener("focusout", () => { const area = document.querySelector(%q); area.value += "// meanwhile"; }, { capture: true, once: true })`, area))
	p.press("f", kb.ModifierCtrl)
	p.waitFor(`document.activeElement.name == "search"`)
	p.waitFor(fmt.Sprintf(`document.querySelector(%q).value.endsWith("// meanwhile")`, area))
	p.press(kb.Escape)
	p.waitFor(`!document.querySelector(".cm-search")`)
}

// The editor colours and marks tables and texts of keys and values in the same way as graphs.
func otherTextsAreEdited(t *testing.T, p *tab) {
	p.validation()
	p.openBroken(testID("qos-hosts"), must.File(t, "hosts.csv", "name,cpu,memory\na,1,1\nb,many,1\n"))
	p.pressNamed("^hosts.csv$")
	p.wait(content)
	p.waitFor(`document.querySelector(".cm-lintRange-error")?.textContent == "many"`)
	const colors = `["", " span"].map((s) => getComputedStyle([...document.querySelectorAll(".cm-line" + s)].find((e) => e.textContent.endsWith("1"))).color)`
	if found := eval[[]string](p, colors); found[0] == found[1] {
		t.Errorf("names and figures are both %s", found[0])
	}
	p.screenshot("editor-table")
	p.upload(testID("qos-hosts"), must.File(t, "nodes.json", `{"apiVersion": "v1", "kind": "List", "items": [
		{"apiVersion": "v1", "kind": "Node", "metadata": {"name": "a"}, "status": {"allocatable": {"cpu": "64", "memory": "64Gi"}}}]}`))
	p.pressNamed("^nodes.json.csv$") // the editor of the other file has closed
	p.waitForText(content, "a,64,64,")
	p = openExample(t)
	p.openBroken(testID("file-deployment"), must.File(t, "pod.json", `{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a"}, "spec": {"containers": [{"name": "c", "resources": {"requests": {"cpu": "many"}}}]}}`))
	p.wait(content) // the editor opens with the error
	p.waitFor(`[...document.querySelectorAll(".cm-line span")].some((e) => e.textContent == '"name"')`)
}
