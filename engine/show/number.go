package show

import (
	"errors"
	"math"
	"strconv"
)

// ParseNumber parses a number such as -1.5e3; ok is false for any other text. Unlike
// [strconv.ParseFloat] it rejects hexadecimal digits and underscores, which belong to source code:
// 1_0 in a file is more likely a typo than 10. A number that is too large becomes infinite.
func ParseNumber(text string) (x float64, ok bool) {
	for i := range len(text) {
		if c := text[i]; c == '_' || c == 'x' || c == 'X' {
			return 0, false
		}
	}
	x, err := strconv.ParseFloat(text, 64)
	return x, err == nil || errors.Is(err, strconv.ErrRange)
}

// Given formats a number of the input for a message. It describes an infinite number in words.
func Given(x float64) string {
	if math.IsInf(x, 0) {
		return "a number beyond 1.8e308"
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}

// Number formats a number with up to twelve significant digits, which hides the noise of unit
// conversions. It uses an exponent only from 1e21 on.
func Number(x float64) string {
	if math.Abs(x) >= 1e21 {
		return strconv.FormatFloat(x, 'g', -1, 64)
	}
	rounded, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 12, 64), 64)
	return strconv.FormatFloat(rounded, 'f', -1, 64)
}
