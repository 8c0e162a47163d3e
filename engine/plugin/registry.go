package plugin

import (
	"fmt"
	"slices"
	"strings"

	"berth/engine/parameter"
)

// Named is an entry of a registry: a [Plugin], or a reader of a format.
type Named interface {
	// Key returns the name of the entry and its former name, which may be empty. complete is false
	// if the entry lacks its functions.
	Key() (name, was string, complete bool)
}

// Registry holds the entries of one sort in the order of their registration.
type Registry[E Named] struct {
	of   string // what the entries belong to, for errors: "qos"
	sort string // what an entry is, for errors: "policy"
	all  []E
}

// NewRegistry returns a registry with some entries. It panics if one of them is invalid.
func NewRegistry[E Named](of, sort string, first ...E) *Registry[E] {
	r := &Registry[E]{of: of, sort: sort}
	for _, e := range first {
		if err := r.Add(e); err != nil {
			panic(err)
		}
	}
	return r
}

// Add adds an entry. An entry with no name, with a name that is taken, or without its functions is
// an error.
func (r *Registry[E]) Add(e E) error {
	name, _, complete := e.Key()
	switch {
	case name == "":
		return fmt.Errorf("%s: %s without a name", r.of, r.sort)
	case !complete:
		return fmt.Errorf("%s: %s %q has nothing to make it", r.of, r.sort, name)
	case r.Position(name) >= 0:
		return fmt.Errorf("%s: %s %q is registered already", r.of, r.sort, name)
	}
	r.all = append(r.all, e)
	return nil
}

// Position returns the position of the entry with a current or former name, from 0; -1 if there
// is none.
func (r *Registry[E]) Position(name string) int {
	return slices.IndexFunc(r.all, func(e E) bool {
		now, was, _ := e.Key()
		return name != "" && (name == now || name == was)
	})
}

// Lookup returns the entry with a current or former name.
func (r *Registry[E]) Lookup(name string) (e E, ok bool) {
	if i := r.Position(name); i >= 0 {
		return r.all[i], true
	}
	return e, false
}

// Current maps a former name of an entry to its current one, and returns any other name unchanged.
func (r *Registry[E]) Current(name string) string {
	if i := r.Position(name); i >= 0 {
		name, _, _ = r.all[i].Key()
	}
	return name
}

// All returns the entries. Callers must not change the slice.
func (r *Registry[E]) All() []E { return r.all }

// Names returns the names of the entries.
func (r *Registry[E]) Names() []string {
	names := make([]string, len(r.all))
	for i, e := range r.all {
		names[i], _, _ = e.Key()
	}
	return names
}

// Unknown returns the error for an unknown name; it lists the known ones.
func (r *Registry[E]) Unknown(name string) error {
	return fmt.Errorf("unknown %s %.40q; known: %s", r.sort, name, strings.Join(r.Names(), ", "))
}

// Make calls the constructor of a plug-in with the values of all its parameters. Parameters that
// are not given have their defaults.
func Make[Facts, T any](r *Registry[Plugin[Facts, func(parameter.Values) T]], name string, given parameter.Values) (made T, err error) {
	p, ok := r.Lookup(name)
	if !ok {
		return made, r.Unknown(name)
	}
	values, err := parameter.Complete(p.Parameters, given)
	if err != nil {
		return made, err
	}
	return p.New(values), nil
}
