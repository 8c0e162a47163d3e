// Package decimal reads numbers as people write them.
package decimal

import (
	"errors"
	"strconv"
)

// Parse reads a number such as -1.5e3; ok is false of any other text. Unlike
// [strconv.ParseFloat] it takes neither hexadecimal digits nor underscores, which
// belong to source code: a 1_0 in a file is more likely a slip than 10. What is
// too large is infinite.
func Parse(text string) (x float64, ok bool) {
	for i := range len(text) {
		if c := text[i]; c == '_' || c == 'x' || c == 'X' {
			return 0, false
		}
	}
	x, err := strconv.ParseFloat(text, 64)
	return x, err == nil || errors.Is(err, strconv.ErrRange)
}
