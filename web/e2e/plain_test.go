package e2e

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp/kb"

	"berth/engine/golden"
	"berth/engine/must"
	"berth/web/site/build"
)

// A plain file server can host the site, at the root of a host and below another path:
// every URL works, and so does the page offline.
func TestPlainFileServer(t *testing.T) {
	golden.Long(t)
	t.Parallel()
	for _, base := range []string{"/", "/berth/"} {
		t.Run(strings.Trim(base, "/"), func(t *testing.T) {
			site := httptest.NewServer(http.StripPrefix(strings.TrimSuffix(base, "/"), http.FileServer(http.Dir(distAt(t, base)))))
			t.Cleanup(site.Close)
			p := openAt(t, site.URL, base, keepsSite)
			p.wait(done)
			p.click(testID("share"))
			p.wait(testID("share-link"))
			link := p.value(testID("share-link"))
			if want := site.URL + base + "placement#s="; !strings.HasPrefix(link, want) {
				t.Errorf("the link is %.80s, want %s", link, want)
			}
			p.pressNamed("^Close$")
			p.pressNamed("^QoS$")
			p.wait(testID("qos-status") + `[data-state="done"]`)
			if got := eval[string](p, "location.pathname"); got != base+"qos" {
				t.Errorf("QoS is at %s, want %sqos", got, base)
			}
			if got := eval[string](p, "navigator.serviceWorker.ready.then(({ scope }) => new URL(scope).pathname)"); got != base {
				t.Errorf("the service worker is for %s, want %s", got, base)
			}
			p.wait(`html[data-offline="ready"]`)
			p.do(command(network.ClearBrowserCache, cdp.Empty{}))
			site.CloseClientConnections()
			site.Close()

			p.reload()
			p.wait(testID("qos-status") + `[data-state="done"]`)
			p.navigate(strings.TrimPrefix(link, site.URL))
			p.waitForScenario(example(t, "shop"))
			p.navigate(base + "qos/")
			p.wait(testID("qos-status") + `[data-state="done"]`)
			for _, path := range []string{"docs", "docs/formats", "docs/formats/"} {
				p.navigate(base + path)
				p.wait(`main h1`)
			}
			p.search("grows", base+"docs/growth")
			p.search("onequeue", base+"docs/plug-ins")
		})
	}
}

// search searches the documentation by keyboard, and opens the first result.
func (p *tab) search(words, want string) {
	p.t.Helper()
	p.waitFor(`document.querySelector(".docs-search:not([hidden])")`)
	p.press("/")
	p.press(words)
	p.wait("#docs-results li a")
	p.waitForText("#docs-results [role=status]", "result")
	p.press(kb.ArrowDown)
	if got := eval[string](p, "document.activeElement.pathname"); got != want {
		p.t.Errorf("%q leads to %s, want %s", words, got, want)
	}
	p.inspected("results of a search")
	p.press(kb.Escape)
	p.waitFor(`document.querySelector("#docs-results[hidden]") && document.activeElement.id == "docs-search"`)
	p.press(kb.Enter)
	p.waitFor(fmt.Sprintf(`location.pathname == %q && document.querySelector("main h1")`, want))
}

// distAt returns a site that is built for a path.
func distAt(t *testing.T, base string) string {
	t.Helper()
	if base == "/" {
		return dist(t)
	}
	dist(t) // skips the test if dist would skip it
	out := filepath.Join(t.TempDir(), "dist")
	must.Get(build.Site(t.Context(), build.Options{Root: repository, Out: out, Base: base}))(t)
	return out
}

// If the server lacks one file, the others are cached anyway: the page names the
// missing one, and is ready once the server has it.
func TestAMissingFileIsNamedAndAskedForAgain(t *testing.T) {
	golden.Long(t)
	t.Parallel()
	var restored atomic.Bool
	files := http.FileServer(http.Dir(dist(t)))
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/docs/growth/" && !restored.Load() {
			http.NotFound(w, r)
			return
		}
		files.ServeHTTP(w, r)
	}))
	t.Cleanup(site.Close)
	p := openAt(t, site.URL, "/", keepsSite)
	p.wait(`html[data-offline="partial"]`)
	if got := p.attribute("html", "data-offline-missing"); got != "/docs/growth/" {
		t.Errorf("missing is %q", got)
	}
	p.waitForText(testID("offline-missing"), "1 file missing")
	if !eval[bool](p, `caches.match("/qos/").then((page) => page !== undefined)`) {
		t.Error("the pages that are there are not kept")
	}
	restored.Store(true)
	p.wait(`html[data-offline="ready"]`)
	p.waitFor(`!document.querySelector("[data-testid=offline-missing]")`)
}
