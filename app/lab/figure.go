package lab

import (
	"fmt"
	"strconv"
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
