package federate

import "berth/engine/policy"

// Language compiles schedulers from their text; see package policy.
var Language policy.Language[Plugin]

// Plugin returns a scheduler by name. A scheduler written for this configuration takes precedence
// over a registered one.
func (c *Config) Plugin(name string) (Plugin, bool) {
	for _, p := range c.Written {
		if p.Name == name {
			return p, true
		}
	}
	return Lookup(name)
}
