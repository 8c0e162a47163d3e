package federatetest

import (
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"berth/engine/cluster"
	"berth/engine/diag"
	"berth/engine/federate"
	"berth/engine/input/workload"
	"berth/engine/parameter"
)

// canRun reports whether all tasks of a drawn case can run under a scheduler.
func canRun(t *testing.T, plugin federate.Plugin, c Case) bool {
	t.Helper()
	never, err := federate.FindNever(c.Config, c.Load)
	if never == nil && err != nil {
		t.Fatalf("%s: %v", c.Name, err)
	}
	if never != nil {
		return false
	}
	if err = federate.Suits(plugin.Name, c.Config, c.Load); err == nil {
		return true
	}
	if d := (*diag.Diagnostic)(nil); !errors.As(err, &d) || d.Code.Name == "no-room-for-job" && !plugin.Facts.Rigid {
		t.Errorf("%s: all gangs were placed in an empty data centre, and %v", c.Name, err)
	}
	return false
}

// drawn returns a random data centre and workload within the features that a scheduler supports.
func drawn(t testing.TB, plugin federate.Plugin, seed uint64) Case {
	t.Helper()
	random := rand.New(rand.NewPCG(seed, 41))
	often := func(percent int) bool { return random.IntN(100) < percent }
	gms, lms := 1+random.IntN(4), 1+random.IntN(4)
	c := Case{Name: fmt.Sprint("drawn ", seed), Slots: plugin.Facts.Slots || often(50), Config: federate.Default(max(gms, lms)+random.IntN(30), gms, lms)}
	c.Config.Seed = seed
	r := workload.JobRecipe{
		Seed: seed, Jobs: 1 + random.IntN(40), Interarrival: []float64{0.001, 0.3, 2}[random.IntN(3)],
		Tasks: workload.Pareto{Least: 1, Most: float64(1 + random.IntN(30)), Shape: 0.9}, Duration: workload.Pareto{Least: 0.2, Most: 40, Shape: 0.8}, Users: random.IntN(5),
	}
	if !c.Slots {
		c.Config.Capacity = []cluster.Amount{8 * cluster.Unit, 16 * cluster.Unit}
		r.CPU, r.Memory = [2]float64{0.5, 4}, [2]float64{0.5, 8}
	}
	if often(30) {
		r, c.Config = asking(r), constrained(t, c.Config)
	}
	c.Load = generate(t, r)
	if !c.Slots && often(30) && plugin.Facts.Pooled {
		c.Load = devices(c.Load)
		c.Config.Capacity = append(c.Config.Capacity, 2*cluster.Unit)
	}
	c.vary(plugin, random, often)
	return c
}

// vary adds further random features that a scheduler supports.
func (c *Case) vary(plugin federate.Plugin, random *rand.Rand, often func(percent int) bool) {
	if often(40) && plugin.Facts.Unlike {
		larger, fast := slices.Clone(c.Config.Capacity), federate.WorkerClass{Speed: 4}
		for i := range larger {
			larger[i] *= 3
		}
		c.Config = unlike(c.Config, federate.WorkerClass{}, federate.WorkerClass{Capacity: larger, Speed: 0.5}, fast)
	} else if often(20) {
		c.Config = unlike(c.Config, federate.WorkerClass{Speed: 0.5}, federate.WorkerClass{Speed: 2})
	}
	if often(40) {
		c.Load = rigid(c, random, func() bool { return often(50) })
	}
	if often(40) {
		c.Load = dependent(c.Load)
	}
	if users := len(c.Load.Users); often(30) && (users == 0 || users == 4) {
		c.Config = shared(c.Config)
	}
	c.Config.KeepProgress = often(50)
	c.Config.FullState = often(20)
	if often(30) {
		c.Config.EstimateError = 0.9
	}
	if often(20) {
		c.Config.Interference = 2
	}
	if often(20) {
		c.Config = immediate(c.Config)
	} else if often(20) {
		c.Config.Costs = federate.Costs{}
	}
	c.Config.Schedulers = switched(plugin, random)
	if often(20) {
		c.Load = hasty(c, random)
	}
	if often(60) {
		c.Config.Outages = outages(random, &c.Config)
	}
	if often(40) && plugin.Facts.Moves {
		c.Config.Changes = changes(random, c)
	}
}

// switched returns random values for the switches and cutoffs of a scheduler.
func switched(plugin federate.Plugin, random *rand.Rand) parameter.Values {
	values := parameter.Values{}
	for _, p := range federate.Parameters() {
		switch own := slices.ContainsFunc(plugin.Parameters, func(own parameter.Parameter) bool { return own.Name == p.Name }); {
		case own && p.Whole && p.High <= 2: // a switch or a choice
			values[p.Path] = float64(random.IntN(1 + int(p.High)))
		case own && strings.HasSuffix(p.Name, ".cutoff"): // some jobs are longer
			values[p.Path] = 5
		case own && (p.Unit == "s" || p.Unit == "µs") && p.Low == 0 && random.IntN(4) == 0: // nothing takes time
			values[p.Path] = 0
		}
	}
	return values
}

