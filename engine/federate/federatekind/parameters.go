package federatekind

import (
	"math"
	"slices"
	"sort"
	"strings"

	"berth/engine/cluster"
	"berth/engine/federate"
	"berth/engine/input/workload"
	"berth/engine/parameter"
	"berth/engine/scenario"
)

// Groups of the parameters in ownParameters; see [federate.Parameters] for the other groups.
const (
	SeedGroup     = "seeds"
	CapacityGroup = "capacity"
)

// ownParameters are the parameters of a document that the configuration of a run lacks. The bounds
// of load ensure that arrival times do not overflow.
var ownParameters = []parameter.Parameter{
	{Name: "idealProcessing", Title: "ideal: masters take no time", Help: "GMs and LMs take no time", Switch: true},
	{Name: "preset", Title: "Preset", Help: "costs", Choices: []parameter.Choice{
		{Name: DefaultPreset, Title: "default: a launch takes as long as any message"}, {Name: PaperPreset, Title: "paper: a launch takes 20 ms"}}},
	{Name: "state", Help: "workers whose state an answer of an LM carries", Choices: parameter.Choose(ChangedState, FullState)},
	{Name: "keepProgress", Title: "a preempted task keeps its progress", Switch: true},
	{Name: "load", Title: "Arrival rate factor", Help: "`FACTOR` that multiplies the arrival rate of the trace", Group: federate.TimeGroup, Low: 0.1, High: 1000, Default: 1},
	window("first", "First jobs", "simulate only the first `NUMBER` of jobs (default all)", "", workload.MaxTasks),
	window("from", "Arrivals from", "simulate the jobs that arrive at this `TIME` after the first one or later (default all)", "s", mostWindow),
	window("to", "Arrivals before", "simulate the jobs that arrive before this `TIME` after the first one (default all)", "s", mostWindow),
	window("every", "Every k-th job", "simulate every `NUMBER`-th job (default all)", "", workload.MaxTasks),
	{Name: "seeds", Title: "Seeds", Group: SeedGroup, Low: 1, High: MaxSeeds, Whole: true, Default: 1},
	capacity(workload.SlotResource, "Slots", "slots", 1, ""),
	capacity("cpu", "Cores", "cores", 64, ""),
	capacity("memory", "Memory", "gigabytes of memory", 16, "GB"),
	capacity(workload.GPUResource, "GPUs", "GPUs", 8, ""),
}

// OutageFields are the fields of an [Outage]: what fails, in the order of [federate.OutageSubject],
// and its times.
var OutageFields = []parameter.Parameter{
	{Name: "subject", Title: "what", Hint: "What fails", Choices: []parameter.Choice{{Name: "gm", Title: "GM"}, {Name: "lm", Title: "LM"}, {Name: "worker"}, {Name: RackSubject}}, Required: true},
	{Name: "at", Title: "at", Hint: "When it fails", Unit: "s", High: math.Inf(1), Required: true},
	{Name: "duration", Title: "for", Hint: "How long it fails", Unit: "s", High: math.Inf(1), Required: true},
}

// mostWindow is the latest end of a window, in seconds.
const mostWindow = 1e8

// window is a parameter that bounds the part of the trace to simulate.
func window(name, title, help, unit string, most float64) parameter.Parameter {
	return parameter.Parameter{
		Name: name, Path: "window." + name, Title: title, Help: help, Unit: unit, Group: federate.TimeGroup,
		High: most, Whole: unit == "", Usual: "all",
	}
}

func capacityOf(resource string) string { return "capacity." + resource }

// capacity is the parameter for the capacity of a worker. The defaults are the values of the paper,
// and one slot.
func capacity(resource, title, what string, usual float64, unit string) parameter.Parameter {
	return parameter.Parameter{
		Name: capacityOf(resource), Title: title, Help: "`NUMBER` of " + what + " of a worker", Group: CapacityGroup, Unit: unit,
		Above: true, High: cluster.MaxAmount.Units(), Default: usual,
	}
}

// groups are all groups of parameters in the order of display.
var groups = []string{federate.CentreGroup, SeedGroup, federate.TimeGroup, federate.CostGroup, CapacityGroup, federate.SchedulerGroup}

// Parameters lists the parameters of a document, group by group.
func Parameters() []parameter.Parameter {
	all := slices.Concat(federate.Parameters(), ownParameters)
	sort.SliceStable(all, func(i, j int) bool {
		return slices.Index(groups, all[i].Group) < slices.Index(groups, all[j].Group)
	})
	return all
}

// SweepParameters lists the parameters that can be swept: all numbers except the seeds, because
// results are means over the seeds.
func SweepParameters() []parameter.Parameter {
	return slices.DeleteFunc(Parameters(), func(p parameter.Parameter) bool { return !sweeps(&p) })
}

func sweeps(p *parameter.Parameter) bool { return p.Number() && p.Group != SeedGroup }

// swept returns the parameter with the given name if it can be swept.
func swept(name string) (p *parameter.Parameter, known bool) {
	p = lookup(name)
	return p, p != nil && sweeps(p)
}

// lookup returns the parameter with the given name, or nil if there is none.
func lookup(name string) *parameter.Parameter {
	for _, rows := range [][]parameter.Parameter{federate.Parameters(), ownParameters} {
		if i := parameter.Index(rows, name); i >= 0 {
			return &rows[i]
		}
	}
	return nil
}

// checkFigures adds the errors of the document's numbers that do not depend on the trace. It puts
// prefix before their paths.
func (d *Document) checkFigures(prefix string, found *scenario.Problems) {
	found.Parameters(strings.TrimSuffix(prefix, "."), d, ownParameters)
	if len(d.Outages) > MaxOutages || len(d.Shares) > MaxShares {
		return // reported by validateLists
	}
	slots := []string{workload.SlotResource}
	c := d.config(slots)
	c.Capacity = []cluster.Amount{cluster.Unit} // found.Parameters has checked the document's capacity
	if err := c.Check(&workload.Tasks{Resources: slots}); err != nil {
		at := placed(err, prefix)
		found.Add(at.Path, at.Code, at.Args...)
		return
	}
	all := federate.Parameters()
	for i := range all {
		if err := all[i].Check(c.Value(&all[i])); err != nil {
			found.Wrong(prefix+all[i].JSONPath(), err)
			return
		}
	}
}
