package qos

import (
	"berth/engine/parameter"
	"berth/engine/plugin"
)

// Plugin makes policies of one sort.
type Plugin struct {
	Name, Title string // Title is what a page calls it
	Description string // in one line
	Parameters  []parameter.Parameter
	Default     bool // a new scenario has it
	Reference   bool // the penalties of others are compared with its own
	Baseline    bool // others are compared with it, and it measures the contention of an interval
	// New makes one from the values of all its parameters.
	New func(parameter.Values) Policy
}

// policies are all there are. A policy is a file with its [Plugin] and a line here.
var policies = plugin.NewRegistry("qos", "policy", func(p *Plugin) (string, bool) { return p.Name, p.New != nil },
	qosPlugin,
	priorityPlugin,
	hybridPlugin,
)

// Register adds a policy; a name that is taken is an error.
func Register(p Plugin) error { return policies.Add(p) }

// Names lists the policies in the order in which they were registered.
func Names() []string { return policies.Names() }

// Lookup returns the plug-in of that name.
func Lookup(name string) (Plugin, bool) { return policies.Lookup(name) }

// IsBaseline reports whether the policy of that name is one that others are compared with.
func IsBaseline(name string) bool {
	p, _ := policies.Lookup(name)
	return p.Baseline
}

// Named makes a policy; parameters that are not given have their defaults.
func Named(name string, given parameter.Values) (Policy, error) {
	p, ok := policies.Lookup(name)
	if !ok {
		return Policy{}, policies.Unknown(name)
	}
	values, err := parameter.Complete(p.Parameters, given)
	if err != nil {
		return Policy{}, err
	}
	return p.New(values), nil
}
