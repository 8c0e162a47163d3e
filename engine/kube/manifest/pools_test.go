package manifest_test

import (
	"strings"
	"testing"

	"berth/engine/input/format"
	"berth/engine/kube"
	"berth/engine/kube/manifest"
)

// Pools are a list or a single named pool. Errors have a position.
func TestReadPools(t *testing.T) {
	one := "type: a\n  allocatable: {cpu: 500m, memory: 1Gi, nvidia.com/gpu: 1}\n  taints: [{key: k, effect: NoSchedule}]\n  price: 0.5\n  maximum: 3"
	for _, text := range []string{"- " + one, "pools:\n- " + one} {
		pools, found := manifest.ReadPools("pools.yaml", []byte(text), format.Options{})
		if len(pools) != 1 {
			t.Fatalf("%s: %v", text, found)
		}
		p := pools[0]
		if p.Type != "a" || p.Price != 0.5 || p.Maximum != 3 || p.Template.Allocatable[kube.CPU] != 500 || p.Template.Allocatable["nvidia.com/gpu"] != 1 || len(p.Template.Taints) != 1 {
			t.Errorf("read as %+v", p)
		}
	}
	for text, want := range map[string]string{
		"pools: []": "there is no pool in the file",
		"- allocatable: {cpu: 1, memory: 1Gi}\n  price: 1":                                                                 "type is missing",
		"- type: a\n  price: 1":                                                                                            "allocatable.cpu is missing",
		"- type: a\n  allocatable: {cpu: 1, memory: 1Gi}":                                                                  "price is missing",
		"- type: a\n  allocatable: {cpu: x, memory: 1Gi}\n  price: 1":                                                      "pools.yaml:2:22",
		"- {type: a, allocatable: {cpu: 1, memory: 1Gi}, price: -1}":                                                       "price is missing",
		"- {type: a, allocatable: {cpu: 1, memory: 1}, price: 1, minimum: 3, maximum: 2}":                                  "minimum 3 is above maximum 2",
		"- {type: a, allocatable: {cpu: 1, memory: 1}, price: 1}\n- {type: a, allocatable: {cpu: 1, memory: 1}, price: 1}": "is there twice",
	} {
		pools, found := manifest.ReadPools("pools.yaml", []byte(text), format.Options{})
		if pools != nil || len(found) == 0 || !strings.Contains(found[0].String(), want) {
			t.Errorf("%s: got %v, want %s", text, found, want)
		}
	}
}

// As in kube-scheduler, pods of a Service, or of a ReplicaSet in the dump, are spread over nodes by
// default. Then a fuller node does not refuse a pod.
func TestDefaultSpread(t *testing.T) {
	node := func(name string) string {
		return "- {apiVersion: v1, kind: Node, metadata: {name: " + name + ", labels: {kubernetes.io/hostname: " + name + "}}, status: {allocatable: {cpu: 8, memory: 16Gi, pods: 110}}}\n"
	}
	pod := func(name, app, on, cpu string) string {
		if on != "" {
			on = "nodeName: " + on + ", "
		}
		return "- {apiVersion: v1, kind: Pod, metadata: {name: " + name + ", labels: {app: " + app + "}, ownerReferences: [{kind: ReplicaSet, name: " + app +
			", controller: true}]}, spec: {" + on + "containers: [{name: c, resources: {requests: {cpu: " + cpu + ", memory: 100Mi}}}]}, status: {phase: Running}}\n"
	}
	base := "apiVersion: v1\nkind: List\nitems:\n" + node("n1") + node("n2") + pod("w1", "web", "n1", "10m") + pod("o1", "other", "n2", "1500m") + pod("w2", "web", "", "10m")
	for _, test := range []struct{ name, more, want string }{
		{"neither", "", "n1"},
		{"a Service", "- {apiVersion: v1, kind: Service, metadata: {name: web}, spec: {selector: {app: web}}}\n", "n2"},
		{"a ReplicaSet", "- {apiVersion: apps/v1, kind: ReplicaSet, metadata: {name: web, ownerReferences: [{kind: Deployment, name: web, controller: true}]}, spec: {selector: {matchLabels: {app: web}}}}\n", "n2"},
	} {
		if got := kube.Pending(kube.Default(), cluster(t, "c.yaml", base+test.more)).Pods; len(got) != 1 || got[0].Would != test.want {
			t.Errorf("%s: got %+v, want %s", test.name, got, test.want)
		}
	}
}
