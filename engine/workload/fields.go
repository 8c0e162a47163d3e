package workload

import (
	"fmt"
	"strconv"

	"berth/engine/cluster"
	"berth/engine/show"
	"berth/engine/sim"
)

// field is the text of a field and where it begins in its line, in bytes.
type field struct {
	text string
	at   int32
}

// fieldReader turns texts into values and keeps the first error.
type fieldReader struct{ err error }

func (f *fieldReader) fail(v field, name string, err error) {
	if f.err == nil && err != nil {
		f.err = faultf(v.at, "%s: %w", name, err)
	}
}

// check says which of the fields a request was read from is wrong.
func (f *fieldReader) check(r *Request, cpu, memory, duration field) {
	if f.err != nil {
		return
	}
	switch err := r.Check(); err {
	case nil:
	case errNoCPU:
		f.err = &fault{cpu.at, err}
	case errNoMemory:
		f.err = &fault{memory.at, err}
	default:
		f.err = &fault{duration.at, err}
	}
}

// capacity names the field of a host that says that it has none of it.
func (f *fieldReader) capacity(h *cluster.Host, cpu, memory field, needed string) {
	switch {
	case f.err != nil:
	case h.CPU == 0:
		f.err = faultf(cpu.at, "a host needs %s", needed)
	case h.Memory == 0:
		f.err = faultf(memory.at, "a host needs %s", needed)
	}
}

func (f *fieldReader) seconds(v field, name string) sim.Milliseconds {
	t, err := parseSeconds(v.text)
	f.fail(v, name, err)
	return t
}

func (f *fieldReader) amount(v field, name string) cluster.Amount {
	a, err := cluster.ParseAmount(v.text)
	f.fail(v, name, err)
	return a
}

// devices reads a number of GPUs; none is 0.
func (f *fieldReader) devices(v field, name string) int {
	if v.text == "" {
		return 0
	}
	n, err := strconv.Atoi(v.text)
	if err != nil || n < 0 || n > cluster.MaxGPUs {
		f.fail(v, name, fmt.Errorf("%.40q is not a whole number from 0 to %d", v.text, cluster.MaxGPUs))
	}
	return n
}

// gpus reads how many GPUs a request asks for, or which share of one; none is 0.
func (f *fieldReader) gpus(v field, r *Request) {
	if share, ok := show.ParseNumber(v.text); ok && share > 0 && share < 1 {
		r.GPUs, r.GPUShare = 1, f.amount(v, "gpus")
		return
	}
	r.GPUs = f.devices(v, "gpus")
}

func (f *fieldReader) flag(v field, name string) bool {
	switch v.text {
	case "0", "false", "":
		return false
	case "1", "true":
		return true
	}
	f.fail(v, name, fmt.Errorf("%.40q is neither 0 nor 1", v.text))
	return false
}

func (f *fieldReader) priority(v field) int {
	n, err := strconv.Atoi(v.text)
	if err != nil || n < 0 || n > 1<<20 {
		f.fail(v, "priority", fmt.Errorf("%.40q is not a whole number from 0", v.text))
	}
	return n
}
