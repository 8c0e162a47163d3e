package e2e

import (
	"archive/zip"
	"encoding/json"
	"fmt"
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
	"berth/examples"
	"berth/web/site/build"
)

// moduleGivesTheBytes runs the examples with berth.mjs: on a page of another host, in
// Firefox, and in Node.js with the archive of a release. The reports have the digests of
// package everywhere.
func moduleGivesTheBytes(t *testing.T) {
	golden := must.Get(os.ReadFile(filepath.Join(repository, "engine/everywhere/testdata/examples.txt")))(t)
	check := func(t *testing.T, got string, err error) {
		t.Helper()
		if lines := strings.Count(got, "\n"); err != nil || lines != len(moduleExamples()) {
			t.Errorf("%v; %d examples ran: %s", err, lines, got)
		}
		for line := range strings.Lines(got) {
			if !strings.Contains("\n"+string(golden), "\n"+line) {
				t.Errorf("another digest: %s", line)
			}
		}
	}
	t.Run("chromium", func(t *testing.T) {
		t.Parallel()
		p := open(t, "/docs/module")
		p.wait("#sweep .line-3")
		p.screenshot("module")
		other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			w.Write([]byte("<!doctype html><link rel=icon href=data:,>"))
		}))
		t.Cleanup(other.Close)
		q := openAt(t, other.URL, "/")
		got, err := chromedp.Run(q.ctx, chromedp.Evaluate[string](digestsBy(t, p.origin+"/berth.mjs"), chromedp.EvalAwaitPromise))
		check(t, got, err)
		for _, fault := range q.takeFaults() {
			if !strings.Contains(fault, "request of another host: "+p.origin) {
				t.Error(fault)
			}
		}
	})
	t.Run("firefox", func(t *testing.T) {
		t.Parallel()
		v := visitIn(t, "firefox")
		v.open("/docs/module")
		var got string
		err := v.driver.Value(v.ctx, digestsBy(t, "/berth.mjs"), &got)
		check(t, got, err)
	})
	t.Run("node", func(t *testing.T) {
		t.Parallel()
		node := exec.CommandContext(t.Context(), "node", "--input-type=module", "-")
		node.Stdin = strings.NewReader("process.stdout.write(await " + digestsBy(t, unpackedModule(t)+"/berth.mjs") + ")")
		node.Stderr = os.Stderr
		got, err := node.Output()
		check(t, string(got), err)
	})
}

// moduleExamples returns all examples, and with -short one of each kind.
func moduleExamples() (all []examples.Example) {
	kinds := map[string]bool{}
	for _, e := range examples.List() {
		if !testing.Short() || !kinds[e.Scenario.Kind] {
			all = append(all, e)
		}
		kinds[e.Scenario.Kind] = true
	}
	return all
}

// digestsBy returns an expression for the digests of the examples by the module at an
// address. It also cancels a run.
func digestsBy(t *testing.T, module string) string {
	var documents [][2]string
	for _, e := range moduleExamples() {
		documents = append(documents, [2]string{e.Name, string(scenario.Encode(e.Scenario))})
	}
	list := must.Get(json.Marshal(documents))(t)
	return fmt.Sprintf(`(async () => {
		const berth = await (await import(%q)).load();
		const cancelled = AbortSignal.timeout(1);
		const error = await berth.run({ version: 1 }, { signal: cancelled }).catch((error) => error);
		if (error !== cancelled.reason) throw error;
		const lines = await Promise.all(%s.map(async ([name, document]) => {
			const { text } = await berth.run(document);
			const bytes = new TextEncoder().encode(text.replace(/"engine": ".*?"/, '"engine": ""'));
			const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
			return name + " " + [...digest.slice(0, 8)].map((byte) => byte.toString(16).padStart(2, "0")).join("") + "\n";
		}));
		berth.close();
		return lines.join("");
	})()`, module, list)
}

// unpackedModule returns the folder of an unpacked archive of a release.
func unpackedModule(t *testing.T) string {
	folder := t.TempDir()
	file := filepath.Join(folder, "module.zip")
	must.Do(t, build.Module(t.Context(), repository, file))
	archive := must.Get(zip.OpenReader(file))(t)
	defer archive.Close()
	must.Do(t, os.CopyFS(folder, archive))
	return folder
}
