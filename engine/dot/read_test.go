package dot_test

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"berth/engine/dot"
	"berth/engine/graph"
	"berth/engine/must"
)

// deployment reads a text that must be valid.
func deployment(t *testing.T, src string) *graph.Deployment {
	t.Helper()
	all, diagnostics := dot.ReadDeployments("d.dot", []byte(src), dot.Options{})
	if err := diagnostics.Err(); err != nil || len(all) != 1 {
		t.Fatalf("%d deployments of\n%s\n%v", len(all), src, err)
	}
	return all[0].Deployment
}

func federation(t *testing.T, src string) *graph.Federation {
	t.Helper()
	f, diagnostics := dot.ReadFederation("f.dot", []byte(src), dot.Options{})
	if err := diagnostics.Err(); err != nil {
		t.Fatalf("%s\n%v", src, err)
	}
	return f
}

// show writes each element of a graph on its own line, for comparisons.
func show(nodes, edges *graph.Elements, ends func(int) (int, int)) string {
	var b strings.Builder
	labels := func(all *graph.Elements, i int) {
		for _, l := range graph.Labels(all.Kind()) {
			if v := all.Values(l, i); v != nil {
				fmt.Fprintf(&b, " %s%v", l.Name, v)
			}
		}
		b.WriteByte('\n')
	}
	for i := range nodes.Len() {
		fmt.Fprintf(&b, "%s(%s)", nodes.ID(i), nodes.Name(i))
		labels(nodes, i)
	}
	for k := range edges.Len() {
		x, y := ends(k)
		fmt.Fprintf(&b, "%s--%s(%s)", nodes.ID(x), nodes.ID(y), edges.Name(k))
		labels(edges, k)
	}
	return b.String()
}

func showDeployment(d *graph.Deployment) string { return show(d.Jobs(), d.Dependencies(), d.Ends) }
func showFederation(f *graph.Federation) string { return show(f.Clusters(), f.Links(), f.Ends) }

// cases checks the results of the cases in a file: each has a name after "===", a text, and its
// result between "---" and an empty line.
func cases(t *testing.T, file string, result func(t *testing.T, name, src string) string) {
	t.Helper()
	page := string(must.Get(os.ReadFile(file))(t))
	all := regexp.MustCompile(`(?ms)^=== (.+?)\n(.*?)\n---\n(.*?)\n(?:\n|\z)`).FindAllStringSubmatch(page, -1)
	if len(all) != strings.Count(page, "=== ") {
		t.Fatalf("%s: read %d cases", file, len(all))
	}
	for _, c := range all {
		t.Run(c[1], func(t *testing.T) {
			if got := result(t, c[1], c[2]); got != c[3] {
				t.Errorf("%s\ngot\n%s\nwant\n%s", c[2], got, c[3])
			}
		})
	}
}

func TestReadDeployment(t *testing.T) {
	cases(t, "testdata/read.txt", func(t *testing.T, _, src string) string {
		return strings.TrimSuffix(showDeployment(deployment(t, src)), "\n")
	})
	const marked = "\uFEFFgraph{a[request=1,limit=2]b[request=1;limit=2]a--b[latency=1]}"
	if got := showDeployment(deployment(t, marked)); got != "a(a) cpuOffloading[1 2]\nb(b) cpuOffloading[1 2]\na--b() latency[1]\n" {
		t.Errorf("a byte order mark and no blanks: %s", got)
	}
}

func TestReadFederation(t *testing.T) {
	f := federation(t, `graph "f" {
	center=hub
	hub [cpu=2000, cpu_cost=0];
	eu [label="cpu - amount:10 - cost:0.4 - minR:1 - maxR:5 - minL:2 - maxL:6", label="Europe", memory=64, memory_cost=0.01, memory_max_request=8];
	us [storage=5, storage_cost=1];
	eu -- hub [latency=80, latency_cost=0.15, bandwidth=10, bandwidth_cost=1];
	hub -- us [label="latency - value:10 - cost:1", label="bandwidth - value:7 - cost:0", link_cost=2, label="u"];
	eu -- us [latency=1, latency_cost=1];
	eu -- hub [latency=70, latency_cost=0.5, label="parallel"];
	hub -- eu [latency=75, latency_cost=0];
}`)
	want := `hub(hub) cpu[2000 0 0 +Inf 0 +Inf]
eu(Europe) cpu[10 0.4 1 5 2 6] memory[64 0.01 0 8 0 +Inf]
us(us) storage[5 1 0 +Inf 0 +Inf]
eu--hub() latency[70 0.5]
hub--us(u) latency[10 1] bandwidth[7 0] linkCost[2]
eu--us() latency[1 1]
`
	if got := showFederation(f); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if f.DOTName != "f" || f.Center() != 0 {
		t.Errorf("name %q, centre %d", f.DOTName, f.Center())
	}
	latency := graph.Lookup(graph.Link, "latency")
	if v, ok := f.Figure(latency, 0, 1, 2); !ok || v != 80 {
		t.Errorf("through the centre: %v, %v", v, ok)
	}
}

