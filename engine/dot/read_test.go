package dot_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"berth/engine/dot"
	"berth/engine/graph"
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

func TestReadDeployment(t *testing.T) {
	for _, c := range []struct{ name, src, want string }{
		{"thesis", `graph{
	node[style="filled", color="#B68639"]
	0[label="cpuOffloading - request:124.39 - limit:389.48", label="n0"];
	1[label="cpuOffloading - request:447 - limit:448.5", label="n1"];
	1 -- 0[label="latency - value:41.61", label="n1-n0"];
}`, `
0(n0) cpuOffloading[124.39 389.48]
1(n1) cpuOffloading[447 448.5]
1--0(n1-n0) latency[41.61]
`},
		{"plain", `graph {
	api [request=200, limit=400, memory_request=512, memory_limit=1024, preemption=1, label="API"]
	db [cpu_request=1 cpu_limit=2 storage_request=3; storage_limit=4]
	api -- db [latency=20, bandwidth=100]
}`, `
api(API) cpuOffloading[200 400] memoryOffloading[512 1024] preemption[1]
db(db) cpuOffloading[1 2] storageOffloading[3 4]
api--db() latency[20] bandwidth[100]
`},
		{"by the names of label and field", `graph { a [cpuOffloading_request=1, cpuOffloading_limit=2] b [request=1 limit=1] a -- b [latency_value=3] }`, `
a(a) cpuOffloading[1 2]
b(b) cpuOffloading[1 1]
a--b() latency[3]
`},
		{"several labels and any blanks", `graph { a [label="cpuOffloading-request:1-limit : 2", label=" memoryOffloading  --  request: 3e-1 -limit:+4.", label="preemption - value:0", label="A"] }`, `
a(A) cpuOffloading[1 2] memoryOffloading[0.3 4] preemption[0]
`},
		{"the last label carries data too", `graph { a [label="cpuOffloading - request:1 - limit:2"] }`, `
a(a) cpuOffloading[1 2]
`},
		{"both dialects on one job", `graph { a [memory_request=1, label="cpuOffloading - request:1 - limit:2", memory_limit=2, label="A"] }`, `
a(A) cpuOffloading[1 2] memoryOffloading[1 2]
`},
		{"names that look like data", `graph { a [request=1 limit=2 label="web - port:80"] b [request=1 limit=2 label=<cpu - amount:1>] c [request=1 limit=2 label="cpu"] }`, `
a(web - port:80) cpuOffloading[1 2]
b(cpu - amount:1) cpuOffloading[1 2]
c(cpu) cpuOffloading[1 2]
`},
		{"HTML stays text", `graph { a [request=1 limit=2 label=<<b>A &amp; <i>b</i></b><script>alert(1)</script>>] }`, `
a(<b>A &amp; <i>b</i></b><script>alert(1)</script>) cpuOffloading[1 2]
`},
		{"named again adds and replaces", `graph { a [request=1, limit=2] a [limit=3, label="A"] a [preemption=0] }`, `
a(A) cpuOffloading[1 3] preemption[0]
`},
		{"defaults are scoped and hold for what comes later", `graph {
	z [request=9 limit=9]
	node [request=1, limit=5]
	a
	subgraph s { node [limit=6] b; edge [latency=7] a -- b; z }
	c [limit=8]
	a -- c [latency=4]
	edge [latency=3, label="e"]
	b -- c
	z -- c [latency=2]
}`, `
z(z) cpuOffloading[9 9]
a(a) cpuOffloading[1 5]
b(b) cpuOffloading[1 6]
c(c) cpuOffloading[1 8]
a--b() latency[7]
a--c() latency[4]
b--c(e) latency[3]
z--c(e) latency[2]
`},
		{"a label replaces that of the defaults", `graph { node [label="cpuOffloading - request:1 - limit:2", label="\N"] a b [label="cpuOffloading - request:3 - limit:4", label="B"] c [limit=7] }`, `
a(a) cpuOffloading[1 2]
b(B) cpuOffloading[3 4]
c(c) cpuOffloading[1 7]
`},
		{"figures of the cluster that a subgraph is drawn for", `graph { subgraph cluster_eu { graph [cpu=5, cpu_cost=1]; memory=4 a [request=1 limit=2] } }`, `
a(a) cpuOffloading[1 2]
`},
		{"chains and subgraphs as ends", `graph { node [request=1 limit=1] edge [latency=1] a -- {b c} -- d; subgraph x {e; f} -- a }`, `
a(a) cpuOffloading[1 1]
b(b) cpuOffloading[1 1]
c(c) cpuOffloading[1 1]
d(d) cpuOffloading[1 1]
e(e) cpuOffloading[1 1]
f(f) cpuOffloading[1 1]
a--b() latency[1]
a--c() latency[1]
b--d() latency[1]
c--d() latency[1]
e--a() latency[1]
f--a() latency[1]
`},
		{"a subgraph that is opened again keeps its nodes", `graph { node [request=1 limit=1] edge [latency=1] subgraph x { a { b } } subgraph x { } -- c }`, `
a(a) cpuOffloading[1 1]
b(b) cpuOffloading[1 1]
c(c) cpuOffloading[1 1]
a--c() latency[1]
b--c() latency[1]
`},
		{"strict: an edge named again adds and replaces", `strict graph { node [request=1 limit=1] a -- b [latency=1]; b -- a [latency=5, bandwidth=2]; edge [latency=9]; a -- b [label=x] b -- c }`, `
a(a) cpuOffloading[1 1]
b(b) cpuOffloading[1 1]
c(c) cpuOffloading[1 1]
a--b(x) latency[5] bandwidth[2]
b--c() latency[9]
`},
		{"parallel dependencies keep the tightest bound", `graph { node [request=1 limit=1] a -- b [latency=9, bandwidth=2]; b -- a [latency=4, bandwidth=7]; a -- b [latency=6] }`, `
a(a) cpuOffloading[1 1]
b(b) cpuOffloading[1 1]
a--b() latency[4] bandwidth[7]
`},
		{"volumes of parallel dependencies add up, in both dialects", `graph { node [request=1 limit=1] a -- b [volume=9]; b -- a [latency=4, volume=0.5]; a -- c [label="traffic - volume:7", label="a-c"] }`, `
a(a) cpuOffloading[1 1]
b(b) cpuOffloading[1 1]
c(c) cpuOffloading[1 1]
a--b() latency[4] traffic[9.5]
a--c(a-c) traffic[7]
`},
		{"ids, ports, comments and keywords of any case", "# 1 \"x\"\n/* a */ GRAPH \"my \\\"g\\\"\" { // b\n NODE [request=1 limit=1]; Edge [latency=1]\n" +
			`-1.5:n -- "a b":p:ne; .5 -- "node" ; "x" + "y" /* z */ + "z" -- é; <i<b>j</b>> -- "line\
d"; "back\\slash" }`, `
-1.5(-1.5) cpuOffloading[1 1]
a b(a b) cpuOffloading[1 1]
.5(.5) cpuOffloading[1 1]
node(node) cpuOffloading[1 1]
xyz(xyz) cpuOffloading[1 1]
é(é) cpuOffloading[1 1]
i<b>j</b>(i<b>j</b>) cpuOffloading[1 1]
lined(lined) cpuOffloading[1 1]
back\\slash(back\\slash) cpuOffloading[1 1]
-1.5--a b() latency[1]
.5--node() latency[1]
xyz--é() latency[1]
i<b>j</b>--lined() latency[1]
`},
		{"runs of dashes", `graph { node [request=1 limit=1] edge [latency=1] 3 --- 4; 4 -----5; 5---6; 6 -- -7; 6---7 }`, `
3(3) cpuOffloading[1 1]
4(4) cpuOffloading[1 1]
5(5) cpuOffloading[1 1]
6(6) cpuOffloading[1 1]
-7(-7) cpuOffloading[1 1]
7(7) cpuOffloading[1 1]
3--4() latency[1]
4--5() latency[1]
5--6() latency[1]
6---7() latency[1]
6--7() latency[1]
`},
		{"lists of nodes, and attributes after a subgraph", `graph { node [request=1, limit=1]; a, b:p [limit=9]; a, b -- c, d [latency=5]; { e f } [color=red] }`, `
a(a) cpuOffloading[1 9]
b(b) cpuOffloading[1 9]
c(c) cpuOffloading[1 1]
d(d) cpuOffloading[1 1]
e(e) cpuOffloading[1 1]
f(f) cpuOffloading[1 1]
a--c() latency[5]
a--d() latency[5]
b--c() latency[5]
b--d() latency[5]
`},
		{"a pod of the best-effort class requests 0", `graph { a [request=0, limit=0]; b [label="cpuOffloading - request:0 - limit:5", label="b"] }`, `
a(a) cpuOffloading[0 0]
b(b) cpuOffloading[0 5]
`},
		{"an edge named again by its key is the same edge", `graph { node [request=1, limit=1]; a -- b [key=1, latency=3]; b -- a [key=1, latency=8] }`, `
a(a) cpuOffloading[1 1]
b(b) cpuOffloading[1 1]
a--b() latency[8]
`},
		{"a byte order mark and no blanks", "\uFEFFgraph{a[request=1,limit=2]b[request=1;limit=2]a--b[latency=1]}", `
a(a) cpuOffloading[1 2]
b(b) cpuOffloading[1 2]
a--b() latency[1]
`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := "\n" + showDeployment(deployment(t, c.src)); got != c.want {
				t.Errorf("got%swant%s", got, c.want)
			}
		})
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
