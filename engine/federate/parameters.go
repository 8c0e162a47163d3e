package federate

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"berth/engine/diag"
	"berth/engine/input/workload"
	"berth/engine/parameter"
)

const (
	CentreGroup    = "data centre"
	TimeGroup      = "time"
	CostGroup      = "costs"
	SchedulerGroup = "schedulers"
)

// noMessage rejects delays of 0 in documents. The engine accepts them, so that tests can compute
// expected results by hand.
const noMessage = "found 0 s, expected more: a message takes time"

// general lists the parameters that belong to no scheduler. Each sets a field of [Config] and has
// its default from [Default].
var general = withDefaults([]parameter.Parameter{
	{Name: "workers", Title: "Workers", Help: "`NUMBER` of workers", Group: CentreGroup, Low: 1, High: maxWorkers, Whole: true, Required: true},
	{Name: "gms", Title: "GMs", Help: "`NUMBER` of Global Masters", Group: CentreGroup, Low: 1, High: maxMasters, Whole: true, Required: true},
	{Name: "lms", Title: "LMs", Help: "`NUMBER` of Local Masters", Group: CentreGroup, Low: 1, High: maxMasters, Whole: true, Required: true},

	{Name: "heartbeat", Title: "Heartbeat", Help: "`TIME` between two heartbeats of an LM", Group: TimeGroup, Unit: "s", Above: true},
	{Name: "delay", Title: "Message delay", Help: "`TIME` that a message takes", Group: TimeGroup, Unit: "ms", Zero: noMessage},
	{
		Name: "launchDelay", Title: "Launch delay", Group: TimeGroup, Unit: "ms", Zero: noMessage, Usual: "as in the preset",
		Help: "`TIME` that the transfer of a task to its worker takes (default as for any message; 20ms in the preset paper)",
	},
	{Name: "interference", Title: "Interference factor", Help: "`FACTOR` that stretches running times on a full worker", Group: TimeGroup, High: 1000},
	{
		Name: "estimateError", Title: "Error of estimates", Group: TimeGroup, High: 1,
		Help: "the estimates of each job are multiplied by a factor between 1 − `ERROR` and 1 + ERROR (sjf, srpt, easy, conservative, least-loaded, hawk, eagle)",
	},

	cost("costTake", "take", "GM takes a task", "in which a GM takes a task from a queue", "µs"),
	cost("costWord", "word", "GM ANDs 64 workers", "in which a GM ANDs the bits of 64 workers", "ns"),
	cost("costLook", "look", "Master checks a worker", "in which a master checks a worker or a running task", "ns"),
	cost("costAdopt", "adopt", "GM updates a worker", "in which a GM updates its copy of a worker", "ns"),
	cost("costVerify", "verify", "LM verifies", "in which an LM verifies a request", "µs"),
})

func cost(name, path, title, help, unit string) parameter.Parameter {
	return parameter.Parameter{Name: name, Path: "costs." + path, Title: title, Help: "`TIME` " + help, Group: CostGroup, Unit: unit}
}

func withDefaults(all []parameter.Parameter) []parameter.Parameter {
	usual := Default(1, 1, 1)
	for i := range all {
		p := &all[i]
		p.Default = p.Value(&usual)
		if p.Time() {
			p.High = workload.Seconds(maxSpan)
		}
	}
	return all
}

// Parameters returns all parameters of a configuration in display order, the parameters of
// schedulers last. Callers must not change the slice.
func Parameters() []parameter.Parameter { return parameters }

var parameters = allParameters()

func allParameters() []parameter.Parameter {
	all := slices.Clone(general)
	for _, p := range schedulers.All() {
		all = append(all, parametersOf(&p)...)
	}
	return all
}

// parametersOf returns the parameters of a scheduler, with its title as a prefix. A parameter
// without a path gets "parameters.scheduler.parameter".
func parametersOf(p *Plugin) []parameter.Parameter {
	var all []parameter.Parameter
	for _, own := range p.Parameters {
		own.Path = cmp.Or(own.Path, "parameters."+p.Name+"."+strings.TrimPrefix(own.Name, p.Name+"."))
		own.Title, own.Group = p.Title+": "+own.Title, SchedulerGroup
		all = append(all, own)
	}
	return all
}

// Value returns a parameter in the unit of documents, which is seconds for times.
func (c *Config) Value(p *parameter.Parameter) float64 {
	if p.Group != SchedulerGroup {
		return p.Value(c)
	}
	if x, given := c.Schedulers[p.Path]; given {
		return x
	}
	return p.Default
}

// Set sets a parameter to a value in the unit of documents.
func (c *Config) Set(p *parameter.Parameter, x float64) {
	if p.Group != SchedulerGroup {
		_ = p.Set(c, &x) // cannot fail: every general parameter has a field
		return
	}
	c.Schedulers = maps.Clone(c.Schedulers)
	if c.Schedulers == nil {
		c.Schedulers = parameter.Values{}
	}
	c.Schedulers[p.Path] = x
}

// Span converts seconds to nanoseconds. Values out of range stay out of range, so [Config.Check]
// still rejects them; NaN becomes negative.
func Span(seconds float64) Time { return Time(parameter.Nanoseconds(seconds)) }

// checkParameters returns an error for the first parameter out of bounds.
func (c *Config) checkParameters() error {
	for i := range parameters {
		p := &parameters[i]
		if err := p.Bounds(c.Value(p)); err != nil {
			return diag.At(p.JSONPath(), diag.Invalid, err)
		}
	}
	return nil
}

// Values returns the values of the scheduler's parameters in a configuration, by name.
func Values(p *Plugin, c *Config) parameter.Values {
	all := parameter.Values{}
	for _, row := range parametersOf(p) {
		all[row.Name] = c.Value(&row)
	}
	return all
}
