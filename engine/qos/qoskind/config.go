package qoskind

import (
	"maps"
	"math"

	"berth/engine/parameter"
	"berth/engine/qos"
	"berth/engine/sim"
)

func toTime(seconds float64) sim.Milliseconds { return sim.Milliseconds(math.Round(seconds * 1000)) }

// seconds converts milliseconds to seconds.
func seconds(t sim.Milliseconds) float64 { return float64(t) / 1000 }

// config returns the engine's configuration for the first policy, without the overheads. The policy
// must be valid.
func (d *Document) config() qos.Config {
	preset := d.Times()
	every := func(parameter string) sim.Milliseconds { return toTime(ParameterNamed(parameter).Value(d)) }
	policy, _ := d.Policies[0].policy()
	c := qos.Config{
		Policy: policy, Classes: qos.GoogleClasses(preset.Margin), Watchdog: preset.Watchdog, Alpha: -1,
		Horizon: toTime(d.Horizon), Seed: d.Seed, NoLimit: d.NoLimit, FirstOverheadPending: d.FirstOverheadPending,
		PointEvery: every("pointEvery"), FairnessEvery: every("fairnessEvery"),
	}
	if d.Alpha != nil {
		c.Alpha = *d.Alpha * 1000
	}
	if len(d.Classes) > 0 {
		c.Classes = nil
		for i := range d.Classes {
			c.Classes = append(c.Classes, d.Classes[i].class(i+1, preset.Margin))
		}
	}
	return c
}

// Times returns the margin and the watchdog interval of the document, with the values of its preset
// for missing ones.
func (d *Document) Times() qos.Preset {
	preset := [...]qos.Preset{qos.Logs, qos.Paper}[max(0, int(ParameterNamed("preset").Value(d)))]
	if d.Margin != nil {
		preset.Margin = toTime(*d.Margin)
	}
	if d.Watchdog != nil {
		preset.Watchdog = toTime(*d.Watchdog)
	}
	return preset
}

// class converts a class and fills in its defaults. place is its position in the table, from 1.
func (c *Class) class(place int, margin sim.Milliseconds) qos.Class {
	q := qos.Class{
		Name: c.Name, SLO: c.SLO, Importance: c.Importance, Margin: margin, Limit: max(0, 1-c.SLO),
		Priorities: [2]int{-1, -1}, Bonus: qos.DefaultBonus(c.SLO),
	}
	if c.Importance == 0 {
		q.Importance = place
	}
	if c.Margin != nil {
		q.Margin = toTime(*c.Margin)
	}
	if c.Limit != nil {
		q.Limit = *c.Limit
	}
	if len(c.Priorities) == 2 {
		q.Priorities = [2]int(c.Priorities)
	}
	if c.Bonus != nil {
		q.Bonus = c.Bonus
	}
	return q
}

// PaperClasses returns the paper's three classes, the default of a document without classes.
func PaperClasses() (rows []Class) {
	for _, q := range qos.GoogleClasses(0) {
		rows = append(rows, Class{
			Name: q.Name, SLO: q.SLO, Importance: q.Importance, Limit: new(q.Limit), Priorities: q.Priorities[:], Bonus: append([]qos.Bonus{}, q.Bonus...),
		})
	}
	return rows
}

func (r *PolicyRun) policy() (qos.Policy, error) {
	if r.Policy == nil {
		return qos.Named(r.Name, r.given())
	}
	plugin, err := qos.Language.Plugin(*r.Policy)
	if err != nil {
		return qos.Policy{}, err
	}
	return plugin.New(nil), nil
}

// PolicyName returns the name of the run's policy, which may be built in or written as source text.
func (r *PolicyRun) PolicyName() string {
	if r.Policy != nil {
		return r.Policy.Name
	}
	return r.Name
}

// hybridLimit reports whether the document stores a parameter in its field hybridLimit.
func (r *PolicyRun) hybridLimit(parameter string) bool {
	return r.Name == "hybrid" && parameter == "limit"
}

// given returns the parameters that the run sets explicitly.
func (r *PolicyRun) given() parameter.Values {
	if r.HybridLimit == 0 || !r.hybridLimit("limit") {
		return r.Parameters
	}
	return with(r.Parameters, "limit", float64(r.HybridLimit))
}

// Value returns the value of a policy parameter, set in the run or by default.
func (r *PolicyRun) Value(p *parameter.Parameter) float64 {
	if value, ok := r.given()[p.Name]; ok {
		return value
	}
	return p.Default
}

// SetValue sets a parameter of the policy.
func (r *PolicyRun) SetValue(parameter string, value float64) {
	if r.hybridLimit(parameter) {
		r.HybridLimit = int(value)
		return
	}
	r.Parameters = with(r.Parameters, parameter, value)
}

// with returns a copy of the parameters with one value replaced.
func with(given parameter.Values, name string, value float64) parameter.Values {
	all := parameter.Values{}
	maps.Copy(all, given)
	all[name] = value
	return all
}

// NeedsValidity reports whether cached scores can become outdated merely because time passes.
func (r *PolicyRun) NeedsValidity() bool {
	p, err := r.policy()
	return err != nil || p.ChangesWithTime()
}

// Exact reports whether the run makes the same decisions with and without its optimisations. Only
// then can its decisions be explained.
func (r *PolicyRun) Exact() bool {
	c, err := r.carriedOut(qos.Config{})
	return err == nil && c.Savings.Exact(&c.Policy)
}

// carriedOut sets the policy, the scheduler and the optimisations in a configuration.
func (r *PolicyRun) carriedOut(c qos.Config) (qos.Config, error) {
	var err error
	c.Policy, err = r.policy()
	if err != nil {
		return c, err
	}
	c.Literal, c.Counted = r.Scheduler == Literal, r.Scheduler == Counted
	if r.Savings != nil {
		if c.Savings = *r.Savings; c.Savings.Pruning == qos.NoPruning {
			c.Savings.Pruning = ""
		}
	}
	return c, nil
}
