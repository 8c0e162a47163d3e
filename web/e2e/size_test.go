package e2e

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestSize keeps what a visitor has to fetch within its budget: 2.8 MB until
// the first result, 3.1 MB in all, compressed.
func TestSize(t *testing.T) {
	const firstLimit, allLimit = 2_800_000, 3_100_000
	dir := dist(t)
	first, all := 0, 0
	for _, file := range siteFiles(t, dir) {
		name := filepath.Join(dir, file)
		if info, err := os.Stat(name + ".br"); err == nil {
			all += int(info.Size())
			if neededFirst(file) {
				first += int(info.Size())
			}
			continue
		}
		info, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		all += int(info.Size())
	}
	t.Logf("first result %d bytes, all %d bytes", first, all)
	if first > firstLimit {
		t.Errorf("the first result needs %d bytes, more than %d", first, firstLimit)
	}
	if all > allLimit {
		t.Errorf("the site has %d bytes, more than %d", all, allLimit)
	}
}

// neededFirst reports whether the first result needs a file: the code and the
// styles of a page, but not the charts, which are loaded after it.
func neededFirst(file string) bool {
	name, _, _ := strings.Cut(path.Base(file), ".")
	if name == "d3" || name == "plot" || strings.HasPrefix(name, "chart") {
		return false
	}
	return file == "index.html" || slices.Contains([]string{".css", ".js", ".wasm"}, path.Ext(file))
}
