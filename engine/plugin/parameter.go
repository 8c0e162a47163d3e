package plugin

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Parameter is a figure that a plug-in takes.
type Parameter struct {
	Name      string // in documents and on the command line
	Title     string // of its field on a page
	Unit      string // empty for a pure number
	Low, High float64
	Whole     bool // only whole numbers
	Default   float64
}

// Values are parameters by name.
type Values map[string]float64

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

// Check says what is wrong with a value.
func (p *Parameter) Check(value float64) error {
	if value >= p.Low && value <= p.High && (!p.Whole || value == math.Trunc(value)) {
		return nil
	}
	return fmt.Errorf("found %v, expected %s", value, p.Range())
}

// Range says what values there are: "a whole number from 1 to 1e9".
func (p *Parameter) Range() string {
	number := "a number"
	if p.Whole {
		number = "a whole number"
	}
	return strings.TrimSpace(fmt.Sprintf("%s from %s to %s %s", number, plain(p.Low), plain(p.High), p.Unit))
}

func plain(v float64) string {
	return strings.Replace(strconv.FormatFloat(v, 'g', -1, 64), "e+0", "e", 1)
}
