package dot_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"berth/engine/dot"
	"berth/engine/graph"
	"berth/engine/must"
)

// data returns a file of real input.
func data(t *testing.T, name string) []byte {
	t.Helper()
	dir := os.Getenv("BERTH_DATA")
	if dir == "" {
		t.Skip("BERTH_DATA is not set: real input is not read")
	}
	src := must.Get(os.ReadFile(filepath.Join(dir, filepath.FromSlash(name))))(t)
	return src
}

// The deployments that the thesis's author published, and the deployments of the expected
// placements, can be read.
func TestReadRealDeployments(t *testing.T) {
	for _, c := range []struct {
		file                       string
		jobs, dependencies, merged int
		warnings                   int // number of requests above their limits
	}{
		{"dot/depGraph0.dot", 6, 4, 1, 2},
		{"dot/depGraph1.dot", 15, 34, 1, 9},
		{"dot/depGraph2.dot", 12, 18, 4, 8},
		{"placement/small-deployment.dot", 8, 10, 4, 0},
		{"placement/medium-deployment.dot", 40, 79, 1, 0},
		{"placement/backtracking-deployment.dot", 16, 29, 3, 0},
	} {
		t.Run(c.file, func(t *testing.T) {
			src := data(t, c.file)
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

func TestReadRealFederations(t *testing.T) {
	for file, clusters := range map[string]int{
		"placement/small-federation.dot":        21,
		"placement/medium-federation.dot":       61,
		"placement/backtracking-federation.dot": 7,
	} {
		t.Run(file, func(t *testing.T) {
			src := data(t, file)
			if role := dot.Detect(src); role != dot.Federation {
				t.Errorf("is taken for a %v", role)
			}
			f, diagnostics := dot.ReadFederation(file, src, dot.Options{Strict: true})
			if len(diagnostics) > 0 {
				t.Fatal(diagnostics)
			}
			if f.Clusters().Len() != clusters || f.Links().Len() != clusters*(clusters-1)/2 || f.Center() >= 0 {
				t.Errorf("%d clusters, %d links, centre %d", f.Clusters().Len(), f.Links().Len(), f.Center())
			}
		})
	}
}
