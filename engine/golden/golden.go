// Package golden compares what tests get with files, which "go test -update"
// rewrites.
package golden

import (
	"flag"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// Updates reports whether the files are to be rewritten.
func Updates() bool { return *update }

// Check compares got with a file.
func Check(t testing.TB, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs (go test -update rewrites it); got\n%s", file, got)
	}
}

// Part compares got with the part of a page that is called name: what stands between
// the comment with its name and the next one that says "end".
func Part(t testing.TB, file, name, got string) {
	t.Helper()
	page, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	begin, end := "<!-- "+name+" -->\n", "<!-- end -->\n"
	lead, rest, found := strings.Cut(string(page), begin)
	_, trail, ended := strings.Cut(rest, end)
	if !found || !ended {
		t.Fatalf("%s: %q or %q is missing", file, begin, end)
	}
	Check(t, file, lead+begin+got+end+trail)
}

// Long skips a test that takes long, and whose result is the same wherever it is
// computed, with -short: the browser leaves it to the native run.
func Long(t testing.TB) {
	t.Helper()
	if testing.Short() {
		t.Skip("takes long: not with -short")
	}
}

// Updating reports whether golden files are being rewritten, for tests of parts of one.
func Updating() bool { return *update }