// Graphviz has an attribute with the same name, whose value is true or false.
func TestGraphvizCenterIsNoCluster(t *testing.T) {
	const body = ` { a [cpu=1, cpu_cost=1]; true [cpu=1, cpu_cost=1] a -- true [latency=1, latency_cost=1] }`
	for src, want := range map[string]int{
		`graph` + strings.Replace(body, "{", "{ center=true", 1):                              1,
		`graph { graph [center=1] b [cpu=1, cpu_cost=1] }`:                                    -1,
		`graph { subgraph s { center=b } b [cpu=1, cpu_cost=1] }`:                             -1,
		`graph { graph [center="b"]; center=c b [cpu=1, cpu_cost=1]; c [cpu=1, cpu_cost=2] }`: 1,
	} {
		if got := federation(t, src).Center(); got != want {
			t.Errorf("%s: centre %d, want %d", src, got, want)
		}
	}
}

func TestSeveralGraphsAreSeveralDeployments(t *testing.T) {
	src := `graph x { node [request=1, limit=1] a } // defaults end with the graph
strict graph { b [request=2, limit=2] } graph { b [request=3, limit=3] }`
	all, diagnostics := dot.ReadDeployments(`C:\tmp/app.dot`, []byte(src), dot.Options{})
	if len(diagnostics) > 0 || len(all) != 3 {
		t.Fatalf("%d deployments, %v", len(all), diagnostics)
	}
	for i, want := range []string{"app.dot#1 x a(a) cpuOffloading[1 1]\n", "app.dot#2  b(b) cpuOffloading[2 2]\n", "app.dot#3  b(b) cpuOffloading[3 3]\n"} {
		if got := all[i].Name + " " + all[i].DOTName + " " + showDeployment(all[i].Deployment); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	one, _ := dot.ReadDeployments("dir/one.dot", []byte(`graph { b [request=2, limit=2] }`), dot.Options{})
	if one[0].Name != "one.dot" {
		t.Errorf("a single graph is called %q", one[0].Name)
	}
}

func TestDetect(t *testing.T) {
	for src, want := range map[string]dot.Role{
		"":                                                         dot.Unknown,
		"no graph at all":                                          dot.Unknown,
		`graph { a -- b [latency=4] }`:                             dot.Unknown,
		`graph { a [request=1, limit=2] }`:                         dot.Deployment,
		`graph { a [memoryOffloading_limit=2`:                      dot.Deployment,
		`graph { a [cpu=1, cpu_cost=2] }`:                          dot.Federation,
		`graph { a -- b [latency=4, latency_cost=1] }`:             dot.Federation,
		`digraph { a [cpu=1, memory=2] }`:                          dot.Unknown,
		`digraph { a [cpu=1, request=2] }`:                         dot.Deployment,
		`digraph { a [cpu=1, cpu_cost=2] }`:                        dot.Federation,
		`graph { a [label="cpu - amount:1 - cost:2", label="n"] }`: dot.Federation,
		`graph { a [label="cpuOffloading - request:1 - limit:2", label="n"] }`:                   dot.Deployment,
		`graph { a [cpu=1, request=1, limit=1, color=red] b [request=1 limit=2] }`:               dot.Deployment,
		`graph { node [label="request=1"] /* request=1 limit=1 */ a [cpu=1] // request=1` + "\n": dot.Federation,
	} {
		if got := dot.Detect([]byte(src)); got != want {
			t.Errorf("%s: %v, want %v", src, got, want)
		}
	}
}

func TestProgressGoesFromStartToEnd(t *testing.T) {
	var fractions []float64
	src := mesh(t, dot.Thesis)
	_, diagnostics := dot.ReadFederation("mesh.dot", src, dot.Options{Progress: func(f float64) { fractions = append(fractions, f) }})
	if len(diagnostics) > 0 {
		t.Fatal(diagnostics)
	}
	if len(fractions) < 20 {
		t.Errorf("told %d times", len(fractions))
	}
	for i := 1; i < len(fractions); i++ {
		if fractions[i] < fractions[i-1] || fractions[i]-fractions[i-1] > 0.05 {
			t.Fatalf("%v after %v", fractions[i], fractions[i-1])
		}
	}
	if last := fractions[len(fractions)-1]; last < 0.99 || last > 1 {
		t.Errorf("ends at %v", last)
	}
}

// A bandwidth without a price costs nothing. Other missing prices are errors.
func TestBandwidthMayBeFree(t *testing.T) {
	const text = "graph { a [cpu=1, cpu_cost=1]; b [cpu=1, cpu_cost=1]; a -- b [bandwidth=5%s]; }"
	f, found := dot.ReadFederation("f", []byte(fmt.Sprintf(text, "")), dot.Options{})
	if f == nil || len(found) > 0 {
		t.Fatal(found)
	}
	if got := f.Links().Values(graph.Lookup(graph.Link, "bandwidth"), 0); !slices.Equal(got, []float64{5, 0}) {
		t.Errorf("the bandwidth is %v", got)
	}
	if f, found := dot.ReadFederation("f", []byte(fmt.Sprintf(text, ", latency=3")), dot.Options{}); f != nil || !strings.Contains(fmt.Sprint(found), "latency_cost") {
		t.Error(found)
	}
}
