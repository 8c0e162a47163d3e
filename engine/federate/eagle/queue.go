package eagle

import (
	"math"
	"slices"

	"berth/engine/federate"
)

const (
	blockSize = 42 // places per block; Go allocates 42 places in 1 KiB

	never     = federate.Time(math.MaxInt64)
	unlimited = never - 1 // above all estimates and finite slacks, but below never
)

// queue is an index of a worker's queue: its places in order, grouped in blocks.
type queue struct {
	blocks []block
	at     spot // the place that is being served or leaves
}

// spot is the position of a place in a queue.
type spot struct{ block, k int }

// block has consecutive places and their minima. The minima of all blocks are adjacent in memory,
// because most searches only read the minima.
type block struct {
	estimate federate.Time // minimum of the estimates
	slack    federate.Time // minimum of the remaining slacks
	less     federate.Time // amount still to be subtracted from the slacks of its places
	places   []waiter
}

// waiter is a place in the queue.
type waiter struct {
	number   int32
	estimate federate.Time
	slack    federate.Time // remaining slack plus less of its block; never for a long task
}

// blockBytes is the memory of a block.
const blockBytes = 1024 + 48*federate.Grown

// slackOf returns the remaining slack of a place.
func (b *block) slackOf(p *waiter) federate.Time {
	if p.slack == never {
		return never
	}
	return p.slack - b.less
}

// tighten recomputes the minima.
func (b *block) tighten() {
	b.estimate, b.slack = never, never
	for k := range b.places {
		p := &b.places[k]
		b.estimate, b.slack = min(b.estimate, p.estimate), min(b.slack, b.slackOf(p))
	}
}

// add appends a place. p.slack is its remaining slack.
func (b *block) add(p waiter) {
	b.estimate, b.slack = min(b.estimate, p.estimate), min(b.slack, p.slack)
	if p.slack != never {
		p.slack += b.less
	}
	b.places = append(b.places, p)
}

// add appends a place. p.slack is its remaining slack.
func (q *queue) add(p waiter) {
	if n := len(q.blocks); n == 0 || len(q.blocks[n-1].places) == blockSize {
		q.join()
		q.blocks = append(q.blocks, block{estimate: never, slack: never, places: make([]waiter, 0, blockSize)})
	}
	q.blocks[len(q.blocks)-1].add(p)
}

// join merges adjacent blocks whose places fit into one.
func (q *queue) join() {
	for n := len(q.blocks) - 2; n >= 0; n-- {
		b, next := &q.blocks[n], &q.blocks[n+1]
		if len(b.places)+len(next.places) > blockSize {
			continue
		}
		if q.at.block == n+1 {
			q.at.k += len(b.places)
		}
		if q.at.block > n {
			q.at.block--
		}
		for _, p := range next.places {
			p.slack = next.slackOf(&p)
			b.add(p)
		}
		q.blocks = slices.Delete(q.blocks, n+1, n+2)
	}
}

func (q *queue) remove() {
	b := &q.blocks[q.at.block]
	b.places = slices.Delete(b.places, q.at.k, q.at.k+1)
	b.tighten()
}

// pass lowers the slack of all places before the one at q.at.
func (q *queue) pass(by federate.Time) {
	for n := range q.blocks[:q.at.block] {
		if b := &q.blocks[n]; b.slack != never {
			b.slack -= by
			b.less += by
		}
	}
	b := &q.blocks[q.at.block]
	for k := range b.places[:q.at.k] {
		if b.places[k].slack != never {
			b.places[k].slack -= by
		}
	}
	b.tighten()
}
