package placement_test

import (
	"testing"

	"berth/engine/placement"
	"berth/engine/placement/placementtest"
)

func TestStrategiesConform(t *testing.T) {
	for _, name := range placement.Names() {
		t.Run(name, func(t *testing.T) {
			s, _ := placement.Lookup(name)
			placementtest.Conform(t, s, true)
		})
	}
}

func TestRegisterRefusesATakenName(t *testing.T) {
	s, _ := placement.Lookup("heuristic")
	if err := placement.Register("heuristic", "again", s); err == nil {
		t.Error("a second strategy of the same name was registered")
	}
}
