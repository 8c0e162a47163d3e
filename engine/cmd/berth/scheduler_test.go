package main

import (
	"compress/gzip"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"berth/engine/golden"
	"berth/engine/input/format"
	"berth/engine/must"
)

// judged is a cluster and workloads with the verdict of kube-scheduler: whether some order and
// choice of nodes places all pods, and otherwise the scheduler's message.
type judged struct {
	Case              string
	Placed            bool
	Words             string
	Nodes, Deployment string // manifests
}

// TestAgainstTheScheduler compares Berth with kube-scheduler. It places the same workloads, and has
// the scheduler's message about a single pod. The cases come from a golden file, or from
// kube-oracle.
func TestAgainstTheScheduler(t *testing.T) {
	var all struct {
		Scheduler string
		Cases     []judged
		Pending   []decided
		Drains    []drained
	}
	unpack(t, recordedCases(), &all)
	if len(all.Cases) < 500 || all.Scheduler == "" {
		t.Errorf("%d cases of kube-scheduler %q", len(all.Cases), all.Scheduler)
	}
	for i := range all.Cases {
		all.Cases[i].check(t)
	}
	for i := range all.Pending {
		all.Pending[i].check(t)
	}
	for i := range all.Drains {
		all.Drains[i].check(t)
	}
	docs := must.Get(os.ReadFile("../../../web/docs/pages/formats.md"))(t)
	if want := fmt.Sprintf("%d cases against kube-scheduler %s", len(all.Cases), all.Scheduler); os.Getenv("BERTH_CASES") == "" && !strings.Contains(string(docs), want) {
		t.Errorf("the documentation does not say %q", want)
	}
}

// TestAgainstOtherCases does the same with other cases.
func TestAgainstOtherCases(t *testing.T) {
	golden.Long(t)
	data := golden.Data(t)
	var cases []judged
	unpack(t, filepath.Join(data, "kube", "cases.json.gz"), &cases)
	for i := range cases {
		cases[i].check(t)
	}
}

// unpack reads compressed JSON.
func unpack(t *testing.T, name string, v any) {
	t.Helper()
	file := must.Get(os.Open(name))(t)
	defer file.Close()
	unpacked := must.Get(gzip.NewReader(file))(t)
	must.Do(t, json.NewDecoder(unpacked).Decode(v))
}

func (c *judged) check(t *testing.T) {
	t.Helper()
	d := placeOne(t, must.File(t, "nodes.json", c.Nodes), must.File(t, "workloads.json", c.Deployment))
	if placed := d.Placement != nil; placed != c.Placed {
		t.Errorf("%s: placed is %t, kube-scheduler says %t: %s\nhere: %s", c.Case, placed, c.Placed, c.Words, d.Reason)
	}
	if !c.Placed && c.onePod() && d.Reason != c.Words {
		t.Errorf("%s: says  %s\nkube-scheduler %s", c.Case, d.Reason, c.Words)
	}
}

// outcome is the output of place for a deployment.
type outcome struct {
	Placement  map[string]string
	Reason     string
	Unhonoured []format.Unhonoured
}

// counts describes the number of jobs on each cluster: a=2 b=1.
func (o *outcome) counts() string {
	count := map[string]int{}
	for _, cluster := range o.Placement {
		count[cluster]++
	}
	var all []string
	for _, cluster := range slices.Sorted(maps.Keys(count)) {
		all = append(all, fmt.Sprintf("%s=%d", cluster, count[cluster]))
	}
	return strings.Join(all, " ")
}

// placeOne places the workloads of a file on the nodes of another.
func placeOne(t *testing.T, nodes, workloads string, more ...string) outcome {
	t.Helper()
	return placeFirst(t, append([]string{"--federation", nodes, "--deployment", workloads}, more...)...)
}

// placeFirst returns the output of place for the first deployment.
func placeFirst(t *testing.T, args ...string) outcome {
	t.Helper()
	stdout, stderr, _ := exec(t, "", append([]string{"place"}, args...)...)
	var got struct{ Deployments []outcome }
	if err := json.Unmarshal([]byte(stdout), &got); err != nil {
		t.Fatal(args, err, stderr)
	}
	return got.Deployments[0]
}

// onePod reports whether the deployment is one workload with one pod. For several pods, the
// scheduler's message about the first depends on where it has put the others.
func (c *judged) onePod() bool {
	var list struct {
		Items []struct {
			Spec struct{ Replicas, Parallelism, Completions *int }
		}
	}
	one := func(n *int) bool { return n == nil || *n == 1 }
	if json.Unmarshal([]byte(c.Deployment), &list) != nil || len(list.Items) != 1 {
		return false
	}
	spec := list.Items[0].Spec
	return one(spec.Replicas) && (one(spec.Parallelism) || spec.Completions != nil && *spec.Completions == 1)
}

// TestHonoured reads small clusters with workloads, each about one rule of Kubernetes. The last
// line of each file is the result.
func TestHonoured(t *testing.T) {
	files, err := filepath.Glob("testdata/honoured/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatal(err, len(files))
	}
	for _, file := range files {
		text := must.Get(os.ReadFile(file))(t)
		want := strings.TrimSpace(string(text[strings.LastIndexByte(string(text), '#')+1:]))
		got := placeOne(t, file, file)
		if got.Placement != nil {
			got.Reason = "placed"
		}
		if got.Reason != want {
			t.Errorf("%s:\n     %s\nwant %s", filepath.Base(file), got.Reason, want)
		}
	}
}
