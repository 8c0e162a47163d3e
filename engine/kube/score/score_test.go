package score_test

import (
	"testing"

	"berth/engine/kube/score"
)

// The scores were computed by hand from the formulas of the plug-ins.
func TestScores(t *testing.T) {
	half, most := score.Use{Requested: 2, Allocatable: 4, Weight: 1}, score.Use{Requested: 9, Allocatable: 10, Weight: 3}
	least, full := score.Fit{Strategy: score.LeastAllocated}, score.Fit{Strategy: score.MostAllocated}
	for _, test := range []struct {
		name      string
		got, want int64
	}{
		{"least allocated", least.Of([]score.Use{half, most}), (50 + 3*10) / 4},
		{"most allocated", full.Of([]score.Use{half, most}), (50 + 3*90) / 4},
		{"more than there is", least.Of([]score.Use{{Requested: 5, Allocatable: 4, Weight: 1}}), 0},
		{"no resource", least.Of([]score.Use{{Requested: 5, Weight: 1}}), 0},
		{"balanced", score.Balanced(half, half), 100},
		{"unbalanced", score.Balanced(half, most), 80},
		{"normalized", score.Normalize(3, 12, false), 25},
		{"normalized the other way round", score.Normalize(3, 12, true), 75},
	} {
		if test.got != test.want {
			t.Errorf("%s: %d, want %d", test.name, test.got, test.want)
		}
	}
}
