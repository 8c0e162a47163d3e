package workload

import (
	"strconv"

	"berth/engine/cluster"
	"berth/engine/csv"
	"berth/engine/diag"
	"berth/engine/show"
	"berth/engine/sim"
)

// Values turns texts into values and keeps the first error.
type Values struct{ Err error }

// Fail notes what is wrong with the field of a column, unless there was an error before.
func (f *Values) Fail(v csv.Field, name string, err error) {
	if f.Err == nil && err != nil {
		f.Err = csv.FaultAt(v.At, diag.InvalidPart, name, err)
	}
}

// Check says which of the fields a request was read from is wrong.
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

// Capacity names the field of a host that says that it has none of it.
func (f *Values) Capacity(h *cluster.Host, cpu, memory csv.Field, needed string) {
	switch {
	case f.Err != nil:
	case h.CPU == 0:
		f.Err = csv.FaultAt(cpu.At, hostNeeds, needed)
	case h.Memory == 0:
		f.Err = csv.FaultAt(memory.At, hostNeeds, needed)
	}
}

// Seconds reads a time in seconds, from 0 to [MaxTime].
func (f *Values) Seconds(v csv.Field, name string) sim.Milliseconds {
	t, err := parseSeconds(v.Text)
	f.Fail(v, name, err)
	return t
}

// Amount reads an amount in units, not negative.
func (f *Values) Amount(v csv.Field, name string) cluster.Amount {
	a, err := cluster.ParseAmount(v.Text)
	f.Fail(v, name, err)
	return a
}

// Devices reads a number of GPUs; none is 0.
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

// gpus reads how many GPUs a request asks for, or which share of one; none is 0.
func (f *Values) gpus(v csv.Field, r *Request) {
	if share, ok := show.ParseNumber(v.Text); ok && share > 0 && share < 1 {
		r.GPUs, r.GPUShare = 1, f.Amount(v, "gpus")
		return
	}
	r.GPUs = f.Devices(v, "gpus")
}

// Flag reads 0 or 1; nothing is 0.
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

// Priority reads a priority of the Google trace.
func (f *Values) Priority(v csv.Field) int {
	n, err := strconv.Atoi(v.Text)
	if err != nil || n < 0 || n > 1<<20 {
		f.Fail(v, "priority", notWhole.New(v.Text))
	}
	return n
}
