package central

import (
	"math/rand/v2"
	"slices"
	"testing"
)

type pair [2]int

func (p pair) Min(q pair) pair { return pair{min(p[0], q[0]), min(p[1], q[1])} }

func TestMinimaFindWhatAScanFinds(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	var m Minima[pair]
	var list []pair
	for k := range 3000 {
		p := pair{random.IntN(1000), random.IntN(1000)}
		if len(list) == 0 || random.IntN(2) == 0 {
			m.Add(p)
			list = append(list, p)
		} else {
			i := random.IntN(len(list))
			m.Set(i, p)
			list[i] = p
		}
		x, y, from := random.IntN(100), random.IntN(1000), random.IntN(len(list))
		may := func(p *pair) bool { return p[0] <= x && p[1] <= y }
		want := slices.IndexFunc(list[from:], func(p pair) bool { return may(&p) })
		if want >= 0 {
			want += from
		}
		if got := m.Find(from, may); got != want || m.Len() != len(list) {
			t.Fatalf("after %d changes entry %d of %d is found, want %d of %d", k+1, got, m.Len(), want, len(list))
		}
	}
}
