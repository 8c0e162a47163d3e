package placement_test

import (
	"os"
	"path/filepath"
	"testing"

	"berth/engine/golden"
	"berth/engine/placement"
	"berth/engine/placement/placementtest"
)

// On federations whose latencies, bandwidths and rooms bind, a placement is found soon. It costs
// little more than the best known one, which a much longer search found. The result depends only on
// the number of steps.
func TestBestIsNearTheBestKnown(t *testing.T) {
	golden.Long(t)
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

// Tenants of services that call each other are placed on almost full clusters within about a
// second.
func TestBestPlacesWhatIsDense(t *testing.T) {
	for _, seed := range golden.Seeds(24) {
		tenants, clusters := 2+int(seed%4), 20+10*int(seed%3)
		full := []float64{0.7, 0.8, 0.9, 1}[seed/3%4]
		d, f := placementtest.Dense(seed, tenants, 41, clusters, full)
		placed := false
		s := placeBy(t, "best", problemOf(d, f, false), placement.Options{
			Seed: seed, Phi: placement.DefaultPhi, Steps: 5_000_000,
			Reached: func(_ placement.Improvement, cluster []int32) { placed = cluster != nil },
			Enough:  func() bool { return placed },
		})
		if s.Status != placement.Placed {
			t.Errorf("seed %d, %d tenants, %d clusters, %v full: %s", seed, tenants, clusters, full, s.Status)
			continue
		}
		if err := placementtest.Check(d, f, s.Cluster, false); err != nil {
			t.Errorf("seed %d: %v", seed, err)
		}
	}
}

// Without dependencies, most steps of a default run go to the search, not to a second bound. The
// result used to be 0.27 % above the best known placement.
func TestBestIsNearTheBestKnownAssignment(t *testing.T) {
	golden.Long(t)
	data := os.Getenv("BERTH_DATA")
	if data == "" {
		t.Skip("BERTH_DATA is not set: the instance d20400 is not there")
	}
	const known, bound = 24567, 24550
	p := library(t, filepath.Join(data, "gap", "d20400"))
	s := placeBy(t, "best", p, placement.Options{Seed: 1, Phi: placement.DefaultPhi})
	if over := s.Cost()/known - 1; over > 0.0025 || s.Certificate.Bound < bound {
		t.Errorf("%v is %.2f %% above the best known, bound %v", s.Cost(), 100*over, s.Certificate.Bound)
	}
}
