package sorting_test

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"berth/engine/sorting"
)

// Both give the same as the sorts of package slices, equal elements included.
func TestSortsAsSlicesDoes(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{0, 1, 2, 12, 13, 50, 500, 5000} {
		for range 20 {
			x := make([][2]int, n)
			for i := range x {
				x[i] = [2]int{rng.IntN(1 + n/3), i}
			}
			compare := func(a, b [2]int) int { return cmp.Compare(a[0], b[0]) }
			y, s := slices.Clone(x), slices.Clone(x)
			slices.SortFunc(y, compare)
			slices.SortStableFunc(s, compare)
			z := slices.Clone(x)
			sorting.By(z, compare)
			sorting.Stable(x, compare)
			if !slices.Equal(y, z) || !slices.Equal(x, s) {
				t.Fatalf("%d elements are in another order", n)
			}
		}
	}
}
