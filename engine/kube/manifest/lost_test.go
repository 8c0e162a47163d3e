package manifest_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"berth/engine/diag"
	"berth/engine/input/format"
	"berth/engine/kube"
	"berth/engine/kube/manifest"
	"berth/engine/must"
)

const (
	nodeObject = `{"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n1", "labels": {"env": "prod", "lifecycle": "spot"}}, "status": {"allocatable": {"cpu": "4", "memory": "8Gi", "pods": "110"}}}`
	spotPod    = `{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "w", "labels": {"args": "x"}}, "spec": {"nodeSelector": {"env": "prod", "lifecycle": "spot"}, "containers": [{"name": "c", "image": "i", "command": ["a"], "args": ["}"], "env": [{"name": "A", "value": "{"}], "resources": {"requests": {"cpu": "1"}}}]}}`
	largePod   = `{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "l"}, "spec": {"containers": [{"name": "c", "image": "i", "resources": {"requests": {"cpu": "4500m"}}}]}}`
)

func listOf(objects ...string) string {
	return `{"apiVersion": "v1", "items": [` + strings.Join(objects, ",\n") + `], "kind": "List"}`
}

// typedList returns a List of the API, whose items have no kind.
func typedList(kind string, objects ...string) string {
	text := `{"kind": "` + kind + `List", "apiVersion": "v1", "metadata": {"resourceVersion": "1"}, "items": [` + strings.Join(objects, ",") + "]}"
	return strings.ReplaceAll(text, `"apiVersion": "v1", "kind": "`+kind+`", `, "")
}

// readBoth reads a dump as a whole, and as a stream if it is one.
func readBoth(t *testing.T, text string) (whole, streamed *kube.Cluster) {
	t.Helper()
	whole = cluster(t, "dump.json", text)
	if manifest.Streams([]byte(text[:min(len(text), 4096)])) {
		var found diag.List
		if streamed, found = manifest.StreamCluster("dump.json", iotest.OneByteReader(strings.NewReader(text)), format.Options{}); streamed == nil {
			t.Fatalf("%s: %v", text, found)
		}
	}
	return whole, streamed
}

// cluster reads a dump without errors.
func cluster(t testing.TB, file, text string) *kube.Cluster {
	t.Helper()
	c, found := manifest.ReadCluster(file, []byte(text), format.Options{})
	if c == nil {
		t.Fatalf("%s\n%v", text, found)
	}
	return c
}

// saidOf describes where the pods of a cluster run.
func saidOf(c *kube.Cluster) string {
	var parts []string
	for _, a := range kube.Pending(kube.Default(), c).Pods {
		parts = append(parts, a.Name+"="+a.Would)
	}
	slices.Sort(parts)
	return strings.Join(parts, " ")
}

