package dot_test

import (
	"bytes"
	"testing"

	"berth/engine/dot"
	"berth/engine/input/workload"
	"berth/engine/must"
	"berth/engine/placement/graphs"
)

// mesh returns the thesis's largest federation as a file, which lists every link between 501
// clusters.
func mesh(tb testing.TB, dialect dot.Dialect) []byte {
	tb.Helper()
	star := must.Get(graphs.Federation(workload.Recipe{Generator: "federation", Preset: "listing", Seed: 1}))(tb)
	f := must.Get(graphs.Mesh(star))(tb)
	var b bytes.Buffer
	must.Do(tb, dot.WriteFederation(&b, f, dialect))
	return b.Bytes()
}

// BenchmarkReadMesh reads a federation of 125,751 statements.
func BenchmarkReadMesh(b *testing.B) {
	for _, dialect := range []dot.Dialect{dot.Thesis, dot.Plain} {
		src := mesh(b, dialect)
		b.Run(string(dialect), func(b *testing.B) {
			b.SetBytes(int64(len(src)))
			b.ReportAllocs()
			for b.Loop() {
				if _, diagnostics := dot.ReadFederation("mesh.dot", src, dot.Options{}); len(diagnostics) > 0 {
					b.Fatal(diagnostics[0])
				}
			}
		})
	}
}
