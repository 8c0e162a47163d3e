package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"berth/engine/format"
)

// What bears on where pods may run and is not honoured is listed by job, in JSON and in
// text, with its line; to be strict is to refuse it.
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
	if _, stderr, code := exec(t, "", append(args, "--strict")...); code != statusBadInput || !strings.Contains(stderr, "schedulerName is not honoured: another scheduler decides") {
		t.Errorf("strict: %d %s", code, stderr)
	}
}
