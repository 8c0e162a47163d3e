package easy

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func TestMinimaFindWhatAScanFinds(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	var m minima
	var list []needs
	for k := range 3000 {
		p := needs{tasks: random.Int32N(1000), last: random.Int32N(1000)}
		if len(list) == 0 || random.IntN(2) == 0 {
			m.add(len(list), p)
			list = append(list, p)
		} else {
			i := random.IntN(len(list))
			m.set(i, p)
			list[i] = p
		}
		x, y, from := random.Int32N(100), random.Int32N(1000), random.IntN(len(list))
		may := func(p *needs) bool { return p.tasks <= x && p.last <= y }
		want := slices.IndexFunc(list[from:], func(p needs) bool { return may(&p) })
		if want >= 0 {
			want += from
		}
		if got := m.find(from, may); got != want {
			t.Fatalf("after %d changes entry %d is found, want %d of %d", k+1, got, want, len(list))
		}
	}
}
