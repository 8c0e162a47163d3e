package parameter

import (
	"fmt"
	"slices"
)

// Complete returns the values of all rows, the default of those that are not
// given. It is an error if one is given that is in no row or out of its bounds.
func Complete(rows []Parameter, given Values) (Values, error) {
	all := Values{}
	for i := range rows {
		all[rows[i].Name] = rows[i].Default
	}
	for name, value := range given {
		i := slices.IndexFunc(rows, func(p Parameter) bool { return p.Name == name })
		if i < 0 {
			return nil, fmt.Errorf("there is no parameter %.40q", name)
		}
		if err := rows[i].Check(value); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		all[name] = value
	}
	return all, nil
}
