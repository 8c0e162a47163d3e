package lab

import (
	"strings"
	"testing"
	"time"

	"berth/engine/scenario"
)

func TestProgressIsToldInEventsASecondAndTimeLeft(t *testing.T) {
	one, other := &BatchRun{begun: true}, &BatchRun{}
	b := &Batch[*toy]{Parts: []*BatchRun{one, other}}
	begun := time.Unix(1000, 0)
	// late is the time that a report waited for the page.
	hear := func(elapsed, late time.Duration, phase string, fraction float64, events int64) string {
		now := begun.Add(elapsed + late)
		one.hear(scenario.Progress{Phase: phase, Fraction: fraction, Total: 256, Unit: "requests", Time: 3599, Events: events, Elapsed: 1000 * elapsed.Seconds()}, now)
		_, text := b.progress(false, now)
		return one.text() + "; " + text
	}
	if got := hear(time.Second, 0, "reading", 0.9, 0); strings.Contains(got, "left") || !strings.HasPrefix(got, "90 % read; 0") {
		t.Errorf("while it reads: %s", got)
	}
	// Reports that waited for a busy page arrive together: here the first two.
	if got := hear(2*time.Second, 4*time.Second, "running", 0.1, 6000); strings.Contains(got, "events/s") || !strings.HasSuffix(got, "19 s left") {
		t.Errorf("after the first report of the run, 4 s late: %s", got)
	}
	if got := hear(6*time.Second, time.Microsecond, "running", 0.5, 18_000); !strings.Contains(got, "3 000 events/s; 25 % · 0 of 2 runs") || !strings.HasSuffix(got, "15 s left") {
		t.Errorf("after 12,000 more events in 4 s, heard at once: %s", got)
	}
	if got := hear(8*time.Second, 0, "running", 0.7, 22_000); !strings.Contains(got, "2 000 events/s; ") || !strings.HasSuffix(got, "13 s left") {
		t.Errorf("after 4,000 more in 2 s: %s", got)
	}
}
