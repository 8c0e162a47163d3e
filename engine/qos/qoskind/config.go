package qoskind

import (
	"maps"
	"math"

	"berth/engine/parameter"
	"berth/engine/qos"
	"berth/engine/sim"
)

// toTime turns seconds of a document into milliseconds.
func toTime(seconds float64) sim.Milliseconds { return sim.Milliseconds(math.Round(seconds * 1000)) }

// seconds is the way back.
func seconds(t sim.Milliseconds) float64 { return float64(t) / 1000 }

// config returns the engine's configuration for the first policy, which can be made, without the
// overheads.
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

// Times returns margin and watchdog, as the preset has them where they are not
// given.
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

// class fills in the defaults of a class.
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

// PaperClasses returns the rows of the paper's three classes, as they are used
// where a document has none.
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

// PolicyName is the name of the policy, whether it is built in or written as text.
func (r *PolicyRun) PolicyName() string {
	if r.Policy != nil {
		return r.Policy.Name
	}
	return r.Name
}

// hybridLimit reports whether a parameter is the one that documents have as
// hybridLimit.
func (r *PolicyRun) hybridLimit(parameter string) bool {
	return r.Name == "hybrid" && parameter == "limit"
}

// given returns the parameters that the run has.
func (r *PolicyRun) given() parameter.Values {
	if r.HybridLimit == 0 || !r.hybridLimit("limit") {
		return r.Parameters
	}
	return with(r.Parameters, "limit", float64(r.HybridLimit))
}

// Value returns a parameter of the policy, its default if the run has none.
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

// with returns a copy of some parameters with another value of one.
func with(given parameter.Values, name string, value float64) parameter.Values {
	all := parameter.Values{}
	maps.Copy(all, given)
	all[name] = value
	return all
}

// NeedsValidity reports whether cached scores go stale by time alone.
func (r *PolicyRun) NeedsValidity() bool {
	p, err := r.policy()
	return err != nil || p.ChangesWithTime()
}

// Exact reports whether no optimisation of the run may decide otherwise than
// the policy does; only then can its decisions be explained.
func (r *PolicyRun) Exact() bool {
	c, err := r.carriedOut(qos.Config{})
	return err == nil && c.Savings.Exact(&c.Policy)
}

// carriedOut puts policy and scheduler into a configuration.
func (r *PolicyRun) carriedOut(c qos.Config) (qos.Config, error) {
	var err error
	c.Policy, err = r.policy()
	if err != nil {
		return c, err
	}
	c.Literal = r.Scheduler == Literal
	if r.Savings != nil {
		if c.Savings = *r.Savings; c.Savings.Pruning == qos.NoPruning {
			c.Savings.Pruning = ""
		}
	}
	return c, nil
}
