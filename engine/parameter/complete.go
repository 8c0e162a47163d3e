package parameter

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"berth/engine/show"
)

// Index returns the index of the parameter with a name, -1 if there is none.
func Index(rows []Parameter, name string) int {
	return slices.IndexFunc(rows, func(p Parameter) bool { return p.Name == name })
}

// Named returns the parameter with a name. It panics if there is none.
func Named(rows []Parameter, name string) *Parameter {
	i := Index(rows, name)
	if i < 0 {
		panic("there is no parameter " + name)
	}
	return &rows[i]
}

// At returns the parameter with a path in the document, nil if there is none.
func At(rows []Parameter, path string) *Parameter {
	i := slices.IndexFunc(rows, func(p Parameter) bool { return p.JSONPath() == path })
	if i < 0 {
		return nil
	}
	return &rows[i]
}

// Below returns copies of parameters whose paths are below a field of the document.
func Below(field string, rows []Parameter) []Parameter {
	all := slices.Clone(rows)
	for i := range all {
		all[i].Path = field + "." + all[i].Name
	}
	return all
}

// Complete returns the values of all parameters, with defaults for the missing ones. An unknown
// name or a value out of bounds is an error.
func Complete(rows []Parameter, given Values) (Values, error) {
	all := Values{}
	for i := range rows {
		all[rows[i].Name] = rows[i].Default
	}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		i := Index(rows, name)
		if i < 0 {
			return nil, fmt.Errorf("there is no parameter %.40q", name)
		}
		if err := rows[i].Check(given[name]); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		all[name] = given[name]
	}
	return all, nil
}

// Title returns a name with the values of all its parameters, such as "hybrid(50)". Without given
// values it is just the name.
func Title(name string, rows []Parameter, given Values) string {
	if len(given) == 0 {
		return name
	}
	texts := make([]string, len(rows))
	for i, p := range rows {
		x, ok := given[p.Name]
		if !ok {
			x = p.Default
		}
		texts[i] = show.Number(x)
	}
	return name + "(" + strings.Join(texts, ", ") + ")"
}
