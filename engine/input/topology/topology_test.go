package topology_test

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"berth/engine/diag"
	"berth/engine/dot"
	"berth/engine/input/format"
	"berth/engine/input/format/sniff"
	"berth/engine/input/topology"
	"berth/engine/must"
)

const gml = `# two parallel lines
graph [
  label "Small"
  node [ id 0 label "London" Latitude 51.50853 Longitude -0.12574 ]
  node [ id 1 label "New York" Latitude 40.71427 Longitude -74.00597 ]
  node [ id 2 label "Hub" ]
  node [ id 3 label "Hub" hyper [ edge [ x 1 ] ] ]
  edge [ source 0 target 1 LinkSpeedRaw 1000000000.0 LinkLabel "a &amp; b" ]
  edge [ source 1 target 0 LinkSpeedRaw 10000000000.0 ]
  edge [ source 1 target 2 ]
]
`

const graphML = `<?xml version="1.0"?><graphml xmlns="http://graphml.graphdrawing.org/xmlns">
<key attr.name="label" id="d1"/><key attr.name="Latitude" id="d2"/><key attr.name="Longitude" id="d3"/><key attr.name="LinkSpeedRaw" id="d4"/>
<graph edgedefault="undirected">
<node id="0"><data key="d1">London</data><data key="d2">51.50853</data><data key="d3">-0.12574</data></node>
<node id="1"><data key="d1">New York</data><data key="d2">40.71427</data><data key="d3">-74.00597</data></node>
<node id="2"><data key="d1">Hub</data></node><node id="3"><data key="d1">Hub</data></node>
<edge source="0" target="1"><data key="d4">1000000000.0</data></edge>
<edge source="1" target="0"><data key="d4">10000000000.0</data></edge>
<edge source="1" target="2"/>
</graph></graphml>`

func read(t *testing.T, file, text string) (string, string) {
	t.Helper()
	f, found := format.FederationReader([]byte(text)).Federation(file, []byte(text), format.Options{})
	var b bytes.Buffer
	if f != nil {
		must.Do(t, dot.WriteFederation(&b, f.Federation, dot.Plain))
	}
	var said []string
	for _, d := range found {
		said = append(said, d.String())
	}
	return b.String(), strings.Join(said, "\n")
}

// London and New York are 5,570 km apart: 27.85 ms.
func TestBothFormats(t *testing.T) {
	for file, text := range map[string]string{"n.gml": gml, "n.graphml": graphML} {
		got, said := read(t, file, text)
		for _, part := range []string{
			"London [];", `London -- "New York" [latency=27.85`, "bandwidth=10000, bandwidth_cost=0];", `"New York" -- "Hub 2" [];`, `"Hub 3" [];`,
		} {
			if !strings.Contains(got, part) {
				t.Errorf("%s: no %s in\n%s", file, part, got)
			}
		}
		for _, part := range []string{"nodes without coordinates, whose links have no latency: Hub 2, Hub 3", "the latency of 1 link is estimated", "1 parallel line to another one"} {
			if !strings.Contains(said, part) {
				t.Errorf("%s: no %s in\n%s", file, part, said)
			}
		}
	}
}

func TestErrorsSayWhere(t *testing.T) {
	for text, want := range map[string]string{
		"graph [\n  node [ id 0 ]\n  edge [ source 0 target 7 ]\n]":  `n:3:3: the edge joins "0" and "7", and not both are nodes`,
		"graph [\n  node [ id 0":                                     "n:2:14: the file ends within a list: a ] is missing",
		"graph [ node ]":                                             `n:1:14: the key "node" has no value`,
		"graph [ ]":                                                  "n:1:1: the network has no nodes",
		"graph [ node [ id 0 ] node [ id 0 ] ]":                      `n:1:23: the node "0" stands twice`,
		"graph " + strings.Repeat("[ a ", 250):                       "nested more than 200 deep",
		"<graphml><graph><node id=\"0\"></graph>":                    "n:1:38: this is not XML",
		"<graphml><graph><node id=\"0\"/></graph><graph/></graphml>": "a second graph",
	} {
		if got, said := read(t, "n", text); got != "" || !strings.Contains(said, want) {
			t.Errorf("%.60q: said %s, want %s", text, said, want)
		}
	}
}

