package lab

import (
	"strings"
	"testing"
	"time"

	"berth/engine/scenario"
)

func TestProgressIsToldInEventsASecondAndTimeLeft(t *testing.T) {
	one, other := &Part{begun: true}, &Part{}
	b := &Batch[toy]{Parts: []*Part{one, other}}
	now := time.Unix(1000, 0)
	hear := func(after time.Duration, phase string, fraction float64, events int64) string {
		now = now.Add(after)
		one.hear(scenario.Progress{Phase: phase, Fraction: fraction, Total: 256, Unit: "requests", Time: 3599, Events: events}, now)
		_, text := b.progress(false, now)
		return one.told() + "; " + text
	}
	if got := hear(0, "reading", 0.9, 0); strings.Contains(got, "left") || !strings.HasPrefix(got, "90 % read; 0") {
		t.Errorf("while it reads: %s", got)
	}
	if got := hear(0, "running", 0.1, 6000); strings.Contains(got, "events/s") {
		t.Errorf("after the first message: %s", got)
	}
	if got := hear(2*time.Second, "running", 0.2, 10_000); !strings.Contains(got, "2 000 events/s; 10 % · 0 of 2 runs") || !strings.HasSuffix(got, "18 s left") {
		t.Errorf("after 4,000 events in 2 s: %s", got)
	}
	// Messages that have waited for a busy page come at once.
	hear(time.Microsecond, "running", 0.25, 12_000)
	if got := hear(2*time.Second, "running", 0.3, 16_000); !strings.Contains(got, "3 000 events/s; ") {
		t.Errorf("after two messages at once and 6,000 events in 2 s: %s", got)
	}
	if got := hear(time.Microsecond, "running", 0.3, 16_500); !strings.Contains(got, "3 000 events/s; ") {
		t.Errorf("after another message at once: %s", got)
	}
}
