package main

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"berth/engine/must"
)

// fakeKubectl puts a kubectl first on the PATH. It prints a dump or fails, and logs its arguments.
func fakeKubectl(t *testing.T, script string) (asked func() string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the kubectl of this test is a shell script, which Windows does not run")
	}
	folder := t.TempDir()
	log := filepath.Join(folder, "asked")
	must.Do(t, os.WriteFile(filepath.Join(folder, "kubectl"), []byte("#!/bin/sh\necho \"$@\" >> "+log+"\n"+script+"\n"), 0o755))
	t.Setenv("PATH", folder+string(os.PathListSeparator)+os.Getenv("PATH"))
	return func() string {
		text, _ := os.ReadFile(log)
		return string(text)
	}
}

func asKubectl(t *testing.T, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	var out, errs bytes.Buffer
	code = status(runAs("/usr/bin/kubectl-berth", t.Context(), args, strings.NewReader(""), &out, &errs), &errs)
	return out.String(), errs.String(), code
}

// As a plug-in, Berth gets the cluster from kubectl, shows the command, and changes nothing.
func TestPlugin(t *testing.T) {
	dump := must.Get(filepath.Abs("testdata/kubernetes/dump.yaml"))(t)
	shop := must.Get(filepath.Abs("testdata/kubernetes/shop.yaml"))(t)
	asked := fakeKubectl(t, "cat "+dump)
	get := "get " + kinds + " -A -o json"
	for _, test := range []struct {
		args []string
		want string // of the answer
		code int
		asks []string
	}{
		{[]string{"pending"}, "report-1 → n2", statusNotPlaced, []string{get}},
		{[]string{"pending", "--context", "eu", "--context", "us"}, "2 pods stay pending", statusNotPlaced, []string{get + " --context=eu", get + " --context=us"}},
		{[]string{"drain", "n3"}, "No pod has to leave", statusPlaced, []string{get}},
		{[]string{"place", "--deployment", shop, "--format", "text", "--context", "eu"}, "federation eu: 1 cluster", statusNotPlaced, []string{get + " --context=eu"}},
		{[]string{"pending", dump}, "report-1 → n2", statusNotPlaced, nil},
	} {
		before := asked()
		stdout, stderr, code := asKubectl(t, test.args...)
		if !strings.Contains(stdout, test.want) || code != test.code {
			t.Errorf("%v: status %d, %s%s", test.args, code, stdout, stderr)
		}
		got := strings.TrimSpace(strings.TrimPrefix(asked(), before))
		if want := strings.Join(test.asks, "\n"); got != want {
			t.Errorf("%v asks kubectl %q, want %q", test.args, got, want)
		}
		for _, one := range test.asks {
			if !strings.Contains(stderr, "$ kubectl "+one+"\n") {
				t.Errorf("%v does not say the command %s: %s", test.args, one, stderr)
			}
		}
	}
}

// If kubectl fails, the message has kubectl's own words first, and then advice.
func TestPluginWithoutRights(t *testing.T) {
	fakeKubectl(t, `echo 'Error from server (Forbidden): pods is forbidden' >&2; exit 1`)
	_, stderr, code := asKubectl(t, "pending")
	if code != statusBadInput || !strings.Contains(stderr, "Forbidden") || !strings.Contains(stderr, "check the context and your rights") {
		t.Errorf("status %d, %s", code, stderr)
	}
}

// Under its own name, Berth calls no cluster.
func TestBerthAsksNoCluster(t *testing.T) {
	asked := fakeKubectl(t, "exit 0")
	for _, args := range [][]string{{"pending"}, {"drain", "n1"}, {"pending", kubectlFile}} {
		if _, _, code := exec(t, "", args...); code != statusBadInput || asked() != "" {
			t.Errorf("%v: status %d, asked %q", args, code, asked())
		}
	}
}

// A plug-in needs no dump, and its help says so.
func TestPluginHelp(t *testing.T) {
	for name, want := range map[string]string{"drain": "drain NODE… [--federation DUMP]", "pending": "pending [DUMP…]"} {
		stdout, _, _ := asKubectl(t, name, "--help")
		plain, _, _ := exec(t, "", name, "--help")
		if !strings.Contains(stdout, want) || strings.Contains(plain, want) {
			t.Errorf("kubectl berth %s --help does not say %q, or berth %s does:\n%s\n%s", name, want, name, stdout, plain)
		}
	}
}

// A claim that a dump lacks is a warning, and with --strict an error.
func TestMissingClaimIsAWarning(t *testing.T) {
	dump := must.File(t, "dump.yaml", `apiVersion: v1
kind: Pod
metadata: {name: db}
spec:
  containers: [{name: db, resources: {requests: {cpu: "1"}}}]
  volumes: [{name: data, persistentVolumeClaim: {claimName: far}}]
---
apiVersion: v1
kind: Node
metadata: {name: n1}
status: {allocatable: {cpu: "4", memory: 8Gi, pods: "110"}, conditions: [{type: Ready, status: "True"}]}
`)
	const says = "the claim default/far is not in the input"
	if _, stderr, code := exec(t, "", "pending", dump); code != statusPlaced || !strings.Contains(stderr, "warning: ") || !strings.Contains(stderr, says) {
		t.Errorf("status %d, %s", code, stderr)
	}
	complains(t, "", says, "pending", dump, "--strict")
}

// A file that cannot hold Kubernetes objects is refused by the name of its format.
func TestADumpOfAnotherFormatIsNamed(t *testing.T) {
	for text, want := range map[string]string{
		"graph { a [request=1, limit=1] }":   "<stdin>:1:1: found a graph in DOT: choose it as a deployment in Placement; expected objects of Kubernetes",
		"name,cpu,memory,attributes\na,4,4,": "<stdin>:1:1: found a list of hosts: choose it as the hosts in QoS",
		"kind: Node\nmetadata: [":            "<stdin>:2:",
	} {
		for _, line := range [][]string{{"pending", "-"}, {"consolidate", "-"}, {"drain", "n", "--federation", "-"}} {
			complainsAt(t, text, want, line...)
		}
	}
}
