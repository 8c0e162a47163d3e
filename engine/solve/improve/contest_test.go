package improve

import (
	"slices"
	"testing"
)

// After every few laps the better half of the lineages continues, with rounds twice as long, and
// the best placement of all joins the next contest.
func TestContestHalves(t *testing.T) {
	c := contest{first: []int32{7}, size: 4}
	var best []int32
	cost := 100.
	type round struct {
		lines  int
		length int64
	}
	var rounds []round
	for i := range laps * (4 + 2 + 1) {
		c.next(best, cost)
		rounds = append(rounds, round{len(c.lines), c.length})
		if i < 4 {
			if got := c.line(); got.best[0] != 7 {
				t.Fatalf("lineage %d begins at %d, not at the first placement", i, got.best)
			}
			c.line().keep([]int32{int32(i)}, float64(90-i))
		}
		best, cost = []int32{42}, 80
	}
	want := slices.Concat(slices.Repeat([]round{{4, 1}}, laps*4), slices.Repeat([]round{{2, 2}}, laps*2), slices.Repeat([]round{{1, 4}}, laps))
	if !slices.Equal(rounds, want) {
		t.Errorf("rounds (lineages, length) are %v, want %v", rounds, want)
	}
	if last := c.line(); last.best[0] != 3 || last.cost != 87 {
		t.Errorf("%v at %v won, want the cheapest", last.best, last.cost)
	}
	c.next(best, cost)
	if joined := c.line(); len(c.lines) != 4 || c.length != 2 || joined.best[0] != 42 || joined.cost != 80 {
		t.Errorf("the next contest has %d lineages, rounds of %d, and begins at %v at %v", len(c.lines), c.length, joined.best, joined.cost)
	}
}
