package conservative

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// A list has the same content as a slice while many of its blocks fill and empty.
func TestListIsASlice(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var l list[int]
	var want []int
	blocks := 0
	for k := range 12_000 {
		e := random.IntN(1_000_000)
		first := func(o *int) bool { return *o >= e }
		i, found := slices.BinarySearch(want, e)
		p := l.first(first)
		if before, ok := l.before(p); ok != (i > 0) || ok && *l.at(before) != want[i-1] {
			t.Fatalf("after %d changes another entry than %d is before %d", k, want[i-1], e)
		}
		remove := k%4000 < 2000 == (random.IntN(3) == 0) && i < len(want)
		switch {
		case remove:
			l.remove(p)
			want = slices.Delete(want, i, i+1)
		case !found:
			if p = l.insert(p, e); *l.at(p) != e {
				t.Fatalf("after %d changes insert returns the place of %d, not of %d", k, *l.at(p), e)
			}
			want = slices.Insert(want, i, e)
		}
		blocks = max(blocks, len(l))
		if k%50 > 0 {
			continue
		}
		var got []int
		for o := range l.walk(l.first(first)) {
			got = append(got, *o)
		}
		from, _ := slices.BinarySearch(want, e)
		if !slices.Equal(got, want[from:]) {
			t.Fatalf("after %d changes %d entries are at %d or behind, want %d", k, len(got), e, len(want)-from)
		}
	}
	if blocks < 5 {
		t.Errorf("the list has had %d blocks, want more", blocks)
	}
}
