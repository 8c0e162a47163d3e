package qoskind_test

import (
	"slices"
	"strings"
	"testing"

	"berth/engine/input/workload"
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
}
