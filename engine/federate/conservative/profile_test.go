package conservative

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"berth/engine/federate"
	"berth/engine/golden"
)

// A search that begins where earlier ones ended finds the same as a search from the beginning.
func TestSearchesGoOnWhereOthersEnded(t *testing.T) {
	for _, seed := range golden.Seeds(100) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			random := rand.New(rand.NewPCG(seed, 3))
			workers, equal := 1+random.IntN(30), random.IntN(3) == 0
			var p profile
			p.begin(0, workers, nil)
			later := 0
			for now := federate.Time(0); now < 300; now += federate.Time(random.IntN(3)) {
				p.forget(now)
				p.spans = p.spans[:0]
				longest := 1 + random.IntN(40)
				for range 1 + random.IntN(workers) {
					span := federate.Time(longest)
					if !equal {
						span = federate.Time(random.IntN(longest + 1))
					}
					p.spans = append(p.spans, span)
				}
				slices.Sort(p.spans)
				want := p.earliest(p.spans, now)
				if p.searched.from(now, p.spans) > now {
					later++
				}
				at := p.soonest(now)
				if at != want {
					t.Fatalf("at %d tasks of %v fit at %d, want %d", now, p.spans, at, want)
				}
				p.hold(at)
			}
			if later == 0 && workers > 1 {
				t.Error("all searches begin now")
			}
		})
	}
}
