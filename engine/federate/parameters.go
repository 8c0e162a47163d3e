package federate

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"

	"berth/engine/diag"
	"berth/engine/parameter"
)

// The groups of parameters.
const (
	CentreGroup    = "data centre"
	TimeGroup      = "time"
	CostGroup      = "costs"
	SchedulerGroup = "schedulers"
)

// ConfigParameter is a parameter with its field in a configuration.
type ConfigParameter struct {
	parameter.Parameter
	at func(*Config) any // an *int, *float64 or *Time; nil for a parameter of a scheduler
}

// noMessage refuses delays of 0 in documents. The engine accepts them, so that tests can work
// results out by hand.
const noMessage = "found 0 s, expected more: a message takes time"

// general lists the parameters that belong to no single scheduler. Their defaults are the values of
// [Default].
var general = func() []ConfigParameter {
	row := func(p parameter.Parameter, group string, at func(*Config) any) ConfigParameter {
		p.Group = group
		if p.Time() {
			p.High = float64(maxSpan) / float64(Second)
		}
		usual := Default(1, 1, 1)
		p.Default = number(at(&usual))
		return ConfigParameter{p, at}
	}
	centre := func(name, title, help string, most float64, at func(*Config) any) ConfigParameter {
		return row(parameter.Parameter{Name: name, Title: title, Help: help, Low: 1, High: most, Whole: true, Required: true}, CentreGroup, at)
	}
	cost := func(name, path, title, help, unit string, at func(*Config) any) ConfigParameter {
		return row(parameter.Parameter{Name: name, Path: "costs." + path, Title: title, Help: "`TIME` " + help, Unit: unit}, CostGroup, at)
	}
	return []ConfigParameter{
		centre("workers", "Workers", "`NUMBER` of workers", maxWorkers, func(c *Config) any { return &c.Workers }),
		centre("gms", "GMs", "`NUMBER` of Global Masters", maxMasters, func(c *Config) any { return &c.GMs }),
		centre("lms", "LMs", "`NUMBER` of Local Masters", maxMasters, func(c *Config) any { return &c.LMs }),

		row(parameter.Parameter{Name: "heartbeat", Title: "Heartbeat", Help: "`TIME` between two heartbeats of an LM", Unit: "s", Above: true},
			TimeGroup, func(c *Config) any { return &c.Heartbeat }),
		row(parameter.Parameter{Name: "delay", Title: "Message delay", Help: "`TIME` that a message takes", Unit: "ms", Zero: noMessage},
			TimeGroup, func(c *Config) any { return &c.Delay }),
		row(parameter.Parameter{
			Name: "launchDelay", Title: "Launch delay", Unit: "ms", Zero: noMessage, Usual: "as in the preset",
			Help: "`TIME` that the transfer of a task to its worker takes (default as for any message; 20ms in the preset paper)",
		}, TimeGroup, func(c *Config) any { return &c.LaunchDelay }),
		row(parameter.Parameter{Name: "interference", Title: "Interference factor", Help: "`FACTOR` by which a full worker stretches running times", High: 1000},
			TimeGroup, func(c *Config) any { return &c.Interference }),
		row(parameter.Parameter{
			Name: "estimateError", Title: "Error of estimates", High: 1,
			Help: "the estimates of each job are multiplied by a factor between 1 − `ERROR` and 1 + ERROR (sjf, srpt, easy, conservative, least-loaded, hawk, eagle)",
		}, TimeGroup, func(c *Config) any { return &c.EstimateError }),

		cost("costTake", "take", "GM takes a task", "in which a GM takes a task from a queue", "µs", func(c *Config) any { return &c.Costs.Take }),
		cost("costWord", "word", "GM ANDs 64 workers", "in which a GM ANDs the bits of 64 workers", "ns", func(c *Config) any { return &c.Costs.Word }),
		cost("costLook", "look", "Master checks a worker", "in which a master checks a worker or a running task", "ns", func(c *Config) any { return &c.Costs.Look }),
		cost("costAdopt", "adopt", "GM updates a worker", "in which a GM updates its copy of a worker", "ns", func(c *Config) any { return &c.Costs.Adopt }),
		cost("costVerify", "verify", "LM verifies", "in which an LM verifies a request", "µs", func(c *Config) any { return &c.Costs.Verify }),
	}
}()

// Parameters returns all parameters of a configuration in display order, the parameters of
// schedulers last. Callers must not change the slice.
func Parameters() []ConfigParameter { return parameters }

var parameters = allParameters()

func allParameters() []ConfigParameter {
	all := slices.Clone(general)
	for _, p := range schedulers.All() {
		all = append(all, parametersOf(&p)...)
	}
	return all
}

// parametersOf returns the parameters of a scheduler with the scheduler's title in front of their
// own. A parameter without a path gets "parameters.name.parameter".
func parametersOf(p *Plugin) []ConfigParameter {
	var all []ConfigParameter
	for _, own := range p.Parameters {
		own.Path = cmp.Or(own.Path, "parameters."+p.Name+"."+strings.TrimPrefix(own.Name, p.Name+"."))
		own.Title, own.Group = p.Title+": "+own.Title, SchedulerGroup
		all = append(all, ConfigParameter{Parameter: own})
	}
	return all
}

// Value returns a parameter in the unit of documents: times in seconds.
func (c *Config) Value(p *ConfigParameter) float64 {
	if p.at != nil {
		return number(p.at(c))
	}
	if x, given := c.Schedulers[p.Path]; given {
		return x
	}
	return p.Default
}

// Set sets a parameter to a value in the unit of documents.
func (c *Config) Set(p *ConfigParameter, x float64) {
	if p.at == nil {
		c.Schedulers = maps.Clone(c.Schedulers)
		if c.Schedulers == nil {
			c.Schedulers = parameter.Values{}
		}
		c.Schedulers[p.Path] = x
		return
	}
	switch to := p.at(c).(type) {
	case *int:
		*to = int(x)
	case *float64:
		*to = x
	case *Time:
		*to = Span(x)
	}
}

func number(at any) float64 {
	switch from := at.(type) {
	case *int:
		return float64(*from)
	case *Time:
		return seconds(*from)
	}
	return *at.(*float64)
}

// mostSeconds is above every span that a configuration may have, and does not overflow a [Time].
const mostSeconds = 1e9

// Span converts seconds to nanoseconds. Values out of range stay out of range, so [Config.Check]
// still refuses them; NaN becomes negative.
func Span(seconds float64) Time {
	if !(seconds >= -mostSeconds) {
		seconds = -mostSeconds
	}
	return Time(math.Round(min(seconds, mostSeconds) * 1e9))
}

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
