package qos

import (
	"berth/engine/parameter"
	"berth/engine/plugin"
)

// Plugin constructs policies of one kind.
type Plugin struct {
	Name, Title string // Title is shown on pages
	Description string // one line
	Parameters  []parameter.Parameter
	Default     bool // included in new scenarios
	Reference   bool // the policy whose penalties others are compared with
	Baseline    bool // the policy that others are compared with; it determines the contention of an interval
	// New constructs a policy from the values of all its parameters.
	New func(parameter.Values) Policy
}

// policies is the registry. To add a built-in policy, write a file with its [Plugin]
// and add a line here.
var policies = plugin.NewRegistry("qos", "policy", func(p *Plugin) (string, bool) { return p.Name, p.New != nil },
	qosPlugin,
	priorityPlugin,
	hybridPlugin,
)

// Register adds a policy. It is an error if the name is taken.
func Register(p Plugin) error { return policies.Add(p) }

// Names returns the names of the policies in order of registration.
func Names() []string { return policies.Names() }

// Lookup returns the plugin with the given name.
func Lookup(name string) (Plugin, bool) { return policies.Lookup(name) }

// IsBaseline reports whether the policy with the given name is a baseline.
func IsBaseline(name string) bool {
	p, _ := policies.Lookup(name)
	return p.Baseline
}

// Named constructs a policy. Parameters that are not given take their defaults.
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
