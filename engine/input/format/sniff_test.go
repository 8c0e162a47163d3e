package format_test

import (
	"testing"

	"berth/engine/input/format"
	_ "berth/engine/input/topology"
)

func TestTextsBeyondAreRecognised(t *testing.T) {
	for _, test := range []struct{ text, what string }{
		{`{"kind": "List", "apiVersion": "v1", "items": []}`, "objects of Kubernetes"},
		{"kind: of a letter\n", ""},
		{"<?xml version=\"1.0\"?>\n<graphml>", "a graph in GraphML"},
		{"<html>", ""},
		{"graph [", "a graph in GML"},
		{"graph { a }", ""},
		{"\"graph\" [", ""},
		{"", ""},
	} {
		if got := format.Beyond(test.text); got != test.what {
			t.Errorf("%q is taken for %q, want %q", test.text, got, test.what)
		}
	}
}

func TestHolds(t *testing.T) {
	const node, job, pod = "apiVersion: v1\nkind: Node\n", "---\napiVersion: batch/v1\nkind: Job\n", "---\napiVersion: v1\nkind: Pod\n"
	for text, want := range map[string][2]bool{node + pod: {false, true}, job + pod: {true, false}, node + job: {true, true}, pod: {}, "graph {}": {},
		`{"kind": "NodeList", "apiVersion": "v1", "items": []}`: {false, true}, `{"kind":"DeploymentList","apiVersion":"apps/v1","items":[]}`: {true, false}} {
		if workloads, nodes := format.Holds([]byte(text)); [2]bool{workloads, nodes} != want {
			t.Errorf("%q holds workloads %v and nodes %v, want %v", text, workloads, nodes, want)
		}
	}
}

// A choice applies to its two jobs in either order; NoInferred excludes every inferred
// dependency.
func TestInfer(t *testing.T) {
	all, one := 50.0, 5.0
	o := format.Options{Reading: format.Reading{InferredLatency: &all, Inferred: []format.Choice{{From: "b", To: "a", Latency: &one}, {From: "a", To: "c", Off: true}}}}
	if x := o.Infer("a", "b", "why"); x.Off || *x.Latency != one || x.From != "a" || x.Why != "why" {
		t.Errorf("a – b is %+v", x)
	}
	if x := o.Infer("a", "c", ""); !x.Off {
		t.Errorf("a – c is %+v", x)
	}
	if x := o.Infer("b", "c", ""); x.Off || *x.Latency != all {
		t.Errorf("b – c is %+v", x)
	}
	o.NoInferred = true
	if x := o.Infer("a", "b", ""); !x.Off {
		t.Errorf("with none at all a – b is %+v", x)
	}
}
