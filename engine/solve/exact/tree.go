package exact

import (
	"iter"
	"runtime"

	"berth/engine/solve"
)

// Tree is a branch and bound that stops after some steps and goes on from there.
type Tree struct {
	p    *solve.Problem
	m    *minimizer
	next func() (struct{}, bool)
	stop func()
}

// Suits says whether the bound of a tree sees more of a problem than a [solve.Bounder] does: which
// jobs fit into a cluster together, and which pairs of clusters dependencies allow.
func Suits(p *solve.Problem) bool {
	return fits(p) && (len(p.Dependencies) == 0 || pairable(p))
}

// NewTree begins with a placement that is known, or nil: then any is looked for first.
func NewTree(p *solve.Problem, start []int32) *Tree {
	m := newMinimizer(p, start)
	// The stack of a search that stops is that of a coroutine. It ends when no one has the
	// tree any more.
	next, stop := iter.Pull(func(yield func(struct{}) bool) {
		m.yield = yield
		m.run(p)
	})
	t := &Tree{p, m, next, stop}
	runtime.AddCleanup(t, func(stop func()) { stop() }, stop)
	return t
}

// Run goes on until so many steps are done in all, or the result is proved.
func (t *Tree) Run(steps int64) {
	if steps > t.m.result.Steps {
		t.m.until = steps
		t.next()
	}
}

// Stop ends the search. Its bound then has what the node under way had come to.
func (t *Tree) Stop() { t.stop() }

// Offer passes a placement to the tree, which keeps it if it is the best so far.
func (t *Tree) Offer(cluster []int32, cost float64) {
	if cost < t.m.result.Cost {
		t.m.found(t.p, cluster)
	}
}

// Result returns the best placement and the bound so far.
func (t *Tree) Result() Result { return t.m.result }

// rest pauses the search until more steps may be done. It returns false if the search must end.
func (m *minimizer) rest() bool {
	m.result.Steps = m.steps()
	if !m.yield(struct{}{}) {
		return false
	}
	m.budget = m.until
	return true
}
