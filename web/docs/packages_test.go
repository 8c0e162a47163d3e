package docs

import (
	"slices"
	"strings"
	"testing"

	"berth/engine/must"
)

// The picture has every package of the program and the imports between its parts.
func TestPackagesAreDrawn(t *testing.T) {
	l := must.Get(readLayers("../.."))(t)
	if err := l.check(); err != nil {
		t.Error(err)
	}
	for _, pkg := range []struct{ name, part string }{
		{"engine/dot", "readers"}, {"engine/placement", "systems"}, {"engine/placement/placementkind", "kinds"}, {"wasm/bridge", "bridge"},
		{"wasm/worker/handler", "programs"}, {"engine/cmd/berth", "command"}, {"app/shell", "views"}, {"engine/stats", "foundations"},
	} {
		if !slices.Contains(l.packages[pkg.part], pkg.name) {
			t.Errorf("%s is not in %s", pkg.name, pkg.part)
		}
	}
	if !l.imports["views"]["bridge"] || l.imports["systems"]["kinds"] || l.imports["foundations"]["readers"] {
		t.Errorf("the imports are %v", l.imports)
	}
	for _, p := range parts {
		if len(l.packages[p.name]) == 0 {
			t.Errorf("%s has no package", p.title)
		}
	}
	for _, d := range dataFlow {
		if len(l.packages[d.from]) == 0 || len(l.packages[d.to]) == 0 {
			t.Errorf("data goes from %s to %s, which is no part", d.from, d.to)
		}
	}
	drawing, table, err := packagesFigure()
	must.Do(t, err)
	if !strings.Contains(drawing, `role="img" aria-label="`) || !strings.Contains(drawing, "placementkind") || !strings.Contains(table, "<td>Foundations</td>") {
		t.Errorf("the picture is %.300s", drawing)
	}
}

// Two parts that import each other cannot be layers.
func TestPartsThatImportEachOther(t *testing.T) {
	l := layers{imports: map[string]map[string]bool{"views": {"bridge": true}, "bridge": {"systems": true}, "systems": {"views": true}}}
	if err := l.check(); err == nil || !strings.Contains(err.Error(), "Views imports itself") {
		t.Errorf("the cycle gives %v", err)
	}
	l.imports["systems"] = map[string]bool{"bridge": true} // a cycle below the first part
	if l.reaches("views", "views") || !l.reaches("bridge", "bridge") {
		t.Error("the cycle of others is not told from one of its own")
	}
}

func TestLines(t *testing.T) {
	if got, want := lines([]string{"one", "two", "three"}, 8), []string{"one, two,", "three"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
