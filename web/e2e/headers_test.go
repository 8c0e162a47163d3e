package e2e

import (
	"bytes"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"

	"berth/engine/must"
)

// fetch requests a path with an Accept-Encoding and returns the body unchanged.
func fetch(t *testing.T, origin, path, encoding string) (*http.Response, []byte) {
	t.Helper()
	request := must.Get(http.NewRequest(http.MethodGet, origin+path, nil))(t)
	request.Header.Set("Accept-Encoding", encoding)
	response := must.Get(http.DefaultTransport.RoundTrip(request))(t)
	defer response.Body.Close()
	body := must.Get(io.ReadAll(response.Body))(t)
	return response, body
}

// siteFiles lists the files of the site, with slashes, without the compressed copies.
func siteFiles(t *testing.T, dir string) []string {
	t.Helper()
	var files []string
	must.Do(t, filepath.WalkDir(dir, func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(file) == ".br" {
			return err
		}
		name, err := filepath.Rel(dir, file)
		files = append(files, filepath.ToSlash(name))
		return err
	}))
	return files
}

func TestWhatIsServed(t *testing.T) {
	t.Run("security headers", securityHeaders)
	t.Run("cache rules", cacheRules)
	t.Run("content", contentIsWhatTheFilesHave)
	t.Run("pages", onlyViewsArePages)
	t.Run("module", moduleGivesTheBytes)
}

func securityHeaders(t *testing.T) {
	want := map[string]string{
		"Content-Security-Policy":      "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; object-src 'none'; base-uri 'self'; form-action 'self'; frame-ancestors 'none'",
		"Strict-Transport-Security":    "max-age=31536000",
		"Cross-Origin-Opener-Policy":   "same-origin",
		"Cross-Origin-Embedder-Policy": "require-corp",
		"Permissions-Policy":           "accelerometer=(), bluetooth=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), hid=(), magnetometer=(), microphone=(), midi=(), payment=(), serial=(), usb=(), xr-spatial-tracking=()",
		"X-Content-Type-Options":       "nosniff",
		"Referrer-Policy":              "no-referrer",
	}
	dir := dist(t)
	site := serve(t, dir)
	paths := slices.Concat(views, frames, nowhere)
	for _, file := range siteFiles(t, dir) {
		paths = append(paths, "/"+file)
	}
	for _, path := range paths {
		response, _ := fetch(t, site.URL, path, "br")
		embedded, policy := strings.HasPrefix(path, "/embed/"), "Content-Security-Policy"
		for name, value := range want {
			switch {
			case name == policy && embedded:
				value = strings.Replace(value, "frame-ancestors 'none'", "frame-ancestors *", 1)
			case name == policy && response.Header.Get(name) == "" && response.StatusCode == http.StatusNotFound:
				continue // the page sends different ones
			}
			if got := response.Header.Values(name); !slices.Equal(got, []string{value}) {
				t.Errorf("%s: %s is %q", path, name, got)
			}
		}
	}
}

func cacheRules(t *testing.T) {
	const immutable = "public, max-age=31536000, immutable"
	hashed := regexp.MustCompile(`^web/.+\.[0-9a-f]{10}\.[a-z]+$`)
	dir := dist(t)
	site := serve(t, dir)
	for _, file := range siteFiles(t, dir) {
		// Both make the browser check again. The second is Netlify's header for paths without a
		// rule.
		want := []string{"no-cache", "public,max-age=0,must-revalidate"}
		if hashed.MatchString(file) {
			want = []string{immutable}
		}
		if response, _ := fetch(t, site.URL, "/"+file, ""); !slices.Contains(want, response.Header.Get("Cache-Control")) {
			t.Errorf("/%s: Cache-Control is %q, want one of %q", file, response.Header.Get("Cache-Control"), want)
		}
	}
	for _, path := range []string{"/", "/placement", "/qos", "/about", "/docs", "/docs/formats"} {
		if response, _ := fetch(t, site.URL, path, ""); response.Header.Get("Cache-Control") != "no-cache" {
			t.Errorf("%s: Cache-Control is %q", path, response.Header.Get("Cache-Control"))
		}
	}
}

func contentIsWhatTheFilesHave(t *testing.T) {
	types := map[string]string{
		".css": "text/css", ".csv": "text/csv", ".dot": "text/vnd.graphviz", ".html": "text/html", ".js": "text/javascript",
		".json": "application/json", ".mjs": "text/javascript", ".png": "image/png", ".star": "text/plain", ".svg": "image/svg+xml", ".tr": "text/plain",
		".txt": "text/plain", ".wasm": "application/wasm", ".webmanifest": "application/manifest+json", ".yaml": "application/yaml",
	}
	dir := dist(t)
	site := serve(t, dir)
	for _, file := range siteFiles(t, dir) {
		want := must.Get(os.ReadFile(filepath.Join(dir, file)))(t)
		plain, body := fetch(t, site.URL, "/"+file, "gzip")
		if !bytes.Equal(body, want) || plain.Header.Get("Content-Encoding") != "" {
			t.Errorf("/%s without brotli differs from the file", file)
		}
		kind, _, _ := strings.Cut(plain.Header.Get("Content-Type"), ";")
		if known, ok := types[filepath.Ext(file)]; !ok || kind != known {
			t.Errorf("/%s is served as %q", file, kind)
		}
		if filepath.Ext(file) == ".png" {
			continue
		}
		packed, body := fetch(t, site.URL, "/"+file, "gzip, br")
		if packed.Header.Get("Content-Encoding") != "br" || packed.Header.Get("Vary") != "Accept-Encoding" {
			t.Errorf("/%s is not served with brotli: %v", file, packed.Header)
			continue
		}
		unpacked, err := io.ReadAll(brotli.NewReader(bytes.NewReader(body)))
		if err != nil || !bytes.Equal(unpacked, want) {
			t.Errorf("/%s with brotli differs from the file (%v)", file, err)
		}
	}
}

// views are the paths of pages, and nowhere are paths without a page.
var (
	views   = []string{"/", "/placement", "/qos", "/federate", "/gallery", "/library", "/about"}
	frames  = []string{"/embed/placement", "/embed/qos", "/embed/federate"} // frames for other people's pages
	nowhere = []string{"/no/such/view", "/nope.js", "/.git/config", "/qos/more", "/web/gone.0123456789.wasm", "/web/"}
)

func onlyViewsArePages(t *testing.T) {
	site := serve(t, dist(t))
	for _, path := range slices.Concat(views, frames) {
		response, body := fetch(t, site.URL, path, "")
		if response.StatusCode != http.StatusOK || !bytes.Contains(body, []byte(`src="/app.js"`)) {
			t.Errorf("%s gives status %d and not the page", path, response.StatusCode)
		}
	}
	for _, path := range nowhere {
		response, body := fetch(t, site.URL, path, "")
		if response.StatusCode != http.StatusNotFound || !bytes.Contains(body, []byte("<h1>There is nothing at this address</h1>")) {
			t.Errorf("%s gives status %d and %.200q", path, response.StatusCode, body)
		}
	}
	if _, body := fetch(t, site.URL, "/placement", ""); !bytes.Contains(body, []byte("<title>Placement · Berth</title>")) {
		t.Error("/placement has not its own title")
	}
}

// The page's isolation blocks none of its own resources.
func pageIsIsolated(t *testing.T, p *tab) {
	p.small()
	if !eval[bool](p, "crossOriginIsolated") {
		t.Error("the page shares its process with others")
	}
	p.wait(testID("result-graph") + " svg .node")
}
