package eagle

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"berth/engine/federate"
	"berth/engine/golden"
)

// Blocks have the places of the queue in order, with their slacks and minima, after any joins,
// departures and passes.
func TestBlocksAreTheQueue(t *testing.T) {
	for _, seed := range golden.Seeds(100) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			random := rand.New(rand.NewPCG(seed, 9))
			var q queue
			var places []waiter
			for number := range int32(3000) {
				switch n := len(places); {
				case n < 3 || random.IntN(5) < 2:
					p := waiter{number, federate.Time(random.IntN(50)), federate.Time(random.IntN(1000))}
					if random.IntN(5) == 0 {
						p.slack = never
					}
					q.add(p)
					places = append(places, p)
				case random.IntN(3) == 0:
					i := random.IntN(n)
					q.at = find(&q, places[i].number)
					q.remove()
					places = slices.Delete(places, i, i+1)
				default:
					before, by := random.IntN(n), federate.Time(random.IntN(20))
					q.at = find(&q, places[before].number)
					q.pass(by)
					for i := range places[:before] {
						if places[i].slack != never {
							places[i].slack -= by
						}
					}
				}
				n := 0
				for i := range q.blocks {
					b := &q.blocks[i]
					least, slack := never, never
					for _, p := range b.places {
						want := places[n]
						if n++; p.number != want.number || b.slackOf(&p) != want.slack {
							t.Fatalf("after %d operations place %d has slack %d, want %+v", number+1, p.number, b.slackOf(&p), want)
						}
						least, slack = min(least, want.estimate), min(slack, want.slack)
					}
					if b.estimate != least || b.slack != slack {
						t.Fatalf("after %d operations the minima are %d and %d, want %d and %d", number+1, b.estimate, b.slack, least, slack)
					}
				}
				if n != len(places) {
					t.Fatalf("after %d operations there are %d places, want %d", number+1, n, len(places))
				}
			}
		})
	}
}

// find returns the spot of a place.
func find(q *queue, number int32) spot {
	for n := range q.blocks {
		b := &q.blocks[n]
		if k := slices.IndexFunc(b.places, func(p waiter) bool { return p.number == number }); k >= 0 {
			return spot{n, k}
		}
	}
	return spot{}
}
