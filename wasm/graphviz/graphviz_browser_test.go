//go:build !js

package graphviz

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"berth/engine/must"
	"berth/web/browser"
)

// patience limits the time of everything in the browser. It only ends a failing test.
const patience = time.Minute

// TestInBrowser draws in Chromium, through the Renderer of testdata/page.
func TestInBrowser(t *testing.T) {
	p := startBrowser(t)
	p.open(t, "/")
	t.Run("same bytes", p.drawsTheSameBytes)
	t.Run("refusals", p.refuses)
	t.Run("time limits", p.keepsTimeLimits)
	t.Run("many", p.drawsManyTimes)
	t.Run("early module", p.usesTheEarlyModule)
	t.Run("no worker", p.tellsOfAMissingWorker)
}

// page is a tab of Chromium and the site that it shows.
type page struct {
	tab    context.Context
	origin string
}

// pages serves the pages of the site. Each runs a different script before the Go program starts.
func pages(script string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, `<!doctype html><link rel=icon href=data:,><body><script>%s</script>
			<script src="/wasm_exec.js"></script>
			<script>const go = new Go();
				WebAssembly.instantiateStreaming(fetch("/page.wasm"), go.importObject).then((r) => go.run(r.instance));
			</script>`, script)
	}
}

// startBrowser serves the page with the worker and graphviz.wasm, as the site
// does, and starts a browser.
func startBrowser(t *testing.T) *page {
	t.Helper()
	mux := http.NewServeMux()
	mux.Handle("/{$}", pages(""))
	mux.Handle("/early", pages(`globalThis.early = WebAssembly.compileStreaming(fetch("/graphviz.wasm"));`))
	mux.Handle("/failed", pages(`globalThis.early = Promise.reject(new Error("no network")); early.catch(() => {});`))
	mux.Handle("/lost", pages(`globalThis.worker = "/none.js";`))
	for name, path := range pageFiles(t) {
		mux.HandleFunc("/"+name, func(w http.ResponseWriter, r *http.Request) { http.ServeFile(w, r, path) })
	}
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	tab, stop, err := browser.Start(t.Context())
	must.Do(t, err)
	t.Cleanup(stop)
	return &page{tab, server.URL}
}

func (p *page) open(t *testing.T, path string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(p.tab, patience)
	defer cancel()
	must.Do(t, chromedp.Do(ctx, chromedp.Navigate(p.origin+path), chromedp.WaitReady("#ready")))
}

