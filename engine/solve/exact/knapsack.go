package exact

import (
	"cmp"
	"math"
	"slices"
)

// item is a job in the knapsack of a cluster.
type item struct {
	profit, size float64 // relative to the room of the cluster: see relaxation.size1
	job          int32
	picked       bool
}

// knapsack picks the most valuable items that fit. Several resources are combined into one size (a
// surrogate constraint: the weighted sum of amounts relative to the free capacity); picking an item
// checks each resource.
type knapsack struct {
	effort *meter
	items  []item // by profit per size, best first; all profits are positive
	fits   func(job int32) bool
	pick   func(job int32, back bool)

	picked, best []bool
	value        float64
	nodes, most  int       // visited nodes, and their limit
	allowed      int       // limit on nodes; beyond it the linear relaxation is the bound
	table        []float64 // by room
	chosen       []bool    // by item and room
}

// mostNodes limits the search tree of one knapsack.
const mostNodes = 3000

func sortItems(items []item) {
	slices.SortFunc(items, func(a, b item) int {
		return cmp.Or(cmp.Compare(b.profit*a.size, a.profit*b.size), cmp.Compare(a.job, b.job))
	})
}

// solve returns an upper bound of the value of all choices and stores the best choice found in
// best. Values up to threshold are irrelevant: if no choice exceeds it, solve returns threshold or
// a bound and picks nothing. fits is nil if there is only one resource.
func (k *knapsack) solve(items []item, room, threshold float64) (value float64) {
	k.items, k.value, k.nodes, k.most = items, threshold, 0, k.allowed
	table := k.fits == nil && room <= mostRoom && whole(items, room)
	if table {
		k.most = max(k.most/10, 400)
	}
	k.effort.did(20 + 4*len(items))
	k.picked, k.best = resize(k.picked, len(items)), resize(k.best, len(items))
	k.descend(0, 0, room)
	if k.nodes <= k.most {
		return k.value
	}
	if table {
		return k.tabulate(int(room), threshold)
	}
	return max(k.value, k.linear(items, -1, room))
}

// mostRoom is the largest room for which a table is used.
const mostRoom = 1 << 12

func whole(items []item, room float64) bool {
	return room == math.Trunc(room) && !slices.ContainsFunc(items, func(i item) bool { return i.size != math.Trunc(i.size) })
}

// tabulate solves the knapsack by dynamic programming over the room.
func (k *knapsack) tabulate(room int, threshold float64) float64 {
	k.effort.did((room + 1) * (1 + 2*len(k.items)))
	k.table = append(k.table[:0], make([]float64, room+1)...)
	k.chosen = append(k.chosen[:0], make([]bool, len(k.items)*(room+1))...)
	for at := range k.items {
		i := &k.items[at]
		size, chosen := int(i.size), k.chosen[at*(room+1):(at+1)*(room+1)]
		for r := room; r >= size; r-- {
			if with := k.table[r-size] + i.profit; with > k.table[r] {
				k.table[r], chosen[r] = with, true
			}
		}
	}
	clear(k.best)
	if k.table[room] <= threshold {
		return threshold
	}
	for at, r := len(k.items)-1, room; at >= 0; at-- {
		if k.chosen[at*(room+1)+r] {
			k.best[at] = true
			r -= int(k.items[at].size)
		}
	}
	return k.table[room]
}

func resize(s []bool, n int) []bool {
	if cap(s) < n {
		s = make([]bool, n)
	}
	s = s[:n]
	clear(s)
	return s
}

// descend decides on the items from index at on.
func (k *knapsack) descend(at int, value, room float64) {
	if value > k.value {
		k.value = value
		copy(k.best, k.picked)
	}
	for first := true; at < len(k.items); at++ {
		// At the first item the linear bound is the one that the caller has checked.
		k.nodes++
		k.effort.did(10)
		if k.nodes > k.most || !first && value+k.linear(k.items[at:], -1, room) <= k.value {
			return
		}
		first = false
		i := &k.items[at]
		if i.size > room || k.fits != nil && !k.fits(i.job) {
			continue
		}
		k.picked[at] = true
		if k.pick != nil {
			k.pick(i.job, false)
		}
		k.descend(at+1, value+i.profit, room-i.size)
		if k.pick != nil {
			k.pick(i.job, true)
		}
		k.picked[at] = false
	}
}

// linear returns the value of the linear relaxation without one item (-1: with all): a fraction of
// the last item may be picked.
func (k *knapsack) linear(items []item, except int, room float64) float64 {
	var value float64
	for at := range items {
		i := &items[at]
		if at == except {
			continue
		}
		if i.size > room {
			k.effort.did(10 + 2*at)
			return value + float64(i.profit*(room/i.size))
		}
		value += i.profit
		room -= i.size
	}
	k.effort.did(5 + 2*len(items))
	return value
}
