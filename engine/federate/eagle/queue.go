package eagle

import (
	"math"
	"slices"

	"berth/engine/federate"
)

const (
	blockSize = 51 // places per block; Go then allocates the arrays of a block in 1 KiB

	never     = federate.Time(math.MaxInt64)
	unlimited = never - 1 // above any estimate or finite slack, below never
)

// queue is the index of a worker's queue: its places in order, in blocks.
type queue struct {
	blocks []block
	held   int  // places that have not left
	at     spot // the place that is being served or leaves
}

// spot is the position of a place in a queue.
type spot struct{ block, k int }

// block holds consecutive places and the minima over those that have not left. The minima of all
// blocks are adjacent in memory, because most searches skip the places.
type block struct {
	estimate federate.Time // minimum of the estimates
	slack    federate.Time // minimum of the slacks
	less     federate.Time // still to be subtracted from the slacks
	used     int32
	held     int32
	*room
}

type room struct {
	places    [blockSize]int32 // none: the place has left
	estimates [blockSize]federate.Time
	slacks    [blockSize]federate.Time // remaining slack of each place plus less; never for a long task
}

// blockBytes is the memory of a block.
const blockBytes = 1024 + 40*federate.Grown

// slackOf returns the remaining slack of a place.
func (b *block) slackOf(k int) federate.Time {
	if b.slacks[k] == never {
		return never
	}
	return b.slacks[k] - b.less
}

// tighten recomputes the minima.
func (b *block) tighten() {
	b.estimate, b.slack = never, never
	for k, place := range b.places[:b.used] {
		if place != none {
			b.estimate, b.slack = min(b.estimate, b.estimates[k]), min(b.slack, b.slackOf(k))
		}
	}
}

// add appends a place.
func (q *queue) add(place int32, estimate, slack federate.Time) {
	if n := len(q.blocks); n == 0 || q.blocks[n-1].used == blockSize {
		q.blocks = append(q.blocks, block{estimate: never, slack: never, room: &room{}})
	}
	b := &q.blocks[len(q.blocks)-1]
	b.places[b.used], b.estimates[b.used], b.slacks[b.used] = place, estimate, slack
	if slack != never {
		b.slacks[b.used] += b.less
	}
	b.used++
	b.held++
	q.held++
	b.estimate, b.slack = min(b.estimate, estimate), min(b.slack, slack)
}

// remove removes the place at q.at.
func (q *queue) remove() {
	b := &q.blocks[q.at.block]
	b.places[q.at.k] = none
	b.held--
	q.held--
	if b.held == 0 {
		q.blocks = slices.Delete(q.blocks, q.at.block, q.at.block+1)
		return
	}
	b.tighten()
}

// compact rebuilds the blocks if more than half of their capacity belongs to places that have left.
func (q *queue) compact() {
	if len(q.blocks) <= 2*q.held/blockSize+2 {
		return
	}
	blocks, at := q.blocks, q.at
	q.blocks, q.held = nil, 0
	for n := range blocks {
		b := &blocks[n]
		for k, place := range b.places[:b.used] {
			if place == none {
				continue
			}
			q.add(place, b.estimates[k], b.slackOf(k))
			if at == (spot{n, k}) {
				last := len(q.blocks) - 1
				q.at = spot{last, int(q.blocks[last].used) - 1}
			}
		}
	}
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
	for k := range b.slacks[:q.at.k] {
		if b.slacks[k] != never {
			b.slacks[k] -= by
		}
	}
	b.tighten()
}
