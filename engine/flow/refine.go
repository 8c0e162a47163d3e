package flow

import "context"

// refine makes the flow ε-optimal and conserves it.
func (n *Network) refine(ctx context.Context, ε int64) error {
	for v := range n.first {
		n.at[v] = n.first[v]
		for arc := n.first[v]; arc >= 0; arc = n.next[arc] {
			if r := n.residual[arc]; r > 0 && n.reduced(int32(v), arc) < 0 {
				n.move(int32(v), arc, r)
			}
		}
	}
	for v := range n.first {
		n.enqueue(int32(v))
	}
	n.relabels = len(n.first) // the first iteration updates prices
	for done, k := 0, 0; k < len(n.queue); k++ {
		if done++; done%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if n.relabels >= len(n.first) {
			n.relabels = 0
			n.update(ε)
		}
		v := n.queue[k]
		n.queued[v] = false
		n.discharge(v, ε)
		if k > 2*len(n.first) { // drop the nodes that are done
			n.queue = n.queue[:copy(n.queue, n.queue[k+1:])]
			k = -1
		}
	}
	n.queue = n.queue[:0]
	return nil
}

// move sends flow through a residual arc.
func (n *Network) move(from, arc int32, amount int64) {
	n.residual[arc] -= amount
	n.residual[arc^1] += amount
	n.excess[from] -= amount
	n.excess[n.head[arc]] += amount
}

func (n *Network) enqueue(v int32) {
	if n.excess[v] > 0 && !n.queued[v] {
		n.queued[v] = true
		n.queue = append(n.queue, v)
	}
}

// discharge pushes the excess of a node through residual arcs of negative reduced cost, and
// relabels the node when no such arc is left.
func (n *Network) discharge(v int32, ε int64) {
	for n.excess[v] > 0 {
		arc := n.at[v]
		if arc < 0 {
			n.relabel(v, ε)
			continue
		}
		n.steps++
		if n.residual[arc] > 0 && n.reduced(v, arc) < 0 {
			n.move(v, arc, min(n.excess[v], n.residual[arc]))
			n.enqueue(n.head[arc])
			if n.excess[v] == 0 {
				return
			}
		}
		n.at[v] = n.next[arc]
	}
}

// relabel lowers the price of a node to the lowest value at which every residual arc keeps a reduced
// cost of at least −ε. A node with excess always has a residual arc: the reverse of an arc that
// brought its excess.
func (n *Network) relabel(v int32, ε int64) {
	first, best := true, int64(0)
	for arc := n.first[v]; arc >= 0; arc = n.next[arc] {
		n.steps++
		if n.residual[arc] > 0 {
			if p := n.price[n.head[arc]] - n.cost[arc]*n.scale; first || p > best {
				first, best = false, p
			}
		}
	}
	n.relabels++
	n.price[v] = best - ε
	n.at[v] = n.first[v]
}

// update lowers the price of each node by ε times its distance to the nearest node with a deficit
// (the global price update of Goldberg 1997). The length of a residual arc is its reduced cost
// divided by ε, rounded down, plus one. The flow stays ε-optimal, and excess then flows on shortest
// paths. Nodes beyond the last node with excess are lowered as much as that node.
func (n *Network) update(ε int64) {
	n.far = cleared(n.far, len(n.first))
	left := 0
	n.heap = n.heap[:0]
	for v := range n.first {
		n.far[v] = unreached
		switch {
		case n.excess[v] < 0:
			n.far[v] = 0
			n.push(reach{0, int32(v)})
		case n.excess[v] > 0:
			left++
		}
	}
	last := int64(0)
	for left > 0 && len(n.heap) > 0 {
		at := n.pop()
		if at.far > n.far[at.node] {
			continue
		}
		last = at.far
		if n.excess[at.node] > 0 {
			left--
		}
		for arc := n.first[at.node]; arc >= 0; arc = n.next[arc] {
			n.steps++
			u := n.head[arc]
			if n.residual[arc^1] == 0 || n.far[u] <= at.far {
				continue
			}
			if far := at.far + floor(n.reduced(u, arc^1), ε) + 1; far < n.far[u] {
				n.far[u] = far
				n.push(reach{far, u})
			}
		}
	}
	if last > (mostLowered-n.lowered)/ε {
		return
	}
	for v, far := range n.far {
		n.price[v] -= min(far, last) * ε
		n.at[v] = n.first[v]
	}
	n.lowered += last * ε
}

// mostLowered limits the price decrease by all updates of one solution; the rest of the 64 bits is
// left for relabelling.
const mostLowered = 1 << 58

const unreached = int64(1) << 62

// floor returns a/b rounded down, for b > 0.
func floor(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// reach is a node and its distance.
type reach struct {
	far  int64
	node int32
}

func (n *Network) push(r reach) {
	n.heap = append(n.heap, r)
	i := len(n.heap) - 1
	for i > 0 {
		up := (i - 1) / 2
		if n.heap[up].far <= r.far {
			break
		}
		n.heap[i] = n.heap[up]
		i = up
	}
	n.heap[i] = r
}

func (n *Network) pop() reach {
	first, last := n.heap[0], n.heap[len(n.heap)-1]
	n.heap = n.heap[:len(n.heap)-1]
	i, size := 0, len(n.heap)
	for {
		down := 2*i + 1
		if down >= size {
			break
		}
		if down+1 < size && n.heap[down+1].far < n.heap[down].far {
			down++
		}
		if n.heap[down].far >= last.far {
			break
		}
		n.heap[i] = n.heap[down]
		i = down
	}
	if size > 0 {
		n.heap[i] = last
	}
	return first
}
