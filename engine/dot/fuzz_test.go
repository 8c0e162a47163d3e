package dot_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"berth/engine/budget"
	"berth/engine/diag"
	"berth/engine/dot"
	"berth/engine/must"
)

// FuzzRead checks invariants of the reader for any text: it does not panic, its
// diagnostics lie in the file, and an accepted graph can be written and read back
// unless a name prevents it.
func FuzzRead(f *testing.F) {
	seeds, err := filepath.Glob("testdata/*.dot")
	if err != nil || len(seeds) == 0 {
		f.Fatalf("no seeds: %v", err)
	}
	for _, file := range seeds {
		src := must.Get(os.ReadFile(file))(f)
		f.Add(src)
	}
	bounds := budget.Limits{Depth: 20}
	bounds.Most[budget.Bytes], bounds.Most[budget.Nodes], bounds.Most[budget.Edges] = 1<<16, 1000, 1000
	f.Fuzz(func(t *testing.T, src []byte) {
		limits := dot.Options{Budget: budget.New(bounds)}
		dot.Detect(src)
		all, diagnostics := dot.ReadDeployments("f.dot", src, limits)
		checkPlaces(t, src, diagnostics)
		for _, d := range all {
			var b bytes.Buffer
			if dot.WriteDeployment(&b, d.Deployment, dot.Plain) == nil {
				if got, want := showDeployment(deployment(t, b.String())), showDeployment(d.Deployment); got != want {
					t.Errorf("%s\ngot\n%swant\n%s", b.String(), got, want)
				}
			}
		}
		limits.Budget = budget.New(bounds)
		one, diagnostics := dot.ReadFederation("f.dot", src, limits)
		checkPlaces(t, src, diagnostics)
		var b bytes.Buffer
		if one != nil && dot.WriteFederation(&b, one, dot.Thesis) == nil {
			back := federation(t, b.String())
			if got, want := showFederation(back), showFederation(one); got != want || back.Center() != one.Center() {
				t.Errorf("%s\ngot\n%swant\n%s", b.String(), got, want)
			}
		}
	})
}

func checkPlaces(t *testing.T, src []byte, all diag.List) {
	t.Helper()
	lines := strings.Split(string(src), "\n")
	for _, d := range all {
		if d.Line < 1 || d.Line > len(lines) || d.Column < 1 || d.Column > utf8.RuneCountInString(lines[d.Line-1])+1 {
			t.Errorf("%s: outside of the file", d)
		}
		if d.Message() == "" || strings.Contains(d.Message(), "%!") {
			t.Errorf("%s: no message", d)
		}
	}
}
