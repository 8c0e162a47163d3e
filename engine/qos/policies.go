package qos

import (
	"berth/engine/parameter"
	"berth/engine/plugin"
)

// Plugin describes a kind of policies and constructs them from parameters.
type Plugin = plugin.Plugin[Facts, func(parameter.Values) Policy]

// Facts are the properties of a policy that comparisons need.
type Facts struct {
	Reference bool // its penalties are the reference for other policies
	Baseline  bool // other policies are compared with it; its results determine the contention of an interval
}

// policies is the registry. To add a built-in policy, write a file with its [Plugin]
// and add a line here.
var policies = plugin.NewRegistry("qos", "policy", qosPlugin, priorityPlugin, hybridPlugin)

// Register adds a policy. It is an error if the name is taken.
func Register(p Plugin) error { return policies.Add(p) }

// Names returns the names of the policies in order of registration.
func Names() []string { return policies.Names() }

// Lookup returns the policy plug-in with the given name; false if there is none.
func Lookup(name string) (Plugin, bool) { return policies.Lookup(name) }

// IsBaseline reports whether the policy with the given name is a baseline.
func IsBaseline(name string) bool {
	p, _ := policies.Lookup(name)
	return p.Facts.Baseline
}

// Named constructs a policy. Missing parameters take their defaults.
func Named(name string, given parameter.Values) (Policy, error) {
	return plugin.Make(policies, name, given)
}
