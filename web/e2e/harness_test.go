package e2e

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp/kb"

	"berth/engine/must"
)

// servePage serves one page with a content security policy.
func servePage(t *testing.T, html string) string {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("Content-Security-Policy", "default-src 'self' http://elsewhere.example; img-src *; worker-src blob:")
		w.Write([]byte("<!doctype html><meta name=viewport content='width=device-width'><link rel=icon href=/>" + html))
	}))
	t.Cleanup(s.Close)
	return s.URL
}

func TestFaultsAreNoticed(t *testing.T) {
	tests := []struct{ name, html, cause, want string }{
		{"inline script", `<script>1</script>`, `0`, "content security policy: script-src-elem inline"},
		{"other host", `<img src="http://elsewhere.example/x.png">`, `0`, "http://elsewhere.example/x.png"},
		{"other host, from a worker", ``, `new Worker(URL.createObjectURL(new Blob(
			["fetch('http://elsewhere.example/y')"])))`, "GET http://elsewhere.example/y"},
		{"console", ``, `console.error("alas", 7)`, `console: "alas" 7`},
		{"dialog", ``, `alert("alas")`, "dialog: alas"},
		{"exception", ``, `setTimeout(() => { throw new Error("ouch") })`, "ouch"},
		{"rejection", ``, `void Promise.reject(new Error("no"))`, "Error: no"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p := openAt(t, servePage(t, test.html), "/")
			defer func() { // one cause may have several faults, some of them later
				p.cancel()
				p.takeFaults()
			}()
			eval[any](p, test.cause)
			p.waitFor("document.readyState == 'complete'")
			var faults []string
			noticed := func(fault string) bool { return strings.Contains(fault, test.want) }
			for deadline := time.Now().Add(patience); !slices.ContainsFunc(faults, noticed); {
				if time.Now().After(deadline) {
					t.Fatalf("no fault says %q: %q", test.want, faults)
				}
				eval[any](p, "new Promise(requestAnimationFrame)")
				faults = append(faults, p.takeFaults()...)
			}
		})
	}
}

func TestHelpers(t *testing.T) {
	file := must.File(t, "a.dot", "graph {}")
	p := openAt(t, servePage(t, `
		<p data-testid="greeting" class="big"> hello </p>
		<input id="name" value="old"><input type="checkbox" id="box"><input type="file" id="file" hidden multiple>
		<p>1</p>`), "/", phone, dark)

	if got := p.text(testID("greeting")); got != "hello" {
		t.Errorf("text is %q", got)
	}
	if got := p.attribute("p", "class") + "|" + p.attribute("p", "id"); got != "big|" {
		t.Errorf("attributes are %q", got)
	}
	if got := p.count("p"); got != 2 {
		t.Errorf("%d paragraphs", got)
	}
	p.fill("#name", "new")
	p.press("s" + kb.ArrowLeft + "w")
	if got := p.value("#name"); got != "newws" {
		t.Errorf("value is %q", got)
	}
	p.click("#box")
	p.waitFor(`document.querySelector("#box").checked`)
	p.upload("#file", file)
	if got := eval[string](p, `document.querySelector("#file").files[0].text()`); got != "graph {}" {
		t.Errorf("uploaded %q", got)
	}
	if !eval[bool](p, `innerWidth == 390 && matchMedia("(prefers-color-scheme: dark)").matches`) {
		t.Error("neither a phone nor dark")
	}
	eval[any](p, `localStorage.setItem("x", "1")`)
	p.reload()
	if got := eval[string](p.another("/"), `localStorage.getItem("x")`); got != "1" {
		t.Errorf("the second tab reads %q", got)
	}

	t.Setenv("BERTH_SCREENSHOTS", t.TempDir())
	p.screenshot("shot")
	if _, err := os.Stat(filepath.Join(os.Getenv("BERTH_SCREENSHOTS"), "shot.png")); err != nil {
		t.Error(err)
	}
}

// A page that asks before it is left can be left anyway.
func TestAPageThatAsksIsLeft(t *testing.T) {
	t.Parallel()
	p := openAt(t, servePage(t, `<button id="a">Change something</button>`), "/")
	asked := p.asks()
	eval[any](p, `void addEventListener("beforeunload", (e) => e.preventDefault())`)
	p.click("#a")
	p.reload()
	if !asked() {
		t.Error("the browser did not ask")
	}
}
