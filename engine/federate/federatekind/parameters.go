package federatekind

import (
	"math"
	"slices"
	"strings"

	"berth/engine/cluster"
	"berth/engine/federate"
	"berth/engine/input/workload"
	"berth/engine/parameter"
	"berth/engine/scenario"
)

// The groups of parameters that the configuration of a run does not have; see
// [federate.Parameters] for the others.
const (
	SeedGroup     = "seeds"
	CapacityGroup = "capacity"
)

// ownParameters are those. No time overflows, however much slower or faster jobs
// arrive.
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

// OutageFields are what fails in an [Outage], by federate.Subject, and its times.
var OutageFields = []parameter.Parameter{
	{Name: "subject", Title: "what", Hint: "What fails", Choices: []parameter.Choice{{Name: "gm", Title: "GM"}, {Name: "lm", Title: "LM"}, {Name: "worker"}, {Name: RackSubject}}, Required: true},
	{Name: "at", Title: "at", Hint: "When it fails", Unit: "s", High: math.Inf(1), Required: true},
	{Name: "duration", Title: "for", Hint: "How long it fails", Unit: "s", High: math.Inf(1), Required: true},
}

// mostWindow is the latest end of a window, in seconds.
const mostWindow = 1e8

// window bounds the part of the trace that is simulated.
func window(name, title, help, unit string, most float64) parameter.Parameter {
	return parameter.Parameter{
		Name: name, Path: "window." + name, Title: title, Help: help, Unit: unit, Group: federate.TimeGroup,
		High: most, Whole: unit == "", Usual: "all",
	}
}

func capacityOf(resource string) string { return "capacity." + resource }

// capacity is the capacity of a worker for a resource: the paper's, or one slot.
func capacity(resource, title, what string, usual float64, unit string) parameter.Parameter {
	return parameter.Parameter{
		Name: capacityOf(resource), Title: title, Help: "`NUMBER` of " + what + " of a worker", Group: CapacityGroup, Unit: unit,
		Above: true, High: cluster.MaxAmount.Units(), Default: usual,
	}
}

// groups are all groups in the order in which they are best shown.
var groups = []string{federate.CentreGroup, SeedGroup, federate.TimeGroup, federate.CostGroup, CapacityGroup, federate.SchedulerGroup}

// Parameters lists the parameters of a document, group by group.
func Parameters() []parameter.Parameter {
	all := slices.Concat(federate.Parameters(), ownParameters)
	slices.SortStableFunc(all, func(a, b parameter.Parameter) int {
		return slices.Index(groups, a.Group) - slices.Index(groups, b.Group)
	})
	return all
}

// SweepParameters lists the parameters that can be swept: all numbers but the seeds, over
// which there are means.
func SweepParameters() []parameter.Parameter {
	return slices.DeleteFunc(Parameters(), func(p parameter.Parameter) bool { return !sweeps(&p) })
}

func sweeps(p *parameter.Parameter) bool { return p.Number() && p.Group != SeedGroup }

// swept finds a parameter that can be swept, by its name.
func swept(name string) (p *parameter.Parameter, known bool) {
	p = lookup(name)
	return p, p != nil && sweeps(p)
}

// lookup finds a parameter by its name, nil for none.
func lookup(name string) *parameter.Parameter {
	for _, rows := range [][]parameter.Parameter{federate.Parameters(), ownParameters} {
		if i := parameter.Index(rows, name); i >= 0 {
			return &rows[i]
		}
	}
	return nil
}

// checkFigures adds the errors of the figures of a document that do not depend on the trace;
// prefix begins their paths.
func (d *Document) checkFigures(prefix string, found *scenario.Problems) {
	found.Parameters(strings.TrimSuffix(prefix, "."), d, ownParameters)
	if len(d.Outages) > MaxOutages || len(d.Shares) > MaxShares {
		return // told already
	}
	slots := []string{workload.SlotResource}
	c := d.config(slots)
	c.Capacity = []cluster.Amount{cluster.Unit} // that of the document is checked above
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
