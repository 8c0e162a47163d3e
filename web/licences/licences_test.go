package licences

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"berth/engine/must"
)

const (
	repository  = "../.."
	commandLine = repository + "/engine/cmd/berth/licences.txt"
)

var update = flag.Bool("update", false, "write engine/cmd/berth/licences.txt")

// The command line prints the licences of every module in it, on every platform.
func TestCommandLineCarriesItsLicences(t *testing.T) {
	want := must.Get(CommandLine(t.Context(), repository))(t)
	if *update {
		must.Do(t, os.WriteFile(commandLine, want, 0o644))
	}
	if got, err := os.ReadFile(commandLine); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%s is not of the modules that go.mod has (%v); write it with go test ./web/licences -update", commandLine, err)
	}
	for _, name := range []string{"Go, source", "Graphviz 12", "nats.go v", "nkeys v", "freetype v", "The FreeType Project LICENSE", "wazero v"} {
		if !bytes.Contains(want, []byte(name)) {
			t.Errorf("no licence of %s", name)
		}
	}
}

func TestText(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		file := filepath.Join(dir, name)
		must.Do(t, os.MkdirAll(filepath.Dir(file), 0o755))
		must.Do(t, os.WriteFile(file, []byte(text), 0o644))
		return filepath.Dir(file)
	}
	a, b, c := write("a/LICENSE", "one\r\n"), write("b/License.md", "one"), write("c/LICENCE", "two")
	write("c/NOTICE", "a notice")
	write("c/README", "not a licence")
	got, err := Text([]Software{{"A", a}, {"C", c}, {"B", b}})
	line := strings.Repeat("=", 72)
	want := "Berth carries the work of others, under these licences.\n\n" + line + "\nA\nB\n\none\n\n" + line + "\nC\n\ntwo\n\na notice\n"
	if err != nil || string(got) != want {
		t.Errorf("got %q (%v), want %q", got, err, want)
	}
	bare := write("d/README", "no licence")
	if _, err := Text([]Software{{"D", bare}}); err == nil || !strings.Contains(err.Error(), "D has no licence in "+bare) {
		t.Errorf("a work without a licence gives %v", err)
	}
}
