package e2e

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"berth/engine/golden"
	"berth/engine/must"
)

// TestSize keeps the downloads within their budget, compressed with brotli 10: 130 kB until the
// first result is shown, 4.6 MB until the program takes over (page and engine), and 6 MB in total.
// The compression for publishing takes three times as long and saves another twentieth.
func TestSize(t *testing.T) {
	golden.Long(t)
	const shownLimit, firstLimit, allLimit = 130_000, 4_600_000, 6_000_000
	dir := dist(t)
	shown, first, all := 0, 0, 0
	for _, file := range siteFiles(t, dir) {
		info, err := os.Stat(filepath.Join(dir, file+".br"))
		if err != nil { // it is not compressed
			info, err = os.Stat(filepath.Join(dir, file))
		}
		must.Do(t, err)
		size := int(info.Size())
		all += size
		if !neededFirst(file) {
			continue
		}
		first += size
		if path.Ext(file) != ".wasm" {
			shown += size
		}
	}
	t.Logf("first result shown %d bytes, taken over %d bytes, all %d bytes", shown, first, all)
	if shown > shownLimit {
		t.Errorf("showing the first result needs %d bytes, more than %d", shown, shownLimit)
	}
	if first > firstLimit {
		t.Errorf("going on from the first result needs %d bytes, more than %d", first, firstLimit)
	}
	if all > allLimit {
		t.Errorf("the site has %d bytes, more than %d", all, allLimit)
	}
}

// neededFirst reports whether the first result needs a file: the largest page, the program and the
// styles. Charts and Graphviz load later, and the editor on demand.
func neededFirst(file string) bool {
	name, _, _ := strings.Cut(path.Base(file), ".")
	if slices.Contains([]string{"d3", "plot", "editor", "graphviz", "search"}, name) || strings.HasPrefix(name, "chart") && path.Ext(file) == ".js" {
		return false
	}
	return file == "qos/index.html" || slices.Contains([]string{".css", ".js", ".wasm"}, path.Ext(file))
}
