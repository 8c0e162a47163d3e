package main

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"berth/engine/must"
)

// A job without requests is written with a request of 0. Every strategy places it at no cost, even
// on a cluster without room.
func TestJobsThatRequestNothing(t *testing.T) {
	folder(t)
	must.Do(t, os.WriteFile("idle.yaml", []byte(`apiVersion: apps/v1
kind: Deployment
metadata: {name: idle}
spec:
  template:
    spec: {containers: [{name: idle}]}
`), 0o666))
	text, stderr, code := exec(t, "", "convert", "idle.yaml")
	if code != statusPlaced || text != "graph {\n\tidle [request=0, limit=0];\n}\n" {
		t.Fatalf("status %d, %s\n%s", code, stderr, text)
	}
	must.Do(t, os.WriteFile("idle.dot", []byte(text), 0o666))
	must.Do(t, os.WriteFile("busy.dot", []byte(`graph { idle [request=0, limit=0, memory_request=0, memory_limit=0]; web [request=100, limit=100]; job [request=0, limit=9]
	idle -- web [latency=10]; web -- job [latency=10] }`), 0o666))
	must.Do(t, os.WriteFile("full.dot", []byte(`graph { none [memory=0, memory_cost=2]; full [cpu=100, cpu_cost=3]; none -- full [latency=1, latency_cost=0] }`), 0o666))
	for _, strategy := range []string{"heuristic", "random", "first-fit", "best-fit", "cheapest", "best", "exact", "anytime"} {
		for _, file := range []string{"idle.dot", "busy.dot"} {
			stdout, stderr, code := exec(t, "", "place", "--federation", "full.dot", "--deployment", file, "--strategy", strategy, "--explain", "all")
			if code != statusPlaced || !json.Valid([]byte(stdout)) || strings.Contains(stdout, "NaN") {
				t.Errorf("%s, %s: status %d, %s\n%s", strategy, file, code, stderr, stdout)
			}
		}
	}
	complains(t, "graph { a [request=-1, limit=1] }", "which is negative", "place", "--federation", "full.dot", "--deployment", "-")
}

// Text in Latin-1 survives in the scenario, which is in UTF-8.
func TestLatin1IsDecoded(t *testing.T) {
	folder(t)
	must.Do(t, os.WriteFile("old.dot", []byte("graph { caf\xe9 [request=1, limit=1]; charset=latin1 }"), 0o666))
	must.Do(t, os.WriteFile("f.dot", []byte("graph { eu [cpu=9, cpu_cost=1] }"), 0o666))
	if stdout, stderr, _ := exec(t, "", "convert", "old.dot"); stdout != "graph {\n\t\"café\" [request=1, limit=1];\n}\n" {
		t.Error(stdout, stderr)
	}
	if stdout, stderr, _ := exec(t, "", "place", "--federation", "f.dot", "--deployment", "old.dot"); !strings.Contains(stdout, `"café"`) {
		t.Error(stdout, stderr)
	}
	if stdout, stderr, _ := exec(t, "", "render", "old.dot"); !strings.Contains(stdout, ">café</text>") {
		t.Error(stdout, stderr)
	}
}
