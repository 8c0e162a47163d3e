package plugin

import (
	"fmt"
	"strings"
)

// Registry holds the plug-ins of one sort in the order in which they came.
type Registry[P any] struct {
	of    string // what they are of: "qos"
	sort  string // "policy"
	named func(*P) (name string, complete bool)
	all   []P
}

// NewRegistry returns a registry of some plug-ins; named gives the name of one,
// and says whether it has all that it must have. It panics if one cannot be added.
func NewRegistry[P any](of, sort string, named func(*P) (name string, complete bool), first ...P) *Registry[P] {
	r := &Registry[P]{of: of, sort: sort, named: named}
	for _, p := range first {
		if err := r.Add(p); err != nil {
			panic(err)
		}
	}
	return r
}

// Add adds a plug-in. One without a name, of a name that is taken, or that is not
// complete is an error.
func (r *Registry[P]) Add(p P) error {
	name, complete := r.named(&p)
	switch {
	case name == "":
		return fmt.Errorf("%s: %s without a name", r.of, r.sort)
	case !complete:
		return fmt.Errorf("%s: %s %q has nothing to make it", r.of, r.sort, name)
	case r.Position(name) >= 0:
		return fmt.Errorf("%s: %s %q is registered already", r.of, r.sort, name)
	}
	r.all = append(r.all, p)
	return nil
}

// Position returns the place of a plug-in, from 0; -1 if it is unknown.
func (r *Registry[P]) Position(name string) int {
	for i := range r.all {
		if known, _ := r.named(&r.all[i]); known == name {
			return i
		}
	}
	return -1
}

// Lookup returns the plug-in of a name.
func (r *Registry[P]) Lookup(name string) (p P, ok bool) {
	if i := r.Position(name); i >= 0 {
		return r.all[i], true
	}
	return p, false
}

// First names the first plug-in that is so, "" if none is.
func (r *Registry[P]) First(is func(*P) bool) string {
	for i := range r.all {
		if is(&r.all[i]) {
			name, _ := r.named(&r.all[i])
			return name
		}
	}
	return ""
}

// Names lists the plug-ins.
func (r *Registry[P]) Names() []string {
	names := make([]string, len(r.all))
	for i := range r.all {
		names[i], _ = r.named(&r.all[i])
	}
	return names
}

// Unknown is the error for a name that no plug-in has.
func (r *Registry[P]) Unknown(name string) error {
	return fmt.Errorf("unknown %s %.40q; known: %s", r.sort, name, strings.Join(r.Names(), ", "))
}

// MissingError says what a program cannot do since it lacks a plug-in that others have.
type MissingError struct{ Message string }

func (e *MissingError) Error() string { return e.Message }
