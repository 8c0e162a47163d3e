package federate

import (
	"unsafe"

	"berth/engine/input/workload"
	"berth/engine/sim"
)

// Memory returns an upper estimate of the bytes in use during a run of one scheduler, including the
// workload, which must be suitable for the scheduler. Parts that depend on the run, such as queues,
// count with their worst case. It does not include garbage, for which the memory limit needs
// additional room.
func Memory(scheduler string, c Config, load *workload.Tasks) float64 {
	plugin, ok := c.Plugin(scheduler)
	if !ok {
		return 0
	}
	if plugin.Facts.Configure != nil {
		plugin.Facts.Configure(&c)
	}
	bytes := workloadMemory(load) + modelMemory(&c, load)
	if plugin.Facts.Memory != nil {
		load, _, _ = given(&plugin, &c, load)
		bytes += plugin.Facts.Memory(&c, Values(&plugin, &c), load)
	}
	return bytes
}

// SizeOf returns the size of a T in bytes, without the memory that it points to.
func SizeOf[T any]() float64 {
	var t T
	return float64(unsafe.Sizeof(t))
}

// Bytes returns the size in bytes of many values of type T.
func Bytes[T any](many int) float64 { return float64(float64(many) * SizeOf[T]()) }

// BytesGrown returns the bytes of a slice of many values that grew by appending, including the old
// array while it is copied.
func BytesGrown[T any](many int) float64 { return float64(Grown * Bytes[T](many)) }

// Grown is the worst ratio of the memory of a growing slice, including the array that it is copied
// from, to its contents.
const Grown = 2.25

// workloads is the highest number of workloads in memory at once: the original, a copy for another
// seed or speed, and the copy without tasks that can never run.
const workloads = 3

func workloadMemory(load *workload.Tasks) float64 {
	task := SizeOf[Time]() + SizeOf[int32]()
	bytes := float64(float64(len(load.Durations))*task) + Bytes[workload.TaskJob](len(load.Jobs))
	for _, after := range load.After { // with the lists of followers
		bytes += Bytes[[]int32](2) + BytesGrown[int32](2*len(after))
	}
	return workloads * bytes
}

// modelMemory returns the bytes of the model, the center and the result. Every task may have an
// event in the queue.
func modelMemory(c *Config, load *workload.Tasks) float64 {
	tasks, jobs, workers := float64(len(load.Durations)), float64(len(load.Jobs)), float64(c.Workers)
	task := SizeOf[task]() + SizeOf[Time]() + Parts*SizeOf[Time]() + SizeOf[float64]() + Grown*SizeOf[sim.Event[Time]]()
	job := SizeOf[jobState]() + 2*SizeOf[float64]()
	worker := (8+8+1)*float64(len(c.Capacity)) + 2*SizeOf[int32]() + workload.MaxConstraints/8 + 2
	return tasks*task + jobs*job + workers*worker +
		float64(Users(c, load)+len(c.Capacity))*SizeOf[quantity]() + float64(c.GMs*c.LMs)*2*SizeOf[int32]()
}
