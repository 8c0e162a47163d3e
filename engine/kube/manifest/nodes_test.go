package manifest_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"berth/engine/dot"
	"berth/engine/input/format"
	"berth/engine/kube/manifest"
)

func federation(t testing.TB, file, text string, o format.Options) (string, string) {
	t.Helper()
	f, found := manifest.ReadFederation(file, []byte(text), o)
	var b bytes.Buffer
	if f != nil {
		if err := dot.WriteFederation(&b, f.Federation, dot.Plain); err != nil {
			t.Fatal(err)
		}
	}
	return b.String(), words(found)
}

const nodes = `
apiVersion: v1
kind: List
items:
- {apiVersion: v1, kind: Node, metadata: {name: a, labels: {topology.kubernetes.io/zone: z1, pool: big}}, status: {allocatable: {cpu: "4", memory: 8Gi, pods: "110"}, conditions: [{type: Ready, status: "True"}]}}
- {apiVersion: v1, kind: Node, metadata: {name: b, labels: {topology.kubernetes.io/zone: z2}}, status: {allocatable: {cpu: 3500m, memory: 8Gi, nvidia.com/gpu: 2}}}
- {apiVersion: v1, kind: Node, metadata: {name: c}, spec: {unschedulable: true}, status: {allocatable: {cpu: "64", memory: 1Ti}}}
- {apiVersion: v1, kind: Node, metadata: {name: d}, status: {allocatable: {cpu: "64", memory: 1Ti}, conditions: [{type: Ready, status: Unknown}]}}
- {apiVersion: v1, kind: Node, metadata: {name: e, labels: {topology.kubernetes.io/zone: z2}}, spec: {taints: [{key: gpu, effect: NoSchedule}]}, status: {allocatable: {cpu: "1", memory: 1Gi}}}
- {apiVersion: v1, kind: Pod, metadata: {name: p, ownerReferences: [{kind: ReplicaSet, name: web-abc, controller: true}]}, spec: {nodeName: a, containers: [{name: c, resources: {requests: {cpu: 500m, memory: 1Gi}}}]}, status: {phase: Running}}
- {apiVersion: v1, kind: Pod, metadata: {name: q, ownerReferences: [{kind: Job, name: j, controller: true}]}, spec: {nodeName: a, containers: [{name: c, resources: {requests: {cpu: 500m}}}]}, status: {phase: Succeeded}}
- {apiVersion: v1, kind: Pod, metadata: {name: r, ownerReferences: [{kind: DaemonSet, name: agent, controller: true}]}, spec: {nodeName: a, containers: [{name: c, resources: {requests: {cpu: 100m}}}]}}
- {apiVersion: apps/v1, kind: DaemonSet, metadata: {name: agent}, spec: {template: {spec: {containers: [{name: c, resources: {requests: {cpu: 100m}}}]}}}}
- {apiVersion: v1, kind: Pod, metadata: {name: lost, ownerReferences: [{kind: ReplicaSet, name: x, controller: true}]}, spec: {nodeName: elsewhere, containers: []}}
`

// 4000 − 500 − 100 on a, 3500 − 100 on b, and 1000 on e, whose taint the daemon does not tolerate.
// c and d take nothing.
func TestNodesLessWhatRuns(t *testing.T) {
	got, said := federation(t, "eu=some/nodes.yaml", nodes, format.Options{})
	contains(t, got, `eu [cpu=7800, memory=16384, "nvidia.com/gpu"=2`)
	contains(t, said, "1 pod on nodes that are not in the file is not counted")
	got, _ = federation(t, "some/nodes.yaml", nodes, format.Options{})
	contains(t, got, "\tnodes [")
	got, said = federation(t, "nodes.yaml", nodes, format.Options{Reading: format.Reading{ClusterBy: "zone"}})
	contains(t, got, "z1 [cpu=3400", "z2 [cpu=4400", "\tnodes [cpu=0")
	contains(t, said, "2 nodes without a label for the zone are in the cluster \"nodes\"")
	got, _ = federation(t, "nodes.yaml", nodes, format.Options{Reading: format.Reading{ClusterBy: "pool"}})
	contains(t, got, "big [cpu=3400")
}

func TestKarmadaClusters(t *testing.T) {
	const cluster = `
apiVersion: cluster.karmada.io/v1alpha1
kind: Cluster
metadata: {name: %s}
spec: {provider: acme, region: eu, zone: eu-1%s}
status:
  conditions: [{type: Ready, status: "%s"}]
  resourceSummary:
    allocatable: {cpu: "10", memory: 20Gi, pods: "110"}
    allocated: {cpu: 2500m, memory: 4Gi}
    allocating: {cpu: 500m}
---
`
	got, said := federation(t, "k.yaml", fmt.Sprintf(cluster, "one", "", "True")+fmt.Sprintf(cluster, "two", "", "False")+
		fmt.Sprintf(cluster, "three", ", taints: [{key: k, value: v, effect: NoSchedule}]", "True"), format.Options{})
	contains(t, got, `one [cpu=7000, memory=16384, label="one (acme, eu, eu-1)"]`, "two [cpu=0", "three [cpu=7000")
	contains(t, said, `Cluster "two", status.conditions[0]: the cluster is not ready and takes no job`, "k.yaml:29:56: document 3, Cluster \"three\", spec.taints: the cluster has the taint k=v:NoSchedule: it takes only jobs whose PropagationPolicy")
}

