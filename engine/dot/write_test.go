package dot_test

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"berth/engine/dot"
	"berth/engine/graph"
)

func ExampleWriteDeployment() {
	d := graph.NewDeployment()
	api, db := d.AddJob("api"), d.AddJob("the db")
	d.Jobs().Set(api, "cpuOffloading", 200, 400)
	d.Jobs().Set(db, "cpuOffloading", 12.5, 1e-7)
	d.Jobs().SetName(db, "Data")
	d.AddDependency(api, db, graph.Label{Type: graph.Lookup(graph.Dependency, "latency"), Values: []float64{20}})
	var b strings.Builder
	for _, dialect := range []dot.Dialect{dot.Thesis, dot.Plain} {
		if err := dot.WriteDeployment(&b, d, dialect); err != nil {
			fmt.Println(err)
		}
	}
	fmt.Print(b.String())
	// Output:
	// graph {
	// 	api [label="cpuOffloading - request:200 - limit:400", label="api"];
	// 	"the db" [label="cpuOffloading - request:12.5 - limit:1e-07", label="Data"];
	// 	api -- "the db" [label="latency - value:20", label=""];
	// }
	// graph {
	// 	api [request=200, limit=400];
	// 	"the db" [request=12.5, limit="1e-07", label="Data"];
	// 	api -- "the db" [latency=20];
	// }
}

