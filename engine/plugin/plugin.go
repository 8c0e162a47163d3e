package plugin

import (
	"reflect"

	"berth/engine/parameter"
)

// Plugin describes a strategy, a policy, a scheduler or a scorer. A laboratory decides by its Facts
// and its constructor, never by its name.
type Plugin[Facts, New any] struct {
	Name        string
	Was         string // former name, which documents may still use; may be empty
	Title       string // on pages
	Description string // one line
	Parameters  []parameter.Parameter
	Default     bool  // new scenarios include it
	Facts       Facts // properties that its laboratory depends on
	New         New   // its constructor, a function
}

// Key implements [Named].
func (p Plugin[Facts, New]) Key() (name, was string, complete bool) {
	return p.Name, p.Was, !reflect.ValueOf(p.New).IsZero()
}
