// Package golden compares the output of tests with files. "go test -update" rewrites the files.
package golden

import (
	"flag"
	"hash/fnv"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// Engine replaces the name of the engine in golden files. The name changes more often than their
// contents.
const Engine = "…"

// Updates reports whether golden files are being rewritten (-update).
func Updates() bool { return *update }

// Check fails the test if got differs from the contents of a golden file. With -update it writes
// the file instead.
func Check(t testing.TB, file, got string) {
	t.Helper()
	if got != wanted(t, file, got) {
		t.Errorf("%s differs (go test -update rewrites it); got\n%s", file, got)
	}
}

// wanted reads a file. With -update it writes got to the file first.
func wanted(t testing.TB, file, got string) string {
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
	return string(want)
}

// mostCases limits the cases that [Lines] shows.
const mostCases = 10

// Lines compares got with a file. Each line has the name of a case, a space and the result of the
// case. It shows only the cases that differ.
func Lines(t testing.TB, file, got string) {
	t.Helper()
	want := wanted(t, file, got)
	if got == want {
		return
	}
	was, is := cases(want), cases(got)
	all := maps.Clone(was)
	maps.Copy(all, is)
	names := slices.Sorted(maps.Keys(all))
	names = slices.DeleteFunc(names, func(name string) bool { return was[name] == is[name] })
	t.Errorf("%s differs in %d of %d cases (go test -update rewrites it)", file, len(names), len(all))
	for _, name := range names[:min(len(names), mostCases)] {
		t.Errorf("%s: got %q, want %q", name, is[name], was[name])
	}
}

// cases returns the result of each case in lines, by its name.
func cases(text string) map[string]string {
	all := map[string]string{}
	for line := range strings.Lines(text) {
		name, result, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		all[name] = result
	}
	return all
}

// Part compares got with the named part of a page: the text between the comment with the name and
// the next comment "end".
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

// Long skips a test under -short. make test runs with -short; make deep runs all tests.
func Long(t testing.TB) {
	t.Helper()
	if testing.Short() {
		t.Skip("takes long: not with -short")
	}
}

// Data returns the folder of the data for tests, which BERTH_DATA names. Without it, the test is skipped.
func Data(t testing.TB) string {
	t.Helper()
	folder := os.Getenv("BERTH_DATA")
	if folder == "" {
		t.Skip("BERTH_DATA is not set: the data for this test are not there")
	}
	return folder
}

// Seeds returns the seeds below n for a test with random cases. With -short it returns only a few
// of them, which depend on the commit in the environment variable BERTH_COMMIT.
func Seeds(n int) []uint64 {
	const share, least = 10, 2
	drawn, from := n, 0
	if testing.Short() {
		drawn = max(min(n, least), n/share)
		from = int(Fresh() % uint64(n))
	}
	seeds := make([]uint64, drawn)
	for i := range seeds {
		seeds[i] = uint64((from + i) % n)
	}
	return seeds
}

// Fresh returns a number that differs from commit to commit, derived from the environment variable
// BERTH_COMMIT.
func Fresh() uint64 {
	h := fnv.New32a()
	h.Write([]byte(os.Getenv("BERTH_COMMIT")))
	return uint64(h.Sum32())
}
