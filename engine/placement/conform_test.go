package placement_test

import (
	"testing"

	"berth/engine/placement"
	"berth/engine/placement/placementtest"
)

func TestStrategiesConform(t *testing.T) {
	for _, name := range placement.Names() {
		t.Run(name, func(t *testing.T) {
			s, _ := placement.Named(name, nil)
			t.Parallel()
			p, _ := placement.Lookup(name)
			placementtest.Conform(t, s, !p.Facts.Incomplete)
		})
	}
}
