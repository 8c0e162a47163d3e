//go:build !js

package qos

import (
	"strings"
	"testing"
	"time"

	"berth/engine/qos/qoskind"
	"berth/engine/scenario"
)

func TestProgressIsToldInWholeRequestsAndEventsASecond(t *testing.T) {
	one, other := &run{policy: qoskind.PolicyRun{Name: "qos"}}, &run{policy: qoskind.PolicyRun{Name: "priority"}}
	r := &result{runs: []*run{one, other}}
	r.Inputs = emptyInputs()
	r.Inputs.options.Seeds = 10
	now := time.Unix(1000, 0)
	hear := func(after time.Duration, fraction float64, events int64) {
		now = now.Add(after)
		one.hear(scenario.Progress{Phase: "running", Fraction: fraction, Total: 256, Unit: "requests", Time: 3599, Events: events}, now)
	}
	hear(0, 0.1, 6000)
	if got := one.told(); strings.Contains(got, "events/s") {
		t.Errorf("after the first message: %s", got)
	}
	hear(2*time.Second, 0.11, 10_000)
	if got := one.told(); !strings.Contains(got, "2\u202f000 events/s") {
		t.Errorf("after 4,000 events in 2 s: %s", got)
	}
	if m := r.meter(now); m.Done != 140 || m.Total != 2560 || m.Unit != "requests" {
		t.Errorf("the meter is %+v, want 140 of 2,560 requests", m)
	}
}
