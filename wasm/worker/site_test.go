//go:build !js

package worker_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"berth/engine/must"
	"berth/engine/scenario"
	"berth/wasm/bridge"
	"berth/web/browser"
)

// The page counts the workers it starts, and records the newest worker and the longest
// task that blocked it, in milliseconds.
const html = `<!doctype html><title>worker</title><script src="wasm_exec.js"></script><script>
engine = WebAssembly.compileStreaming(fetch("app.wasm"));
started = 0;
newest = null;
Worker = class extends Worker { constructor(...args) { super(...args); started++; newest = this; } };
blocked = 0;
new PerformanceObserver((list) => { for (const task of list.getEntries()) blocked = Math.max(blocked, task.duration); })
  .observe({ entryTypes: ["longtask"] });
go = new Go();
WebAssembly.instantiateStreaming(fetch("page.wasm"), go.importObject).then((page) => go.run(page.instance));
</script>`

// openPage builds the engine worker and the page of internal/page, serves them with the given files
// and opens the page in a new browser.
func openPage(tb testing.TB, files map[string][]byte) context.Context {
	tb.Helper()
	dir := tb.TempDir()
	for file, pkg := range map[string]string{"app.wasm": "../../app/main", "page.wasm": "./internal/page"} {
		build := exec.Command("go", "build", "-o", filepath.Join(dir, file), pkg)
		build.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
		if out, err := build.CombinedOutput(); err != nil {
			tb.Fatalf("building %s: %v\n%s", pkg, err, out)
		}
	}
	site := maps.Clone(files)
	if site == nil {
		site = map[string][]byte{}
	}
	site["index.html"] = []byte(html)
	root := must.Get(exec.Command("go", "env", "GOROOT").Output())(tb)
	site["wasm_exec.js"] = mustRead(tb, filepath.Join(strings.TrimSpace(string(root)), "lib/wasm/wasm_exec.js"))
	site["engine-worker.js"] = mustRead(tb, "../../web/assets/engine-worker.js")
	for file, data := range site {
		must.Do(tb, os.WriteFile(filepath.Join(dir, file), data, 0o666))
	}
	server := httptest.NewServer(http.FileServer(http.Dir(dir)))
	tb.Cleanup(server.Close)
	tab, stop, err := browser.Start(context.Background())
	must.Do(tb, err)
	tb.Cleanup(stop)
	must.Do(tb, chromedp.Do(tab, chromedp.Navigate(server.URL), chromedp.Poll[chromedp.Void]("globalThis.run")))
	return tab
}

func mustRead(tb testing.TB, file string) []byte {
	tb.Helper()
	return must.Get(os.ReadFile(file))(tb)
}

// result is the return value of the page's functions.
type result struct {
	Hash    string
	Report  []byte
	Same    bool
	Timings *scenario.Timings
	Memory  uint64
	SVG     string
	Partial bool
	Error   *bridge.Error
}

// ask evaluates a call of one of the page's functions and waits for its answer.
func ask(tb testing.TB, tab context.Context, expression string) result {
	tb.Helper()
	text, err := chromedp.Run(tab, chromedp.Evaluate[string](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		tb.Fatalf("%.200s: %v", expression, err)
	}
	var r result
	if err := json.Unmarshal([]byte(text), &r); err != nil {
		tb.Fatalf("%.200s: %v: %s", expression, err, text)
	}
	return r
}

// evaluate evaluates an expression, such as a variable of the page.
func evaluate[T any](tb testing.TB, tab context.Context, expression string) T {
	tb.Helper()
	v, err := chromedp.Run(tab, chromedp.Evaluate[T](expression))
	if err != nil {
		tb.Fatalf("%.200s: %v", expression, err)
	}
	return v
}

// call formats the call of a function with strings.
func call(function string, args ...string) string {
	quoted := make([]string, len(args))
	for i, a := range args {
		literal, _ := json.Marshal(a) // marshalling a string cannot fail
		quoted[i] = string(literal)
	}
	return fmt.Sprintf("%s(%s)", function, strings.Join(quoted, ", "))
}