// Berth chooses the policy that propagates a workload, and so the taints of clusters that it
// tolerates, in the same way as Karmada.
func TestPoliciesTolerateTaints(t *testing.T) {
	policy := func(kind, called, namespace, spec string) string {
		return fmt.Sprintf("---\napiVersion: policy.karmada.io/v1alpha1\nkind: %s\nmetadata: {name: %s, namespace: %s}\nspec:\n  placement: {clusterTolerations: [{key: %s, operator: Exists}]}\n  %s\n", kind, called, namespace, called, spec)
	}
	all := func(more string) string {
		return "resourceSelectors: [{apiVersion: apps/v1, kind: Deployment" + more + "}]"
	}
	own := func(called, spec string) string { return policy("PropagationPolicy", called, "default", spec) }
	for _, test := range []struct{ policies, want string }{
		{"", "[]"},
		{own("a", all("")), "a"},
		{own("b", all("")) + own("a", all("")), "a"},
		{own("a", all("")) + own("b", all(", name: web")), "b"},
		{own("a", all("")) + own("b", all(", labelSelector: {matchLabels: {tier: edge}}")), "b"},
		{own("a", all(", name: web")) + own("b", "priority: 2\n  "+all("")), "b"},
		{own("a", all(", name: other")) + own("b", all(", labelSelector: {matchLabels: {tier: core}}")), "[]"},
		{policy("PropagationPolicy", "a", "elsewhere", all("")), "[]"},
		{policy("ClusterPropagationPolicy", "a", "", "priority: 2\n  "+all(", name: web")) + own("b", all("")), "b"},
		{policy("ClusterPropagationPolicy", "a", "", all(", namespace: default")), "a"},
		{policy("ClusterPropagationPolicy", "a", "", all(", name: web")) + policy("ClusterPropagationPolicy", "b", "", all(", namespace: default")), "a"},
		{policy("ClusterPropagationPolicy", "a", "", all(", namespace: elsewhere")), "[]"},
	} {
		text := strings.Replace(app("web", "      containers: []\n"), "{name: web}", "{name: web, labels: {tier: edge}}", 1) + test.policies
		d, found := manifest.ReadDeployment("app.yaml", []byte(text), format.Options{})
		if d == nil {
			t.Fatal(found)
		}
		if got := fmt.Sprint(d[0].Pods[0].Tolerations); got != test.want && got != "[{"+test.want+" Exists  }]" {
			t.Errorf("%s\ntolerates %s, want %s", test.policies, got, test.want)
		}
	}
}

func TestNodesWithoutAmounts(t *testing.T) {
	_, said := federation(t, "n.yaml", "apiVersion: v1\nkind: Node\nmetadata: {name: a}\n", format.Options{})
	contains(t, said, `n.yaml:1:1: document 1, Node "a": status.allocatable is missing`)
	_, said = federation(t, "n.yaml", app("web", "      containers: []"), format.Options{})
	contains(t, said, "there is no Node and no Cluster of Karmada in the file")
}

// BenchmarkRead reads 5,000 nodes and 50,000 pods, as kubectl writes them.
func BenchmarkRead(b *testing.B) {
	var text bytes.Buffer
	text.WriteString("apiVersion: v1\nkind: List\nitems:\n")
	for i := range 5000 {
		fmt.Fprintf(&text, "- apiVersion: v1\n  kind: Node\n  metadata:\n    name: node-%d\n    labels:\n      kubernetes.io/hostname: node-%d\n  status:\n    allocatable:\n      cpu: \"16\"\n      memory: 64Gi\n      pods: \"110\"\n    conditions:\n    - type: Ready\n      status: \"True\"\n", i, i)
	}
	for i := range 50_000 {
		fmt.Fprintf(&text, "- apiVersion: v1\n  kind: Pod\n  metadata:\n    name: web-%d\n    namespace: default\n    labels:\n      app: web\n    ownerReferences:\n    - apiVersion: apps/v1\n      controller: true\n      kind: ReplicaSet\n      name: web-abc\n  spec:\n    nodeName: node-%d\n    containers:\n    - name: c\n      image: web\n      resources:\n        requests:\n          cpu: 100m\n          memory: 128Mi\n  status:\n    phase: Running\n", i, i%5000)
	}
	b.SetBytes(int64(text.Len()))
	for b.Loop() {
		if f, found := manifest.ReadFederation("n.yaml", text.Bytes(), format.Options{}); f == nil {
			b.Fatal(found)
		}
	}
}
