package federate

import (
	"fmt"
	"math"

	"berth/engine/cluster"
	"berth/engine/diag"
	"berth/engine/parameter"
	"berth/engine/show"
	"berth/engine/sim"
	"berth/engine/workload"
)

// The units of the kernel: a moment or a span is in nanoseconds.
type (
	Time     = sim.Nanoseconds
	Event    = sim.Event[Time]
	Progress = sim.Progress[Time]
)

// Spans of time.
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
	// Classes, if there are any, are what workers have in place of Capacity, which is the
	// most of any then; ClassOf is the class of each worker.
	Classes []WorkerClass
	ClassOf []uint16
	// Changes are workers that come and go, in order of time.
	Changes []Change
	// Machines has the set of constraints that each worker satisfies; without
	// it every worker satisfies all.
	Machines []uint64

	// Shares of the users' queues, which sum to 1; they switch preemption on.
	// Without shares all users have the same one.
	Shares       []float64
	KeepProgress bool // a preempted task goes on where it was
	// FullState has each answer of an LM carry the state of all its workers, as the paper
	// says, and not of those that have changed since the last one.
	FullState bool

	Heartbeat   Time
	Delay       Time // of a message, one way
	LaunchDelay Time // of the message that brings a task to its worker
	Costs       Costs
	// Interference stretches the running time of a task by this factor times
	// the part of its worker that others use when it starts.
	Interference float64
	// Cutoff is the longest mean duration of the tasks of a short job, for what is told of
	// short and long ones.
	Cutoff Time
	// EstimateError is how far the factor of a job's estimates may be from 1.
	EstimateError float64
	Outages       []Outage

	// Schedulers has the parameters of schedulers that are not the default, by
	// path: "sparrow.probes".
	Schedulers parameter.Values
	// Written are schedulers of this configuration beside those that are registered.
	Written []Plugin
	Seed    uint64
}

// Costs are what masters spend on processing.
type Costs struct {
	Take   Time // a GM takes a task from a queue
	Word   Time // 64 workers of a bit vector ANDed
	Look   Time // a worker, or a running task, looked at
	Adopt  Time // a GM adopts the state of a worker
	Verify Time // an LM verifies a request
}

// Subject is what an outage hits.
type Subject uint8

// The subjects of outages.
const (
	GMOutage Subject = iota
	LMOutage
	WorkerOutage
)

func (s Subject) String() string { return [...]string{"GM", "LM", "worker"}[s] }

// Outage is the failure of a GM, an LM or a worker, numbered from 0. An LM's is
// the time until its standby has taken over.
type Outage struct {
	Subject  Subject
	Index    int
	At       Time // since the first arrival
	Duration Time
}

// Default returns the configuration of the specification for a data centre of
// one-slot workers.
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

// Cutoff is the usual one: that of the Yahoo trace (Delgado et al. 2015).
const Cutoff = 90_581_100 * Microsecond

// PaperLaunchDelay is the transfer time of a launch in the preset paper: Megha
// measured tens of milliseconds (section V-B).
const PaperLaunchDelay = 20 * Millisecond

// Limits of a configuration. They bound the copies of all GMs to about two
// gigabytes.
const (
	maxWorkers = 1 << 20
	maxMasters = 1000
	maxCells   = 1 << 28 // workers × GMs × resource types
	maxPairs   = 100_000 // GMs × LMs
	maxOutages = 10_000
	maxSpan    = 1_000_000 * Second
)

// Check says what is wrong with a configuration for a workload. Its errors are
// [*diag.Diagnostic] at the field.
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
			break // each has its own
		}
		if amount <= 0 || amount > cluster.MaxAmount {
			return diag.At("capacity", capacityRange, amount.Units(), load.Resources[r])
		}
		if amount > cluster.MaxTotal/cluster.Amount(c.Workers) {
			return diag.At("capacity", capacityTotal, amount.Units(), load.Resources[r], show.Count(c.Workers, "worker"))
		}
	}
	for _, check := range []func() error{func() error { return c.checkShares(load) }, func() error { return c.checkClasses(load) }, func() error { return checkDevices(load) }, func() error { return c.checkSpans(load) }, c.checkOutages, c.checkChanges} {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

// shareTolerance is how far from 1 the sum of shares may be: they are decimals.
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

// checkSpans keeps each span that a run adds to its clock within the range of that: how long a
// task runs, or is estimated to, and what a GM spends on trying all of them.
func (c *Config) checkSpans(load *workload.Tasks) error {
	var longest Time
	for _, d := range load.Durations {
		longest = max(longest, d)
	}
	for i := range load.Jobs {
		longest = max(longest, load.Jobs[i].Estimate)
	}
	slowest := min(NewCenter(c, load).Slowest(), 1)
	if float64(longest)*(1+max(c.Interference, c.EstimateError))/slowest > float64(workload.MaxSpan) {
		field := "interference"
		if c.Interference == 0 {
			field = "machines"
		}
		return diag.At(field, spanTime, show.Figure(seconds(longest)), show.Figure(seconds(workload.MaxSpan)))
	}
	each := float64(c.Costs.Take) + float64(c.Costs.Verify) + float64(float64(c.Workers)*float64(c.Costs.Word+c.Costs.Look+c.Costs.Adopt))
	if most := each * float64(len(load.Durations)); most > float64(workload.MaxSpan) {
		return diag.At("costs", costsTime, show.Figure(most/float64(Second)), show.Figure(seconds(workload.MaxSpan)))
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
			return diag.At(outage(i), outageTime, seconds(o.At), maxSpan/Second)
		case o.Duration <= 0 || o.Duration > maxSpan:
			return diag.At(outage(i), outageDuration, seconds(o.Duration), maxSpan/Second)
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

func seconds(t Time) float64 { return float64(t) / float64(Second) }
