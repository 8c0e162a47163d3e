package federate

import (
	"slices"

	"berth/engine/cluster"
	"berth/engine/diag"
	"berth/engine/input/workload"
	"berth/engine/show"
)

// WorkerClass is the hardware of a class of identical workers.
type WorkerClass struct {
	Capacity []cluster.Amount // by resource type of the workload
	Speed    float64          // running times are durations divided by it
}

// Limits of the speed of a class. 1 is the speed at which durations hold.
const (
	leastSpeed = 1e-3
	mostSpeed  = 1e3
)

// checkClasses checks the capacities and the speed of each class, and the class of every worker.
func (c *Config) checkClasses(load *workload.Tasks) error {
	if c.Classes == nil {
		return nil
	}
	if len(c.ClassOf) != c.Workers {
		return diag.At("machines", classCount, show.Count(len(c.ClassOf), "worker"), c.Workers)
	}
	for i, class := range c.Classes {
		if len(class.Capacity) != len(load.Resources) {
			return diag.At("machines", classResources, i, show.Count(len(class.Capacity), "resource type"), len(load.Resources), load.Resources)
		}
		if !(class.Speed >= leastSpeed && class.Speed <= mostSpeed) {
			return diag.At("machines", classSpeed, class.Speed, i, leastSpeed, mostSpeed)
		}
		for r, amount := range class.Capacity {
			if amount < 0 || amount > cluster.MaxAmount {
				return diag.At("machines", classCapacity, amount.Units(), load.Resources[r], i)
			}
		}
	}
	left := make([]cluster.Amount, len(load.Resources))
	for r := range left {
		left[r] = cluster.MaxTotal
	}
	for w, class := range c.ClassOf {
		if int(class) >= len(c.Classes) {
			return diag.At("machines", classOfNone, w, class, len(c.Classes))
		}
		for r, amount := range c.Classes[class].Capacity {
			if left[r] -= amount; left[r] < 0 {
				return diag.At("machines", classesTotal, load.Resources[r])
			}
		}
	}
	return nil
}

// classes returns the classes and the number of workers in each. Without Classes, all workers form
// one class of speed 1.
func (c *Config) classes() (all []WorkerClass, count []int) {
	if c.Classes == nil {
		return []WorkerClass{{c.Capacity, 1}}, []int{c.Workers}
	}
	count = make([]int, len(c.Classes))
	for _, class := range c.ClassOf {
		count[class]++
	}
	return c.Classes, count
}

// alike reports whether all classes have the same capacity.
func alike(classes []WorkerClass) bool {
	return !slices.ContainsFunc(classes, func(c WorkerClass) bool { return !slices.Equal(c.Capacity, classes[0].Capacity) })
}
