package main

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"berth/engine/golden"
	"berth/engine/must"
)

// These are the answers to why pods are pending, and where they go in a drain.
func TestClusters(t *testing.T) {
	t.Chdir("testdata/kubernetes")
	golden.Check(t, "../clusters.txt", transcriptOf(t, [][]string{
		{"pending", "dump.yaml"}, {"pending", "dump.yaml", "--format", "json"}, {"pending"}, {"pending", "shop.yaml"},
		{"pending", "dump.yaml", "--scoring", "MostAllocated"},
		{"pending", "dump.yaml", "--fail-zone", "eu-1"}, {"pending", "dump.yaml", "--fail-zone", "c"},
		{"pending", "half-empty.yaml", "--rollout", "shop.yaml"}, {"pending", "dump.yaml", "--rollout", "pools.yaml"},
		{"drain", "n1", "--federation", "dump.yaml"}, {"drain", "n3", "--federation", "dump.yaml"},
		{"drain", "eu/n2", "--federation", "eu=dump.yaml", "--federation", "us=dump.yaml", "--format", "json"},
		{"drain", "n2", "--federation", "eu=dump.yaml", "--federation", "us=dump.yaml"},
		{"pending", "dump.yaml", "--pools", "pools.yaml"}, {"pending", "dump.yaml", "--pools", "pools.yaml", "--format", "json"}, {"pending", "dump.yaml", "--pools", "shop.yaml"},
		{"consolidate", "dump.yaml"}, {"consolidate", "half-empty.yaml", "--pools", "pools.yaml"}, {"consolidate", "half-empty.yaml", "--moves", "1", "--format", "json"}, {"consolidate"},
		{"pending", "dump.yaml", "--weights", "NodeResourcesFit=5,PodTopologySpread=0"}, {"pending", "dump.yaml", "--weights", "Fit=1"},
		{"pending", "dump.yaml", "--scoring", "RequestedToCapacityRatio", "--shape", "0=10,50=4,100=0"}, {"pending", "dump.yaml", "--shape", "50=1,20=3"},
		{"drain", "n9", "--federation", "dump.yaml"}, {"drain", "n1"}, {"drain", "--federation", "dump.yaml"},
	}, measured))
}

// Without prices, jobs are spread over the room of the clusters instead of filling the first one at
// a cost of 0, and nothing is called optimal.
func TestPlaceSpreadsWithoutPrices(t *testing.T) {
	folder(t)
	node := `{apiVersion: v1, kind: Node, metadata: {name: n1, labels: {kubernetes.io/hostname: n1}}, status: {allocatable: {cpu: "4", memory: 8Gi, pods: "10"}}}`
	job := "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: %s}\nspec: {template: {metadata: {labels: {app: %[1]s}}, spec: {containers: [{name: c, resources: {requests: {cpu: 1, memory: 1Gi}, limits: {cpu: 1, memory: 1Gi}}}]}}}\n---\n"
	for name, text := range map[string]string{"eu.yaml": node, "us.yaml": node, "app.yaml": fmt.Sprintf(job, "a") + fmt.Sprintf(job, "b")} {
		must.Do(t, os.WriteFile(name, []byte(text), 0o600))
	}
	args := []string{"--federation", "eu.yaml", "--federation", "us.yaml", "--deployment", "app.yaml"}
	if got := placementOf(t, args...); got["a"] == got["b"] {
		t.Errorf("without prices the jobs are on %v", got)
	}
	stdout, _, _ := exec(t, "", append([]string{"place", "--format", "text"}, args...)...)
	if strings.Contains(stdout, "optimal") || !strings.Contains(stdout, "cost unknown: no prices") {
		t.Errorf("without prices it says\n%s", stdout)
	}
	if got := placementOf(t, append(args[:len(args):len(args)], "--price", "eu=0.08,0.01", "--price", "us=0.04,0.005")...); got["a"] != "us" || got["b"] != "us" {
		t.Errorf("with prices by flags the jobs are on %v", got)
	}
	for _, wrong := range []string{"eu", "eu=1", "=1,2", "eu=1,x", "eu=-1,2"} {
		complains(t, "", "expected CLUSTER=CORE,GIB", append([]string{"place", "--price", wrong}, args...)...)
	}
	must.Do(t, os.WriteFile("prices.dot", []byte("graph { eu [cpu_cost=1, memory_cost=0.1]; us [cpu_cost=2, memory_cost=0.2] }"), 0o600))
	if got := placementOf(t, append(args[:len(args):len(args)], "--federation", "prices.dot")...); got["a"] != "eu" || got["b"] != "eu" {
		t.Errorf("with prices the jobs are on %v", got)
	}
}
