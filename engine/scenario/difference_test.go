package scenario_test

import (
	"strings"
	"testing"

	"berth/engine/figure"
	"berth/engine/scenario"
)

// A change in per cent is rounded truthfully: it never says 100 % less while something is left.
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

// Fractions are percentages, and differ by percentage points.
func TestAChangeOfAPart(t *testing.T) {
	for _, test := range []struct {
		before, after figure.Number
		change, whole string
	}{
		{0.127, 0.095, "−3.2 percentage points", "12.7\u202f% → 9.5\u202f% (−3.2 percentage points)"},
		{0, 0.5, "+50 percentage points", "0\u202f% → 50\u202f% (+50 percentage points)"},
		{0.5, 0.5, "", "50\u202f%, as before"},
		{figure.Undefined, 0.5, "", "none → 50\u202f%"},
	} {
		c := scenario.FigureChange{Title: "Optimality gap", Form: figure.Part, Before: test.before, After: test.after}
		if got := c.Change(); got != test.change || c.String() != test.whole {
			t.Errorf("%v → %v: got %q, %q; want %q, %q", test.before, test.after, got, c.String(), test.change, test.whole)
		}
		var text strings.Builder
		(&scenario.Difference{Metrics: []scenario.FigureChange{c}}).WriteText(&text)
		if want := test.after; !strings.Contains(text.String(), figure.Part.Text(want)) || !strings.Contains(text.String(), test.change) {
			t.Errorf("the table is\n%s", text.String())
		}
	}
}
