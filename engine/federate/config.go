package federate

import (
	"fmt"
	"math"

	"berth/engine/cluster"
	"berth/engine/diag"
	"berth/engine/input/workload"
	"berth/engine/parameter"
	"berth/engine/show"
	"berth/engine/sim"
)

// The types of package sim in nanoseconds.
type (
	Time     = sim.Nanoseconds
	Event    = sim.Event[Time]
	Progress = sim.Progress[Time]
)

// Units of time.
const (
	Nanosecond  Time = 1
	Microsecond      = 1000 * Nanosecond
	Millisecond      = 1000 * Microsecond
	Second           = 1000 * Millisecond
)

// Config describes a data centre and the costs of running it.
type Config struct {
	Workers, GMs, LMs int
	// Capacity of every worker, by resource type of the workload.
	Capacity []cluster.Amount
	// Classes, if not nil, gives the capacity and the speed of the workers by class; Capacity then
	// is the maximum over the classes. ClassOf is the class of each worker.
	Classes []WorkerClass
	ClassOf []uint16
	// Changes lists the arrivals and departures of workers, in order of time.
	Changes []Change
	// Machines is the set of constraints that each worker satisfies; nil: every worker satisfies
	// all of them.
	Machines []uint64

	// Shares of the users, which sum to 1, enable preemption. Without shares, all users have the
	// same share.
	Shares       []float64
	KeepProgress bool // a preempted task resumes where it stopped
	// FullState makes each answer of an LM carry the state of all its workers, as in the paper.
	// Otherwise an answer carries only the workers that have changed since the last one.
	FullState bool

	Heartbeat   Time // between two heartbeats of an LM
	Delay       Time // of a message, in one direction
	LaunchDelay Time // of the message that brings a task to its worker
	Costs       Costs
	// Interference stretches the running time of a task by 1 + Interference × the load of its
	// worker when the task starts. The load is the largest fraction of any resource that other
	// tasks use.
	Interference float64
	// Cutoff is the longest mean task duration of a short job. Results report short and long jobs
	// separately.
	Cutoff Time
	// EstimateError is e: the estimates of a job are its durations times a factor in [1 − e, 1 + e).
	EstimateError float64
	Outages       []Outage

	// Schedulers holds the parameters of schedulers that differ from their defaults, by path, as in
	// "sparrow.probes".
	Schedulers parameter.Values
	// Written lists the schedulers that are written for this configuration; they hide registered
	// schedulers of the same name.
	Written []Plugin
	Seed    uint64
}

// Costs are the processing times of the masters.
type Costs struct {
	Take   Time // a GM takes a task from a queue
	Word   Time // a GM processes 64 workers of a bit vector
	Look   Time // a master checks a worker or a running task
	Adopt  Time // a GM updates its copy of a worker
	Verify Time // an LM verifies a request
}

// OutageSubject is the part of a data centre that an outage hits.
type OutageSubject uint8

// Subjects of outages: a GM, an LM or a worker.
const (
	GMOutage OutageSubject = iota
	LMOutage
	WorkerOutage
)

func (s OutageSubject) String() string { return [...]string{"GM", "LM", "worker"}[s] }

// Outage is the failure of a GM, an LM or a worker, numbered from 0. The outage of an LM lasts
// until its standby takes over.
type Outage struct {
	Subject  OutageSubject
	Index    int
	At       Time // since the first arrival
	Duration Time
}

// Default returns the default configuration of a data centre whose workers have one slot each.
func Default(workers, gms, lms int) Config {
	return Config{
		Workers: workers, GMs: gms, LMs: lms, Capacity: []cluster.Amount{cluster.Unit},
		Heartbeat: 10 * Second, Delay: 500 * Microsecond, LaunchDelay: 500 * Microsecond,
		Costs: Costs{
			Take: 50 * Microsecond, Word: 10 * Nanosecond, Look: 20 * Nanosecond,
			Adopt: 100 * Nanosecond, Verify: 50 * Microsecond,
		},
		Cutoff: Cutoff, Seed: 1,
	}
}

// Cutoff is the usual cutoff between short and long jobs, from the Yahoo trace (Delgado et al.
// 2015).
const Cutoff = 90_581_100 * Microsecond

// PaperLaunchDelay is the launch delay of the preset paper: the Megha paper measured tens of
// milliseconds (section V-B).
const PaperLaunchDelay = 20 * Millisecond

// Limits of a configuration. They keep the copies of all GMs below about 2 GB.
const (
	maxWorkers = 1 << 20
	maxMasters = 1000
	maxCells   = 1 << 28 // workers × GMs × resource types
	maxPairs   = 100_000 // GMs × LMs
	maxOutages = 10_000
	maxSpan    = 1_000_000 * Second
)

