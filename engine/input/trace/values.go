package trace

import (
	"fmt"
	"math"
	"strconv"

	"berth/engine/cluster"
	"berth/engine/diag"
	"berth/engine/input/csv"
	"berth/engine/input/workload"
	"berth/engine/show"
	"berth/engine/sim"
)

// values parses fields and keeps the first error.
type values struct{ Err error }

// Fail records an error about a field, unless an earlier error is recorded.
func (f *values) Fail(c *cell, err error) {
	if f.Err == nil && err != nil {
		f.Err = csv.FaultAt(c.At, diag.InvalidPart, c.name, err)
	}
}

// Check validates a request and reports an error at the field that causes it.
func (f *values) Check(r *workload.Request, cpu, memory, duration *cell) {
	if f.Err != nil {
		return
	}
	switch err := r.Check(); {
	case err == nil:
	case r.CPU <= 0:
		f.Err = cpu.Fault(err)
	case r.Memory <= 0:
		f.Err = memory.Fault(err)
	default:
		f.Err = duration.Fault(err)
	}
}

// Capacity records an error, at the field that is 0, if a host has no CPU or no memory.
func (f *values) Capacity(h *cluster.Host, cpu, memory *cell, needed string) {
	switch {
	case f.Err != nil:
	case h.CPU == 0:
		f.Err = csv.FaultAt(cpu.At, hostNeeds, needed)
	case h.Memory == 0:
		f.Err = csv.FaultAt(memory.At, hostNeeds, needed)
	}
}

// Seconds parses a time in seconds, from 0 to [workload.MaxTime].
func (f *values) Seconds(c *cell) sim.Milliseconds {
	seconds, err := secondsOf(c.Text, float64(workload.MaxTime)/1000)
	f.Fail(c, err)
	return sim.Milliseconds(math.Round(seconds * 1000))
}

// Amount parses a non-negative amount in units.
func (f *values) Amount(c *cell) cluster.Amount {
	a, err := cluster.ParseAmount(c.Text)
	f.Fail(c, err)
	return a
}

// Devices parses a number of GPUs, 0 if empty.
func (f *values) Devices(c *cell) int {
	if c.Text == "" {
		return 0
	}
	n, err := strconv.Atoi(c.Text)
	if err != nil || n < 0 || n > cluster.MaxGPUs {
		f.Fail(c, notUpTo.New(c.Text, cluster.MaxGPUs))
	}
	return n
}

// gpus parses the number of GPUs of a request, or the share of one.
func (f *values) gpus(c *cell, r *workload.Request) {
	if share, ok := show.ParseNumber(c.Text); ok && share > 0 && share < 1 {
		r.GPUs, r.GPUShare = 1, f.Amount(c)
		return
	}
	r.GPUs = f.Devices(c)
}

// Flag parses 0 or 1; 0 if empty.
func (f *values) Flag(c *cell) bool {
	switch c.Text {
	case "0", "false", "":
		return false
	case "1", "true":
		return true
	}
	f.Fail(c, notFlag.New(c.Text))
	return false
}

// Priority parses a priority of the Google trace.
func (f *values) Priority(c *cell) int {
	n, err := strconv.Atoi(c.Text)
	if err != nil || n < 0 || n > 1<<20 {
		f.Fail(c, notPriority.New(c.Text))
	}
	return n
}

// secondsOf parses a time from 0 to most seconds.
func secondsOf(text string, most float64) (float64, error) {
	seconds, ok := show.ParseNumber(text)
	switch {
	case !ok:
		return 0, notSecondsOf(text)
	case !(seconds >= 0 && seconds <= most):
		return 0, outOfRange(seconds, int64(most))
	}
	return seconds, nil
}

// notSecondsOf returns the error about a text that is not a number of seconds. For a
// date it includes advice.
func notSecondsOf(text string) error {
	const form = "2025-11-02"
	if len(text) >= len(form) && text[4] == '-' && text[7] == '-' {
		return dateGiven.New(text)
	}
	return notSeconds.New(text)
}

// outOfRange returns the error about a time outside of 0 to most seconds. For times
// since 1970 it includes advice.
func outOfRange(seconds float64, most int64) error {
	for _, since := range []struct {
		unit  string
		parts float64
	}{{"seconds", 1}, {"milliseconds", 1e3}, {"microseconds", 1e6}} {
		if x := seconds / since.parts; x >= workload.EpochFrom && x <= workload.EpochTo {
			return fmt.Errorf("%s is not a time from 0 to %d s: it looks like %s since 1970; subtract the first time of the file from all, and write seconds",
				show.Number(seconds), most, since.unit)
		}
	}
	return notWithinTime.New(show.Given(seconds), most)
}

// taskSeconds parses a time in seconds from 0 to [workload.MaxSeconds].
func taskSeconds(text string) (sim.Nanoseconds, error) {
	seconds, err := secondsOf(text, workload.MaxSeconds)
	return workload.Nanoseconds(seconds), err
}

const second = 1e9
