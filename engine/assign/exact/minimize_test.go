package exact_test

import (
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"

	"berth/engine/assign"
	"berth/engine/assign/exact"
	"berth/engine/gap"
	"berth/engine/placement"
)

func TestMinimizeFindsTheLeastCost(t *testing.T) {
	small(t, 150, func(name string, p *assign.Problem) {
		got := exact.Minimize(t.Context(), p, nil, 1e6, nil)
		want := best(p)
		if !got.Proved {
			t.Fatalf("%s: not proved in %d steps", name, got.Steps)
		}
		if math.IsInf(want, 1) != (got.Cluster == nil) || got.Cluster != nil && math.Abs(got.Cost-want) > 1e-9*want {
			t.Fatalf("%s: cost %v, want %v", name, got.Cost, want)
		}
	})
}

func TestLabGap(t *testing.T) {
	for _, name := range []string{"gap1-0", "c05100", "e10100", "e20200", "d05100", "c20400"} {
		_ = map[string]float64{"c05100": 1931, "e10100": 11577, "e20200": 22379, "d05100": 6353, "c20400": 4782}[name]
		text, err := os.ReadFile(filepath.Join(os.Getenv("BERTH_DATA"), "gap", name))
		if err != nil {
			t.Skip(err)
		}
		g, err := gap.Read(name, text)
		if err != nil {
			t.Fatal(err)
		}
		d, f := placement.GAP(g)
		p := placement.NewProblem(d, placement.NewCapacity(f, placement.CapacityOptions{}))
		p.Generalize(g)
		begun := time.Now()
		got := exact.Minimize(t.Context(), p.Assignment(), nil, 100000, nil)
		t.Logf("%s: %v cost %v bound %v proved %t steps %d trace %v", name, time.Since(begun), got.Cost, got.Bound, got.Proved, got.Steps, got.Trace[max(0, len(got.Trace)-3):])
	}
}
