package workload

import (
	"errors"
	"io"
	"math"
	"testing"

	"berth/engine/sim"
)

// The generated hour has the same proportions as the published one: classes, requests that keep
// apart, constraints, times and bursts.
func TestFirstHourIsLikeThePublishedOne(t *testing.T) {
	const n = 22_899
	source := FirstHour{Requests: n, Length: sim.Hour, Seed: 1, Stretch: 1, Burst: UsualBurst, BurstClass: 1}.Stream()
	var all []Request
	buffer := make([]Request, 1000)
	for {
		k, err := source.Read(buffer)
		all = append(all, buffer[:k]...)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	classes, moments, apart, constrained := map[int]float64{}, map[sim.Milliseconds]int{}, 0.0, 0.0
	for i, r := range all {
		class := 2
		switch {
		case r.Priority >= 9:
			class = 0
		case r.Priority >= 2:
			class = 1
		}
		classes[class]++
		moments[r.Submit]++
		if r.AntiAffinity {
			apart++
		}
		if len(r.Constraints) > 0 {
			constrained++
		}
		if i > 0 && r.Submit < all[i-1].Submit {
			t.Fatalf("request %d comes before the one ahead of it", i)
		}
	}
	for _, each := range []struct {
		what            string
		got, want, near float64
	}{
		{"requests", float64(len(all)), n, 0}, {"gold", classes[0] / n, 0.077, 0.02}, {"silver", classes[1] / n, 0.767, 0.03}, {"bronze", classes[2] / n, 0.156, 0.03},
		{"keep apart", apart / n, 0.695, 0.02}, {"constrained", constrained / n, 0.056, 0.02}, {"moments", float64(len(moments)), 361, 80},
	} {
		if math.Abs(each.got-each.want) > each.near {
			t.Errorf("%s: %v, want %v ± %v", each.what, each.got, each.want, each.near)
		}
	}
	bursts := 0
	for _, size := range moments {
		if size > 900 && size < 1200 {
			bursts++
		}
	}
	if bursts != 15 {
		t.Errorf("%d bursts, want 15", bursts)
	}
}
