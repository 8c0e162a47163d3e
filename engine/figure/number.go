package figure

import (
	"encoding/json"
	"math"
	"strconv"
)

// Number is a number that may be undefined. Undefined is NaN in Go and null in JSON.
type Number float64

// Undefined is the value of a figure that does not exist.
var Undefined = Number(math.NaN())

// Defined reports whether the number exists.
func (n Number) Defined() bool { return !math.IsNaN(float64(n)) }

// String formats the number with four significant digits, or with one decimal from 1,000 on.
// Undefined is a dash.
func (n Number) String() string {
	switch {
	case !n.Defined():
		return "–"
	case n >= 1000:
		return strconv.FormatFloat(float64(n), 'f', 1, 64)
	}
	return strconv.FormatFloat(float64(n), 'g', 4, 64)
}

// MarshalJSON implements [json.Marshaler].
func (n Number) MarshalJSON() ([]byte, error) {
	if !n.Defined() || math.IsInf(float64(n), 0) {
		return []byte("null"), nil
	}
	return json.Marshal(float64(n))
}

// UnmarshalJSON implements [json.Unmarshaler].
func (n *Number) UnmarshalJSON(data []byte) error {
	if string(data) == "null" {
		*n = Undefined
		return nil
	}
	return json.Unmarshal(data, (*float64)(n))
}

// From returns *x, or Undefined if x is nil.
func From(x *float64) Number {
	if x == nil {
		return Undefined
	}
	return Number(*x)
}
