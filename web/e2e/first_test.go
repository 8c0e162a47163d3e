package e2e

import (
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"berth/engine/golden"
	"berth/engine/must"
	"berth/web/site/server"
)

// withoutScripts disables scripts in a browser.
var withoutScripts = command(emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})

// laboratories are the views with a first result. Each has a part of it.
var laboratories = map[string][]string{
	"/":          {"All 12 jobs placed for", "Frankfurt"},
	"/placement": {"All 12 jobs placed for", "Frankfurt"},
	"/qos":       {"Each request: when it ran", "Host_19"},
	"/federate":  {"Three masters share 60 workers", "Allocation time", "sparrow"},
}

func TestFirstScreen(t *testing.T) {
	golden.Long(t)
	t.Parallel()
	t.Run("can be read without scripts", pagesCanBeReadWithoutScripts)
	t.Run("is what the page computes", firstScreenIsWhatThePageComputes)
	t.Run("is not shown by halves", halfAPageIsNotShown)
	t.Run("keeps clicks for the program", clickWaitsForTheProgram)
}

func pagesCanBeReadWithoutScripts(t *testing.T) {
	pages := map[string][]string{
		"/library": {"Nothing is saved yet"}, "/gallery": {"Gallery"}, "/about": {"How it works", "CM"},
	}
	for path, want := range laboratories {
		pages[path] = append(want, "it needs JavaScript")
	}
	for path, want := range pages {
		p := open(t, path, withoutScripts)
		text := eval[string](p, `[...document.querySelectorAll("#first input")].map((e) => e.value).join(" ") + document.body.innerText`)
		for _, words := range want {
			if !strings.Contains(text, words) {
				t.Errorf("%s does not show %q:\n%s", path, words, text)
			}
		}
		if hidden := eval[bool](p, `getComputedStyle(document.querySelector(".goapp-app-info")).display !== "none"`); hidden {
			t.Errorf("%s says that it loads a program", path)
		}
		p.close()
	}
	p := open(t, "/", withoutScripts)
	if n := eval[int](p, `[...document.querySelectorAll(".panzoom g.node")].filter((e) => e.checkVisibility() && e.getBoundingClientRect().bottom < innerHeight).length`); n != 12 {
		t.Errorf("%d of 12 jobs are in sight", n)
	}
}

// differences lists differences between the first result and the program's page. It
// does not compare what only scripts draw and the room that this needs, columns that do
// not fit, values of controls (properties on the program's page), tab stops, and times
// and the number of processors, which no first result has.
const differences = `(async () => {
	const arrived = new DOMParser().parseFromString(await (await fetch(location.pathname)).text(), "text/html").querySelector("#first > .frame");
	const list = [];
	const attributes = (e) => [...e.attributes].filter((a) => !/^(value|checked|selected|tabindex)$/.test(a.name) && !(a.name === "hidden" && e.matches("th, td")) && !(a.name === "style" && e.matches(".chart-field"))).map((a) => a.name + "=" + a.value).sort().join(" ");
	const parts = (e) => {
		e.normalize();
		return [...e.childNodes].filter((n) => (n.localName || n.nodeValue) && !(n.localName === "span" && !n.children.length && /^version /.test(n.textContent)));
	};
	const compare = (a, b, path) => {
		if (a.nodeType !== b.nodeType || a.localName !== b.localName) {
			list.push(path + ": " + (a.localName ?? a.nodeValue) + ", then " + (b.localName ?? b.nodeValue));
		} else if (!a.localName) {
			if (a.nodeValue !== b.nodeValue && !(a.nodeValue === "–" && /^<?\s*[\d.,]+\s*(µs|ms|s)$/.test(b.nodeValue))) list.push(path + ": " + a.nodeValue + ", then " + b.nodeValue);
		} else {
			path += " " + a.localName + (a.className && !a.className.baseVal ? "." + a.className : "");
			if (attributes(a) !== attributes(b)) list.push(path + ": " + attributes(a) + ", then " + attributes(b));
			if (a.matches(".chart-field, .panzoom, figure > details, #gallery-workers, #qos-player, #fed-player")) return;
			const x = parts(a), y = parts(b);
			if (x.length !== y.length) list.push(path + ": " + x.length + " parts, then " + y.length);
			for (let i = 0; i < Math.min(x.length, y.length); i++) compare(x[i], y[i], path);
		}
	};
	compare(arrived, document.querySelector("body > .frame"), "");
	return list.slice(0, 20).join("\n");
})()`

// The first result is the same as the result of the page's own engine.
func firstScreenIsWhatThePageComputes(t *testing.T) {
	for path := range laboratories {
		p := open(t, path+"#computed", onStage) // a page that opens a link has no first result
		p.waitFor(`document.documentElement.dataset.first === "none" && document.querySelector("body > .frame :is(.status-done, .status-partial)")`)
		p.wantAsArrived("computed " + path)
		p.close()
	}
}

// wantAsArrived waits until the page equals its first result.
func (p *tab) wantAsArrived(what string) {
	p.t.Helper()
	list := "?"
	defer func() {
		if list != "" {
			p.t.Errorf("%s differs from what the page arrived with:\n%s", what, list)
		}
	}()
	p.until(what+" is as it arrived", func() bool {
		list = eval[string](p, differences)
		return list == ""
	})
}

