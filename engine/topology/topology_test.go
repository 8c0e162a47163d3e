package topology_test

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"berth/engine/dot"
	"berth/engine/format"
	"berth/engine/topology"
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
	f, found := format.FederationReader([]byte(text)).Read(file, []byte(text), format.Options{})
	var b bytes.Buffer
	if f != nil {
		if err := dot.WriteFederation(&b, f.Federation, dot.Plain); err != nil {
			t.Fatal(err)
		}
	}
	var said []string
	for _, d := range found {
		said = append(said, d.String())
	}
	return b.String(), strings.Join(said, "\n")
}

func init() {
	for _, f := range []format.Reader[*format.Federation]{
		{Name: "graphml", Read: topology.ReadGraphML}, {Name: "gml", Read: topology.ReadGML},
	} {
		if err := format.FederationFormats.Add(f); err != nil {
			panic(err)
		}
	}
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

// A network has clusters and no jobs.
func TestANetworkIsNoDeployment(t *testing.T) {
	for name, text := range map[string]string{"GML": gml, "GraphML": graphML} {
		want := "n:1:1: found a network in " + name + ": choose it as the federation"
		if d, found := format.ReadDeployments("n", []byte(text), format.Options{}); d != nil || len(found) != 1 || !strings.HasPrefix(found[0].String(), want) {
			t.Errorf("%s: %v, %v", name, d, found)
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

// A file of the wrong kind does not answer with a million lines.
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

// A value that elements and comments interrupt is put together once: joining each
// piece to those before it would copy some 500 times as much as the file has.
func TestValuesInManyPiecesTakeLinearMemory(t *testing.T) {
	const pieces = 10_000
	text := []byte(`<graphml><key attr.name="label" id="d"/><graph><node id="0"><data key="d">` +
		strings.Repeat("ab<x/>", pieces) + "</data></node></graph></graphml>")
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f, found := topology.ReadGraphML("n", text, format.Options{})
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
		text, err := os.ReadFile(filepath.Join(data, "topologies", file))
		if err != nil {
			t.Fatal(err)
		}
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
	f.Fuzz(func(t *testing.T, text []byte) {
		if f, found := topology.ReadGML("n", text, format.Options{}); (f == nil) != (len(found.Errors()) > 0) {
			t.Error("GML: neither a federation nor an error")
		}
		if f, found := topology.ReadGraphML("n", text, format.Options{}); (f == nil) != (len(found.Errors()) > 0) {
			t.Error("GraphML: neither a federation nor an error")
		}
	})
}