// No object of a dump is lost, in any container and any order.
func TestNothingIsLost(t *testing.T) {
	namespace := `{"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "other", "labels": {"team": "a"}}}`
	here := `{"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "default"}}`
	other := `{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "x", "namespace": "other", "labels": {"app": "x"}}, "spec": {"nodeName": "n1", "containers": []}}`
	near := `{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "t"}, "spec": {"containers": [], "affinity": {"podAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [{"topologyKey": "kubernetes.io/hostname", "labelSelector": {"matchLabels": {"app": "x"}}, "namespaceSelector": {"matchLabels": {"team": "a"}}}]}}}}`
	for _, test := range []struct {
		name, text, want string
		stream           bool
	}{
		{"labels named as fields of containers", listOf(nodeObject, spotPod), "w=n1", true},
		{"kinds first", `{"kind": "List", "apiVersion": "v1", "metadata": {"resourceVersion": ""}, "items": [{"kind": "Node", ` + strings.Replace(nodeObject, `"kind": "Node", `, "", 1)[1:] + ", " + spotPod + "]}", "w=n1", true},
		{"several Lists", listOf(nodeObject) + "\n" + listOf(largePod, spotPod), "l= w=n1", true},
		{"Lists in one line", listOf(nodeObject) + listOf() + listOf(spotPod), "w=n1", true},
		{"Lists with ---", listOf(nodeObject) + "\n---\n" + listOf(spotPod) + "\n", "w=n1", true},
		{"a List and objects", listOf(nodeObject) + largePod + "\n" + spotPod, "l= w=n1", true},
		{"objects and a List", nodeObject + "\n" + listOf(largePod, spotPod), "l= w=n1", false},
		{"typed Lists", typedList("Node", nodeObject) + typedList("Pod", largePod, spotPod), "l= w=n1", true},
		{"a typed List that says so at the end", strings.Replace(strings.Replace(typedList("Node", nodeObject), `"kind": "NodeList", `, "", 1), "]}", `], "kind": "NodeList"}`, 1) + spotPod, "w=n1", false},
		{"an empty typed List", typedList("Node", nodeObject) + strings.Replace(typedList("Event"), "[]", "null", 1) + spotPod, "w=n1", true},
		{"namespaces first", listOf(namespace, here, nodeObject, other, near), "t=n1", true},
		{"namespaces last", listOf(nodeObject, other, near, here, namespace), "t=n1", true},
		{"namespaces between", listOf(nodeObject, near, here, namespace, other), "t=n1", true},
	} {
		t.Run(test.name, func(t *testing.T) {
			for name, text := range map[string]string{
				"as it is": test.text, "CRLF": strings.ReplaceAll(test.text, "\n", "\r\n"), "tabs": strings.ReplaceAll(test.text, "\n", "\n\t"), "CR": strings.ReplaceAll(test.text, "\n", "\n\r\r\t"), "a byte order mark": "\ufeff" + test.text,
			} {
				if strings.Contains(text, "\t") && strings.Contains(text, "---") {
					continue // YAML must not be indented with tabs
				}
				whole, streamed := readBoth(t, text)
				if got := saidOf(whole); got != test.want {
					t.Errorf("%s: got %s, want %s", name, got, test.want)
				}
				if marked := name == "a byte order mark"; (streamed != nil) != (test.stream && !marked) {
					t.Errorf("%s: it is a stream: %t", name, streamed != nil)
				}
				if streamed != nil && saidOf(streamed) != test.want {
					t.Errorf("%s: the stream gives %s, want %s", name, saidOf(streamed), test.want)
				}
			}
		})
	}
}

// An error in a later document has that document's number and line.
func TestMistakesOfLaterDocuments(t *testing.T) {
	broken := `{"apiVersion": "v1", "kind": "Node",` + "\n" + ` "metadata": {"name": "n2"}}`
	for _, text := range []string{nodeObject + "\n\n" + broken, listOf(nodeObject) + "\n\n" + broken, nodeObject + "\n\n" + strings.Replace(broken, "\n", "\n\t", 1)} {
		const want = `dump.json:3:1: document 2, Node "n2": status.allocatable is missing`
		_, found := manifest.ReadCluster("dump.json", []byte(text), format.Options{})
		if len(found) == 0 || !strings.Contains(found[0].String(), want) {
			t.Errorf("%s:\n%v, want %s", text, found, want)
		}
		_, found = manifest.StreamCluster("dump.json", strings.NewReader(text), format.Options{})
		if len(found) == 0 || !strings.Contains(found[0].String(), want) {
			t.Errorf("as a stream, %s:\n%v, want %s", text, found, want)
		}
	}
	_, found := manifest.StreamCluster("dump.json", strings.NewReader(listOf(nodeObject)+"\n==== START logs"), format.Options{})
	if len(found) == 0 || !strings.Contains(found[0].String(), "dump.json:2:1: there is something else than objects") {
		t.Error(found)
	}
	_, found = manifest.ReadCluster("dump.json", []byte(listOf(strings.Replace(nodeObject, `"kind": "Node", `, "", 1))), format.Options{})
	if len(found) == 0 || !strings.Contains(found[0].String(), `has "apiVersion" and "kind"`) {
		t.Error(found)
	}
}

