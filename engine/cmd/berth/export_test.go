package main

import (
	"strings"
	"testing"

	"berth/engine/must"
)

// Every object of the input is written: to the clusters that run a job of its namespace, or
// otherwise to all clusters. Objects that others need come first. The result reads back.
func TestNothingIsLostOnTheWayOut(t *testing.T) {
	const objects = `
{apiVersion: apps/v1, kind: Deployment, metadata: {name: web, namespace: a}, spec: {replicas: 1, selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}, spec: {containers: [{name: c, image: i, resources: {requests: {cpu: 100m, memory: 64Mi}}}]}}}}
---
{apiVersion: apps/v1, kind: DaemonSet, metadata: {name: cni, namespace: kube-system}, spec: {selector: {matchLabels: {app: cni}}, template: {metadata: {labels: {app: cni}}, spec: {containers: [{name: c, image: i}]}}}}
---
{apiVersion: rbac.authorization.k8s.io/v1, kind: RoleBinding, metadata: {name: leader, namespace: kube-system}, roleRef: {kind: Role, name: leader}}
---
{apiVersion: x.io/v1, kind: Thing, metadata: {name: one}}
---
{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: things.x.io}, spec: {group: x.io, names: {kind: Thing, plural: things}, scope: Cluster, versions: []}}
---
{apiVersion: v1, kind: Namespace, metadata: {name: a}}
---
{apiVersion: policy.karmada.io/v1alpha1, kind: PropagationPolicy, metadata: {name: own, namespace: a}, spec: {priority: 3, resourceSelectors: [{apiVersion: apps/v1, kind: Deployment}], placement: {}}}
`
	file := must.File(t, "app.yaml", objects)
	for format, want := range map[string][]string{
		"kubectl": {"kind: Namespace", "kind: CustomResourceDefinition", "name: cni", "name: leader", "kind: Thing"},
		"karmada": {"kind: Namespace", "kind: CustomResourceDefinition", "name: cni", "name: leader", "kind: Thing", "name: own", "kind: ClusterPropagationPolicy", "priority: 4"},
	} {
		stdout, stderr, _ := exec(t, "", "place", "--federation", "testdata/karmada/a.yaml", "--deployment", file, "--format", format)
		for _, one := range want {
			if !strings.Contains(stdout, one) {
				t.Errorf("%s: %q is not written: %s%s", format, one, stdout, stderr)
			}
		}
		if strings.Index(stdout, "kind: Namespace") > strings.Index(stdout, "kind: Deployment") {
			t.Errorf("%s: the namespace comes after what is in it", format)
		}
		written := must.File(t, "written.yaml", stdout)
		if got := placeOne(t, "testdata/karmada/a.yaml", written); len(got.Placement) != 1 {
			t.Errorf("%s: read back, %+v", format, got)
		}
	}
}
