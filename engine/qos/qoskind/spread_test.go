package qoskind

import (
	"slices"
	"testing"

	"berth/engine/qos"
)

func TestStrips(t *testing.T) {
	classes := []qos.Class{{Name: "gold", SLO: 1, Importance: 2}, {Name: "bronze", SLO: 0.5, Importance: 1}}
	const unit = qos.AvailabilityUnit
	r := qos.FromArrays(classes, []uint32{unit * 9 / 10, unit / 4, unit * 3 / 4, unit / 2}, []uint8{0, 1, 1, 1})
	spreads := spreadOf(r, classes, 2000)
	if len(spreads) != 3 || !slices.Equal(spreads[1].Strip, []float64{0.25, 0.75, 0.5}) {
		t.Errorf("each request: %+v", spreads)
	}
	if s := spreadOf(r, classes, 2)[1]; !slices.Equal(s.Strip, []float64{0.5, 0.5}) {
		t.Errorf("in bins: %+v", s)
	}
}
