package dot_test

import (
	"bytes"
	"strings"
	"testing"

	"berth/engine/dot"
	"berth/engine/graph"
	"berth/engine/must"
)

// Resources that an input defines, and inferred values, read back the same in both dialects.
func TestWhatManifestsBringReadsBack(t *testing.T) {
	const text = `graph {
	a [request=1, limit=2, "acme.example/tpu_request"=3, "acme.example/tpu_limit"=3];
	b [memory_request=1, memory_limit=2];
	a -- b [latency=50, inferred=true];
}
`
	for _, dialect := range []dot.Dialect{dot.Plain, dot.Thesis} {
		first, found := dot.ReadDeployments("d", []byte(text), dot.Options{})
		if len(found) > 0 {
			t.Fatal(found)
		}
		var b bytes.Buffer
		must.Do(t, dot.WriteDeployment(&b, first[0].Deployment, dialect))
		again, found := dot.ReadDeployments("d", b.Bytes(), dot.Options{})
		if len(found) > 0 {
			t.Fatalf("%s\n%v", b.String(), found)
		}
		b.Reset()
		if err := dot.WriteDeployment(&b, again[0].Deployment, dot.Plain); err != nil || b.String() != text {
			t.Errorf("%s: %v\n%s", dialect, err, b.String())
		}
	}
	_, found := dot.ReadDeployments("d", []byte(`graph { a [request=1, limit=1, "acme.example/tpu_request"=x, inferred=true]; }`), dot.Options{})
	if said := found.Err().Error(); !strings.Contains(said, `request of acme.example/tpu is "x"`) || !strings.Contains(said, "inferred belongs on a dependency") {
		t.Error(said)
	}
}

// One file has the prices of clusters, and another has their amounts.
func TestFiguresThatAnotherFileGives(t *testing.T) {
	given := graph.NewFederation()
	given.Clusters().Set(given.AddCluster("eu"), "cpu", 4000, 0, 0, 10, 0, 10)
	given.AddCluster("us")
	f, found := dot.ReadFederation("p", []byte("graph { eu [cpu_cost=0.4]; eu -- us [latency=80, latency_cost=0]; }"), dot.Options{Given: given})
	if len(found) > 0 {
		t.Fatal(found)
	}
	if got := f.Clusters().Values(graph.Lookup(graph.Cluster, "cpu"), 0); got[0] != 4000 || got[1] != 0.4 {
		t.Errorf("eu has %v", got)
	}
	for text, want := range map[string]string{
		"graph { asia [cpu_cost=0.4]; }": `p:1:24: cluster "asia": cpu lacks amount`,
		"graph { eu -- asia; }":          `cluster "asia" is named in an edge only`,
		"graph { us [cpu_cost=1]; }":     `cluster "us": cpu lacks amount`,
	} {
		if _, found := dot.ReadFederation("p", []byte(text), dot.Options{Given: given}); !strings.Contains(found.Err().Error(), want) {
			t.Errorf("%s: %v, want %s", text, found, want)
		}
	}
}
