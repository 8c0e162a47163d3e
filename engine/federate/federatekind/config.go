package federatekind

import (
	"fmt"
	"math"
	"slices"

	"berth/engine/cluster"
	"berth/engine/federate"
	"berth/engine/workload"
)

// The capacity of a worker: the paper's, or one slot.
var capacities = map[string]float64{workload.SlotResource: 1, "cpu": 64, "memory": 16}

// subjects are what may fail, by federate.Subject.
var subjects = []string{"gm", "lm", "worker"}

// mostSeconds is more than the engine takes, and does not overflow.
const mostSeconds = 1e9

// span returns a time in seconds as one of the engine. What the engine refuses
// stays so; what is not a number is negative.
func span(seconds float64) federate.Time {
	if !(seconds >= -mostSeconds) {
		seconds = -mostSeconds
	}
	return federate.Time(math.Round(min(seconds, mostSeconds) * 1e9))
}

func secondsOf(t federate.Time) float64 { return float64(t) / 1e9 }

// config returns the configuration for a workload with these resource types,
// but for Machines.
func (d *Document) config(resources []string) federate.Config {
	c := federate.Default(d.Workers, d.GMs, d.LMs)
	c.Capacity = nil
	for _, resource := range resources {
		units, given := d.Capacity[resource]
		if !given {
			units = capacities[resource]
		}
		amount, _ := cluster.ToAmount(units) // 0 of what is no quantity, which Check refuses
		c.Capacity = append(c.Capacity, amount)
	}
	c.Seed, c.Shares, c.KeepProgress, c.Interference = d.Seed, d.Shares, d.KeepProgress, d.Interference
	set(&c.Heartbeat, d.Heartbeat)
	set(&c.Delay, d.Delay)
	c.LaunchDelay = c.Delay
	if d.Preset == PaperPreset {
		c.LaunchDelay = federate.PaperLaunchDelay
	}
	set(&c.LaunchDelay, d.LaunchDelay)
	d.setCosts(&c.Costs)
	for _, o := range d.Outages {
		c.Outages = append(c.Outages, federate.Outage{
			Subject: federate.Subject(max(slices.Index(subjects, o.Subject), 0)), Index: o.Index, At: span(o.At), Duration: span(o.Duration),
		})
	}
	if d.Sparrow != nil {
		c.Sparrow = federate.SparrowConfig(*d.Sparrow)
	}
	if d.Pigeon != nil {
		c.Pigeon = federate.PigeonConfig{
			GroupSize: d.Pigeon.GroupSize, Reserved: d.Pigeon.Reserved, Cutoff: span(d.Pigeon.Cutoff), Weight: d.Pigeon.Weight,
		}
	}
	return c
}

// set replaces a default by a time that is given.
func set(to *federate.Time, seconds *float64) {
	if seconds != nil {
		*to = span(*seconds)
	}
}

func (d *Document) setCosts(c *federate.Costs) {
	if d.IdealProcessing {
		*c = federate.Costs{}
	}
	if d.Costs == nil {
		return
	}
	set(&c.Take, d.Costs.Take)
	set(&c.Word, d.Costs.Word)
	set(&c.Look, d.Costs.Look)
	set(&c.Adopt, d.Costs.Adopt)
	set(&c.Verify, d.Costs.Verify)
}

// machines draws which workers satisfy what, where a task of the workload asks.
func (d *Document) machines(load *workload.Tasks) ([]uint64, error) {
	if !slices.ContainsFunc(load.Kinds, func(k workload.TaskKind) bool { return k.Constraints != 0 }) {
		return nil, nil
	}
	return workload.Machines(d.Seed, federate.WorkersOf(d.Workers, d.LMs), d.tables())
}

// configure returns the whole configuration for a workload. Errors start with
// the field.
func (d *Document) configure(load *workload.Tasks) (federate.Config, error) {
	c := d.config(load.Resources)
	if err := c.Check(load); err != nil {
		return c, err
	}
	var err error
	if c.Machines, err = d.machines(load); err != nil {
		return c, fmt.Errorf("constraints: %w", err)
	}
	return c, nil
}
