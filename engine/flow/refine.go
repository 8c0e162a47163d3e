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
	for done, k := 0, 0; k < len(n.queue); k++ {
		if done++; done%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		v := n.queue[k]
		n.queued[v] = false
		n.discharge(v, ε)
		if k > 2*len(n.first) { // what was served is dropped
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

// discharge pushes the excess of a node through arcs of negative reduced cost, and lowers its
// price where there is none.
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

// relabel lowers the price of a node as far as no residual arc gets a reduced cost below −ε.
// A node with excess has a residual arc: the reverse of the one that brought it.
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
	n.price[v] = best - ε
	n.at[v] = n.first[v]
}
