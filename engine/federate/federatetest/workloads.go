package federatetest

import (
	"cmp"
	"slices"
	"testing"

	"berth/engine/cluster"
	"berth/engine/federate"
	"berth/engine/input/workload"
	"berth/engine/must"
)

// Case is a data centre and a workload for it.
type Case struct {
	Name   string
	Slots  bool // every task takes a whole worker
	Config federate.Config
	Load   *workload.Tasks
}

// Cases returns data centres from nearly empty to overloaded, with slots and with several resource
// types, with and without constraints, shares and failures.
func Cases(t testing.TB, seed uint64) []Case {
	t.Helper()
	slots := federate.Default(60, 3, 4)
	slots.Seed = seed
	many := slots
	many.Capacity = []cluster.Amount{8 * cluster.Unit, 16 * cluster.Unit}
	many.Workers = 20
	jobs := workload.JobRecipe{
		Seed: seed, Jobs: 60, Interarrival: 0.5,
		Tasks: workload.Pareto{Least: 1, Most: 40, Shape: 1.2}, Duration: workload.Pareto{Least: 0.5, Most: 60, Shape: 1.1},
	}
	few, small, fewer, interfering := slots, slots, many, many
	few.Workers, fewer.Workers = slots.Workers/5, many.Workers/5
	small.Workers = 11 // fewer than the number of partitions
	interfering.Interference = 2
	choosy := jobs
	choosy.Constraints = []float64{0.3, 0.3, 0.3} // few workers satisfy them
	sized := jobs
	sized.CPU, sized.Memory, sized.Users = [2]float64{0.5, 6}, [2]float64{0.5, 12}, 4
	return []Case{
		{"slots", true, slots, generate(t, jobs)},
		{"slots with constraints", true, constrained(t, slots), generate(t, asking(jobs))},
		{"few slots with constraints", true, constrained(t, few), generate(t, choosy)},
		{"few slots", true, small, generate(t, jobs)},
		{"several resources", false, many, generate(t, sized)},
		{"several resources with constraints", false, constrained(t, many), generate(t, asking(sized))},
		{"shares", false, shared(many), generate(t, sized)},
		{"shares of few workers", false, shared(fewer), generate(t, sized)},
		{"shares of slots", true, shared(small), generate(t, jobs)},
		{"failures", false, failing(shared(constrained(t, many))), generate(t, asking(sized))},
		{"failures of slots", true, failing(constrained(t, slots)), generate(t, asking(jobs))},
		{"interference", false, interfering, generate(t, sized)},
		{"no delay and no processing", true, immediate(slots), generate(t, jobs)},
	}
}

// dependent makes two thirds of the jobs wait for one or two other jobs.
func dependent(load *workload.Tasks) *workload.Tasks {
	x := *load
	x.After = make([][]int32, len(x.Jobs))
	for j := int32(2); int(j) < len(x.Jobs); j++ {
		switch j % 3 {
		case 1:
			x.After[j] = []int32{j - 1}
		case 2:
			x.After[j] = []int32{j / 2, j - 1}
		}
	}
	return &x
}

// unlike assigns the classes to workers in turn. A class without a capacity gets the configured
// one; without a speed, speed 1.
func unlike(c federate.Config, classes ...federate.WorkerClass) federate.Config {
	for i := range classes {
		if classes[i].Capacity == nil {
			classes[i].Capacity = c.Capacity
		}
		classes[i].Speed = cmp.Or(classes[i].Speed, 1)
	}
	c.Classes, c.ClassOf = classes, nil
	for w := range c.Workers {
		c.ClassOf = append(c.ClassOf, uint16(w%len(classes)))
	}
	return c
}

// devices makes tasks request devices by their kind: none, a share of one device, one or two.
func devices(load *workload.Tasks) *workload.Tasks {
	x := *load
	x.Resources = append(slices.Clone(x.Resources), workload.GPUResource)
	x.Kinds = slices.Clone(x.Kinds)
	for k := range x.Kinds {
		ask := []cluster.Amount{0, cluster.Unit / 3, cluster.Unit / 2, cluster.Unit, 2 * cluster.Unit}[k%5]
		x.Kinds[k].Request = append(slices.Clone(x.Kinds[k].Request), ask)
	}
	return &x
}

func generate(t testing.TB, r workload.JobRecipe) *workload.Tasks {
	t.Helper()
	return must.Get(workload.GenerateJobs(r))(t)
}

func asking(r workload.JobRecipe) workload.JobRecipe {
	r.Constraints = workload.TaskConstraints()
	return r
}

func constrained(t testing.TB, c federate.Config) federate.Config {
	t.Helper()
	machines := must.Get(workload.Machines(c.Seed, federate.WorkersOf(c.Workers, c.LMs), workload.ConstraintTables()))(t)
	c.Machines = machines
	return c
}

func shared(c federate.Config) federate.Config {
	c.Shares = []float64{0.1, 0.25, 0.15, 0.5}
	return c
}

func immediate(c federate.Config) federate.Config {
	c.Delay, c.LaunchDelay, c.Costs = 0, 0, federate.Costs{}
	return c
}

func failing(c federate.Config) federate.Config {
	c.KeepProgress = true
	c.Outages = []federate.Outage{
		{Subject: federate.GMOutage, Index: 1, At: 2 * federate.Second, Duration: 5 * federate.Second},
		{Subject: federate.LMOutage, Index: 2, At: 3 * federate.Second, Duration: federate.Second},
		{Subject: federate.WorkerOutage, Index: 0, At: 4 * federate.Second, Duration: 3 * federate.Second},
		{Subject: federate.WorkerOutage, Index: 7, At: 4 * federate.Second, Duration: 30 * federate.Second},
		{Subject: federate.WorkerOutage, Index: 0, At: 9 * federate.Second, Duration: federate.Second},
	}
	return c
}

// long returns a workload with more events than a run handles between two checks of its context.
func long(t testing.TB) *workload.Tasks {
	return generate(t, workload.JobRecipe{
		Jobs: 10_000, Interarrival: 1,
		Tasks: workload.Pareto{Least: 1, Most: 1}, Duration: workload.Pareto{Least: 1, Most: 1},
	})
}

// Machines returns a data centre like the paper's, with workers of 64 cores and 16 GB.
func Machines(t testing.TB, workers, gms, lms int) federate.Config {
	t.Helper()
	c := federate.Default(workers, gms, lms)
	c.Capacity = []cluster.Amount{64 * cluster.Unit, 16 * cluster.Unit}
	return constrained(t, c)
}

// Contended returns a data centre of four users with shares, and a workload that requests twice its
// capacity.
func Contended(t testing.TB, jobs int) (federate.Config, *workload.Tasks) {
	t.Helper()
	const (
		workers = 2000
		mean    = 10 * 36.2 * 32.5 / 64 // worker seconds of a job
	)
	return shared(Machines(t, workers, 10, 10)), generate(t, workload.JobRecipe{
		Seed: 1, Jobs: jobs, Interarrival: mean / (2 * workers),
		Tasks: workload.Pareto{Least: 10, Most: 10}, Duration: workload.Pareto{Least: 10, Most: 1000, Shape: 1.2},
		CPU: [2]float64{1, 64}, Memory: [2]float64{0.25, 8}, Constraints: workload.TaskConstraints(),
	})
}
