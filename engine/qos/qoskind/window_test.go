package qoskind_test

import (
	"slices"
	"strings"
	"testing"

	"berth/engine/input/workload"
	"berth/engine/qos/qoskind"
	"berth/engine/scenario"
)

// A window removes the other requests from the run, whatever the order of the options, and the
// report says how many it removed.
func TestWindow(t *testing.T) {
	d := small()
	d.Sample, d.Admission = nil, nil
	_, all := run(t, d)
	n := all.Workload.Requests
	if n < 2 {
		t.Fatalf("the workload has %d requests", n)
	}
	d.Window = &workload.Window{First: 1}
	_, r := run(t, d)
	if r.Workload.Requests != 1 || !slices.ContainsFunc(r.Notes, func(note string) bool {
		return strings.HasPrefix(note, "1 of ") && strings.HasSuffix(note, "are within the window")
	}) {
		t.Errorf("%d requests, notes %q", r.Workload.Requests, r.Notes)
	}
	d.Window = &workload.Window{From: 1e6}
	if _, err := scenario.Prepare(t.Context(), qoskind.New("", *d), scenario.Env{}); err == nil || !strings.Contains(err.Error(), "is within it") {
		t.Errorf("a window without requests: %v", err)
	}
	d.Window = &workload.Window{From: 5, To: 5}
	if _, err := scenario.Prepare(t.Context(), qoskind.New("", *d), scenario.Env{}); err == nil || !strings.Contains(err.Error(), "is not after from") {
		t.Errorf("an empty window: %v", err)
	}
}
