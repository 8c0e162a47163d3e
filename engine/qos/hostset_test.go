package qos

import (
	"testing"

	"berth/engine/sim"
)

func TestHostSetAgreesWithAMap(t *testing.T) {
	r := sim.NewRandom(1, 0)
	for _, n := range []int{1, 2, 31, 32, 33, 64, 65, 200} {
		var set hostSet
		for round := range 3 {
			model := map[int]bool{}
			for range 3 * n {
				h := r.IntN(n)
				set.add(h, n)
				model[h] = true
				for h := range n {
					if set.has(h, n) != model[h] {
						t.Fatalf("%d hosts, round %d, after %d were added: has(%d) is %t", n, round, len(model), h, !model[h])
					}
				}
				if len(set) > words(n) {
					t.Fatalf("%d hosts take %d words", n, len(set))
				}
			}
			set = set[:0]
		}
	}
}
