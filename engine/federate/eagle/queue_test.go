package eagle

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"berth/engine/federate"
	"berth/engine/golden"
)

// The index finds what a scan of the queue finds, whatever has joined, left and been passed.
func TestIndexIsAScan(t *testing.T) {
	type place struct {
		number          int32
		estimate, slack federate.Time
	}
	for _, seed := range golden.Seeds(100) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			random := rand.New(rand.NewPCG(seed, 9))
			var q queue
			var places []place
			leaves := map[int32]int32{}
			for number := range int32(3000) {
				switch n := len(places); {
				case n < 3 || random.IntN(5) < 2:
					p := place{number, federate.Time(random.IntN(50)), federate.Time(random.IntN(1000))}
					if random.IntN(5) == 0 {
						p.slack = never
					}
					if q.sparse() {
						q.compact(func(place, leaf int32) { leaves[place] = leaf })
					}
					leaves[number] = q.add(number, p.estimate, p.slack)
					places = append(places, p)
				case random.IntN(3) == 0:
					i := random.IntN(n)
					q.remove(leaves[places[i].number])
					places = slices.Delete(places, i, i+1)
				default:
					before, by := random.IntN(n), federate.Time(random.IntN(20))
					q.pass(leaves[places[before].number], by)
					for i := range places[:before] {
						if places[i].slack != never {
							places[i].slack -= by
						}
					}
				}
				time := federate.Time(random.IntN(60))
				leaf, from := q.find(0, time), 0
				for more := 4; more > 0; more-- {
					want := slices.IndexFunc(places[from:], func(p place) bool { return p.estimate <= time || p.slack < time })
					if !slices.ContainsFunc(places, func(p place) bool { return p.estimate <= time }) {
						want = -1
					}
					switch {
					case want < 0 && leaf == none:
						more = 0
						continue
					case want < 0 || leaf == none || q.places[leaf] != places[from+want].number:
						t.Fatalf("after %d operations the leaf is %d, and the scan ends %d places after %d", number+1, leaf, want, from)
					}
					if got := q.levels[0][leaf].slack; got != places[from+want].slack {
						t.Fatalf("the slack is %d, want %d", got, places[from+want].slack)
					}
					from, leaf = from+want+1, q.find(leaf+1, time)
				}
			}
		})
	}
}
