package e2e

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"

	"berth/engine/golden"
	"berth/engine/must"
)

// started is true once the page that go-app draws has replaced the loader.
const started = `document.readyState == "complete" && !document.querySelector("#app-wasm-loader")`

func TestWhatThePageBrings(t *testing.T) {
	golden.Long(t)
	t.Parallel()
	open(t, "/library").journey(chartsAreDrawnOneByOne, modulesAreReadyForThePage, licencesAreCarried, pageIsIsolated, themeIsSetBeforeThePage)
}

func modulesAreReadyForThePage(t *testing.T, p *tab) {
	p.navigate("/")
	for _, name := range []string{"app", "graphviz"} {
		if !eval[bool](p, `berth.modules.`+name+`.then((module) => module instanceof WebAssembly.Module)`) {
			t.Errorf("%s is no module", name)
		}
	}
	if !eval[bool](p, `fetch(berth.assets["engine-worker.js"]).then((response) => response.ok)`) {
		t.Error("the boot script of the worker is not where the page looks for it")
	}
	if !eval[bool](p, `berth.charts().then(() => typeof Plot.plot == "function" && typeof d3.select == "function")`) {
		t.Error("the chart libraries are not loaded")
	}
}

func licencesAreCarried(t *testing.T, p *tab) {
	text := eval[string](p, `fetch(berth.assets["licences.txt"]).then((response) => response.text())`)
	for _, name := range []string{"\ngo1.", "/go-app/v10 v", "/go-graphviz v", "Graphviz 12", "Eclipse Public License - v 1.0", "Expat maintainers", "/gonum v", "@picocss/pico", "@observablehq/plot", "\nd3\n", "@codemirror/view", "@codemirror/streamparser", "@lezer/common", "\nstyle-mod\n", "\ncrelt\n", "\nw3c-keyname\n"} {
		if !strings.Contains(text, name) {
			t.Errorf("no licence of %s", strings.TrimSpace(name))
		}
	}
}

func themeIsSetBeforeThePage(t *testing.T, p *tab) {
	for _, theme := range []string{"dark", "light"} {
		eval[any](p, `localStorage.setItem("berth.theme", "`+theme+`")`)
		p.reload()
		if got := p.attribute("html", "data-theme"); got != theme {
			t.Errorf("theme is %q, want %q", got, theme)
		}
	}
}

func TestOffline(t *testing.T) {
	golden.Long(t)
	t.Parallel()
	site := serve(t, dist(t))
	p := openAt(t, site.URL, "/", keepsSite)
	p.wait(`html[data-offline="ready"]`)
	p.navigate("/no/such/view") // offline it is not a page either
	p.waitFor(`document.querySelector("h1").innerText == "There is nothing at this address"`)
	if faults := p.takeFaults(); len(faults) != 1 || !strings.Contains(faults[0], "404") {
		t.Errorf("a path that leads nowhere gives %q", faults)
	}
	p.do(command(network.ClearBrowserCache, cdp.Empty{})) // the service worker's cache must be enough
	site.CloseClientConnections()
	site.Close()

	// Several times: a closing page must not disturb the next.
	for _, path := range slices.Concat(slices.Repeat(views, 4), []string{"/placement?from=elsewhere"}) {
		p.navigate(path)
		p.waitFor(started)
		p.wait(`html[data-offline="ready"]`)
	}
	for _, module := range []string{"app", "graphviz"} {
		eval[any](p, "berth.modules."+module+".then(() => true)")
	}
	eval[any](p, "berth.charts().then(() => true)")
}

func TestUpdateWaitsUntilItIsAskedFor(t *testing.T) {
	golden.Long(t)
	t.Parallel()
	const version = "goappEnv.BERTH_VERSION"
	dir := copySite(t, dist(t))
	site := serve(t, dir)
	p := openAt(t, site.URL, "/", keepsSite)
	p.wait(`html[data-offline="ready"]`)
	old := eval[string](p, version)
	other := p.another("/about", keepsSite)
	other.waitFor(started)
	eval[any](other, `document.unsaved = "work"`)

	for _, name := range []string{"app.js", "app-worker.js"} {
		replaceInFile(t, filepath.Join(dir, name), old, "the-next-version")
	}
	for range 2 { // a reload also keeps the old version
		p.reload()
		p.wait(`html[data-update="available"]`)
		if got := eval[string](p, version); got != old {
			t.Fatalf("version %s was forced on the page", got)
		}
	}

	eval[any](p, `dispatchEvent(new Event("berth:update-apply"))`)
	p.waitFor(version + ` == "the-next-version"`)
	p.waitFor(started)
	if got := eval[string](other, "document.unsaved"); got != "work" {
		t.Error("the other tab was reloaded")
	}
	if !eval[bool](other, `fetch(berth.assets["app.wasm"]).then((response) => response.ok)`) {
		t.Error("the other tab lost a file of its version")
	}
	if got := eval[int](p, "caches.keys().then((keys) => keys.length)"); got != 2 {
		t.Errorf("%d versions are cached, want this one and the one before", got)
	}
}

// copySite copies a site, without its compressed files, so that a test can change it.
func copySite(t *testing.T, dir string) string {
	t.Helper()
	out := t.TempDir()
	for _, file := range siteFiles(t, dir) {
		content := must.Get(os.ReadFile(filepath.Join(dir, file)))(t)
		to := filepath.Join(out, file)
		must.Do(t, os.MkdirAll(filepath.Dir(to), 0o755))
		must.Do(t, os.WriteFile(to, content, 0o644))
	}
	return out
}

func replaceInFile(t *testing.T, file, old, new string) {
	t.Helper()
	content := must.Get(os.ReadFile(file))(t)
	if !bytes.Contains(content, []byte(old)) {
		t.Fatalf("%s does not contain %s", file, old)
	}
	must.Do(t, os.WriteFile(file, bytes.ReplaceAll(content, []byte(old), []byte(new)), 0o644))
}

// If a file of a page of the version before is gone, the page names the update. One press updates
// it and keeps the work.
func TestGoneFileNamesTheUpdate(t *testing.T) {
	golden.Long(t)
	t.Parallel()
	dir := copySite(t, dist(t))
	site := serve(t, dir)
	p := openAt(t, site.URL, "/", keepsSite)
	p.wait(`html[data-offline="ready"]`)
	p.uploadSmall()
	p.waitForDraft(`e.unsaved`)
	old := eval[string](p, "goappEnv.BERTH_VERSION")
	file := strings.TrimPrefix(eval[string](p, `new URL(berth.assets["editor.js"], location.href).pathname`), "/")
	stem, rest, _ := strings.Cut(filepath.Base(file), ".")
	newer := filepath.Join(filepath.Dir(file), stem+".0123456789ab"+rest[strings.Index(rest, "."):])
	must.Do(t, os.Rename(filepath.Join(dir, file), filepath.Join(dir, newer)))
	for _, name := range []string{"app.js", "app-worker.js"} {
		replaceInFile(t, filepath.Join(dir, name), old, "the-next-version")
	}
	p.do(command(network.ClearBrowserCache, cdp.Empty{}))
	eval[any](p, `caches.keys().then((all) => Promise.all(all.map((name) => caches.delete(name)))).then(() => berth.editor()).catch(() => true)`)
	p.waitForText(testID("update-notice"), "a file of this one is gone")
	p.takeFaults()
	p.click(testID("update-notice") + " button")
	p.waitFor(`goappEnv.BERTH_VERSION == "the-next-version"`)
	p.wait(done)
	p.takeFaults()
	p.waitForText(".pane-input", "jobs.dot")
}
