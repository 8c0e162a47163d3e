package federatekind

import (
	"slices"

	"berth/engine/cluster"
	"berth/engine/diag"
	"berth/engine/federate"
	"berth/engine/input/workload"
)

// config returns the configuration for a workload with the given resource types. It lacks Machines,
// the constraints that each worker satisfies.
func (d *Document) config(resources []string) federate.Config {
	c := federate.Default(d.Workers, d.GMs, d.LMs)
	c.Capacity = nil
	for _, resource := range resources {
		var units float64
		if p := lookup(capacityOf(resource)); p != nil {
			units = p.Value(d)
		}
		amount, _ := cluster.ToAmount(units) // a quantity that is out of range becomes 0, which Check refuses
		c.Capacity = append(c.Capacity, amount)
	}
	c.Seed, c.Shares, c.KeepProgress = d.Seed, d.Shares, d.KeepProgress
	c.Cutoff = d.cutoff()
	c.FullState = d.State == FullState
	if d.IdealProcessing {
		c.Costs = federate.Costs{}
	}
	all := federate.Parameters()
	for i := range all {
		if x, given := all[i].Get(d); given {
			c.Set(&all[i], x)
		}
	}
	if d.unlike() { // skip the checks, because the list of machines is not read yet
		c.Workers = max(c.Workers, c.GMs, c.LMs, 1)
	}
	switch {
	case d.LaunchDelay != nil:
	case d.Preset == PaperPreset:
		c.LaunchDelay = federate.PaperLaunchDelay
	default:
		c.LaunchDelay = c.Delay
	}
	for _, o := range d.Outages {
		c.Outages = append(c.Outages, federate.Outage{
			Subject: o.subject(), Index: o.Index, At: federate.Span(o.At), Duration: federate.Span(o.Duration),
		})
	}
	return c
}

// constraints returns the set of constraints that each worker satisfies, or nil if no task of the
// workload has constraints. If the workload has conditions on the attributes of listed machines,
// the sets come from these attributes, otherwise they are drawn at random.
func (d *Document) constraints(load *workload.Tasks, workers int, m *machines) ([]uint64, error) {
	if load.Conditions != nil {
		sets := make([]uint64, len(m.list))
		for w := range m.list {
			sets[w] = load.Conditions.Met(&m.list[w].Host)
		}
		return sets, nil
	}
	if !slices.ContainsFunc(load.Kinds, func(k workload.TaskKind) bool { return k.Constraints != 0 }) {
		return nil, nil
	}
	tables := d.Constraints
	if len(tables) == 0 {
		tables = workload.ConstraintTables()
	}
	return workload.Machines(d.Seed, federate.WorkersOf(workers, d.LMs), tables)
}

// configure returns the complete configuration for a workload. Errors start with the name of the
// field.
func (d *Document) configure(load *workload.Tasks, m *machines) (federate.Config, error) {
	c := d.config(load.Resources)
	if err := m.put(&c, load.Resources); err != nil {
		return c, err
	}
	if err := d.failRacks(&c, m); err != nil {
		return c, err
	}
	if err := c.Check(load); err != nil {
		return c, err
	}
	var err error
	if c.Written, err = d.written(); err != nil {
		return c, err
	}
	c.Machines, err = d.constraints(load, c.Workers, m)
	if err != nil {
		return c, diag.At("constraints", diag.Invalid, err)
	}
	return c, nil
}
