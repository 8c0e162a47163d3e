package main

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// Constraints of pods reach over the clusters that one file of nodes is divided into: by
// region, za and zb are one domain.
func TestConstraintsOverClusters(t *testing.T) {
	node := func(name, zone, region string) string {
		return fmt.Sprintf("{apiVersion: v1, kind: Node, metadata: {name: %s, labels: {topology.kubernetes.io/zone: %s, topology.kubernetes.io/region: %s}}, status: {allocatable: {cpu: \"4\", memory: 8Gi, pods: \"110\"}}}\n---\n", name, zone, region)
	}
	workload := func(name string, replicas int, spec string) string {
		return fmt.Sprintf("{apiVersion: apps/v1, kind: Deployment, metadata: {name: %s}, spec: {replicas: %d, selector: {matchLabels: {app: %s}}, template: {metadata: {labels: {app: %s}}, spec: {%s, containers: [{name: c, image: i, resources: {requests: {cpu: 500m, memory: 64Mi}}}]}}}}\n---\n", name, replicas, name, name, spec)
	}
	folder := t.TempDir()
	write := func(name, text string) string {
		file := filepath.Join(folder, name)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	nodes := write("nodes.yaml", node("a1", "za", "eu")+node("b1", "zb", "eu")+node("c1", "zc", "us"))
	apart := "affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: topology.kubernetes.io/region, labelSelector: {matchLabels: {app: a}}}]}}"
	region := map[string]string{"za": "eu", "zb": "eu", "zc": "us"}

	got := placeOne(t, nodes, write("apart.yaml", workload("a", 1, "hostIPC: false")+workload("standby", 1, apart)), "--cluster-by", "zone")
	if len(got.Placement) != 2 || region[got.Placement["a"]] == region[got.Placement["standby"]] {
		t.Errorf("apart by region: %+v", got)
	}
	got = placeOne(t, nodes, write("crowd.yaml", workload("a", 3, apart)), "--cluster-by", "zone")
	if got.Placement != nil {
		t.Errorf("three pods in two regions: %+v", got)
	}
	spread := "topologySpreadConstraints: [{maxSkew: 1, topologyKey: topology.kubernetes.io/zone, whenUnsatisfiable: DoNotSchedule, labelSelector: {matchLabels: {app: a}}}]"
	got = placeOne(t, nodes, write("spread.yaml", workload("a", 3, spread)), "--cluster-by", "zone")
	used := map[string]bool{}
	for _, cluster := range got.Placement {
		used[cluster] = true
	}
	if len(used) != 3 {
		t.Errorf("spread by zone: %+v", got)
	}
}
