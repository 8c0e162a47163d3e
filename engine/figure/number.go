package figure

import (
	"encoding/json"
	"math"
	"strconv"
)

// Number is a number that may be undefined: NaN, and null in JSON.
type Number float64

// Undefined is a figure that does not exist.
var Undefined = Number(math.NaN())

// Defined says whether there is such a number.
func (n Number) Defined() bool { return !math.IsNaN(float64(n)) }

// String writes four significant digits, or one behind the point from 1,000 on, and a
// dash for what is undefined.
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

// From is the number that a pointer leads to, undefined of nil.
func From(x *float64) Number {
	if x == nil {
		return Undefined
	}
	return Number(*x)
}
