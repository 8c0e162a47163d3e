package manifest

import (
	"os"
	"strings"
	"testing"

	"berth/engine/must"
)

// TestEveryFieldIsHeeded walks the API of pods and workloads: each of its fields is
// honoured, listed as not honoured, or declared to say nothing about where pods may run.
func TestEveryFieldIsHeeded(t *testing.T) {
	text := must.Get(os.ReadFile("testdata/fields-v1.34.txt"))(t)
	used, fields := map[string]bool{}, 0
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		fields++
		kind, path, _ := strings.Cut(line, ".spec.")
		if kind == "Pod" {
			kind = "pod"
		}
		if path == "template.spec" || path == "jobTemplate.spec.template.spec" {
			continue // those of a Pod
		}
		if _, more, known := fieldOf(kind, path); !known || more {
			t.Errorf("%s: the field %s is neither honoured, listed nor declared to say nothing", kind, path)
		}
		used[kind] = true
	}
	if fields < 800 || len(used) != 8 {
		t.Errorf("%d fields of %d kinds", fields, len(used))
	}
	for field, row := range heeds {
		if !strings.ContainsRune("+-!", rune(row.mark)) || (row.mark == '!') != (row.says != "") {
			t.Errorf("the row of %s: %c %q", field, row.mark, row.says)
		}
	}
}
