package workload

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"berth/engine/parameter"
	"berth/engine/show"
)

// Recipe describes a graph or a workload to generate.
type Recipe struct {
	Generator  string             `json:"generator"` // deployment, federation or jobs
	Preset     string             `json:"preset"`    // thesis or listing; for jobs see JobPresets
	Seed       uint64             `json:"seed"`
	Index      int                `json:"index,omitempty"`      // one of the thesis's ten deployments, from 0
	Parameters map[string]float64 `json:"parameters,omitempty"` // values that differ from the preset
}

// IndexTitle is the title of Recipe.Index.
const IndexTitle = "which of the thesis's ten"

// maxFigure is the upper bound of the parameters that Interval returns.
const maxFigure = 1e9

// Interval returns the two parameters of a range.
func Interval(name string, value [2]float64, unit, title string, least float64) []parameter.Parameter {
	return []parameter.Parameter{
		{Name: "min_" + name, Title: "lowest " + title, Unit: unit, Low: least, High: maxFigure, Default: value[0]},
		{Name: "max_" + name, Title: "highest " + title, Unit: unit, Low: least, High: maxFigure, Default: value[1]},
	}
}

// InRecipe returns the generator parameter p with its path in a [Recipe].
func InRecipe(p parameter.Parameter) *parameter.Parameter {
	return &parameter.Below("parameters", []parameter.Parameter{p})[0]
}

// Fill returns the values of all parameters by name, from the recipe or else from the preset. A
// value without a parameter or out of its bounds is an error, and so is min_x above max_x.
func (r Recipe) Fill(parameters []parameter.Parameter) (map[string]float64, error) {
	values := map[string]float64{}
	for i := range parameters {
		values[parameters[i].Name] = parameters[i].Default
	}
	for _, name := range slices.Sorted(maps.Keys(r.Parameters)) {
		i := parameter.Index(parameters, name)
		if i < 0 {
			return nil, fmt.Errorf("%s: there is no such parameter: %s", name, r.has(parameters))
		}
		values[name] = r.Parameters[name]
		if parameters[i].Check(values[name]) != nil {
			return nil, fmt.Errorf("%s: %v is out of range: expected %s", name, values[name], parameters[i].Range())
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

// Unwanted returns the error about a recipe of another generator.
func (r Recipe) Unwanted(wanted string) error {
	return fmt.Errorf("generator: %q where %q is wanted", r.Generator, wanted)
}

// has describes the available parameters.
func (r Recipe) has(parameters []parameter.Parameter) string {
	if len(parameters) == 0 {
		return fmt.Sprintf("the generator %s has none with the preset %s", r.Generator, r.Preset)
	}
	return fmt.Sprintf("the generator %s has %s", r.Generator, show.Joined(parameters, ", ", func(p parameter.Parameter) string { return p.Name }))
}
