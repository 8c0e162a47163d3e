package placement_test

import (
	"testing"

	"berth/engine/placement"
	"berth/engine/placement/placementtest"
)

// On federations whose latencies, bandwidths and rooms bind, a placement is found soon,
// and it is near the best one known, which a much longer search has found. What it finds
// depends on steps alone.
func TestBestIsNearTheBestKnown(t *testing.T) {
	tests := []struct {
		jobs, clusters int
		known          [3]float64 // by seed
		proved         bool
	}{
		{12, 6, [3]float64{1627.1012, 2147.4296, 1779.6432}, true},
		{20, 8, [3]float64{3590.2896, 2549.1448, 3630.3968}, false},
		{40, 15, [3]float64{6388.1996, 5475.3092, 5441.0412}, false},
		{100, 25, [3]float64{12933.9844, 12138.5972, 14185.3868}, false},
	}
	for _, test := range tests {
		for seed, known := range test.known {
			d, f := placementtest.Planted(uint64(seed), test.jobs, test.clusters)
			p := problemOf(d, f, false)
			s := placeBy(t, "best", p, placement.Options{Phi: placement.DefaultPhi, Steps: 500_000 + 5000*int64(test.jobs)})
			if s.Status != placement.Placed {
				t.Errorf("%d jobs, seed %d: %s", test.jobs, seed, s.Status)
				continue
			}
			if err := placementtest.Check(d, f, s.Cluster, false); err != nil {
				t.Errorf("%d jobs, seed %d: %v", test.jobs, seed, err)
			}
			if over := s.Cost()/known - 1; over > 0.015 {
				t.Errorf("%d jobs, seed %d: %.4f, %.2f %% above the best known", test.jobs, seed, s.Cost(), 100*over)
			}
			p.Certify(t.Context(), &s)
			if test.proved && s.Certificate.Proved != placement.ProvedOptimal {
				t.Errorf("%d jobs, seed %d: bound %v, not proved", test.jobs, seed, s.Certificate.Bound)
			}
		}
	}
}
