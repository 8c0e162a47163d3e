package federate

import (
	"unsafe"

	"berth/engine/sim"
	"berth/engine/workload"
)

// Memory estimates how many bytes are in use at most in a run with one scheduler,
// with its workload, which must suit it. Where it depends on
// the run, such as for queues, the estimate is that of the worst. What is not yet
// collected is not in it: that is for the limit of the collector.
func Memory(scheduler string, c Config, load *workload.Tasks) float64 {
	plugin, ok := c.Plugin(scheduler)
	if !ok {
		return 0
	}
	if plugin.Configure != nil {
		plugin.Configure(&c)
	}
	bytes := workloadMemory(load) + modelMemory(&c, load)
	if plugin.Memory != nil {
		bytes += plugin.Memory(&c, plugin.Values(&c), plugin.given(&c, load, findNever(NewCenter(&c, load), load)))
	}
	return bytes
}

// SizeOf is how many bytes a T takes by itself.
func SizeOf[T any]() float64 {
	var t T
	return float64(unsafe.Sizeof(t))
}

// Bytes is how many bytes so many of a T take.
func Bytes[T any](many int) float64 { return float64(float64(many) * SizeOf[T]()) }

// BytesGrown is [Bytes] of a slice that grows.
func BytesGrown[T any](many int) float64 { return float64(Grown * Bytes[T](many)) }

// Grown is how much larger than what it holds a slice may be that grows, with
// what it is copied from.
const Grown = 2.25

// workloads is how many are in memory at most: the one that was read, that of
// another seed or speed, and what is left without tasks that can never run.
const workloads = 3

func workloadMemory(load *workload.Tasks) float64 {
	task := SizeOf[Time]() + SizeOf[int32]()
	bytes := float64(float64(len(load.Durations))*task) + Bytes[workload.TaskJob](len(load.Jobs))
	for _, after := range load.After { // with those that wait for a job
		bytes += Bytes[[]int32](2) + BytesGrown[int32](2*len(after))
	}
	return workloads * bytes
}

// modelMemory is what the model, the center and the result take. Every task may
// have an event under way.
func modelMemory(c *Config, load *workload.Tasks) float64 {
	tasks, jobs, workers := float64(len(load.Durations)), float64(len(load.Jobs)), float64(c.Workers)
	task := SizeOf[task]() + SizeOf[Time]() + Parts*SizeOf[Time]() + SizeOf[float64]() + Grown*SizeOf[sim.Event[Time]]()
	job := SizeOf[jobState]() + 2*SizeOf[float64]()
	worker := (8+8+1)*float64(len(c.Capacity)) + 2*SizeOf[int32]() + workload.MaxConstraints/8 + 2
	return tasks*task + jobs*job + workers*worker +
		float64(Users(c, load)+len(c.Capacity))*SizeOf[line]() + float64(c.GMs*c.LMs)*2*SizeOf[int32]()
}
