package exact

import (
	"iter"
	"runtime"

	"berth/engine/solve"
)

// Tree is a branch and bound that can pause and resume.
type Tree struct {
	p    *solve.Problem
	m    *minimizer
	next func() (struct{}, bool)
	stop func()
}

// Suits reports whether the bound of a tree covers more of a problem than a [solve.Bounder]: which
// jobs fit on a cluster together, and which pairs of clusters dependencies allow.
func Suits(p *solve.Problem) bool {
	return fits(p) && (len(p.Dependencies) == 0 || pairable(p))
}

// NewTree returns a tree that starts from a known placement. If start is nil, it first searches for
// any placement.
func NewTree(p *solve.Problem, start []int32) *Tree {
	m := newMinimizer(p, start)
	// The search runs in a coroutine, which keeps its stack while it is paused. The coroutine ends
	// when the tree becomes unreachable.
	next, stop := iter.Pull(func(yield func(struct{}) bool) {
		m.yield = yield
		m.run(p)
	})
	t := &Tree{p, m, next, stop}
	runtime.AddCleanup(t, func(stop func()) { stop() }, stop)
	return t
}

// Run resumes the search until the total number of steps is reached or the result is proved.
func (t *Tree) Run(steps int64) {
	if steps > t.m.result.Steps {
		t.m.until = steps
		t.next()
	}
}

// Stop ends the search. The bound then includes the progress at the current node.
func (t *Tree) Stop() { t.stop() }

// Offer passes a placement to the tree. The tree keeps it if it is the best so far.
func (t *Tree) Offer(cluster []int32, cost float64) {
	if cost < t.m.result.Cost {
		t.m.found(t.p, cluster)
	}
}

// Result returns the best placement and the bound so far.
func (t *Tree) Result() Result { return t.m.result }

// rest pauses the search until Run allows more steps. It returns false if the search must end.
func (m *minimizer) rest() bool {
	m.result.Steps = m.steps()
	if !m.yield(struct{}{}) {
		return false
	}
	m.budget = m.until
	return true
}