// A file of the wrong kind gives at most a hundred errors.
func TestOnlyTheFirstHundredAreTold(t *testing.T) {
	for _, text := range []string{
		"graph [ node [ id 0 ] " + strings.Repeat("edge [ source 0 target 7 ] ", 2000) + "]",
		`<graphml><graph><node id="0"/></graph>` + strings.Repeat("<graph/>", 2000) + "</graphml>",
	} {
		_, said := read(t, "n", text)
		lines := strings.Split(said, "\n")
		if len(lines) > 102 || !strings.Contains(said, "\nn: and 1900 more errors") {
			t.Errorf("%.60q: %d lines, the last %s", text, len(lines), lines[len(lines)-1])
		}
	}
}

// A value that elements and comments interrupt is joined once. Joining each piece to the previous
// ones would copy about 500 times the size of the file.
func TestValuesInManyPiecesTakeLinearMemory(t *testing.T) {
	const pieces = 10_000
	text := []byte(`<graphml><key attr.name="label" id="d"/><graph><node id="0"><data key="d">` +
		strings.Repeat("ab<x/>", pieces) + "</data></node></graph></graphml>")
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f, found := format.FederationReader(text).Federation("n", text, format.Options{})
	runtime.ReadMemStats(&after)
	if f == nil || f.Clusters().ID(0) != strings.Repeat("ab", pieces) {
		t.Errorf("the label is not what the pieces make: %v", found)
	}
	if took := after.TotalAlloc - before.TotalAlloc; took > 300*uint64(len(text)) {
		t.Errorf("%d bytes were allocated for %d", took, len(text))
	}
}