// odd returns names that are difficult for a writer: names with DOT's own marks, keywords, text
// that looks like data, and letters of all lengths.
func odd(r *rand.Rand) string {
	parts := []string{"a", "Z9", "7", "-4", ".5", "1.", " ", "\n", "\r\n", `"`, `\`, `\\`, `\N`, "<", ">", "<b>", "</b>", "é", "漢", "🚢", "\u00A0",
		"node", "Graph", "strict", "--", "->", "#", "//", "/*", "{", "]", ";", "=", ",", ":", "+", "cpu - amount:1", "web - port:80", "'", "&amp;"}
	var b strings.Builder
	for range r.IntN(5) {
		b.WriteString(parts[r.IntN(len(parts))])
	}
	return b.String()
}

// number returns figures of all sizes.
func number(r *rand.Rand, f graph.Field) float64 {
	switch {
	case f.Flag:
		return float64(r.IntN(2))
	case r.IntN(8) == 0:
		return 0
	case r.IntN(2) == 0:
		return float64(1+r.IntN(100_000)) / 100
	}
	return math.Ldexp(1+r.Float64(), r.IntN(200)-100)
}

func decorate(r *rand.Rand, all *graph.Elements, i int) {
	if r.IntN(2) == 0 {
		all.SetName(i, odd(r))
	}
	for _, l := range labels(r, all.Kind()) {
		all.SetLabel(l.Type, i, l.Values)
	}
}

// labels returns some labels, always including the first of the registry.
func labels(r *rand.Rand, on graph.ElementKind) []graph.Label {
	var some []graph.Label
	for i, l := range graph.Labels(on) {
		if i > 0 && r.IntN(2) == 0 {
			continue
		}
		values := make([]float64, len(l.Fields))
		for f, spec := range l.Fields {
			values[f] = number(r, spec)
			if spec.Optional && r.IntN(2) == 0 {
				values[f] = spec.Absent
			}
		}
		some = append(some, graph.Label{Type: l, Values: values})
	}
	return some
}

// fill adds random nodes and edges to a graph.
func fill(r *rand.Rand, nodes, edges *graph.Elements, addNode func(id string) int, addEdge func(a, b int, labels ...graph.Label) (int, bool)) {
	for range 1 + r.IntN(8) {
		decorate(r, nodes, addNode(odd(r)))
	}
	for range 2 * nodes.Len() {
		if a, b := r.IntN(nodes.Len()), r.IntN(nodes.Len()); a != b {
			k, _ := addEdge(a, b, labels(r, edges.Kind())...)
			decorate(r, edges, k)
		}
	}
}

func randomGraphs(r *rand.Rand) (*graph.Deployment, *graph.Federation) {
	d, f := graph.NewDeployment(), graph.NewFederation()
	d.DOTName, f.DOTName = odd(r), odd(r)
	fill(r, d.Jobs(), d.Dependencies(), d.AddJob, d.AddDependency)
	fill(r, f.Clusters(), f.Links(), f.AddCluster, f.AddLink)
	if r.IntN(2) == 0 {
		if _, err := f.SetCenter(f.Clusters().ID(r.IntN(f.Clusters().Len()))); err != nil {
			panic(err)
		}
	}
	return d, f
}

// A written graph reads back to the same graph in either dialect, or the writer
// refuses a name that DOT cannot express.
func TestRoundTrip(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	refused := 0
	for range 1000 {
		d, f := randomGraphs(r)
		for _, dialect := range []dot.Dialect{dot.Thesis, dot.Plain} {
			var one, other bytes.Buffer
			if err := dot.WriteDeployment(&one, d, dialect); err != nil {
				refused++
			} else if got, want := showDeployment(deployment(t, one.String())), showDeployment(d); got != want {
				t.Fatalf("%s\ngot\n%swant\n%s", one.String(), got, want)
			} else if name := deployment(t, one.String()).DOTName; name != d.DOTName {
				t.Fatalf("the name %q became %q", d.DOTName, name)
			}
			if err := dot.WriteFederation(&other, f, dialect); err != nil {
				refused++
				continue
			}
			back := federation(t, other.String())
			if got, want := showFederation(back), showFederation(f); got != want || back.Center() != f.Center() {
				t.Fatalf("%s\ngot centre %d\n%swant centre %d\n%s", other.String(), back.Center(), got, f.Center(), want)
			}
		}
	}
	if refused > 2000 {
		t.Errorf("%d of 4000 graphs are refused", refused)
	}
}

func TestQuote(t *testing.T) {
	for _, c := range []struct {
		in, want string
		keeps    bool
	}{
		{"a_1", "a_1", true},
		{"-4", "-4", true},
		{"1.5", "1.5", true},
		{".5", ".5", true},
		{"", `""`, true},
		{"-", `"-"`, true},
		{"1.", `"1."`, true},
		{"1a", `"1a"`, true},
		{"é", `"é"`, true},
		{"Node", `"Node"`, true},
		{`a"b`, `"a\"b"`, true},
		{`C:\dir`, `"C:\dir"`, true},
		{`\\`, `"\\"`, true},
		{`a\`, `<a\>`, true},
		{`\"`, `<\">`, true},
		{"\\\n", "<\\\n>", true},
		{`<\`, `"<\\"`, false},
		{"a\x00\xffb", "\"a\uFFFD\uFFFDb\"", false},
	} {
		if got := dot.Quote(c.in); got != c.want || dot.Quotable(c.in) != c.keeps {
			t.Errorf("Quote(%q) = %s (%v), want %s (%v)", c.in, got, dot.Quotable(c.in), c.want, c.keeps)
		}
	}
}

func TestWriteRefusesWhatWouldNotReadBack(t *testing.T) {
	for _, name := range []string{`<\`, "\xff", "cpu - amount:1 >"} {
		d := graph.NewDeployment()
		d.Jobs().Set(d.AddJob("a"), "cpuOffloading", 1, 1)
		d.Jobs().SetName(0, name)
		var b bytes.Buffer
		if err := dot.WriteDeployment(&b, d, dot.Thesis); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("%q", name)) || b.Len() > 0 {
			t.Errorf("%q: %v after %d bytes", name, err, b.Len())
		}
	}
	if err := dot.WriteDeployment(&bytes.Buffer{}, graph.NewDeployment(), "json"); err == nil || err.Error() != `unknown dialect "json": expected thesis or plain` {
		t.Error(err)
	}
}
