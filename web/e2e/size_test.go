package e2e

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"berth/engine/golden"
)

// TestSize keeps the downloads within their budget, compressed as make run does it: 130
// kB until the first result is shown, 3.5 MB until the program takes over, and 7.67 MB
// in total. The page's program reads traces and networks itself, which is 0.1 MB. The engine
// with readers of manifests and with the language of policies is 3 MB of that, fetched when a file or a policy needs it; the language is
// 0.44 MB. The compression for publishing takes three times as long and saves another
// twentieth.
func TestSize(t *testing.T) {
	golden.Long(t)
	const shownLimit, firstLimit, allLimit = 130_000, 3_500_000, 7_670_000
	dir := dist(t)
	shown, first, all := 0, 0, 0
	for _, file := range siteFiles(t, dir) {
		info, err := os.Stat(filepath.Join(dir, file+".br"))
		if err != nil { // it is not compressed
			info, err = os.Stat(filepath.Join(dir, file))
		}
		if err != nil {
			t.Fatal(err)
		}
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

// neededFirst reports whether the first result needs a file: the largest page, the
// program and the styles. Charts and Graphviz load after it, the editor and the readers
// when someone needs them.
func neededFirst(file string) bool {
	name, _, _ := strings.Cut(path.Base(file), ".")
	if slices.Contains([]string{"d3", "plot", "editor", "graphviz", "readers", "search"}, name) || strings.HasPrefix(name, "chart") && path.Ext(file) == ".js" {
		return false
	}
	return file == "qos/index.html" || slices.Contains([]string{".css", ".js", ".wasm"}, path.Ext(file))
}