// An affinity that selects namespaces which the dump lacks is reported.
func TestUnknownNamespaces(t *testing.T) {
	pod := func(selector string) string {
		return `{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "t"}, "spec": {"containers": [], "affinity": {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [{"topologyKey": "zone", "labelSelector": {}, "namespaceSelector": ` + selector + `}]}}}}`
	}
	const said = `the labels of 1 namespace such as "default" are unknown`
	for _, test := range []struct {
		text string
		told bool
	}{
		{listOf(nodeObject, pod(`{"matchLabels": {"team": "a"}}`)), true},
		{listOf(nodeObject, pod(`{"matchLabels": {"team": "a"}}`), `{"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "default"}}`), false},
		{listOf(nodeObject, pod(`{}`)), false},
		{listOf(nodeObject, pod(`{"matchLabels": {"kubernetes.io/metadata.name": "a"}}`)), false},
		{listOf(nodeObject, spotPod), false},
	} {
		_, found := manifest.StreamCluster("dump.json", strings.NewReader(test.text), format.Options{})
		if told := strings.Contains(fmt.Sprint(found), said); told != test.told {
			t.Errorf("%s: %v", test.text, found)
		}
	}
}

// Values without quotation marks mean the same as in Kubernetes.
func TestBareValues(t *testing.T) {
	const document = `
apiVersion: v1
kind: Node
metadata: {name: n1}
status: {allocatable: {cpu: "9", memory: 8Gi, pods: "110"}}
---
apiVersion: v1
kind: Pod
metadata:
  name: %s
  labels: {%s}
spec:
  priority: %s
  hostNetwork: %s
  containers:
  - name: c
    resources: {requests: {cpu: %s}}
`
	for _, test := range []struct{ name, labels, priority, host, cpu, want string }{
		{"p", "a: b", "-7", "yes", "9", "p=n1"},
		{"p", "a: b", "1", "off", "011", "p=n1"},
		{"p", "a: b", "1", "true", "012", "p="},
		{"p", "a: b", "1", "true", "0xA", "p="},
		{"p", "a: b", "1", "true", `"011"`, "p="},
		{"p", "a: b", "1", "true", "1_0", "p="},
		{"p", "a: b", "1", "true", "09", "p=n1"},
		{"p", `a: "1"`, "0x7f", "true", ".5", "p=n1"},
		{`"yes"`, "yes: b", "1", "true", "1", "yes=n1"},
		{"yes", "a: b", "1", "true", "1", `10:9: document 2, metadata.name: "yes" is true or false to Kubernetes, and a text is expected: put it in quotes`},
		{"017", "a: b", "1", "true", "1", `metadata.name: "017" is a number to Kubernetes`},
		{"1e3", "a: b", "1", "true", "1", `metadata.name: "1e3" is a number to Kubernetes`},
		{"p", "a: 1", "1", "true", "1", `metadata.labels.a: "1" is a number to Kubernetes`},
		{"p", "a: no", "1", "true", "1", `metadata.labels.a: "no" is true or false to Kubernetes`},
		{"p", "a: b", "3000000000", "true", "1", `spec.priority: "3000000000" is not a whole number from -2147483648 to 2147483647`},
		{"p", "a: b", "1", "maybe", "1", `spec.hostNetwork: "maybe" is neither true nor false`},
	} {
		text := fmt.Sprintf(document, test.name, test.labels, test.priority, test.host, test.cpu)
		got := ""
		c, found := manifest.ReadCluster("dump.yaml", []byte(text), format.Options{})
		if c == nil {
			got = found[0].String()
		} else {
			got = saidOf(c)
		}
		if c != nil && got != test.want || c == nil && !strings.Contains(got, test.want) {
			t.Errorf("%v: got %s", test, got)
		}
	}
}

// The items of a typed List are written as separate objects, and so are several documents.
func TestTypedListsAreWritten(t *testing.T) {
	deployment := func(name string) string {
		return `{"metadata": {"name": "` + name + `"}, "spec": {"template": {"spec": {"containers": []}}}}`
	}
	text := `{"kind": "DeploymentList", "apiVersion": "apps/v1", "metadata": {}, "items": [` + deployment("a") + `]}` + "\n" + `{"kind": "Deployment", "apiVersion": "apps/v1", ` + deployment("b")[1:]
	p := &format.Placement{Files: []format.File{{Name: "app.json", Text: text}}}
	for _, name := range []string{"a", "b"} {
		p.Jobs = append(p.Jobs, format.PlacedJob{Owner: owner(name), Cluster: "eu", Pods: 1})
	}
	var out strings.Builder
	must.Do(t, manifest.WriteManifests(&out, p))
	read, found := manifest.ReadDeployment("app.yaml", []byte(out.String()), format.Options{})
	if read == nil || len(read[0].Pods) != 2 {
		t.Errorf("%v in\n%s", found, out.String())
	}
}
