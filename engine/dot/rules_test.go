package dot_test

import (
	"bytes"
	"fmt"
	"testing"

	"berth/engine/dot"
	"berth/engine/graph"
	"berth/engine/must"
	"berth/engine/rule"
)

// Attributes and rules are read from nodes, defaults and the graph, and read back the same in both
// dialects.
func TestAttributesAndRules(t *testing.T) {
	d, found := dot.ReadDeployments("d.dot", []byte(`graph { rules="apart group=web by region
		at most 2 clusters"; node [request=1, limit=1, group=web]; a [rule="only region=eu"]; b [group="a b", current=us, move_cost=3]; a [rule="never zone=z; together c by rack"]; c
		a -- b [latency=1] }`), dot.Options{})
	if len(found) > 0 {
		t.Fatal(found)
	}
	const rules = "apart group=web by region; at most 2 clusters; a: only region=eu; a: never zone=z; together a c by rack"
	for _, dialect := range []dot.Dialect{dot.Plain, dot.Thesis} {
		got := ""
		for i := range 3 {
			got += fmt.Sprintf("%s %s;", d[0].Jobs().Attribute("group", i), d[0].Jobs().Attribute(graph.Current, i))
		}
		if want := "web ;a b us;web ;"; got != want || rule.Text(d[0].Rules) != rules {
			t.Errorf("%s, %s; want %s, %s", got, rule.Text(d[0].Rules), want, rules)
		}
		var b bytes.Buffer
		must.Do(t, dot.WriteDeployment(&b, d[0].Deployment, dialect))
		if d, found = dot.ReadDeployments("d.dot", b.Bytes(), dot.Options{}); len(found) > 0 {
			t.Fatalf("%v\n%s", found, b.String())
		}
	}
	f, found := dot.ReadFederation("f.dot", []byte(`graph { node [cpu=1, cpu_cost=1, region=eu]; a; b [region=us, rack=7, licence="x y"] }`), dot.Options{})
	var b bytes.Buffer
	if err := dot.WriteFederation(&b, f, dot.Plain); err != nil || len(found) > 0 {
		t.Fatal(err, found)
	}
	f, found = dot.ReadFederation("f.dot", b.Bytes(), dot.Options{})
	if got := f.Clusters().Attribute("region", 0) + f.Clusters().Attribute("region", 1) + f.Clusters().Attribute("rack", 1) + f.Clusters().Attribute("licence", 1) + f.Clusters().Attribute("cluster", 1); len(found) > 0 || got != "euus7x yb" {
		t.Errorf("%v: the attributes are %s", found, got)
	}
}

// An error in a rule has a position.
func TestWrongRules(t *testing.T) {
	for text, want := range map[string]string{
		`graph { rules="apart a x by region"; a [request=1, limit=1] }`: `d.dot:1:15: apart a x by region: no job is x`,
		`graph { a [request=1, limit=1, rule="onyl region=eu"] }`:       `d.dot:1:37: rule "onyl region=eu": at character 1: found "onyl", expected only, never, apart, together, at most, at least or spread`,
	} {
		if _, found := dot.ReadDeployments("d.dot", []byte(text), dot.Options{}); len(found) != 1 || found[0].String() != want {
			t.Errorf("%v, want %s", found, want)
		}
	}
}
