package megha

import (
	"math/bits"

	"berth/engine/cluster"
	"berth/engine/workload"
)

// maxHeld bounds the memory of yields, in amounts of 8 bytes.
var maxHeld = 1 << 24

// yields is what the running tasks of each user could yield by the copy of each
// GM: it tells searches for victims that find none from those that may find some.
type yields struct {
	c     *layout
	users int
	held  []cluster.Amount // by GM, worker and user: what its listed tasks have
	bound []cluster.Amount // by GM, word and user: no worker of the word has more, free and held
	room  []cluster.Amount // scratch: of a worker
	most  []cluster.Amount // scratch: of a word
}

// newYields returns nil, which knows nothing, where it would take too much memory.
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
	return ofWorker(y.held, (g.index*int32(y.c.Workers())+worker)*int32(y.users)+user, y.c.Resources)
}

func (y *yields) boundOf(g *gm, user, word int32) []cluster.Amount {
	return ofWorker(y.bound, (g.index*int32(len(y.c.all))+word)*int32(y.users)+user, y.c.Resources)
}

// with is what a worker has free and would have with what a user's tasks yield.
func (y *yields) with(g *gm, user, worker int32) []cluster.Amount {
	copy(y.room, ofWorker(g.free, worker, len(y.room)))
	add(y.room, y.heldBy(g, user, worker), 1)
	return y.room
}

// change books a task that a GM lists, or no longer does.
func (y *yields) change(g *gm, user, worker int32, request []cluster.Amount, sign cluster.Amount) {
	if y == nil {
		return
	}
	held := y.heldBy(g, user, worker)
	add(held, request, sign)
	if sign > 0 {
		raiseSum(y.boundOf(g, user, y.c.bitOf[worker]/wordSize), ofWorker(g.free, worker, len(held)), held)
	}
}

// freed takes over that something became free on a worker.
func (y *yields) freed(g *gm, worker int32) {
	if y == nil {
		return
	}
	free := ofWorker(g.free, worker, len(y.most))
	word := y.c.bitOf[worker] / wordSize
	for user := range int32(y.users) {
		raiseSum(y.boundOf(g, user, word), free, y.heldBy(g, user, worker))
	}
}

// raiseSum makes amounts no less than the sums of others.
func raiseSum(amounts, a, b []cluster.Amount) {
	a, b = a[:len(amounts)], b[:len(amounts)]
	for r := range amounts {
		amounts[r] = max(amounts[r], a[r]+b[r])
	}
}

// suffice reports whether some worker may have room for a kind of task once the
// tasks of a user are gone.
func (y *yields) suffice(g *gm, user int32, k *workload.TaskKind) bool {
	if y == nil {
		return true
	}
	for p := range int32(y.c.GMs * y.c.LMs) {
		for word := y.c.word[p]; word < y.c.word[p+1]; word++ {
			if !covers(y.boundOf(g, user, word), k.Request) {
				continue
			}
			if set, _ := y.c.candidates(word, k.Constraints); set != 0 && y.word(g, user, p, word, set, k.Request) {
				return true
			}
		}
	}
	return false
}

// word reports whether a worker of a set does. If not, it knows what the workers
// of the word have at most: the bound may be too high.
func (y *yields) word(g *gm, user, p, word int32, set uint64, request []cluster.Amount) bool {
	clear(y.most)
	for all := y.c.all[word]; all != 0; all &= all - 1 {
		bit := bits.TrailingZeros64(all)
		with := y.with(g, user, y.c.worker(p, word, bit))
		if set>>bit&1 != 0 && covers(with, request) {
			return true
		}
		raise(y.most, with)
	}
	copy(y.boundOf(g, user, word), y.most)
	return false
}
