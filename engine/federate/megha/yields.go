package megha

import (
	"math/bits"

	"berth/engine/cluster"
	"berth/engine/input/workload"
)

// maxHeld limits the memory of yields, in amounts of 8 bytes.
var maxHeld = 1 << 24

// yields holds the resources that preempting each user would free, in the copy of each GM. With it
// a search for victims can fail without visiting any task.
type yields struct {
	c     *layout
	users int
	held  []cluster.Amount // by GM, worker and user: resources of the user's listed tasks
	bound []cluster.Amount // by GM, word and user: upper bound over the word's workers on free plus held
	room  []cluster.Amount // scratch, for a worker
	most  []cluster.Amount // scratch, for a word
}

// newYields returns nil if the yields would take too much memory. The methods change, freed and
// suffice accept nil.
func newYields(c *layout, users int) *yields {
	amounts := users * c.Resources
	if c.GMs*c.Workers()*amounts > maxHeld {
		return nil
	}
	return &yields{
		c: c, users: users,
		held: make([]cluster.Amount, c.GMs*c.Workers()*amounts), bound: make([]cluster.Amount, c.GMs*len(c.all)*amounts),
		room: make([]cluster.Amount, c.Resources), most: make([]cluster.Amount, c.Resources),
	}
}

func (y *yields) heldBy(g *gm, user, worker int32) []cluster.Amount {
	return cluster.Row(y.held, (g.index*int32(y.c.Workers())+worker)*int32(y.users)+user, y.c.Resources)
}

func (y *yields) boundOf(g *gm, user, word int32) []cluster.Amount {
	return cluster.Row(y.bound, (g.index*int32(len(y.c.all))+word)*int32(y.users)+user, y.c.Resources)
}

// with returns the free resources of a worker plus the resources of a user's tasks on it.
func (y *yields) with(g *gm, user, worker int32) []cluster.Amount {
	copy(y.room, cluster.Row(g.free, worker, len(y.room)))
	cluster.Add(y.room, y.heldBy(g, user, worker), 1)
	return y.room
}

// change adds a task to a GM's list, or removes it (sign −1).
func (y *yields) change(g *gm, user, worker int32, request []cluster.Amount, sign cluster.Amount) {
	if y == nil {
		return
	}
	held := y.heldBy(g, user, worker)
	cluster.Add(held, request, sign)
	if sign > 0 {
		raiseSum(y.boundOf(g, user, y.c.bitOf[worker]/wordSize), cluster.Row(g.free, worker, len(held)), held)
	}
}

// freed raises the bounds after resources have become free on a worker.
func (y *yields) freed(g *gm, worker int32) {
	if y == nil {
		return
	}
	free := cluster.Row(g.free, worker, len(y.most))
	word := y.c.bitOf[worker] / wordSize
	for user := range int32(y.users) {
		raiseSum(y.boundOf(g, user, word), free, y.heldBy(g, user, worker))
	}
}

func raiseSum(amounts, a, b []cluster.Amount) {
	a, b = a[:len(amounts)], b[:len(amounts)]
	for r := range amounts {
		amounts[r] = max(amounts[r], a[r]+b[r])
	}
}

// suffice reports whether some worker may have room for a kind of task if it preempts the tasks of
// a user. Without yields it returns true.
func (y *yields) suffice(g *gm, user int32, k *workload.TaskKind) bool {
	if y == nil {
		return true
	}
	for word := range int32(len(y.c.all)) {
		if !cluster.Covers(y.boundOf(g, user, word), k.Request) {
			continue
		}
		if set, _ := y.c.candidates(word, k.Constraints); set != 0 && y.word(g, user, word, set, k.Request) {
			return true
		}
	}
	return false
}

// word reports whether a worker of a set in a word has room. If none has, it tightens the bound of
// the word.
func (y *yields) word(g *gm, user, word int32, set uint64, request []cluster.Amount) bool {
	clear(y.most)
	for all := y.c.all[word]; all != 0; all &= all - 1 {
		bit := bits.TrailingZeros64(all)
		with := y.with(g, user, y.c.worker(word, bit))
		if set>>bit&1 != 0 && cluster.Covers(with, request) {
			return true
		}
		cluster.Raise(y.most, with)
	}
	copy(y.boundOf(g, user, word), y.most)
	return false
}
