package solve

import (
	"math"
	"math/rand/v2"
	"testing"
)

// If no column gains more than the prices, and the chosen columns gain as much as all prices
// together, both are proved optimal.
func TestSimplexEndsWithItsProof(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 6))
	for n := range 200 {
		rows := 1 + rng.IntN(12)
		x := newSimplex(rows)
		room := append([]float64{}, x.amount...)
		for range 3 {
			for range rng.IntN(3 * rows) {
				c := column{gain: 10 * rng.Float64()}
				for row := range int32(rows) {
					if rng.IntN(3) == 0 || int(row) == rows-1 {
						c.rows, c.entries = append(c.rows, row), append(c.entries, 0.1+rng.Float64())
					}
				}
				x.columns = append(x.columns, c)
			}
			for x.pivot(1e-9) {
			}
		}
		var worth, gain float64
		for row, price := range x.price {
			if price < -1e-9 {
				t.Fatalf("program %d: row %d has the price %v", n, row, price)
			}
			worth += price * room[row]
		}
		load := make([]float64, rows)
		for row, i := range x.basis {
			if i < 0 {
				continue
			}
			gain += x.amount[row] * x.columns[i].gain
			for e, to := range x.columns[i].rows {
				load[to] += x.amount[row] * x.columns[i].entries[e]
			}
		}
		for i, c := range x.columns {
			v := c.gain
			for e, row := range c.rows {
				v -= c.entries[e] * x.price[row]
			}
			if v > 1e-6 {
				t.Fatalf("program %d: column %d gains %v more than its prices", n, i, v)
			}
		}
		for row, v := range load {
			if v > room[row]+1e-6 {
				t.Fatalf("program %d: row %d holds %v of %v", n, row, v, room[row])
			}
		}
		if math.Abs(gain-worth) > 1e-6*(1+worth) {
			t.Fatalf("program %d: %v is gained, the prices are %v", n, gain, worth)
		}
		before := append([]float64{}, x.price...)
		x.reprice()
		for row, v := range x.price {
			if math.Abs(v-before[row]) > 1e-6 {
				t.Fatalf("program %d: row %d has the price %v, worked out again %v", n, row, before[row], v)
			}
		}
	}
}
