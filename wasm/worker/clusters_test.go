//go:build !js

package worker_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	_ "berth/engine/kinds"
	"berth/engine/must"
	"berth/engine/placement/placementkind"
)

// kubectl returns kubectl's output for a cluster with this number of nodes and pods.
func kubectl(nodes, pods int) string {
	var b strings.Builder
	b.WriteString("apiVersion: v1\nkind: List\nitems:\n")
	for n := range nodes {
		fmt.Fprintf(&b, "- apiVersion: v1\n  kind: Node\n  metadata:\n    name: node-%[1]d\n    labels:\n      kubernetes.io/hostname: node-%[1]d\n  status:\n    allocatable:\n      cpu: \"8\"\n      memory: 32Gi\n      pods: \"110\"\n    conditions:\n    - status: \"True\"\n      type: Ready\n", n)
	}
	for i := range pods {
		fmt.Fprintf(&b, "- apiVersion: v1\n  kind: Pod\n  metadata:\n    name: web-%d\n    namespace: default\n    labels:\n      app: web\n    ownerReferences:\n    - apiVersion: apps/v1\n      controller: true\n      kind: ReplicaSet\n      name: web-7d9f8b6c5\n  spec:\n    nodeName: node-%d\n    containers:\n    - name: c\n      image: web\n      resources:\n        requests:\n          cpu: 100m\n          memory: 128Mi\n  status:\n    phase: Running\n", i, i%nodes)
	}
	return b.String()
}

// BenchmarkWorkerKubectl reads 5,000 nodes and 50,000 pods, and places a job of 1,000
// pods on them.
func BenchmarkWorkerKubectl(b *testing.B) {
	s := placementkind.New("kubectl", placementkind.Document{
		Federation:  placementkind.GraphSource{Name: "east.yaml"},
		Deployments: []placementkind.GraphSource{{Name: "shop.yaml", Text: "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: shop}\nspec:\n  replicas: 1000\n  template: {metadata: {labels: {app: shop}}, spec: {containers: [{name: c, resources: {requests: {cpu: 500m, memory: 1Gi}}}]}}\n"}},
		Strategies:  []placementkind.StrategyRun{{Name: "heuristic"}},
	})
	body := must.Get(json.Marshal(s))(b)
	tab := openPage(b, map[string][]byte{"kubectl.yaml": []byte(kubectl(5_000, 50_000))})
	ask(b, tab, "fetch('kubectl.yaml').then(r => r.text()).then(t => { kubectl = t; return '{}' })")
	run := func(n int) result { // a comment changes the text, so it is read again
		return mustRun(b, tab, fmt.Sprintf("runWith('kubectl', %q, kubectl + '# %d')", body, n))
	}
	run(0) // loads the program
	var reading, placing float64
	for n := 1; b.Loop(); n++ {
		r := run(n)
		reading, placing = reading+r.Timings.Reading, placing+r.Timings.Placing[0][0]
	}
	b.ReportMetric(reading/float64(b.N), "reading-ms/op")
	b.ReportMetric(placing/float64(b.N), "placing-ms/op")
}
