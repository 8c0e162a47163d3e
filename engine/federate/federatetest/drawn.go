package federatetest

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"berth/engine/cluster"
	"berth/engine/federate"
	"berth/engine/parameter"
	"berth/engine/workload"
)

// ConformDrawn holds a scheduler to what [Conform] does in data centres that are drawn, with
// all that it heeds in any combination: unlike workers, devices, constraints, shares, gangs,
// jobs that wait for others, outages, and workers that come and go. It returns how many of
// the seeds gave a workload that can run.
func ConformDrawn(t *testing.T, plugin federate.Plugin, seeds ...uint64) (ran int) {
	for _, seed := range seeds {
		c := drawn(t, plugin, seed)
		never, err := federate.FindNever(c.Config, c.Load)
		if never == nil && err != nil {
			t.Fatalf("%s: %v", c.Name, err)
		}
		if never != nil || federate.Suits(plugin.Name, c.Config, c.Load) != nil {
			continue
		}
		ran++
		t.Run(c.Name, func(t *testing.T) { conform(t, plugin, c) })
	}
	return ran
}

// drawn is a data centre and a workload, of what a scheduler heeds.
func drawn(t testing.TB, plugin federate.Plugin, seed uint64) Case {
	t.Helper()
	random := rand.New(rand.NewPCG(seed, 41))
	often := func(percent int) bool { return random.IntN(100) < percent }
	gms, lms := 1+random.IntN(4), 1+random.IntN(4)
	c := Case{Name: fmt.Sprint("drawn ", seed), Slots: plugin.Slots || often(50), Config: federate.Default(max(gms, lms)+random.IntN(30), gms, lms)}
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
	if !c.Slots && often(30) && (plugin.Devices || plugin.Unbounded) {
		c.Load = devices(c.Load)
		c.Config.Capacity = append(c.Config.Capacity, 2*cluster.Unit)
	}
	c.vary(plugin, random, often)
	return c
}

// vary has a case have more of what a scheduler heeds.
func (c *Case) vary(plugin federate.Plugin, random *rand.Rand, often func(percent int) bool) {
	if often(40) && (plugin.Unlike || plugin.Unbounded) {
		larger, fast := slices.Clone(c.Config.Capacity), federate.WorkerClass{Speed: 4}
		for i := range larger {
			larger[i] *= 3
		}
		c.Config = unlike(c.Config, federate.WorkerClass{}, federate.WorkerClass{Capacity: larger, Speed: 0.5}, fast)
	} else if often(20) {
		c.Config = unlike(c.Config, federate.WorkerClass{Speed: 0.5}, federate.WorkerClass{Speed: 2})
	}
	if often(40) {
		c.Load = rigid(c.Load, func() bool { return often(50) })
	}
	if often(40) {
		c.Load = dependent(c.Load)
	}
	if users := len(c.Load.Users); often(30) && (users == 0 || users == 4) {
		c.Config = shared(c.Config)
	}
	c.Config.KeepProgress = c.Config.Shares != nil || often(50) // users whose tasks begin anew may preempt each other for ever
	c.Config.FullState = often(20)
	if often(30) {
		c.Config.EstimateError = 0.9
	}
	if often(20) {
		c.Config.Interference = 2
	}
	if c.Config.Shares == nil && often(20) {
		c.Config = immediate(c.Config) // with shares, users whose messages take no time may preempt each other for ever
	}
	c.Config.Schedulers = switched(plugin, random)
	if often(60) {
		c.Config.Outages = outages(random, &c.Config)
	}
	if often(40) && (plugin.Moves || plugin.Unbounded) {
		c.Config.Changes = changes(random, c)
	}
}

// switched has values for the switches and cutoffs of a scheduler.
func switched(plugin federate.Plugin, random *rand.Rand) parameter.Values {
	values := parameter.Values{}
	for _, p := range federate.Parameters() {
		switch own := slices.ContainsFunc(plugin.Parameters, func(own parameter.Parameter) bool { return own.Name == p.Name }); {
		case own && p.Whole && p.High <= 2: // a switch or a choice
			values[p.Path] = float64(random.IntN(1 + int(p.High)))
		case own && strings.HasSuffix(p.Name, ".cutoff"): // some jobs are longer
			values[p.Path] = 5
		}
	}
	return values
}

// rigid makes gangs of some jobs. All tasks of one ask for the same: whether unlike ones have
// room together depends on how a scheduler packs them.
func rigid(load *workload.Tasks, gang func() bool) *workload.Tasks {
	x := *load
	x.Jobs, x.KindOf = slices.Clone(x.Jobs), slices.Clone(x.KindOf)
	for j := range x.Jobs {
		job := &x.Jobs[j]
		if job.Gang = gang(); job.Gang {
			for t := job.First; t < job.First+job.Count; t++ {
				x.KindOf[t] = x.KindOf[job.First]
			}
		}
	}
	return &x
}

// outages are some of each subject, which may fail again or fail together.
func outages(random *rand.Rand, c *federate.Config) (all []federate.Outage) {
	number := map[federate.Subject]int{federate.GMOutage: c.GMs, federate.LMOutage: c.LMs, federate.WorkerOutage: c.Workers}
	for _, subject := range []federate.Subject{federate.GMOutage, federate.LMOutage, federate.WorkerOutage} {
		for index := range number[subject] {
			at := federate.Time(0)
			for random.IntN(3) == 0 {
				o := federate.Outage{Subject: subject, Index: index, At: at + federate.Time(random.IntN(20))*federate.Second/2, Duration: federate.Time(1+random.IntN(20)) * federate.Second / 2}
				all = append(all, o)
				at = o.At + o.Duration + federate.Second
			}
		}
	}
	return all
}

// changes have workers come and go. In the end all of them are there.
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
