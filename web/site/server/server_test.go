package server

import (
	"bufio"
	"context"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"berth/engine/must"
)

const exampleRules = `
[[headers]]
  for = "/*"
  [headers.values]
    X-All = "1"
[[headers]]
  for = "/web/*"
  [headers.values]
    X-All = "2"
    Cache-Control = "immutable"
[[headers]]
  for = "/:page"
  [headers.values]
    X-Page = "yes"
[[redirects]]
  from = "/start/*"
  to = "/index.html"
  status = 200
[[redirects]]
  from = "/*"
  to = "/404.html"
  status = 404
`

// example serves a small site.
func example(t *testing.T) *Site {
	t.Helper()
	dir := t.TempDir()
	for name, content := range map[string]string{
		"netlify.toml": exampleRules, "secret": "outside of the site",
		"dist/index.html": "start", "dist/404.html": "gone", "dist/about.html": "about", "dist/docs/index.html": "docs",
		"dist/web/a.js": "plain", "dist/web/a.js.br": "packed",
	} {
		file := filepath.Join(dir, name)
		must.Do(t, os.MkdirAll(filepath.Dir(file), 0o755))
		must.Do(t, os.WriteFile(file, []byte(content), 0o644))
	}
	return must.Get(Open(filepath.Join(dir, "netlify.toml"), filepath.Join(dir, "dist")))(t)
}

func request(h http.Handler, method, path string, header http.Header) *http.Response {
	r := httptest.NewRequest(method, path, nil)
	maps.Copy(r.Header, header)
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Result()
}

func TestServe(t *testing.T) {
	tests := []struct {
		path, encoding     string
		status             int
		body, cache, kind  string
		all, page, packing string
	}{
		{"/", "", 200, "start", defaultCache, "text/html; charset=utf-8", "1", "", ""},
		{"/about", "", 200, "about", defaultCache, "text/html; charset=utf-8", "1", "yes", ""},
		{"/about.html", "", 200, "about", defaultCache, "text/html; charset=utf-8", "1", "yes", ""},
		{"/docs", "", 200, "docs", defaultCache, "text/html; charset=utf-8", "1", "yes", ""},
		{"/docs/", "", 200, "docs", defaultCache, "text/html; charset=utf-8", "1", "", ""},
		{"/docs/index.html", "", 200, "docs", defaultCache, "text/html; charset=utf-8", "1", "", ""},
		{"/start/with/it", "", 200, "start", defaultCache, "text/html; charset=utf-8", "1", "", ""},
		{"/no/such", "", 404, "gone", "no-cache", "text/html; charset=utf-8", "1", "", ""},
		{"/nope.js", "", 404, "gone", "no-cache", "text/html; charset=utf-8", "1", "yes", ""},
		{"/../secret", "", 404, "gone", "no-cache", "text/html; charset=utf-8", "1", "", ""},
		{"/web/a.js", "gzip", 200, "plain", "immutable", "text/javascript; charset=utf-8", "1,2", "", ""},
		{"/web/a.js", "gzip, br;q=0.5", 200, "packed", "immutable", "text/javascript; charset=utf-8", "1,2", "", "br"},
		{"/web/a.js", "br;q=0, gzip", 200, "plain", "immutable", "text/javascript; charset=utf-8", "1,2", "", ""},
		{"/web/b.js", "br", 404, "gone", "no-cache", "text/html; charset=utf-8", "1,2", "", ""},
	}
	h := example(t)
	for _, test := range tests {
		response := request(h, http.MethodGet, test.path, http.Header{"Accept-Encoding": {test.encoding}})
		body := new(strings.Builder)
		must.Do(t, response.Write(body))
		header := response.Header
		if response.StatusCode != test.status || !strings.HasSuffix(body.String(), "\r\n\r\n"+test.body) {
			t.Errorf("%s (%s): status %d, %q", test.path, test.encoding, response.StatusCode, body)
		}
		for name, want := range map[string]string{
			"Cache-Control": test.cache, "Content-Type": test.kind, "X-All": test.all, "X-Page": test.page, "Content-Encoding": test.packing,
		} {
			if got := header.Get(name); got != want {
				t.Errorf("%s (%s): %s is %q, want %q", test.path, test.encoding, name, got, want)
			}
		}
	}
}

