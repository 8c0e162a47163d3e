package federate

import "berth/engine/policy"

// Language makes schedulers of texts; see package policy.
var Language policy.Language[Plugin]

// Plugin returns a scheduler by its name: one that is written for this configuration, or
// one that is registered.
func (c *Config) Plugin(name string) (Plugin, bool) {
	for _, p := range c.Written {
		if p.Name == name {
			return p, true
		}
	}
	return Lookup(name)
}
