package exact

import (
	"slices"
	"testing"

	"berth/engine/solve"
)

// linked returns jobs that differ only in their dependencies.
func linked(jobs int, pairs ...[2]int32) *state {
	p := &solve.Problem{Jobs: jobs, Clusters: 2}
	for _, pair := range pairs {
		p.Dependencies = append(p.Dependencies, solve.Dependency{A: pair[0], B: pair[1], Weight: 1})
	}
	return newState(p)
}

// Equal jobs depend on the same other jobs, and either all or none depend on each other. Few
// unequal jobs are compared.
func TestEqualJobs(t *testing.T) {
	for _, test := range []struct {
		s    *state
		want []int32
	}{
		{linked(3), []int32{0, 0, 0}},
		{linked(4, [2]int32{0, 1}, [2]int32{0, 2}, [2]int32{3, 0}), []int32{0, 1, 1, 1}},                                 // leaves
		{linked(4, [2]int32{0, 1}, [2]int32{1, 2}, [2]int32{2, 0}), []int32{0, 0, 0, 3}},                                 // a triangle
		{linked(4, [2]int32{0, 1}, [2]int32{1, 2}, [2]int32{2, 3}), []int32{0, 1, 2, 3}},                                 // a chain
		{linked(4, [2]int32{0, 1}, [2]int32{1, 2}, [2]int32{2, 3}, [2]int32{3, 0}), []int32{0, 1, 0, 1}},                 // a ring
		{linked(4, [2]int32{0, 1}, [2]int32{0, 2}, [2]int32{0, 3}, [2]int32{1, 2}, [2]int32{1, 2}), []int32{0, 1, 1, 3}}, // twice
	} {
		if got := equalJobs(test.s); !slices.Equal(got, test.want) {
			t.Errorf("%v: classes %v, want %v", test.s.p.Dependencies, got, test.want)
		}
	}
	var pairs [][2]int32
	for j := range int32(999) {
		pairs = append(pairs, [2]int32{j, j + 1})
	}
	s := linked(1000, pairs...)
	s.work = 0
	equalJobs(s)
	if compared := s.work / 200; compared > 2000 {
		t.Errorf("about %d comparisons of 1,000 jobs in a chain", compared)
	}
}
