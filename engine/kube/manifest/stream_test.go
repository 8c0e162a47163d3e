package manifest_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"

	"berth/engine/golden"
	"berth/engine/input/format"
	"berth/engine/kube/manifest"
	"berth/engine/must"
)

// A stream gives the same cluster as the whole text, however it is cut.
func TestStreamIsAsWhole(t *testing.T) {
	for _, c := range readScheduled(t, "testdata/scheduled.json.gz") {
		var list map[string]any
		must.Do(t, json.Unmarshal([]byte(c.Nodes), &list))
		text := must.Get(json.MarshalIndent(list, "", "    "))(t)
		if !manifest.Streams(text[:min(len(text), 4096)]) {
			t.Fatalf("%s is no stream", c.Case)
		}
		want, _ := manifest.ReadCluster("nodes.json", text, format.Options{})
		got, found := manifest.StreamCluster("nodes.json", iotest.OneByteReader(bytes.NewReader(text)), format.Options{})
		if got == nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("%s: a stream gives\n%+v, %v\nthe whole\n%+v", c.Case, got, found, want)
		}
	}
}

// An error in a stream has a line, and a truncated stream is an error.
func TestStreamTellsWhatIsWrong(t *testing.T) {
	node := `{"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n1"}, "status": {"allocatable": {"cpu": "4"}}}`
	for _, test := range []struct{ text, want string }{
		{"{\"kind\": \"List\", \"items\": [" + node + ",\n{\"apiVersion\": \"v1\", \"kind\": \"Node\",\n\"metadata\": {\"name\": \"n2\"}}]}", "list.json:2:1: document 2, Node \"n2\": status.allocatable is missing"},
		{`{"items": [` + node, "list.json:1:1: the list of objects ends in the middle"},
		{`{"items": [` + node[:40], "the list of objects ends in the middle"},
		{`{"items": [7]}`, "something else than objects"},
		{`{"items": [{"a" 7}]}`, "this object of the list is not JSON"},
		{`{"items": []}`, "there is no Node in the file"},
	} {
		c, found := manifest.StreamCluster("list.json", strings.NewReader(test.text), format.Options{})
		if c != nil || len(found) == 0 || !strings.Contains(found[0].String(), test.want) {
			t.Errorf("%s: got %v, want %s", test.text, found, test.want)
		}
	}
}

// The error about a stream that is too long says so, and not that it is truncated.
func TestStreamIsTooLong(t *testing.T) {
	golden.Long(t)
	c, found := manifest.StreamCluster("list.json", io.MultiReader(strings.NewReader(`{"items": [`), spaces{}), format.Options{})
	if c != nil || len(found) == 0 || !strings.Contains(found[0].String(), "the file has more than 4 GiB") {
		t.Errorf("got %v", found)
	}
}

// spaces is an infinite text.
type spaces struct{}

func (spaces) Read(to []byte) (int, error) {
	for i := range to {
		to[i] = ' '
	}
	return len(to), nil
}

// BenchmarkStream reads kubectl's output for 5,000 nodes and 150,000 pods, 1.3 GB, which is
// generated meanwhile.
func BenchmarkStream(b *testing.B) {
	for b.Loop() {
		c, found := manifest.StreamCluster("big.json", bigCluster(5000, 150_000), format.Options{})
		if c == nil || len(c.Pods) != 150_000 || len(c.Nodes) != 5000 {
			b.Fatal(found)
		}
	}
}

// bigCluster writes a cluster in the same way as kubectl, including data that does not matter.
func bigCluster(nodes, pods int) io.Reader {
	r, w := io.Pipe()
	go func() {
		var b bytes.Buffer
		b.WriteString("{\n    \"apiVersion\": \"v1\",\n    \"items\": [\n")
		for i := range nodes {
			fmt.Fprintf(&b, bigNode, i, i, i%3)
			if _, err := w.Write(b.Bytes()); err != nil {
				return
			}
			b.Reset()
		}
		filler := strings.Repeat("                        {\"f:name\": {}, \"f:value\": \"0123456789\"},\n", 110)
		for i := range pods {
			if i > 0 {
				b.WriteString(",\n")
			}
			fmt.Fprintf(&b, bigPod, i, i%3000, filler, i%nodes, i%3000)
			if _, err := w.Write(b.Bytes()); err != nil {
				return
			}
			b.Reset()
		}
		_, _ = io.WriteString(w, "\n    ],\n    \"kind\": \"List\"\n}\n")
		_ = w.Close()
	}()
	return r
}

const bigNode = `        {
            "apiVersion": "v1",
            "kind": "Node",
            "metadata": {"name": "node-%05d", "labels": {"kubernetes.io/hostname": "node-%05d", "topology.kubernetes.io/zone": "z%d"}},
            "status": {
                "allocatable": {"cpu": "64", "memory": "256Gi", "pods": "110"},
                "conditions": [{"type": "Ready", "status": "True"}]
            }
        },
`

const bigPod = `        {
            "apiVersion": "v1",
            "kind": "Pod",
            "metadata": {
                "name": "pod-%06d",
                "namespace": "default",
                "labels": {"app": "app-%d", "pod-template-hash": "5d9c"},
                "managedFields": [
%s                        {}
                ],
                "ownerReferences": [{"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "app-5d9c", "uid": "u", "controller": true}]
            },
            "spec": {
                "nodeName": "node-%05d",
                "containers": [
                    {
                        "name": "main",
                        "image": "registry.example.org/team/app-%d:1.2.3",
                        "env": [{"name": "A", "value": "b"}, {"name": "C", "valueFrom": {"fieldRef": {"fieldPath": "metadata.name"}}}],
                        "resources": {"requests": {"cpu": "100m", "memory": "128Mi"}, "limits": {"memory": "256Mi"}}
                    }
                ],
                "tolerations": [{"key": "node.kubernetes.io/not-ready", "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 300}]
            },
            "status": {"phase": "Running", "conditions": [{"type": "Ready", "status": "True", "lastTransitionTime": "2026-01-01T00:00:00Z"}]}
        }`
