package main

import (
	"fmt"
	"strings"
	"testing"

	"berth/engine/must"
)

// Constraints of pods also apply across the clusters into which one file of nodes is divided. By
// region, za and zb are one domain.
func TestConstraintsOverClusters(t *testing.T) {
	node := func(name, zone, region string) string {
		return fmt.Sprintf("{apiVersion: v1, kind: Node, metadata: {name: %s, labels: {topology.kubernetes.io/zone: %s, topology.kubernetes.io/region: %s}}, status: {allocatable: {cpu: \"4\", memory: 8Gi, pods: \"110\"}}}\n---\n", name, zone, region)
	}
	workload := func(name string, replicas int, spec string) string {
		return fmt.Sprintf("{apiVersion: apps/v1, kind: Deployment, metadata: {name: %s}, spec: {replicas: %d, selector: {matchLabels: {app: %s}}, template: {metadata: {labels: {app: %s}}, spec: {%s, containers: [{name: c, image: i, resources: {requests: {cpu: 500m, memory: 64Mi}}}]}}}}\n---\n", name, replicas, name, name, spec)
	}
	nodes := must.File(t, "nodes.yaml", node("a1", "za", "eu")+node("b1", "zb", "eu")+node("c1", "zc", "us"))
	apart := "affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: topology.kubernetes.io/region, labelSelector: {matchLabels: {app: a}}}]}}"

	got := placeOne(t, nodes, must.File(t, "crowd.yaml", workload("a", 3, apart)), "--cluster-by", "zone")
	if got.Placement != nil {
		t.Errorf("three pods in two regions: %+v", got)
	}
	spread := "topologySpreadConstraints: [{maxSkew: 1, topologyKey: topology.kubernetes.io/zone, whenUnsatisfiable: DoNotSchedule, labelSelector: {matchLabels: {app: a}}}]"
	near := func(of string) string {
		return "affinity: {podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: topology.kubernetes.io/region, labelSelector: {matchLabels: {app: " + of + "}}}]}}"
	}
	// a takes all of za, so b must be in the other zone of its region.
	large := strings.Replace(workload("a", 1, "nodeSelector: {topology.kubernetes.io/zone: za}"), "cpu: 500m", "cpu: \"4\"", 1)
	got = placeOne(t, nodes, must.File(t, "near.yaml", large+workload("b", 1, near("a"))), "--cluster-by", "zone")
	if got.Placement["a"] != "za" || got.Placement["b"] != "zb" {
		t.Errorf("near by region: %+v", got)
	}
	got = placeOne(t, nodes, must.File(t, "alone.yaml", workload("b", 1, near("a"))), "--cluster-by", "zone")
	if got.Placement != nil || !strings.Contains(got.Reason, "affinity") {
		t.Errorf("near nothing: %+v", got)
	}
	own := "nodeSelector: {topology.kubernetes.io/region: eu}, " + spread
	got = placeOne(t, nodes, must.File(t, "within.yaml", workload("a", 4, own)), "--cluster-by", "zone")
	if got.counts() != "za=2 zb=2" {
		t.Errorf("spread over the zones that its node selector takes: %+v", got)
	}
	least := strings.Replace(spread, "maxSkew: 1", "maxSkew: 1, minDomains: 4", 1)
	if got = placeOne(t, nodes, must.File(t, "least.yaml", workload("a", 4, least)), "--cluster-by", "zone"); got.Placement != nil {
		t.Errorf("one pod a zone of three: %+v", got)
	}
	skewed := strings.Replace(spread, "topology.kubernetes.io/zone", "kubernetes.io/hostname", 1)
	if got = placeOne(t, nodes, must.File(t, "host.yaml", workload("a", 3, skewed)), "--cluster-by", "zone"); len(got.Unhonoured) != 1 {
		t.Errorf("a spread that is counted inside each cluster is not listed: %+v", got)
	}
}

// Zones and regions mean the same in all clusters of a federation, so pods that must be apart or
// together by them are so across clusters. Other labels apply within each cluster.
func TestConstraintsOverAFederation(t *testing.T) {
	var federation []string
	for _, of := range [][3]string{{"one", "eu", "8"}, {"two", "eu", "8"}, {"three", "us", "8"}} {
		federation = append(federation, "--federation", must.File(t, of[0]+".yaml", fmt.Sprintf("{apiVersion: v1, kind: Node, metadata: {name: n1, labels: {topology.kubernetes.io/region: %s, kubernetes.io/os: linux}}, status: {allocatable: {cpu: %q, memory: 8Gi, pods: \"110\"}}}\n", of[1], of[2])))
	}
	term := func(kind, key, app string) string {
		return fmt.Sprintf("affinity: {%s: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: %s, labelSelector: {matchLabels: {app: %s}}}]}}", kind, key, app)
	}
	workload := func(name string, spec string) string {
		return fmt.Sprintf("{apiVersion: apps/v1, kind: Deployment, metadata: {name: %s}, spec: {selector: {matchLabels: {app: %s}}, template: {metadata: {labels: {app: %s}}, spec: {%s, containers: [{name: c, image: i, resources: {requests: {cpu: \"5\", memory: 64Mi}}}]}}}}\n---\n", name, name, name, spec)
	}
	region := map[string]string{"one": "eu", "two": "eu", "three": "us"}
	for _, test := range []struct {
		name, kind, key string
		same            bool
	}{
		{"apart", "podAntiAffinity", "topology.kubernetes.io/region", false},
		{"near", "podAffinity", "topology.kubernetes.io/region", true},
	} {
		p := placementOf(t, append(federation, "--deployment", must.File(t, test.name+".yaml", workload("a", "hostIPC: false")+workload("b", term(test.kind, test.key, "a"))))...)
		if len(p) != 2 || p["a"] == p["b"] || (region[p["a"]] == region[p["b"]]) != test.same {
			t.Errorf("%s: %v", test.name, p)
		}
	}
}
