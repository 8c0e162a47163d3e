package main

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

// The events of every laboratory can be written as a trace and as a table with the same runs.
func TestEventsAreWritten(t *testing.T) {
	for example, runs := range map[string][]string{"shop": {"heuristic: shop-deployment.dot", "random: shop-deployment.dot"}, "validation-1": {"qos", "priority"}, "three-masters": {"megha", "megha-1", "sparrow", "pigeon", "ideal"}} {
		file := "../../../examples/" + example + ".json"
		out, errs, code := exec(t, "", "run", file, "--format", "perfetto")
		var trace struct {
			Events []struct {
				Phase string         `json:"ph"`
				Name  string         `json:"name"`
				Args  map[string]any `json:"args"`
			} `json:"traceEvents"`
		}
		if err := json.Unmarshal([]byte(out), &trace); err != nil || code != statusPlaced {
			t.Fatalf("%s: %v, status %d\n%s", example, err, code, errs)
		}
		var processes []string
		stays := 0
		for _, e := range trace.Events {
			switch {
			case e.Name == "process_name":
				processes = append(processes, e.Args["name"].(string))
			case e.Phase == "X":
				stays++
			}
		}
		table, _, _ := exec(t, "", "run", file, "--format", "csv")
		if !slices.Equal(processes, runs) || stays == 0 || !strings.Contains(table, "\n"+runs[0]+",0,") || strings.Count(table, "\n") < stays {
			t.Errorf("%s: runs %q with %d slices, want %q, and the table begins\n%.200s", example, processes, stays, runs, table)
		}
	}
	if _, errs, code := exec(t, "", "run", "../../../examples/stale.json", "--format", "perfetto"); code == statusPlaced || errs == "" {
		t.Errorf("an experiment has events: status %d, %q", code, errs)
	}
}
