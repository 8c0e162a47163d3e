package workload

import (
	"berth/engine/show"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
)

// Recipe describes a graph or a workload to generate.
type Recipe struct {
	Generator  string             `json:"generator"` // deployment, federation or jobs
	Preset     string             `json:"preset"`    // thesis or listing; for jobs see JobPresets
	Seed       uint64             `json:"seed"`
	Index      int                `json:"index,omitempty"`      // one of the thesis's ten deployments, from 0
	Parameters map[string]float64 `json:"parameters,omitempty"` // values that differ from the preset
}

// Parameter is a numeric parameter of a generator.
type Parameter struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"` // value in the preset
	Unit  string  `json:"unit,omitempty"`
	Title string  `json:"title"`
	Hint  string  `json:"hint,omitempty"` // shown after the title of its field
	Min   float64 `json:"min"`
	Max   float64 `json:"max"`
	Whole bool    `json:"whole,omitempty"` // must be an integer
}

// IndexTitle is the title of Recipe.Index.
const IndexTitle = "which of the thesis's ten"

// maxFigure limits the values of parameters.
const maxFigure = 1e9

// Interval returns the two parameters of a range.
func Interval(name string, value [2]float64, unit, title string, least float64) []Parameter {
	return []Parameter{
		{"min_" + name, value[0], unit, "lowest " + title, "", least, maxFigure, false},
		{"max_" + name, value[1], unit, "highest " + title, "", least, maxFigure, false},
	}
}

// Fill returns the values of all parameters by name: the recipe's value or else the
// preset's. A value without a parameter or out of its bounds is an error, and so is
// min_x above max_x.
func (r Recipe) Fill(parameters []Parameter) (map[string]float64, error) {
	values := map[string]float64{}
	for _, p := range parameters {
		values[p.Name] = p.Value
	}
	for _, name := range slices.Sorted(maps.Keys(r.Parameters)) {
		i := slices.IndexFunc(parameters, func(p Parameter) bool { return p.Name == name })
		if i < 0 {
			return nil, fmt.Errorf("%s: there is no such parameter: %s", name, r.has(parameters))
		}
		values[name] = r.Parameters[name]
		if !parameters[i].Allows(values[name]) {
			return nil, fmt.Errorf("%s: %v is out of range: expected %s", name, values[name], parameters[i].Allowed())
		}
	}
	for _, p := range parameters {
		rest, ok := strings.CutPrefix(p.Name, "min_")
		if ok && values[p.Name] > values["max_"+rest] {
			return nil, fmt.Errorf("%s: %v is above max_%s, %v: expected at most that", p.Name, values[p.Name], rest, values["max_"+rest])
		}
	}
	return values, nil
}

// Help returns the title with its hint, such as "users, 0 for none".
func (p Parameter) Help() string {
	if p.Hint == "" {
		return p.Title
	}
	return p.Title + ", " + p.Hint
}

// Allows reports whether x is a valid value.
func (p Parameter) Allows(x float64) bool {
	return x >= p.Min && x <= p.Max && (!p.Whole || x == math.Trunc(x))
}

// Allowed describes the valid values: "a number from 0 to 1".
func (p Parameter) Allowed() string {
	what := "a number"
	if p.Whole {
		what = "a whole number"
	}
	return fmt.Sprintf("%s from %.10g to %.10g", what, p.Min, p.Max)
}

// Unwanted returns the error about a recipe of another generator.
func (r Recipe) Unwanted(wanted string) error {
	return fmt.Errorf("generator: %q where %q is wanted", r.Generator, wanted)
}

// has describes the available parameters.
func (r Recipe) has(parameters []Parameter) string {
	if len(parameters) == 0 {
		return fmt.Sprintf("the generator %s has none with the preset %s", r.Generator, r.Preset)
	}
	return fmt.Sprintf("the generator %s has %s", r.Generator, show.Joined(parameters, ", ", func(p Parameter) string { return p.Name }))
}