// pageFiles returns the files that the page needs, by the names under which it requests them.
func pageFiles(t *testing.T) map[string]string {
	t.Helper()
	wasm := filepath.Join(t.TempDir(), "page.wasm")
	compile := exec.Command("go", "build", "-o", wasm, "./testdata/page")
	compile.Env = append(compile.Environ(), "GOOS=js", "GOARCH=wasm")
	if out, err := compile.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	module := must.Get(exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/goccy/go-graphviz").Output())(t)
	goroot := must.Get(exec.Command("go", "env", "GOROOT").Output())(t) // runtime.GOROOT is empty in a test that is built with -trimpath
	return map[string]string{
		"page.wasm":          wasm,
		"wasm_exec.js":       filepath.Join(strings.TrimSpace(string(goroot)), "lib", "wasm", "wasm_exec.js"),
		"graphviz-worker.js": filepath.FromSlash("../../web/assets/graphviz-worker.js"),
		"graphviz.wasm":      filepath.Join(strings.TrimSpace(string(module)), "internal", "wasm", "graphviz.wasm"),
	}
}

// request is one call of the page's render.
type request struct {
	dot            string
	layout         Layout
	limit, timeout time.Duration
}

type response struct{ SVG, Error string }

// render sends all requests at once and returns the answers in their order.
func (p *page) render(t *testing.T, requests ...request) []response {
	t.Helper()
	calls := make([]string, len(requests))
	for i, r := range requests {
		dot := must.Get(json.Marshal(r.dot))(t)
		calls[i] = fmt.Sprintf("render(%s, %q, %d, %d)", dot, r.layout, r.limit.Milliseconds(), r.timeout.Milliseconds())
	}
	ctx, cancel := context.WithTimeout(p.tab, patience)
	defer cancel()
	script := "Promise.all([" + strings.Join(calls, ",\n") + "])"
	return must.Get(chromedp.Run(ctx, chromedp.Evaluate[[]response](script, chromedp.EvalAwaitPromise)))(t)
}

// patient returns a request without an effective time limit.
func patient(dot string, l Layout) request {
	return request{dot, l, patience, patience}
}

func (p *page) renderOne(t *testing.T, r request) response {
	t.Helper()
	return p.render(t, r)[0]
}

func (p *page) drawsTheSameBytes(t *testing.T) {
	var requests []request
	for _, s := range samples() {
		requests = append(requests, patient(s.dot, s.layout))
	}
	// All requests are sent at once and so use one worker: no drawing may depend on another.
	answers := p.render(t, requests...)
	var natively sync.WaitGroup
	for i, s := range samples() {
		natively.Go(func() {
			if answers[i].Error != "" {
				t.Errorf("%s: %s", s.name, answers[i].Error)
			} else if got, want := answers[i].SVG, drawnAlone(t, s.dot, s.layout); got != want {
				t.Errorf("%s: in the browser\n%s\nnatively\n%s", s.name, got, want)
			}
		})
	}
	natively.Wait()
}

func (p *page) refuses(t *testing.T) {
	want := p.renderOne(t, patient("graph { ok }", Dot)).SVG
	tests := append(refusals, refusedGraph{"blank", "// none", "graphviz: no graph in the text"},
		refusedGraph{"crash", "graph { layout=circo\n" + path(2000), "graphviz: Graphviz crashed: "})
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := p.renderOne(t, patient(test.dot, Dot)).Error
			if !strings.HasPrefix(got, test.want) {
				t.Errorf("got %q, want %q", got, test.want)
			}
			if next := p.renderOne(t, patient("graph { ok }", Dot)); next.SVG != want {
				t.Errorf("the next drawing differs: %s%s", next.SVG, next.Error)
			}
		})
	}
}

func (p *page) keepsTimeLimits(t *testing.T) {
	next := patient("graph { ok }", Dot)
	want := p.renderOne(t, next).SVG
	limited, ended := patient(ring(1000), Circo), patient(ring(1000), Circo)
	limited.limit = 50 * time.Millisecond
	ended.timeout = 50 * time.Millisecond
	tests := []struct {
		name string
		slow request
		want error
	}{
		{"limit", limited, ErrTimeLimit},
		{"context", ended, context.DeadlineExceeded},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			answers := p.render(t, test.slow, next)
			if got := answers[0].Error; got != "graphviz: "+test.want.Error() {
				t.Errorf("got %q, want %v", got, test.want)
			}
			if answers[1].SVG != want {
				t.Errorf("the drawing that waited: %+v", answers[1])
			}
		})
	}
}

// Each drawing takes memory, which the browser must get back.
func (p *page) drawsManyTimes(t *testing.T) {
	requests := make([]request, 500)
	for i := range requests {
		requests[i] = patient("graph { ok }", Dot)
	}
	for i, answer := range p.render(t, requests...) {
		if answer.Error != "" {
			t.Fatalf("drawing %d: %s", i, answer.Error)
		}
	}
}

func (p *page) usesTheEarlyModule(t *testing.T) {
	request := patient("graph { ok }", Dot)
	p.open(t, "/early")
	if got := p.renderOne(t, request); got.SVG == "" {
		t.Error(got.Error)
	}
	p.open(t, "/failed")
	if got := p.renderOne(t, request).Error; !strings.Contains(got, "no network") {
		t.Errorf("got %q, want the page's own error", got)
	}
	if got := p.renderOne(t, request); got.SVG == "" {
		t.Errorf("loading again: %s", got.Error)
	}
}

func (p *page) tellsOfAMissingWorker(t *testing.T) {
	p.open(t, "/lost")
	for range 2 {
		got := p.renderOne(t, patient("graph { ok }", Dot)).Error
		if want := "graphviz: the worker /none.js does not run"; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