func TestRealNetworks(t *testing.T) {
	data := os.Getenv("BERTH_DATA")
	if data == "" {
		t.Skip("BERTH_DATA is not set: networks of the Internet Topology Zoo are not read")
	}
	for file, want := range map[string][]string{
		"Abilene.gml":       {`"New York" -- Chicago [latency=5.729`, "Seattle -- Denver [latency=8.206"},
		"Abilene.graphml":   {`"New York" -- Chicago [latency=5.729`, "Seattle -- Denver [latency=8.206"},
		"Geant2012.graphml": {"UA [];", "latency="},
		"Surfnet.graphml":   {"latency="},
		"Aarnet.graphml":    {"latency="},
	} {
		text := must.Get(os.ReadFile(filepath.Join(data, "topologies", file)))(t)
		got, said := read(t, file, string(text))
		for _, part := range want {
			if !strings.Contains(got, part) {
				t.Errorf("%s: no %s in\n%s\n%s", file, part, got, said)
			}
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(gml))
	f.Add([]byte(graphML))
	for _, g := range graphs {
		f.Add([]byte(g.text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if silent := topology.Read(text); silent != nil {
			t.Errorf("neither graphs nor errors of %v", silent)
		}
	})
}

// graphs are small graphs in each syntax, with their roles and their DOT form as deployments and as
// federations (without braces; blanks are line ends).
var graphs = []struct {
	name, text, deployment, federation, notes string
	role                                      dot.Role
}{
	{"graphml", `<graphml><key id="d0" for="node" attr.name="cpu"/><key id="d1" for="node" attr.name="cpuCost"/><key id="d2" for="edge" attr.name="RTT"/>` +
		`<graph><node id="A"><data key="d0">1000</data><data key="d1">1</data></node><node id="B"><data key="d0">500</data></node><edge source="A" target="B"><data key="d2">5</data></edge></graph></graphml>`,
		"A [request=1000, limit=1000]; B [request=500, limit=500]; A -- B [latency=5];",
		"A [cpu=1000, cpu_cost=1]; B [cpu=500, cpu_cost=0]; A -- B [latency=5, latency_cost=0];", "", dot.Federation},
	{"gml", `graph [ node [ id 1 cpu 10 region "eu" ] node [ id 2 ] edge [ source 1 target 2 bandwidth 7 colour "red" ] ]`,
		"", "1 [cpu=10, cpu_cost=0, region=eu]; 2 []; 1 -- 2 [bandwidth=7, bandwidth_cost=0];", "attributes that Berth does not use: colour", dot.Federation},
	{"gexf", `<?xml version="1.0"?><gexf><graph><attributes class="node"><attribute id="0" title="request"/></attributes><nodes><node id="a" label="API"><attvalues><attvalue for="0" value="100"/></attvalues></node>` +
		`<node id="b"/></nodes><edges><edge source="a" target="b" weight="9"/></edges></graph></gexf>`,
		`a [request=100, limit=100, label="API"]; b []; a -- b [];`, "", "attributes that Berth does not use: weight", dot.Deployment},
	{"node-link", `{"directed": false, "nodes": [{"id": "a", "request": 100, "limit": 200}, {"id": 7, "memory_request": 50}], "links": [{"source": "a", "target": 7, "latency": 9}]}`,
		"a [request=100, limit=200]; 7 [memory_request=50, memory_limit=50]; a -- 7 [latency=9];", "", "", dot.Deployment},
	{"cytoscape", `{"elements": {"nodes": [{"data": {"id": "a", "cpu": "5", "cpu_cost": 1}}, {"data": {"id": "b", "cpu": 6, "cpu_cost": 1}}], "edges": [{"data": {"id": "e", "source": "a", "target": "b", "latency_ms": 3}}]}}`,
		"", "a [cpu=5, cpu_cost=1]; b [cpu=6, cpu_cost=1]; a -- b [latency=3, latency_cost=0];", "", dot.Federation},
	{"cytoscape", `{"elements": [{"data": {"id": "a", "request": 1}}, {"data": {"source": "a", "target": "b"}}, {"data": {"id": "b"}}]}`, "a [request=1, limit=1]; b []; a -- b [];", "", "", dot.Deployment},
	{"jaeger", `{"data": [{"parent": "web", "child": "db", "callCount": 120}, {"parent": "web", "child": "web", "callCount": 2}]}`, "web []; db []; web -- db [];", "", `job "web" depends on itself: ignored`, dot.Deployment},
	{"mermaid", "graph TD\n  %% by hand\n  web[Web shop] --> api;\n  api -->|sql| db[(Database)]\n  subgraph x\n  api & web -.-> cache\n  end\n", `web [label="Web shop"]; api []; db [label="Database"]; cache []; web -- api []; api -- db []; api -- cache []; web -- cache [];`, "", "", dot.Deployment},
	{"edges", "source,target,latency,what\na,b,9,x\nb,c,,y\n", "a []; b []; c []; a -- b [latency=9]; b -- c [];", "", "attributes that Berth does not use: what", dot.Unknown},
	{"edges", "from,to,rtt_ms\na,b,70\n", "", "a []; b []; a -- b [latency=70, latency_cost=0];", "", dot.Federation},
	{"matrix", ",a,b,c\na,0,70,\nb,71,0,5\nc,,5,0\n", "", "a []; b []; c []; a -- b [latency=71, latency_cost=0]; b -- c [latency=5, latency_cost=0];", "1 latencies differ by direction: the higher one counts", dot.Federation},
}

func TestGraphsInOtherSyntaxes(t *testing.T) {
	for _, g := range graphs {
		var said diag.List
		found := sniff.Look(g.text, 0)
		if found.Format == nil || found.Name != g.name {
			t.Errorf("%s: %.60q is not recognised", g.name, g.text)
			continue
		}
		check := func(want string, write func(io.Writer) error) {
			var b bytes.Buffer
			if err := write(&b); err != nil {
				t.Error(err)
			}
			got := strings.Join(strings.Fields(strings.Trim(b.String(), "graph {}\n")), " ")
			if got != want {
				t.Errorf("%s: got\n%s, want\n%s", g.name, got, want)
			}
		}
		if g.deployment != "" {
			all, diagnostics := format.ReadDeployments("f", []byte(g.text), format.Options{})
			said = append(said, diagnostics...)
			if len(all) != 1 {
				t.Errorf("%s: %v", g.name, diagnostics)
				continue
			}
			check(g.deployment, func(w io.Writer) error { return dot.WriteDeployment(w, all[0].Deployment, dot.Plain) })
		}
		if g.federation != "" {
			f, diagnostics := format.ReadFederation([]format.File{{Name: "f", Text: g.text}}, format.Options{})
			said = append(said, diagnostics...)
			if f == nil {
				t.Errorf("%s: %v", g.name, diagnostics)
				continue
			}
			f.FillPrices(true)
			check(g.federation, func(w io.Writer) error { return dot.WriteFederation(w, f.Federation, dot.Plain) })
		}
		if !slices.ContainsFunc(said, func(d diag.Diagnostic) bool { return strings.Contains(d.String(), g.notes) }) && g.notes != "" || g.notes == "" && len(said.Warnings()) > 0 {
			t.Errorf("%s: said %v, want %s", g.name, said, g.notes)
		}
		if r := format.DeploymentReader([]byte(g.text)); r.Role != nil && r.Role([]byte(g.text)) != g.role {
			t.Errorf("%s: the role is %q, want %q", g.name, r.Role([]byte(g.text)), g.role)
		}
	}
}
