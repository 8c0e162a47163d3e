package workload

import (
	"berth/engine/show"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
)

// Recipe says how to generate a graph or a workload.
type Recipe struct {
	Generator  string             `json:"generator"` // deployment, federation or jobs
	Preset     string             `json:"preset"`    // thesis or listing; of jobs see JobPresets
	Seed       uint64             `json:"seed"`
	Index      int                `json:"index,omitempty"`      // which of the thesis's ten deployments, from 0
	Parameters map[string]float64 `json:"parameters,omitempty"` // that differ from the preset
}

// Parameter is a figure that a generator takes.
type Parameter struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"` // in the preset
	Unit  string  `json:"unit,omitempty"`
	Title string  `json:"title"`
	Hint  string  `json:"hint,omitempty"` // that its field has behind the title
	Min   float64 `json:"min"`
	Max   float64 `json:"max"`
	Whole bool    `json:"whole,omitempty"` // an integer
}

// IndexTitle is what people call the index of a recipe.
const IndexTitle = "which of the thesis's ten"

// maxFigure bounds the figures of generators.
const maxFigure = 1e9

// Interval returns the two parameters of a range.
func Interval(name string, value [2]float64, unit, title string, least float64) []Parameter {
	return []Parameter{
		{"min_" + name, value[0], unit, "lowest " + title, "", least, maxFigure, false},
		{"max_" + name, value[1], unit, "highest " + title, "", least, maxFigure, false},
	}
}

// Fill returns the numbers of a recipe by name: those that it gives, which must be among the
// parameters and within their bounds, and else the preset's. Of a range min_x, max_x the first
// is at most the second.
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

// Help is the title with its hint: "users, 0 leaves them open".
func (p Parameter) Help() string {
	if p.Hint == "" {
		return p.Title
	}
	return p.Title + ", " + p.Hint
}

// Allows reports whether the parameter may have a value.
func (p Parameter) Allows(x float64) bool {
	return x >= p.Min && x <= p.Max && (!p.Whole || x == math.Trunc(x))
}

// Allowed says which values the parameter may have: "a number from 0 to 1".
func (p Parameter) Allowed() string {
	what := "a number"
	if p.Whole {
		what = "a whole number"
	}
	return fmt.Sprintf("%s from %.10g to %.10g", what, p.Min, p.Max)
}

// Unwanted is the error for a recipe of another generator than the one that is wanted.
func (r Recipe) Unwanted(wanted string) error {
	return fmt.Errorf("generator: %q where %q is wanted", r.Generator, wanted)
}

// has says which parameters there are.
func (r Recipe) has(parameters []Parameter) string {
	if len(parameters) == 0 {
		return fmt.Sprintf("the generator %s has none with the preset %s", r.Generator, r.Preset)
	}
	return fmt.Sprintf("the generator %s has %s", r.Generator, show.Joined(parameters, ", ", func(p Parameter) string { return p.Name }))
}
