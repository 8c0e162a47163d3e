package build

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
)

var (
	startTag  = regexp.MustCompile(`<(\w+)((?: [\w-]+(?:="[^"]*")?)+)>`)
	attribute = regexp.MustCompile(` [\w-]+(?:="[^"]*")?`)
	ownScript = regexp.MustCompile(`\s*<script (?:defer )?src="[^"]*/web/[^"]*"></script>`)
	// emptyMeta matches metadata with an empty author, or with a URL without a host.
	emptyMeta = regexp.MustCompile(`\s*<meta (?:name="author"|content="https://(?:/[^"]*)?" property="og:\w+")>`)
	appStart  = regexp.MustCompile(`instantiateStreaming\(\s*fetchWithProgress\("[^"]*", showProgress\),\s*go\.importObject\s*\)`)
)

// adjust changes go-app's output where go-app has no setting, and inserts the first screens.
func adjust(dir string, a *assets) error {
	screens, err := firstScreens()
	if err != nil {
		return err
	}
	for _, p := range pages {
		file, err := intoFolder(dir, p.path)
		if err != nil {
			return err
		}
		changes := []func([]byte) ([]byte, error){tidy, scriptsFirst, replace(a.Resolve(ownExec), a.Resolve("/web"+ownExec))}
		if screen, ok := screens[p.path]; ok {
			changes = append(changes, func(page []byte) ([]byte, error) { return putFirst(page, screen, a) })
		}
		if err := rewrite(file, changes...); err != nil {
			return err
		}
	}
	if err := rewrite(filepath.Join(dir, "app-worker.js"), replace(strconv.Quote(a.Resolve(ownExec))+",", "")); err != nil {
		return err
	}
	// go-app leaves the scope of the manifest at "/".
	if err := rewrite(filepath.Join(dir, "manifest.webmanifest"), replace(`"scope":"/"`, `"scope":"`+a.base+`/"`)); err != nil {
		return err
	}
	if err := os.Remove(filepath.Join(dir, ownExec)); err != nil {
		return err
	}
	return rewrite(filepath.Join(dir, "app.js"), startEarly)
}

// intoFolder makes a page the index of a folder, which every server returns for the
// folder's path: go-app writes /qos.html, which not all servers return for /qos.
func intoFolder(dir, path string) (string, error) {
	index := filepath.Join(dir, path, "index.html")
	if path == "/" {
		return index, nil
	}
	if err := os.MkdirAll(filepath.Dir(index), 0o755); err != nil {
		return "", err
	}
	return index, os.Rename(filepath.Join(dir, path+".html"), index)
}

// ownExec is go-app's own wasm_exec.js, which may not match the version of Go. Pages use the
// wasm_exec.js of the engine workers.
const ownExec = "/wasm_exec.js"

// replace returns the change of a text that must occur exactly once.
func replace(old, new string) func([]byte) ([]byte, error) {
	return func(text []byte) ([]byte, error) { return changed(text, "has "+old, [2]string{old, new}) }
}

func rewrite(file string, changes ...func([]byte) ([]byte, error)) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	for _, change := range changes {
		if text, err = change(text); err != nil {
			return fmt.Errorf("%s: %w", filepath.Base(file), err)
		}
	}
	return os.WriteFile(file, text, 0o644)
}

// tidy sorts the attributes of each tag, because go-app writes them in the random
// order of a map. It also removes empty metadata, which go-app writes for a site
// without a domain.
func tidy(page []byte) ([]byte, error) {
	page = startTag.ReplaceAllFunc(page, func(tag []byte) []byte {
		parts := startTag.FindSubmatch(tag)
		attributes := attribute.FindAll(parts[2], -1)
		slices.SortFunc(attributes, bytes.Compare)
		return fmt.Appendf(nil, "<%s%s>", parts[1], bytes.Join(attributes, nil))
	})
	return emptyMeta.ReplaceAll(page, nil), nil
}

// scriptsFirst moves our own scripts ahead of the style sheets, for which blocking ones would wait,
// and ahead of the program.
func scriptsFirst(page []byte) ([]byte, error) {
	all := bytes.Join(ownScript.FindAll(page, -1), nil)
	return changed(ownScript.ReplaceAll(page, nil), "has its title", [2]string{"</title>", "</title>" + string(all)})
}

// startEarly has boot.js, which runs earlier, fetch and compile the page's program. The engine
// workers then run the same module. The service worker, which fetches everything again, waits until
// the page is drawn. It does not start if the browser blocks storage, because it would only fail.
func startEarly(script []byte) ([]byte, error) {
	const register = "\ngoappInitServiceWorker();\n"
	return changed(script, "starts its program",
		[2]string{string(appStart.Find(script)), "berth.instantiate(go, showProgress, goappWasmContentLength)"},
		[2]string{register, "\nberth.settled.then(() => localStorage.volatile || goappInitServiceWorker());\n"})
}
