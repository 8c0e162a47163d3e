package lab

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"berth/app/ui"
	"berth/engine/show"
)

// ParseNumber reads a number in [low, high] from a field. The error omits an upper
// bound of 1e21 or more, such as math.MaxFloat64.
func ParseNumber(text string, low, high float64) (float64, error) {
	x, ok := show.ParseNumber(strings.TrimSpace(text))
	switch {
	case ok && x >= low && x <= high:
		return x, nil
	case high >= 1e21:
		return 0, fmt.Errorf("enter a number of %s or more, not %q", show.Group(show.Number(low)), text)
	}
	return 0, fmt.Errorf("enter a number from %s to %s, not %q", show.Group(show.Number(low)), show.Group(show.Number(high)), text)
}

// ParseWhole reads a whole number in [low, high] from a field. The error omits the
// upper bound math.MaxInt.
func ParseWhole(text string, low, high int) (int, error) {
	n, err := strconv.Atoi(strings.TrimSpace(text))
	switch {
	case err == nil && n >= low && n <= high:
		return n, nil
	case high == math.MaxInt:
		return 0, fmt.Errorf("enter a whole number of %s or more, not %q", ui.Count(int64(low)), text)
	}
	return 0, fmt.Errorf("enter a whole number from %s to %s, not %q", ui.Count(int64(low)), ui.Count(int64(high)), text)
}

// SetSeed parses a seed from the text of a field and stores it in to. On an error it
// leaves to unchanged.
func SetSeed(to *uint64, text string) error {
	seed, err := strconv.ParseUint(strings.TrimSpace(text), 10, 64)
	if err != nil {
		return fmt.Errorf("enter a whole number of 0 or more, not %q", text)
	}
	*to = seed
	return nil
}
