package build

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"berth/engine/must"
	"berth/web/licences"
)

const repository = "../../.."

func TestModulesAreFoundWithAnEmptyCache(t *testing.T) {
	have := must.Get(runGo(t.Context(), repository, "env", "GOMODCACHE"))(t)
	// Modules come from this machine's cache.
	for _, path := range []string{goGraphviz, goApp} {
		must.Get(goModule(t.Context(), repository, path))(t)
	}
	empty := t.TempDir()
	t.Setenv("GOMODCACHE", empty)
	t.Setenv("GOPROXY", "file://"+filepath.ToSlash(have)+"/cache/download")
	t.Setenv("GOFLAGS", "-modcacherw") // so that the test can remove it
	for path, file := range map[string]string{goGraphviz: "internal/wasm/graphviz.wasm", goApp: "pkg/app/js_wasm.go"} {
		m := must.Get(goModule(t.Context(), repository, path))(t)
		if _, err := os.Stat(filepath.Join(m.Dir, file)); err != nil || !strings.HasPrefix(m.Dir, empty) {
			t.Errorf("%s %s should be in %q: %v", m.Path, m.Version, m.Dir, err)
		}
	}
}

// go-graphviz names the sources of graphviz.wasm, and Berth's copies of the licences are for those
// versions.
func TestLicencesAreOfWhatIsInGraphviz(t *testing.T) {
	m := must.Get(goModule(t.Context(), repository, goGraphviz))(t)
	text := must.Get(os.ReadFile(filepath.Join(m.Dir, "internal", "wasm", "build", "Dockerfile")))(t)
	version := must.Get(os.ReadFile(filepath.Join(m.Dir, "graphviz.version")))(t)
	made := string(text) + "graphviz-" + string(version)
	for _, c := range licences.Graphviz(repository) {
		name, _, _ := strings.Cut(c.Name, ",")
		if source := strings.ToLower(strings.ReplaceAll(name, " ", "-")); !strings.Contains(made, source) {
			t.Errorf("graphviz.wasm is not made from %s", source)
		}
	}
}
