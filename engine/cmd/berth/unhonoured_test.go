package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"berth/engine/input/format"
	"berth/engine/must"
)

// Fields that affect where pods may run but are not honoured are listed by job, in JSON and in
// text, with their lines. --strict refuses them.
func TestUnhonoured(t *testing.T) {
	const file = "testdata/unhonoured/workloads.yaml"
	args := []string{"place", "--federation", file, "--deployment", file}
	stdout, stderr, _ := exec(t, "", args...)
	var got struct {
		Deployments []struct{ Unhonoured []format.Unhonoured }
	}
	if err := json.Unmarshal([]byte(stdout), &got); err != nil {
		t.Fatal(err, stderr)
	}
	var fields []string
	for _, u := range got.Deployments[0].Unhonoured {
		fields = append(fields, strings.TrimSpace(fmt.Sprint(u.Line, " ", u.Object, " ", u.Field)))
	}
	const spec = "spec.template.spec."
	want := []string{
		"15 Deployment/web " + spec + "schedulerName", "16 Deployment/web " + spec + "schedulingGates",
		"17 Deployment/web " + spec + "resourceClaims", "19 Deployment/web " + spec + "nodeName", "20 Deployment/web " + spec + "colour",
		"21 Deployment/web " + spec + "containers[0].resources.claims", "22 Deployment/web " + spec + "volumes[1].awsElasticBlockStore",
		"18 Deployment/web " + spec + "runtimeClassName", "37 Rollout/slow", "42 VerticalPodAutoscaler/web",
		"22 Deployment/web " + spec + "volumes[0].persistentVolumeClaim",
	}
	for _, line := range want {
		if !slices.Contains(fields, line) {
			t.Errorf("%q is not listed", line)
		}
	}
	if extra := slices.DeleteFunc(fields, func(line string) bool { return slices.Contains(want, line) }); len(extra) > 0 {
		t.Errorf("listed besides: %q", extra)
	}
	stdout, _, _ = exec(t, "", append(args, "--format", "text")...)
	if !strings.Contains(stdout, " fields of the input are not honoured.") || !strings.Contains(stdout, "Deployment/web "+spec+"schedulingGates (line 16): the pods wait until their gates are removed") {
		t.Error(stdout)
	}
	complains(t, "", "schedulerName is not honoured: another scheduler decides", append(args, "--strict")...)
}

// A RuntimeClass is also found in the file of the cluster: its overhead and its nodes count.
func TestRuntimeClassOfTheCluster(t *testing.T) {
	nodes := func(class string) string {
		return must.File(t, "nodes.yaml", `{apiVersion: v1, kind: Node, metadata: {name: n1}, status: {allocatable: {cpu: "4", memory: 8Gi, pods: "10"}}}
---
{apiVersion: v1, kind: Node, metadata: {name: n2, labels: {kata: "yes"}}, status: {allocatable: {cpu: "4", memory: 8Gi, pods: "10"}}}
---
{apiVersion: node.k8s.io/v1, kind: RuntimeClass, metadata: {name: `+class+`}, handler: kata, overhead: {podFixed: {cpu: "1"}}, scheduling: {nodeSelector: {kata: "yes"}}}
`)
	}
	app := func(pods int) string {
		return must.File(t, "app.yaml", fmt.Sprintf("{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: {replicas: %d, selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}, spec: {runtimeClassName: kata, containers: [{name: c, resources: {requests: {cpu: \"1\", memory: 1Gi}}}]}}}}", pods))
	}
	if got := placeOne(t, nodes("kata"), app(2)); got.Placement == nil || len(got.Unhonoured) > 0 {
		t.Errorf("two pods of 2 CPUs on one node: %+v", got)
	}
	for _, split := range [][]string{nil, {"--split"}} {
		if got := placeOne(t, nodes("kata"), app(3), split...); got.Placement != nil || len(got.Unhonoured) > 0 {
			t.Errorf("three pods, %q: %+v", split, got)
		}
	}
	if got := placeOne(t, nodes("other"), app(3)); got.Placement == nil || len(got.Unhonoured) != 1 || got.Unhonoured[0].Field != "spec.template.spec.runtimeClassName" {
		t.Errorf("a class that no file has: %+v", got)
	}
}
