package federate

import (
	"unsafe"

	"berth/engine/parameter"
	"berth/engine/sim"
	"berth/engine/workload"
)

// Memory estimates how many bytes are in use at most in a run with one scheduler,
// with its workload; the configuration must be right for it. Where it depends on
// the run, such as for queues, the estimate is that of the worst. What is not yet
// collected is not in it: that is for the limit of the collector.
func Memory(scheduler string, c Config, load *workload.Tasks) float64 {
	plugin, ok := Lookup(scheduler)
	if !ok {
		return 0
	}
	if plugin.Configure != nil {
		plugin.Configure(&c)
	}
	bytes := workloadMemory(load) + modelMemory(&c, load)
	if plugin.Memory != nil {
		bytes += plugin.Memory(&c, plugin.Values(&c), load)
	}
	return bytes
}

// size is how many bytes a T takes by itself.
func size[T any]() float64 {
	var t T
	return float64(unsafe.Sizeof(t))
}

// grown is how much larger than what it holds a slice may be that grows, with
// what it is copied from.
const grown = 2.25

// workloads is how many are in memory at most: the one that was read, that of
// another seed or speed, and what is left without tasks that can never run.
const workloads = 3

func workloadMemory(load *workload.Tasks) float64 {
	task := size[Time]() + size[int32]()
	return workloads * (float64(len(load.Durations))*task + float64(len(load.Jobs))*size[workload.TaskJob]())
}

// modelMemory is what the model, the center and the result take. Every task may
// have an event under way.
func modelMemory(c *Config, load *workload.Tasks) float64 {
	tasks, jobs, workers := float64(len(load.Durations)), float64(len(load.Jobs)), float64(c.Workers)
	task := size[task]() + size[Time]() + Parts*size[Time]() + size[float64]() + grown*size[sim.Event[Time]]()
	job := size[jobState]() + 2*size[float64]()
	worker := (8+8+1)*float64(len(c.Capacity)) + 2*size[int32]() + workload.MaxConstraints/8 + 2
	return tasks*task + jobs*job + workers*worker +
		float64(Users(c, load)+len(c.Capacity))*size[line]() + float64(c.GMs*c.LMs)*2*size[int32]()
}

// federationMemory is what GMs, with copies of the state, and LMs take.
func federationMemory(c *Config, _ parameter.Values, load *workload.Tasks) float64 {
	tasks, workers, resources := float64(len(load.Durations)), float64(c.Workers), float64(len(c.Capacity))
	gms := float64(c.GMs)
	bytes := tasks*(size[launch]()+4*(size[waiting]()+8*resources)+grown*size[tries]()+grown*size[entry]()) +
		workers*(8*resources+size[uint32]()) + gms*(size[gm]()+workers*(8*resources*(1+1./wordSize)+1./8)) + float64(c.GMs*c.LMs)*(8*resources+5)
	if c.Shares != nil {
		users := float64(len(c.Shares))
		bytes += gms*(tasks*size[runningTask]()+users*(8*resources+16)) + (tasks+workers)*8*resources + 4*workers
		if held := gms * workers * users * resources; held <= float64(maxHeld) {
			bytes += 8 * (held + gms*users*resources*(workers/wordSize+gms*float64(c.LMs)))
		}
	}
	return bytes
}

// sparrowMemory is what reservations take if all wait at once. A batch has as
// many as probes ask for, or some for each worker and one task after the other.
func sparrowMemory(c *Config, v parameter.Values, load *workload.Tasks) float64 {
	reservations := 0.
	for _, job := range load.Jobs {
		batches := min(float64(job.Count), float64(len(load.Kinds)))
		reservations += min(v["probes"]*float64(job.Count), float64(job.Count)+batches*float64(c.Workers))
	}
	return reservations*grown*size[reservation]() + float64(len(load.Durations))*size[int32]() +
		float64(len(load.Jobs))*grown*size[batch]() + float64(c.Workers)*(4*size[int32]()+1)
}

// pigeonMemory is what the queues of groups take.
func pigeonMemory(c *Config, v parameter.Values, load *workload.Tasks) float64 {
	groups := float64(c.Workers)/v["groupSize"] + 1
	return float64(len(load.Durations))*(1+grown*size[int32]()) + float64(c.Workers)*(size[int32]()+1) +
		groups*(size[group]()+grown*classes*size[int32]()*float64(len(load.Kinds)))
}
