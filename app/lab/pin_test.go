package lab

import (
	"testing"

	"berth/engine/figure"
	"berth/engine/scenario"
)

// The table of differences writes parts of a whole as other tables do.
func TestPartsDifferByPercentagePoints(t *testing.T) {
	rows := changeRows([]scenario.FigureChange{{Metric: "gap", Title: "Optimality gap", Form: figure.Part, Before: 0.127, After: 0.095}})
	for i, want := range []string{"−3.2 percentage points", "12.7\u202f%", "9.5\u202f%"} {
		if got := rows[0].Cells[i+1].Text; got != want {
			t.Errorf("cell %d is %q, want %q", i+1, got, want)
		}
	}
}
