package main

import (
	"encoding/binary"
	"os"
	"strings"
	"testing"
	"unicode/utf16"
)

// A file says the same in UTF-16 and with the ends of lines of Windows, as PowerShell writes
// them, to every command that reads Kubernetes.
func TestEncodings(t *testing.T) {
	folder(t)
	const (
		yaml = "apiVersion: v1\nkind: Node\nmetadata: {name: n1}\nstatus: {allocatable: {cpu: \"4\", memory: 8Gi, pods: \"110\"}}\n---\n" +
			"apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec:\n  template:\n    metadata: {labels: {app: web}}\n    spec:\n      containers:\n      - name: c\n        args:\n        - |\n          é\n          two\n        resources: {requests: {cpu: 1, memory: 1Gi}, limits: {cpu: 1, memory: 1Gi}}\n---\n" +
			"apiVersion: v1\nkind: Pod\nmetadata: {name: w}\nspec: {containers: [{name: c, resources: {requests: {cpu: 5}}}]}\n"
		json = `{"apiVersion": "v1", "kind": "List", "items": [{"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n1"},` + "\n" + `"status": {"allocatable": {"cpu": "4", "memory": "8Gi", "pods": "110"}}}]}` + "\n" +
			`{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "w", "annotations": {"a": "é🚀"}}, "spec": {"containers": [{"name": "c", "resources": {"requests": {"cpu": "5"}}}]}}` + "\n"
	)
	inUTF16 := func(order binary.AppendByteOrder) func(string) string {
		return func(text string) string {
			var file []byte
			for _, unit := range utf16.Encode([]rune("\ufeff" + text)) {
				file = order.AppendUint16(file, unit)
			}
			return string(file)
		}
	}
	windows := func(text string) string { return strings.ReplaceAll(text, "\n", "\r\n") }
	for _, text := range []string{yaml, json} {
		for _, line := range [][]string{
			{"pending", "dump"}, {"drain", "n1", "--federation", "dump"}, {"place", "--federation", "dump", "--deployment", "dump"}, {"place", "--federation", "dump", "--deployment", "dump", "--format", "kubectl"},
		} {
			want := ""
			for i, encoded := range []func(string) string{
				func(text string) string { return text }, windows, func(text string) string { return "\ufeff" + text }, inUTF16(binary.LittleEndian), inUTF16(binary.BigEndian),
				func(text string) string { return inUTF16(binary.LittleEndian)(windows(text)) },
			} {
				try(t, os.WriteFile("dump", []byte(encoded(text)), 0o600))
				stdout, stderr, code := exec(t, "", line...)
				got := still(linkIn.ReplaceAllString(stdout, "")) + stderr
				if i == 0 {
					want = got
				}
				if code == statusBadInput || got != want {
					t.Errorf("%v, encoding %d: status %d\n%s\nwant\n%s", line, i, code, got, want)
				}
			}
		}
	}
}

// A placement says that no file has the namespaces which an affinity chooses by their labels.
func TestPlaceWithoutNamespaces(t *testing.T) {
	text, err := os.ReadFile("testdata/honoured/namespace-by-label.yaml")
	try(t, err)
	folder(t)
	namespace := `{apiVersion: v1, kind: Namespace, metadata: {name: other, labels: {team: x}}}`
	for file, content := range map[string]string{"with.yaml": string(text), "without.yaml": strings.Replace(string(text), namespace, "", 1)} {
		try(t, os.WriteFile(file, []byte(content), 0o600))
		stdout, _, _ := exec(t, "", "place", "--federation", file, "--deployment", file)
		if said := strings.Contains(stdout, "get namespaces, too"); said != (file == "without.yaml") {
			t.Errorf("%s: %s", file, stdout)
		}
	}
}
