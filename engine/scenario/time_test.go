//go:build !js

package scenario_test

import (
	"math"
	"testing"

	"berth/engine/scenario"
)

// A short first run that waits for a compiler is timed again. A run that is long, is not the first,
// or cannot be repeated is timed once.
func TestTimeIsThatOfCompiledCode(t *testing.T) {
	for _, test := range []struct {
		name        string
		cold, again bool
		first, warm float64 // milliseconds
		want        float64
		once        bool
	}{
		{"cold", true, true, 79, 0.04, 0.04, false},
		{"warm", false, true, 79, 0.04, 79, true},
		{"long", true, true, 300, 280, 300, true},
		{"slower again", true, true, 8, 9, 8, false},
		{"for once", true, false, 79, 0.04, 79, true},
		{"a clock that stands still", true, true, 0, 0, 0, true},
	} {
		now, repeats := 0.0, 0
		env := scenario.Env{Now: func() float64 { return now }, Cold: func(string) bool { return test.cold }}
		again := func() { now += test.warm; repeats++ }
		if !test.again {
			again = nil
		}
		got := env.Time(t.Context(), "heuristic", func() { now += test.first }, again)
		if math.Abs(got-test.want) > 1e-9 || (repeats == 0) != test.once || now > test.first+30 {
			t.Errorf("%s: %v ms after %d repetitions until %v ms, want %v", test.name, got, repeats, now, test.want)
		}
	}
}
