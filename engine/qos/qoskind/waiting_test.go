//go:build !js

package qoskind_test

import (
	"math"
	"testing"

	"berth/engine/qos"
)

// The mean over time is the mean of the curve: a queue of 56 that lasts counts, even if few passes
// see it.
func TestTheMeanQueueOverTimeIsThatOfTheCurve(t *testing.T) {
	s := qos.SystemSeries{Time: []float64{0, 10, 20}, Queue: []int{2, 56, 0}}
	if mean, most := s.Waiting(40); mean != 14.5 || most != 56 {
		t.Errorf("the mean is %v and the most %v, want 14.5 and 56", mean, most)
	}
	if mean, most := (&qos.SystemSeries{}).Waiting(40); !math.IsNaN(mean) || !math.IsNaN(most) {
		t.Errorf("without points the mean is %v and the most %v", mean, most)
	}
}