// rigid turns some jobs that fit in an empty data centre into gangs, most of them of unlike tasks.
func rigid(c *Case, random *rand.Rand, gang func() bool) *workload.Tasks {
	x := *c.Load
	x.Jobs, x.KindOf, x.Kinds = slices.Clone(x.Jobs), slices.Clone(x.KindOf), slices.Clone(x.Kinds)
	center := federate.NewCenter(&c.Config, &x)
	for j := range x.Jobs {
		if gang() {
			cuts := !c.Slots && center.Devices < 0 && gang()
			x.Jobs[j].Gang = cuts && cut(center, &x, int32(j), random) || planted(center, &x, int32(j), random)
		}
	}
	return &x
}

// cut makes the tasks of a job request the whole capacity of some workers, each cut into up to
// three parts. It returns false if the job has more tasks than there are parts.
func cut(center *federate.Center, x *workload.Tasks, job int32, random *rand.Rand) bool {
	kinds := x.KindsOf(job)
	for _, w := range random.Perm(center.Workers()) {
		left := slices.Clone(center.CapacityOf(int32(w)))
		for parts := 1 + random.IntN(3); parts > 0 && len(kinds) > 0; parts, kinds = parts-1, kinds[1:] {
			kind := workload.TaskKind{Request: slices.Clone(left)}
			for r := range left {
				if parts > 1 {
					kind.Request[r] = cluster.Amount(random.Int64N(int64(left[r] + 1)))
				}
				left[r] -= kind.Request[r]
			}
			kinds[0] = int32(len(x.Kinds))
			x.Kinds = append(x.Kinds, kind)
		}
	}
	return len(kinds) == 0
}

// planted reports whether the tasks of a job fit on idle workers, each on a random worker with
// room.
func planted(center *federate.Center, load *workload.Tasks, job int32, random *rand.Rand) bool {
	pool := federate.NewPool(center, load, func(int32) bool { return false })
	for i := range load.KindsOf(job) {
		task := load.Jobs[job].First + int32(i)
		if !slices.ContainsFunc(random.Perm(center.Workers()), func(w int) bool { return pool.TakeOn(task, int32(w)) }) {
			return false
		}
	}
	return true
}

// hasty gives jobs priorities, and makes some tasks take no time or request nothing.
func hasty(c *Case, random *rand.Rand) *workload.Tasks {
	x := *c.Load
	x.Jobs, x.Durations, x.Kinds = slices.Clone(x.Jobs), slices.Clone(x.Durations), slices.Clone(x.Kinds)
	for j := range x.Jobs {
		x.Jobs[j].Priority = int16(random.IntN(3))
	}
	for t := range x.Durations {
		x.Durations[t] *= federate.Time(random.IntN(2))
	}
	for k := range x.Kinds {
		if !c.Slots && random.IntN(4) == 0 {
			x.Kinds[k].Request = make([]cluster.Amount, len(x.Resources))
		}
	}
	return &x
}

// outages returns random outages of every subject. A subject may fail repeatedly, and several may
// fail together.
func outages(random *rand.Rand, c *federate.Config) (all []federate.Outage) {
	for subject, number := range []int{federate.GMOutage: c.GMs, federate.LMOutage: c.LMs, federate.WorkerOutage: c.Workers} {
		for index := range number {
			at := federate.Time(0)
			for random.IntN(3) == 0 {
				o := federate.Outage{Subject: federate.OutageSubject(subject), Index: index, At: at + federate.Time(random.IntN(20))*federate.Second/2, Duration: federate.Time(1+random.IntN(20)) * federate.Second / 2}
				all = append(all, o)
				at = o.At + o.Duration + federate.Second
			}
		}
	}
	return all
}

// changes returns random changes. At the end all workers are present.
func changes(random *rand.Rand, c *Case) (all []federate.Change) {
	for w := range int32(c.Config.Workers) {
		at := c.Load.Jobs[0].Arrival
		for there := random.IntN(2) == 0; random.IntN(2) == 0 || !there; there = !there {
			at += federate.Time(random.IntN(20)) * federate.Second / 2
			all = append(all, federate.Change{At: at, Worker: w, There: !there})
		}
	}
	slices.SortStableFunc(all, func(a, b federate.Change) int { return cmp.Compare(a.At, b.At) })
	return all
}
