package scenario_test

import (
	"testing"

	"berth/engine/figure"
	"berth/engine/scenario"
)

// A change says what is true: of what is left it is not said that all is gone.
func TestAChangeInPercent(t *testing.T) {
	for _, test := range []struct {
		before, after float64
		want          string
	}{
		{120, 180, "+50\u202f%"},
		{4, 0.00123, "−99.9\u202f%"},
		{4, 0, "−100\u202f%"},
		{4, -4, "−200\u202f%"},
		{4, 4, ""},
		{0, 4, ""},
	} {
		c := scenario.FigureChange{Before: figure.Number(test.before), After: figure.Number(test.after)}
		if got := c.Percent(); got != test.want {
			t.Errorf("%v → %v: got %q, want %q", test.before, test.after, got, test.want)
		}
	}
}
