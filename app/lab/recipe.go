package lab

import (
	"fmt"
	"strconv"

	"berth/engine/workload"
)

// Figure writes a number as a field has it: without the noise that a change of
// units leaves.
func Figure(x float64) string {
	rounded, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 12, 64), 64)
	return strconv.FormatFloat(rounded, 'f', -1, 64)
}

// ParseSeed reads a seed from a field.
func ParseSeed(text string) (uint64, error) {
	seed, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("%q is not a whole number of 0 or more", text)
	}
	return seed, nil
}

// SetParameter takes a parameter of a recipe from a field. Text that is no
// number, as of an empty field, leaves it to the preset.
func SetParameter(r *workload.Recipe, name, text string) {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		delete(r.Parameters, name)
		return
	}
	if r.Parameters == nil {
		r.Parameters = map[string]float64{}
	}
	r.Parameters[name] = x
}
