// Package golden compares what tests get with files, which "go test -update"
// rewrites.
package golden

import (
	"flag"
	"hash/fnv"
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

// Long skips a test with -short, as make test runs it: make deep runs it.
func Long(t testing.TB) {
	t.Helper()
	if testing.Short() {
		t.Skip("takes long: not with -short")
	}
}

// Seeds are the seeds below n of a test that draws its cases. With -short they are a few
// of them, others for each commit, which the environment variable BERTH_COMMIT names.
func Seeds(n int) []uint64 {
	const share, least = 10, 2
	drawn, from := n, 0
	if testing.Short() {
		drawn = max(min(n, least), n/share)
		h := fnv.New32a()
		h.Write([]byte(os.Getenv("BERTH_COMMIT")))
		from = int(h.Sum32() % uint32(n))
	}
	seeds := make([]uint64, drawn)
	for i := range seeds {
		seeds[i] = uint64((from + i) % n)
	}
	return seeds
}

// Updating reports whether golden files are being rewritten, for tests of parts of one.
func Updating() bool { return *update }
