package main

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"go.yaml.in/yaml/v3"

	"berth/engine/golden"
	"berth/engine/must"
)

// spellings write the objects of a dump in the same ways as the API, its clients and people.
var spellings = map[string]func(t *testing.T, objects []map[string]any) []byte{
	"JSON": func(t *testing.T, all []map[string]any) []byte { return inJSON(t, listOf(all)) },
	"YAML": func(t *testing.T, all []map[string]any) []byte { return inYAML(t, listOf(all)) },
	"CRLF": func(t *testing.T, all []map[string]any) []byte { return windows(inYAML(t, listOf(all))) },
	"byte order mark": func(t *testing.T, all []map[string]any) []byte {
		return append([]byte("\ufeff"), inJSON(t, listOf(all))...)
	},
	"UTF-16, big endian": func(t *testing.T, all []map[string]any) []byte {
		return inUTF16(binary.BigEndian, inJSON(t, listOf(all)))
	},
	"PowerShell's": func(t *testing.T, all []map[string]any) []byte {
		return inUTF16(binary.LittleEndian, windows(inYAML(t, listOf(all))))
	},
	"reversed":        func(t *testing.T, all []map[string]any) []byte { slices.Reverse(all); return inJSON(t, listOf(all)) },
	"namespaces last": func(t *testing.T, all []map[string]any) []byte { return inYAML(t, listOf(append(all[2:], all[:2]...))) },
	"concatenated": func(t *testing.T, all []map[string]any) (text []byte) {
		for _, o := range all {
			text = append(append(text, inJSON(t, o)...), '\n')
		}
		return text
	},
	"documents": func(t *testing.T, all []map[string]any) (text []byte) {
		for _, o := range all {
			text = append(append(text, "---\n"...), inYAML(t, o)...)
		}
		return text
	},
	"typed lists": func(t *testing.T, all []map[string]any) (text []byte) {
		byKind := map[string][]map[string]any{}
		for _, o := range all {
			kind, item := o["kind"].(string), maps.Clone(o)
			delete(item, "kind")
			delete(item, "apiVersion")
			byKind[kind] = append(byKind[kind], item)
		}
		for _, o := range all {
			kind := o["kind"].(string)
			if items := byKind[kind]; items != nil {
				text = append(append(text, inJSON(t, map[string]any{"kind": kind + "List", "apiVersion": o["apiVersion"], "items": items})...), '\n')
			}
			delete(byKind, kind)
		}
		return text
	},
	"gzip": func(t *testing.T, all []map[string]any) []byte {
		var packed bytes.Buffer
		w := gzip.NewWriter(&packed)
		must.Get(w.Write(inJSON(t, listOf(all))))(t)
		must.Do(t, w.Close())
		return packed.Bytes()
	},
}

func listOf(all []map[string]any) map[string]any {
	return map[string]any{"apiVersion": "v1", "kind": "List", "items": all}
}

func inJSON(t *testing.T, v any) []byte {
	return must.Get(json.MarshalIndent(v, "", "  "))(t)
}

func inYAML(t *testing.T, v any) []byte {
	return must.Get(yaml.Marshal(v))(t)
}

func windows(text []byte) []byte {
	return bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n"))
}

func inUTF16(order binary.AppendByteOrder, text []byte) (file []byte) {
	for _, unit := range utf16.Encode([]rune("\ufeff" + string(text))) {
		file = order.AppendUint16(file, unit)
	}
	return file
}

// The reports about a cluster are the same bytes for all spellings of its dump, even with labels
// named like fields.
func TestSpellings(t *testing.T) {
	var recorded struct {
		Pending []decided
		Drains  []drained
	}
	unpack(t, recordedCases(), &recorded)
	text := must.Get(os.ReadFile("../../kube/manifest/testdata/fields-v1.34.txt"))(t)
	fields := []string{"spec", "status", "metadata", "labels", "items", "kind", "apiVersion", "data", "nodeName"}
	for line := range strings.Lines(string(text)) {
		name := strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(line[strings.LastIndexByte(line, '.')+1:]), "[]"))
		if name != "" && !slices.Contains(fields, name) && !strings.ContainsAny(name, " []") {
			fields = append(fields, name)
		}
	}
	folder(t)
	clusters := 2000
	if testing.Short() {
		clusters = 100
	}
	for _, seed := range golden.Seeds(clusters) {
		r := rand.New(rand.NewPCG(seed, 8))
		dump := recorded.Pending[r.IntN(len(recorded.Pending))].Dump
		if seed%2 == 0 {
			dump = recorded.Drains[r.IntN(len(recorded.Drains))].Dump
		}
		var renamed []string
		names := r.Perm(len(fields))
		for i, label := range []string{"app", "tier", "disk", "rack", "size", "web", "front"} {
			renamed = append(renamed, `"`+label+`"`, `"`+fields[names[i]]+`"`)
		}
		dump = []byte(strings.NewReplacer(renamed...).Replace(string(dump)))
		want := map[string]string{}
		for _, spelling := range slices.Sorted(maps.Keys(spellings)) {
			all := []map[string]any{
				{"apiVersion": "v1", "kind": "Namespace", "metadata": map[string]any{"name": "default", "labels": map[string]any{"env": "a"}, "annotations": map[string]any{"a": "é🚀\ntwo"}}},
				{"apiVersion": "v1", "kind": "Namespace", "metadata": map[string]any{"name": "other"}},
			}
			var list struct{ Items []map[string]any }
			must.Do(t, json.Unmarshal(dump, &list))
			must.Do(t, os.WriteFile("dump", spellings[spelling](t, append(all, list.Items...)), 0o600))
			for _, line := range [][]string{{"pending", "dump"}, {"drain", "n0", "--federation", "dump"}, {"consolidate", "dump"}} {
				stdout, stderr, code := exec(t, "", append(line, "--format", "json")...)
				got := fmt.Sprint(stdout, stderr, code)
				if want[line[0]] == "" {
					want[line[0]] = got
				}
				if got != want[line[0]] || code == statusBadInput {
					t.Fatalf("seed %d, %s: %s\n%s\nwant\n%s", seed, spelling, line[0], got, want[line[0]])
				}
			}
		}
	}
}

// A placement reports that no file has the namespaces which an affinity selects by labels.
func TestPlaceWithoutNamespaces(t *testing.T) {
	text := must.Get(os.ReadFile("testdata/honoured/namespace-by-label.yaml"))(t)
	folder(t)
	namespace := `{apiVersion: v1, kind: Namespace, metadata: {name: other, labels: {team: x}}}`
	for file, content := range map[string]string{"with.yaml": string(text), "without.yaml": strings.Replace(string(text), namespace, "", 1)} {
		must.Do(t, os.WriteFile(file, []byte(content), 0o600))
		stdout, _, _ := exec(t, "", "place", "--federation", file, "--deployment", file)
		if said := strings.Contains(stdout, "get namespaces, too"); said != (file == "without.yaml") {
			t.Errorf("%s: %s", file, stdout)
		}
	}
}
