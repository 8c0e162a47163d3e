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

// Fail records an error in the field of a column, unless there was an earlier one.
func (f *values) Fail(v csv.Field, name string, err error) {
	if f.Err == nil && err != nil {
		f.Err = csv.FaultAt(v.At, diag.InvalidPart, name, err)
	}
}

// Check validates a request and attributes an error to the field that it comes from.
func (f *values) Check(r *workload.Request, cpu, memory, duration csv.Field) {
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

// Capacity records an error if a host has no CPU or no memory, at the field with the
// 0.
func (f *values) Capacity(h *cluster.Host, cpu, memory csv.Field, needed string) {
	switch {
	case f.Err != nil:
	case h.CPU == 0:
		f.Err = csv.FaultAt(cpu.At, hostNeeds, needed)
	case h.Memory == 0:
		f.Err = csv.FaultAt(memory.At, hostNeeds, needed)
	}
}

// Seconds parses a time in seconds, from 0 to [workload.MaxTime].
func (f *values) Seconds(v csv.Field, name string) sim.Milliseconds {
	seconds, err := secondsOf(v.Text, float64(workload.MaxTime)/1000)
	f.Fail(v, name, err)
	return sim.Milliseconds(math.Round(seconds * 1000))
}

// Amount parses a non-negative amount in units.
func (f *values) Amount(v csv.Field, name string) cluster.Amount {
	a, err := cluster.ParseAmount(v.Text)
	f.Fail(v, name, err)
	return a
}

// Devices parses a number of GPUs, 0 if empty.
func (f *values) Devices(v csv.Field, name string) int {
	if v.Text == "" {
		return 0
	}
	n, err := strconv.Atoi(v.Text)
	if err != nil || n < 0 || n > cluster.MaxGPUs {
		f.Fail(v, name, notUpTo.New(v.Text, cluster.MaxGPUs))
	}
	return n
}

// gpus parses the number of GPUs of a request, or the share of one; 0 if empty.
func (f *values) gpus(v csv.Field, r *workload.Request) {
	if share, ok := show.ParseNumber(v.Text); ok && share > 0 && share < 1 {
		r.GPUs, r.GPUShare = 1, f.Amount(v, "gpus")
		return
	}
	r.GPUs = f.Devices(v, "gpus")
}

// Flag parses 0 or 1; 0 if empty.
func (f *values) Flag(v csv.Field, name string) bool {
	switch v.Text {
	case "0", "false", "":
		return false
	case "1", "true":
		return true
	}
	f.Fail(v, name, notFlag.New(v.Text))
	return false
}

// Priority parses a priority of the Google trace.
func (f *values) Priority(v csv.Field) int {
	n, err := strconv.Atoi(v.Text)
	if err != nil || n < 0 || n > 1<<20 {
		f.Fail(v, "priority", notPriority.New(v.Text))
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

// second is one second in nanoseconds.
const second = 1e9
