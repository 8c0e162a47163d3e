package dot_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"berth/engine/dot"
	"berth/engine/golden"
	"berth/engine/graph"
	"berth/engine/must"
)

// The deployments that the thesis's author published can be read.
func TestReadRealDeployments(t *testing.T) {
	for _, c := range []struct {
		file                       string
		jobs, dependencies, merged int
		warnings                   int // number of requests above their limits
	}{
		{"dot/depGraph0.dot", 6, 4, 1, 2},
		{"dot/depGraph1.dot", 15, 34, 1, 9},
		{"dot/depGraph2.dot", 12, 18, 4, 8},
	} {
		t.Run(c.file, func(t *testing.T) {
			src := must.Get(os.ReadFile(filepath.Join(golden.Data(t), c.file)))(t)
			if role := dot.Detect(src); role != dot.Deployment {
				t.Errorf("is taken for a %v", role)
			}
			all, diagnostics := dot.ReadDeployments(c.file, src, dot.Options{})
			must.Do(t, diagnostics.Err())
			d := all[0].Deployment
			if d.Jobs().Len() != c.jobs || d.Dependencies().Len() != c.dependencies {
				t.Errorf("%d jobs, %d dependencies", d.Jobs().Len(), d.Dependencies().Len())
			}
			statements := strings.Count(string(src), " -- ")
			if statements-c.dependencies != c.merged || len(diagnostics.Notes()) != 1 {
				t.Errorf("%d merged, notes %v", statements-c.dependencies, diagnostics.Notes())
			}
			if len(diagnostics.Warnings()) != c.warnings {
				t.Errorf("%d warnings:\n%v", len(diagnostics.Warnings()), diagnostics.Warnings())
			}
			rewrite(t, all[0].Deployment)
		})
	}
}

func rewrite(t *testing.T, d *graph.Deployment) {
	t.Helper()
	for _, dialect := range []dot.Dialect{dot.Thesis, dot.Plain} {
		var b bytes.Buffer
		must.Do(t, dot.WriteDeployment(&b, d, dialect))
		if got, want := showDeployment(deployment(t, b.String())), showDeployment(d); got != want {
			t.Errorf("%s: got\n%swant\n%s", dialect, got, want)
		}
	}
}
