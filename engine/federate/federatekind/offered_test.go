package federatekind_test

import (
	"testing"

	"berth/engine/federate/federatekind"
)

func TestOffered(t *testing.T) {
	for name, test := range map[string]struct {
		w       federatekind.Workload
		offered float64
		workers int // of 10 at 80 %
	}{
		"one resource": {federatekind.Workload{LastArrival: 10, Capacity: []float64{4}, Demand: federatekind.Demand{Width: 2, Values: [][]float64{{1, 2, 3, 2}}}}, 0.4, 5},
		"the larger":   {federatekind.Workload{LastArrival: 4, Capacity: []float64{4, 1}, Demand: federatekind.Demand{Width: 2, Values: [][]float64{{1, 1}, {1, 1}}}}, 1, 13},
		"at once":      {federatekind.Workload{Capacity: []float64{4}, Demand: federatekind.Demand{Width: 2, Values: [][]float64{{1}}}}, 0, 0},
		"no workers":   {federatekind.Workload{LastArrival: 1, Demand: federatekind.Demand{Width: 2, Values: [][]float64{{1}}}}, 0, 0},
	} {
		if got := test.w.Offered(); got != test.offered {
			t.Errorf("%s: %v, want %v", name, got, test.offered)
		}
		if got := test.w.WorkersFor(10, 0.8); got != test.workers {
			t.Errorf("%s: %d workers, want %d", name, got, test.workers)
		}
	}
}