func TestConditionalAndOtherMethods(t *testing.T) {
	h := example(t)
	tag := request(h, http.MethodGet, "/about", nil).Header.Get("ETag")
	if response := request(h, http.MethodGet, "/about", http.Header{"If-None-Match": {tag}}); response.StatusCode != http.StatusNotModified {
		t.Errorf("an unchanged page gives status %d", response.StatusCode)
	}
	packed := request(h, http.MethodGet, "/web/a.js", http.Header{"Accept-Encoding": {"br"}}).Header.Get("ETag")
	if plain := request(h, http.MethodGet, "/web/a.js", nil).Header.Get("ETag"); plain == packed {
		t.Error("both forms of a file have one ETag")
	}
	if response := request(h, http.MethodHead, "/about", nil); response.StatusCode != http.StatusOK || response.ContentLength != 5 {
		t.Errorf("HEAD gives status %d and length %d", response.StatusCode, response.ContentLength)
	}
}

// Responses that net/http gives without asking the site also have its headers, once each.
func TestEveryAnswerHasTheHeaders(t *testing.T) {
	l := must.Get(net.Listen("tcp", "localhost:0"))(t)
	site, ended := example(t), make(chan error)
	ctx, stop := context.WithCancel(t.Context())
	go func() { ended <- site.Serve(ctx, l) }()
	for _, test := range []struct {
		request string
		status  int
	}{
		{"GET / HTTP/1.1\r\nHost: a", 200},
		{"GET /nope.js HTTP/1.1\r\nHost: a", 404},
		{"POST / HTTP/1.1\r\nHost: a", 405},
		{"OPTIONS * HTTP/1.1\r\nHost: a", 405},
		{"GET /% HTTP/1.1\r\nHost: a", 400},
		{"GET / HTTP/1.1", 400},
		{"GET / HTTP/1.1\r\nHost: a\r\nExpect: more", 417},
		{"GET / HTTP/1.1\r\nHost: a\r\nX: " + strings.Repeat("x", 2<<20), 431},
		{"GET / HTTP/7.0\r\nHost: a", 505},
	} {
		c := must.Get(net.Dial("tcp", l.Addr().String()))(t)
		go io.WriteString(c, test.request+"\r\n\r\n") // a request that is too long is not read to its end
		response, err := http.ReadResponse(bufio.NewReader(c), nil)
		if err != nil {
			t.Fatalf("%.40q: %v", test.request, err)
		}
		if got := response.Header.Values("X-All"); response.StatusCode != test.status || !slices.Equal(got, []string{"1"}) {
			t.Errorf("%.40q: status %d with %q, want %d with one header", test.request, response.StatusCode, got, test.status)
		}
		c.Close()
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

func TestOpenRefusesWhatNetlifyWouldTreatOtherwise(t *testing.T) {
	tests := []struct{ rules, want string }{
		{`[[headers]]` + "\n" + `for = "/*.js"`, "wildcard"},
		{`[[headers]]` + "\n" + `for = "web"`, "slash"},
		{`[[redirects]]` + "\n" + `from = "/a"` + "\n" + `to = "/b"` + "\n" + `status = 301`, "status 301"},
		{`[[redirects]]` + "\n" + `from = "/a"` + "\n" + `force = true`, "redirects.force"},
		{`[[headers]`, "netlify.toml: toml:"},
	}
	for _, test := range tests {
		file := filepath.Join(t.TempDir(), "netlify.toml")
		must.Do(t, os.WriteFile(file, []byte(test.rules), 0o644))
		if _, err := readRules(file); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%q gives the error %v, want %q", test.rules, err, test.want)
		}
	}
	if _, err := Open("netlify.toml", t.TempDir()); err == nil || !strings.Contains(err.Error(), "make site") {
		t.Errorf("without a site the error is %v", err)
	}
}

// A site that was built for another path is served there.
func TestServeBelowAPath(t *testing.T) {
	s := example(t)
	must.Do(t, os.WriteFile(filepath.Join(s.dist, "manifest.webmanifest"), []byte(`{"scope": "/berth/"}`), 0o644))
	base, err := baseOf(s.dist)
	if err != nil || base != "/berth/" {
		t.Fatalf("the base is %q (%v)", base, err)
	}
	s.base = base
	for path, want := range map[string]int{"/berth/": 200, "/berth/docs": 200, "/berth/web/a.js": 200, "/": 302, "/berth": 307, "/docs": 404, "/berth/nope": 404} {
		if got := request(s.atBase(), "GET", path, nil).StatusCode; got != want {
			t.Errorf("%s gives status %d, want %d", path, got, want)
		}
	}
}
