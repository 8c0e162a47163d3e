package workload

import (
	"strconv"

	"berth/engine/cluster"
	"berth/engine/diag"
	"berth/engine/input/csv"
	"berth/engine/show"
	"berth/engine/sim"
)

// Values parses fields and keeps the first error.
type Values struct{ Err error }

// Fail records an error in the field of a column, unless there was an earlier one.
func (f *Values) Fail(v csv.Field, name string, err error) {
	if f.Err == nil && err != nil {
		f.Err = csv.FaultAt(v.At, diag.InvalidPart, name, err)
	}
}

// Check validates a request and attributes an error to the field that it comes from.
func (f *Values) Check(r *Request, cpu, memory, duration csv.Field) {
	if f.Err != nil {
		return
	}
	switch err := r.Check(); err {
	case nil:
	case errNoCPU:
		f.Err = cpu.Fault(err)
	case errNoMemory:
		f.Err = memory.Fault(err)
	default:
		f.Err = duration.Fault(err)
	}
}

// Capacity records an error if a host has no CPU or no memory, at the field with the
// 0.
func (f *Values) Capacity(h *cluster.Host, cpu, memory csv.Field, needed string) {
	switch {
	case f.Err != nil:
	case h.CPU == 0:
		f.Err = csv.FaultAt(cpu.At, hostNeeds, needed)
	case h.Memory == 0:
		f.Err = csv.FaultAt(memory.At, hostNeeds, needed)
	}
}

// Seconds parses a time in seconds, from 0 to [MaxTime].
func (f *Values) Seconds(v csv.Field, name string) sim.Milliseconds {
	t, err := parseSeconds(v.Text)
	f.Fail(v, name, err)
	return t
}

// Amount parses a non-negative amount in units.
func (f *Values) Amount(v csv.Field, name string) cluster.Amount {
	a, err := cluster.ParseAmount(v.Text)
	f.Fail(v, name, err)
	return a
}

// Devices parses a number of GPUs, 0 if empty.
func (f *Values) Devices(v csv.Field, name string) int {
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
func (f *Values) gpus(v csv.Field, r *Request) {
	if share, ok := show.ParseNumber(v.Text); ok && share > 0 && share < 1 {
		r.GPUs, r.GPUShare = 1, f.Amount(v, "gpus")
		return
	}
	r.GPUs = f.Devices(v, "gpus")
}

// Flag parses 0 or 1; 0 if empty.
func (f *Values) Flag(v csv.Field, name string) bool {
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
func (f *Values) Priority(v csv.Field) int {
	n, err := strconv.Atoi(v.Text)
	if err != nil || n < 0 || n > 1<<20 {
		f.Fail(v, "priority", notWhole.New(v.Text))
	}
	return n
}
