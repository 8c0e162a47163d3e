package lab

import (
	"slices"
	"testing"
)

// Only the answer to the latest question counts, in whatever order answers arrive.
func TestLatestAnswer(t *testing.T) {
	var q Latest
	var pending []func()
	var taken []int
	later := func(work, then func()) { pending = append(pending, func() { work(); then() }) }
	ask := func(n int) {
		Ask(&q, later, func() (int, error) { return n, nil }, func(a int, _ error) { taken = append(taken, a) })
	}
	check := func(when string, waits bool, want ...int) {
		t.Helper()
		if q.Waits() != waits || !slices.Equal(taken, want) {
			t.Errorf("%s: waits %v, took %v; want %v, %v", when, q.Waits(), taken, waits, want)
		}
	}
	check("before a question", false)
	ask(0)
	ask(1)
	check("after two questions", true)
	pending[1]()
	check("after the second answer", false, 1)
	pending[0]()
	check("after the first answer", false, 1)
	ask(2)
	pending[2]()
	check("after a third answer", false, 1, 2)
	ask(3)
	q.Drop()
	check("after a question was dropped", false, 1, 2)
	pending[3]()
	check("after its answer", false, 1, 2)
}