// taken is true once the program has taken over the page.
const taken = `document.documentElement.dataset.first === "taken"`

// The program takes over without a layout shift, and before the engine and Graphviz
// load.
func TestProgramTakesOverWithoutAShift(t *testing.T) {
	golden.Long(t)
	t.Parallel()
	for _, path := range views {
		for name, size := range map[string]option{"wide": wide, "phone": phone} {
			if path == "/placement" && name == "phone" {
				continue // the same view as "/"
			}
			p := open(t, path, size, onStage)
			p.waitFor(taken + ` && !document.getElementById("first")`)
			p.wantAsArrived(path + ", " + name)
			if shift := eval[float64](p, layoutShift); shift > 0.02 {
				t.Errorf("%s, %s: a layout shift of %v, want at most 0.02", path, name, shift)
			}
			p.waitFor(started)
			if title := eval[string](p, "document.title"); title == "" {
				t.Errorf("%s has no title", path)
			}
			p.close()
		}
	}
}

// A page that arrives in two pieces is shown when it is complete: the first piece alone
// has another layout.
func halfAPageIsNotShown(t *testing.T) {
	p := openAt(t, serveHalved(t, "/"), "/", onStage, command(page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: `
		new MutationObserver((_, observer) => {
			const piece = document.querySelector("#first > .frame");
			if (!piece) return;
			observer.disconnect();
			requestAnimationFrame(() => requestAnimationFrame(() => {
				globalThis.half = piece.checkVisibility() ? "shown" : "hidden";
				fetch("/rest");
			}));
		}).observe(document, { childList: true, subtree: true });`}))
	p.waitFor(taken)
	if got := eval[string](p, "half"); got != "hidden" {
		t.Errorf("half of the page is %s", got)
	}
	if shift := eval[float64](p, layoutShift); shift > 0.02 {
		t.Errorf("a layout shift of %v, want at most 0.02", shift)
	}
}

// serveHalved serves the site, but sends the last part of the first result of the page
// at path only when /rest is requested.
func serveHalved(t *testing.T, path string) (origin string) {
	t.Helper()
	site := must.Get(server.Open(filepath.Join(repository, "netlify.toml"), dist(t)))(t)
	asked := make(chan struct{})
	ask := sync.OnceFunc(func() { close(asked) })
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case path:
			r.Header.Del("Accept-Encoding")
			whole := httptest.NewRecorder()
			site.ServeHTTP(whole, r)
			maps.Copy(w.Header(), whole.Header())
			half, rest, _ := strings.Cut(whole.Body.String(), "<footer")
			io.WriteString(w, half)
			w.(http.Flusher).Flush()
			<-asked
			io.WriteString(w, "<footer"+rest)
		case "/rest":
			ask()
			w.WriteHeader(http.StatusNoContent)
		default:
			site.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(func() {
		ask()
		s.Close()
	})
	return s.URL
}

// layoutShift is the sum of all layout shifts so far.
const layoutShift = `new Promise((resolve) => {
	let sum = 0;
	new PerformanceObserver((list) => { for (const e of list.getEntries()) sum += e.value; }).observe({ type: "layout-shift", buffered: true });
	requestAnimationFrame(() => setTimeout(() => resolve(sum)));
})`

// A click before the program runs still counts.
func clickWaitsForTheProgram(t *testing.T) {
	origin, release := serveWithout(t, "/web/app.")
	p := openAt(t, origin, "/", onStage)
	p.waitFor(`document.querySelector("#first .panzoom svg")?.getBoundingClientRect().height > 100`)
	if n := p.count(testID("result-graph")); n != 0 {
		t.Errorf("%d drawings say that they can be used", n)
	}
	at := eval[[]float64](p, `(({ x, y }) => [x + 5, y + 5])([...document.querySelectorAll("#first button")].findLast((e) => e.textContent === "Numbers").getBoundingClientRect())`)
	p.do(chromedp.MouseClickXY(at[0], at[1]))
	release()
	p.waitFor(taken + ` && document.querySelector("[data-testid=stage] .pane-compare")?.checkVisibility()`)
}

// serveWithout serves the site, but delays the files with that name until release is called.
func serveWithout(t *testing.T, name string) (origin string, release func()) {
	t.Helper()
	site := must.Get(server.Open(filepath.Join(repository, "netlify.toml"), dist(t)))(t)
	free := make(chan struct{})
	release = sync.OnceFunc(func() { close(free) })
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.Contains(r.URL.Path, name) {
			<-free
		}
		site.ServeHTTP(w, r)
	}))
	t.Cleanup(func() {
		release()
		s.Close()
	})
	return s.URL, release
}

// Each chart is drawn in a separate task, so that the browser can do its work in between.
func chartsAreDrawnOneByOne(t *testing.T, p *tab) {
	p.waitFor(taken)
	got := eval[string](p, `new Promise((resolve) => {
		const order = [];
		berth.charts().then(async () => {
			order.push("first");
			for (let i = 0; i < 100; i++) await null;
			order.push("all that follows it");
		});
		berth.charts().then(() => resolve([...order, "second"].join(", ")));
	})`)
	if want := "first, all that follows it, second"; got != want {
		t.Errorf("it was %s, want %s", got, want)
	}
}
