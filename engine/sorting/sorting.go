package sorting

import "sort"

// By sorts as [slices.SortFunc] does.
func By[E any](x []E, compare func(a, b E) int) {
	sort.Slice(x, func(i, j int) bool { return compare(x[i], x[j]) < 0 })
}

// Stable sorts as [slices.SortStableFunc] does.
func Stable[E any](x []E, compare func(a, b E) int) {
	sort.SliceStable(x, func(i, j int) bool { return compare(x[i], x[j]) < 0 })
}
