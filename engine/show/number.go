package show

import (
	"errors"
	"math"
	"strconv"
)

// ParseNumber reads a number such as -1.5e3; ok is false of any other text. Unlike
// [strconv.ParseFloat] it takes neither hexadecimal digits nor underscores, which
// belong to source code: a 1_0 in a file is more likely a slip than 10. What is
// too large is infinite.
func ParseNumber(text string) (x float64, ok bool) {
	for i := range len(text) {
		if c := text[i]; c == '_' || c == 'x' || c == 'X' {
			return 0, false
		}
	}
	x, err := strconv.ParseFloat(text, 64)
	return x, err == nil || errors.Is(err, strconv.ErrRange)
}

// Given writes a number that a message is about, and says in words that it is infinite.
func Given(x float64) string {
	if math.IsInf(x, 0) {
		return "a number beyond 1.8e308"
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}

// Number writes a number without an exponent, unless it is beyond all measure, and
// without the noise that a change of units leaves.
func Number(x float64) string {
	if math.Abs(x) >= 1e21 {
		return strconv.FormatFloat(x, 'g', -1, 64)
	}
	rounded, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 12, 64), 64)
	return strconv.FormatFloat(rounded, 'f', -1, 64)
}