// Check returns nil if the configuration is valid for a workload, otherwise a [*diag.Diagnostic]
// that names the field.
func (c *Config) Check(load *workload.Tasks) error {
	if err := c.checkParameters(); err != nil {
		return err
	}
	cells := c.Workers * c.GMs * max(len(c.Capacity), 1)
	switch {
	case c.GMs > c.Workers:
		return diag.At("gms", moreThanWorkers, c.GMs, show.Count(c.Workers, "worker"))
	case c.LMs > c.Workers:
		return diag.At("lms", moreThanWorkers, c.LMs, show.Count(c.Workers, "worker"))
	case c.GMs*c.LMs > maxPairs:
		return diag.At("gms", tooManyPartitions, c.GMs, c.LMs, maxPairs)
	case cells > maxCells:
		return diag.At("workers", tooManyCells, c.Workers, c.GMs, len(c.Capacity), maxCells)
	case len(c.Capacity) != len(load.Resources):
		return diag.At("capacity", capacityResources, show.Count(len(c.Capacity), "resource type"), len(load.Resources), load.Resources)
	case c.Machines != nil && len(c.Machines) != c.Workers:
		return diag.At("machines", machineCount, len(c.Machines), show.Count(c.Workers, "worker"))
	}
	for r, amount := range c.Capacity {
		if c.Classes != nil {
			break // each class has its own capacity
		}
		if amount <= 0 || amount > cluster.MaxAmount {
			return diag.At("capacity", capacityRange, amount.Units(), load.Resources[r])
		}
		if amount > cluster.MaxTotal/cluster.Amount(c.Workers) {
			return diag.At("capacity", capacityTotal, amount.Units(), load.Resources[r], show.Count(c.Workers, "worker"))
		}
	}
	for _, check := range []func() error{func() error { return c.checkShares(load) }, func() error { return c.checkClasses(load) }, func() error { return checkRequests(load) }, func() error { return c.checkSpans(load) }, c.checkOutages, c.checkChanges} {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

// shareTolerance is the allowed deviation of the sum of the shares from 1, because shares are
// rounded decimals.
const shareTolerance = 1e-9

func (c *Config) checkShares(load *workload.Tasks) error {
	if c.Shares == nil {
		return nil
	}
	var sum float64
	for i, share := range c.Shares {
		if !(share > 0 && share <= 1) {
			return diag.At("shares", shareRange, i+1, share)
		}
		sum += share
	}
	if math.Abs(sum-1) > shareTolerance {
		return diag.At("shares", sharesSum, math.Round(sum*1e9)/1e9)
	}
	if len(load.Users) > len(c.Shares) {
		return diag.At("shares", shareCount, len(c.Shares), show.Count(len(load.Users), "user"))
	}
	return nil
}

// checkSpans rejects spans that could overflow the clock of a run: the running time and the
// estimate of the longest task, and the cost of a GM that tries every task once.
func (c *Config) checkSpans(load *workload.Tasks) error {
	var longest Time
	for _, d := range load.Durations {
		longest = max(longest, d)
	}
	for i := range load.Jobs {
		longest = max(longest, load.Jobs[i].Estimate)
	}
	slowest := min(NewCenter(c, load).slowest, 1)
	if float64(longest)*(1+max(c.Interference, c.EstimateError))/slowest > float64(workload.MaxSpan) {
		field := "interference"
		if c.Interference == 0 {
			field = "machines"
		}
		return diag.At(field, spanTime, show.Figure(workload.Seconds(longest)), show.Figure(workload.Seconds(workload.MaxSpan)))
	}
	each := float64(c.Costs.Take) + float64(c.Costs.Verify) + float64(float64(c.Workers)*float64(c.Costs.Word+c.Costs.Look+c.Costs.Adopt))
	if most := each * float64(len(load.Durations)); most > float64(workload.MaxSpan) {
		return diag.At("costs", costsTime, show.Figure(most/float64(Second)), show.Figure(workload.Seconds(workload.MaxSpan)))
	}
	return nil
}

func (c *Config) checkOutages() error {
	if len(c.Outages) > maxOutages {
		return diag.At("outages", tooManyOutages, len(c.Outages), maxOutages)
	}
	for i, o := range c.Outages {
		if o.Subject > WorkerOutage {
			return diag.At(outage(i), unknownSubject, o.Subject)
		}
		count := [...]int{c.GMs, c.LMs, c.Workers}[o.Subject]
		switch {
		case o.Index < 0 || o.Index >= count:
			return diag.At(outage(i), outageOfNone, o.Subject, o.Index, count-1)
		case o.At < 0 || o.At > maxSpan:
			return diag.At(outage(i), outageTime, workload.Seconds(o.At), maxSpan/Second)
		case o.Duration <= 0 || o.Duration > maxSpan:
			return diag.At(outage(i), outageDuration, workload.Seconds(o.Duration), maxSpan/Second)
		}
		for j, other := range c.Outages[:i] {
			if o.Subject == other.Subject && o.Index == other.Index && o.At <= other.At+other.Duration && other.At <= o.At+o.Duration {
				return diag.At(outage(i), outagesOverlap, j, o.Subject, o.Index)
			}
		}
	}
	return nil
}

func outage(i int) string { return fmt.Sprintf("outages[%d]", i) }
