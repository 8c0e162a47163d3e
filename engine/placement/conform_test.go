package placement_test

import (
	"slices"
	"testing"

	"berth/engine/placement"
	"berth/engine/placement/placementtest"
)

func TestStrategiesConform(t *testing.T) {
	for _, name := range placement.Names() {
		t.Run(name, func(t *testing.T) {
			s, _ := placement.Named(name, nil)
			t.Parallel()
			placementtest.Conform(t, s, !slices.Contains([]string{"first-fit", "best-fit", "cheapest", "flow"}, name))
		})
	}
}
