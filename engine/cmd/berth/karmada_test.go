package main

import (
	"fmt"
	"strings"
	"testing"

	"berth/engine/must"
)

const divided = "replicaScheduling: {replicaSchedulingType: Divided, replicaDivisionPreference: Weighted"

// The placement in a Karmada policy decides where its jobs go. a is the cheaper cluster and has
// room for two pods, b for four.
func TestPoliciesDecide(t *testing.T) {
	t.Chdir("testdata/karmada")
	for placement, test := range map[string]struct {
		pods int
		want string // number of jobs on each cluster
	}{
		"clusterAffinity: {}":                                           {1, "a=1"},
		"clusterAffinity: {clusterNames: [b]}":                          {1, "b=1"},
		"clusterAffinity: {exclude: [a]}":                               {1, "b=1"},
		"clusterAffinity: {labelSelector: {matchLabels: {region: us}}}": {1, "b=1"},
		"clusterAffinity: {fieldSelector: {matchExpressions: [{key: region, operator: NotIn, values: [eu]}]}}": {1, "b=1"},
		"clusterAffinity: {clusterNames: [c]}": {1, ""},
		"clusterAffinities: [{affinityName: x, clusterNames: [a]}, {affinityName: y, clusterNames: [b]}]":    {1, "a=1"},
		"clusterAffinities: [{affinityName: x, clusterNames: [a]}, {affinityName: y, clusterNames: [b]}] # ": {3, "b=1"},
		divided + "}": {6, "a=2 b=4"},
		divided + ", weightPreference: {staticWeightList: [{targetCluster: {clusterNames: [a]}, weight: 1}, {targetCluster: {clusterNames: [b]}, weight: 2}]}}": {3, "a=1 b=2"},
		"spreadConstraints: [{spreadByField: cluster, maxGroups: 1}], " + divided + "}":                                                                         {2, "a=2"},
		"spreadConstraints: [{spreadByField: region, minGroups: 2}], " + divided + "}":                                                                          {2, "a=1 b=1"},
		"clusterAffinity: {clusterNames: [b]}, spreadConstraints: [{spreadByField: region, minGroups: 2}], " + divided + "}":                                    {2, ""},
	} {
		text := fmt.Sprintf(`
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: %d
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: c, image: i, resources: {requests: {cpu: "2", memory: 64Mi}}}]}
---
apiVersion: policy.karmada.io/v1alpha1
kind: PropagationPolicy
metadata: {name: p}
spec:
  resourceSelectors: [{apiVersion: apps/v1, kind: Deployment, name: web}]
  placement: {%s}
`, test.pods, strings.TrimSuffix(placement, " # "))
		got := placeOne(t, "a.yaml", must.File(t, "app.yaml", text), "--federation", "b.yaml", "--federation", "prices.dot")
		if where := got.counts(); where != test.want {
			t.Errorf("%s with %d pods: %q, want %q: %s", placement, test.pods, where, test.want, got.Reason)
		}
	}
}

// This is about the number of clusters and regions that the pods of a job use. a and b are in eu, c
// is in us, d is in ap, and the cheaper ones come first.
func TestPoliciesCountGroups(t *testing.T) {
	node := "{apiVersion: v1, kind: Node, metadata: {name: n1}, status: {allocatable: {cpu: %q, memory: 8Gi, pods: \"110\"}}}\n"
	var more []string
	for _, name := range []string{"b", "c", "d"} {
		more = append(more, "--federation", must.File(t, name+".yaml", fmt.Sprintf(node, "5")))
	}
	a := must.File(t, "a.yaml", fmt.Sprintf(node, "3"))
	more = append(more, "--federation", must.File(t, "prices.dot", `graph { a [cpu_cost=1, memory_cost=0, region=eu]; b [cpu_cost=2, memory_cost=0, region=eu];
c [cpu_cost=3, memory_cost=0, region=us]; d [cpu_cost=4, memory_cost=0, region=ap]; }`))
	for constraints, want := range map[string]string{
		"":                                     "a=3 b=1",
		"spreadByField: region, minGroups: 2":  "a=3 c=1",
		"spreadByField: region, minGroups: 3":  "a=2 c=1 d=1",
		"spreadByField: cluster, minGroups: 3": "a=2 b=1 c=1",
		"minGroups: 4":                         "a=1 b=1 c=1 d=1",
		"spreadByField: cluster, maxGroups: 1": "b=4",
		"spreadByField: region, maxGroups: 1":  "a=3 b=1",
		"spreadByField: region, minGroups: 2, maxGroups: 2}, {spreadByField: cluster, maxGroups: 2": "a=3 c=1",
	} {
		text := fmt.Sprintf(`
{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: {replicas: 4, selector: {matchLabels: {app: web}},
  template: {metadata: {labels: {app: web}}, spec: {containers: [{name: c, image: i, resources: {requests: {cpu: "1", memory: 64Mi}}}]}}}}
---
{apiVersion: policy.karmada.io/v1alpha1, kind: PropagationPolicy, metadata: {name: p}, spec: {
  resourceSelectors: [{apiVersion: apps/v1, kind: Deployment}], placement: {replicaScheduling: {}, spreadConstraints: [%s]}}}
`, "{"+constraints+"}")
		if constraints == "" {
			text = strings.Replace(text, "{}]", "]", 1)
		}
		got := placeOne(t, a, must.File(t, "app.yaml", text), more...)
		if where := got.counts(); where != want || len(got.Unhonoured) > 0 {
			t.Errorf("%s: %q, want %q: %s %v", constraints, where, want, got.Reason, got.Unhonoured)
		}
	}
}
