package examples_test

import (
	"crypto/sha256"
	"fmt"
	"strings"
	"testing"

	"berth/engine/golden"
	"berth/engine/scenario"
	"berth/engine/study"
	"berth/examples"
)

// briefly are examples of every kind that run in a moment.
var briefly = []string{"shop", "thesis-small", "backtracking", "thesis-50", "validation-1", "validation-2", "deployments", "stale", "three-masters", "four-shares"}

// The results of the examples, byte for byte: anyone who was sent a hash can repeat it.
func TestReportsAreGolden(t *testing.T) {
	var reports strings.Builder
	for _, name := range briefly {
		r, err := scenario.Run(t.Context(), study.Expand(named(t, name).Scenario), scenario.Env{})
		if err != nil {
			t.Fatal(err)
		}
		data := scenario.EncodeReport(r)
		fmt.Fprintf(&reports, "%s %s %s %d bytes, sha256 %x\n", name, r.Scenario, r.Results, len(data), sha256.Sum256(data))
	}
	golden.Check(t, "testdata/reports.txt", reports.String())
}

func named(t *testing.T, name string) examples.Example {
	t.Helper()
	for _, e := range examples.List() {
		if e.Name == name {
			return e
		}
	}
	t.Fatalf("there is no example %q", name)
	return examples.Example{}
}
