package lab

import (
	"testing"

	"berth/engine/figure"
	"berth/engine/scenario"
)

// The table of differences writes fractions in the same way as other tables.
func TestPartsDifferByPercentagePoints(t *testing.T) {
	rows := changeRows([]scenario.FigureChange{{Metric: "met", Title: "SLOs met", Form: figure.Part, Before: 0.127, After: 0.095}})
	for i, want := range []string{"−3.2 percentage points", "12.7\u202f%", "9.5\u202f%"} {
		if got := rows[0].Cells[i+1].Text; got != want {
			t.Errorf("cell %d is %q, want %q", i+1, got, want)
		}
	}
	for _, c := range []struct {
		form          figure.Form
		before, after figure.Number
		want          string
	}{
		{figure.Part, 0.127, 0.095, "−3.2\u202fpoints"},
		{figure.Part, 0, 0.5, "+50\u202fpoints"},
		{figure.Part, 0.5, 0.5, "same"},
		{figure.Price, 100, 203, "+103\u202f%"},
		{figure.Part, 0.5, figure.Undefined, ""},
	} {
		if got := DeltaOf(c.form, c.before, c.after).Text; got != c.want {
			t.Errorf("%v to %v differs by %q, want %q", c.before, c.after, got, c.want)
		}
	}
}

// The bound in a report is not compared, because the headline has a better one by then.
func TestBoundsAreNotCompared(t *testing.T) {
	if rows := changeRows([]scenario.FigureChange{{Metric: "gap", Form: figure.Part, OfBound: true, Before: 0.985, After: 1.25}}); len(rows) > 0 {
		t.Errorf("the rows are %v", rows)
	}
}
