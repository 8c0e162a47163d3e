package e2e

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"
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
