package flow

import (
	"context"
	"fmt"
	"math/bits"
)

// Nodes that every network has from the start.
const (
	Source = 0
	Sink   = 1
)

// Limits of a network. Prices grow to a multiple of the largest cost times the third power of the
// number of nodes, which must fit into 64 bits; see [Network.Solve].
const (
	MaxNodes    = 1 << 18
	MaxArcs     = 1 << 22
	MaxCapacity = 1 << 32
	MaxCost     = 1 << 40
)

// division divides ε between two phases.
const division = 16

// Network is a network with a flow. It is not safe for concurrent use.
type Network struct {
	first []int32 // by node: the first arc that leaves it; −1: none
	price []int64 // by node, in units of cost divided by scale

	// Arcs come in pairs: arc i^1 is the reverse of arc i, and its residual capacity is the flow of
	// arc i. The first pair leads from the sink to the source.
	next     []int32 // the next arc that leaves the same node; −1: none
	head     []int32
	residual []int64
	cost     []int64

	scale  int64   // factor of all costs: a power of two above the number of nodes
	back   int64   // negative cost of the arc to the source
	excess []int64 // by node: inflow minus outflow
	at     []int32 // by node: the arc to try next
	queue  []int32 // nodes with excess, in order of service
	queued []bool
	steps  int64

	relabels int     // number of relabels since the last update of prices
	far      []int64 // by node: distance in an update
	heap     []reach
	lowered  int64 // upper bound on the price decrease by updates in this solution

	broken error // error of the last invalid AddNode, AddArc or Change
}

// New returns a network that has only its source and sink.
func New() *Network {
	n := &Network{}
	n.Clear()
	return n
}

// Clear empties a network to the state after [New], but keeps its memory.
func (n *Network) Clear() {
	n.first, n.price, n.next, n.head, n.residual, n.cost = n.first[:0], n.price[:0], n.next[:0], n.head[:0], n.residual[:0], n.cost[:0]
	n.scale, n.back, n.broken = 1, 0, nil
	n.AddNode()
	n.AddNode()
	n.AddArc(Sink, Source, 0, 0)
}

// AddNode adds a node and returns its number. Above [MaxNodes], the next [Network.Solve] returns an
// error.
func (n *Network) AddNode() int {
	if len(n.first) >= MaxNodes {
		n.broken = fmt.Errorf("a network may have %d nodes at most", MaxNodes)
		return Source
	}
	n.first, n.price = append(n.first, -1), append(n.price, 0)
	return len(n.first) - 1
}

// Nodes returns the number of nodes, including source and sink.
func (n *Network) Nodes() int { return len(n.first) }

// AddArc adds an arc and returns its number, for [Network.Change] and [Network.Flow]. If the arc is
// invalid, the next [Network.Solve] returns the error.
func (n *Network) AddArc(from, to int, capacity, cost int64) (arc int) {
	switch {
	case len(n.head) >= 2*MaxArcs:
		n.broken = fmt.Errorf("a network may have %d arcs at most", MaxArcs)
	case from < 0 || from >= len(n.first) || to < 0 || to >= len(n.first) || from == to:
		n.broken = fmt.Errorf("an arc from node %d to node %d: expected two of the %d nodes", from, to, len(n.first))
	default:
		n.check(capacity, cost)
	}
	if n.broken != nil {
		return 0
	}
	arc = len(n.head)
	n.head = append(n.head, int32(to), int32(from))
	n.next = append(n.next, n.first[from], n.first[to])
	n.residual = append(n.residual, capacity, 0)
	n.cost = append(n.cost, cost, -cost)
	n.first[from], n.first[to] = int32(arc), int32(arc+1)
	return arc
}

func (n *Network) check(capacity, cost int64) {
	if capacity < 0 || capacity > MaxCapacity {
		n.broken = fmt.Errorf("an arc with the capacity %d: expected 0 to %d", capacity, int64(MaxCapacity))
	} else if cost < -MaxCost || cost > MaxCost {
		n.broken = fmt.Errorf("an arc with the cost %d: expected −%d to %d", cost, int64(MaxCost), int64(MaxCost))
	}
}

// Change sets the capacity and the cost of an arc. An arc of capacity 0 carries no flow. Invalid
// values make the next [Network.Solve] return an error.
func (n *Network) Change(arc int, capacity, cost int64) {
	if n.check(capacity, cost); n.broken == nil {
		n.set(arc, capacity, cost)
	}
}

func (n *Network) set(arc int, capacity, cost int64) {
	flow := min(n.residual[arc^1], capacity)
	n.residual[arc], n.residual[arc^1] = capacity-flow, flow
	n.cost[arc], n.cost[arc^1] = cost, -cost
}

// Flow returns the flow through an arc.
func (n *Network) Flow(arc int) int64 { return n.residual[arc^1] }

// Price returns the price of a node after [Network.Solve]. For every arc with residual capacity,
// the price of its head is at most the price of its tail plus its cost.
func (n *Network) Price(node int) float64 { return float64(n.price[node]) / float64(n.scale) }

// CostBits returns the number of bits that costs may have in a network with this many nodes; see
// [Network.Solve].
func CostBits(nodes int) int { return min(40, 57-3*bits.Len(uint(nodes))) }

// Solution summarises a flow.
type Solution struct {
	Flow, Cost int64
	Steps      int64 // arcs visited, a measure of time
	Phases     int
}

// Solve computes a maximum flow from source to sink of minimum cost. It returns an error if the
// computation could overflow: 16 times the third power of the number of nodes, rounded up to a
// power of two, times the largest cost must be below 2⁶². It takes at most O(n²·m·log(n·C)) steps
// with n nodes, m arcs and costs up to C; an assignment of 20,000 tasks took 240 steps per arc.
// When ctx ends, Solve returns its error and drops the flow.
func (n *Network) Solve(ctx context.Context) (s Solution, err error) {
	if n.broken != nil {
		return s, n.broken
	}
	if err := n.prepare(); err != nil {
		return s, err
	}
	n.steps, n.lowered = 0, 0
	for ε := n.violation(); ε > 0; {
		ε = max(1, ε/division)
		if err := n.refine(ctx, ε); err != nil {
			n.forget()
			return s, err
		}
		s.Phases++
		if ε == 1 {
			break
		}
	}
	s.Flow, s.Steps = n.residual[1], n.steps
	for arc := 2; arc < len(n.head); arc += 2 {
		s.Cost += n.Flow(arc) * n.cost[arc]
	}
	return s, nil
}

// prepare updates scale, the arc to the source, and the excesses after changes.
func (n *Network) prepare() error {
	for n.scale <= int64(len(n.first)) {
		n.scale *= 2
		for i := range n.price {
			n.price[i] *= 2
		}
	}
	for _, price := range n.price {
		if price < -mostLowered { // low prices add up over many changes
			clear(n.price)
			break
		}
	}
	var largest, out int64 = 1, 0
	all := 0.0
	for arc := 2; arc < len(n.head); arc += 2 {
		capacity := n.residual[arc] + n.residual[arc^1]
		if capacity > 0 {
			largest = max(largest, n.cost[arc], -n.cost[arc])
		}
		if n.head[arc^1] == Source {
			out += capacity
		}
		all += float64(float64(capacity) * float64(largest))
	}
	costBits := bits.Len64(uint64(largest))
	scaleBits := bits.Len64(uint64(n.scale)) - 1
	if 3*scaleBits+costBits+4 > 62 || all >= 1<<62 {
		return fmt.Errorf("a flow in a network of %d nodes with costs up to %d could overflow: make costs smaller", len(n.first), largest)
	}
	n.back = max(n.back, n.scale<<costBits) // above the cost of any path, and constant so that prices stay valid
	if 2*scaleBits+bits.Len64(uint64(n.back))+4 > 63 {
		n.back = n.scale << costBits
	}
	n.set(0, min(out, MaxCapacity), -n.back)
	n.excess = cleared(n.excess, len(n.first))
	for arc := 0; arc < len(n.head); arc += 2 {
		flow := n.Flow(arc)
		n.excess[n.head[arc]] += flow
		n.excess[n.head[arc^1]] -= flow
	}
	n.at = cleared(n.at, len(n.first))
	n.queue = n.queue[:0]
	n.queued = cleared(n.queued, len(n.first))
	return nil
}

// cleared returns a zeroed slice of the given size. It reuses the memory of x if that is large
// enough.
func cleared[T int64 | int32 | bool](x []T, size int) []T {
	if cap(x) < size {
		return make([]T, size)
	}
	x = x[:size]
	clear(x)
	return x
}

// forget drops the flow and the prices.
func (n *Network) forget() {
	clear(n.price)
	for arc := 0; arc < len(n.head); arc += 2 {
		n.residual[arc] += n.residual[arc^1]
		n.residual[arc^1] = 0
	}
}

func (n *Network) reduced(from int32, arc int32) int64 {
	return n.cost[arc]*n.scale + n.price[from] - n.price[n.head[arc]]
}

// violation returns the smallest ε ≥ 1 for which the flow is ε-optimal, 1 if flow is not conserved,
// and 0 if the flow is optimal: costs are scaled by more than the number of nodes, so ε ≤ 1
// suffices.
func (n *Network) violation() (ε int64) {
	conserved := true
	for v := range n.first {
		conserved = conserved && n.excess[v] == 0
		for arc := n.first[v]; arc >= 0; arc = n.next[arc] {
			if n.residual[arc] > 0 {
				ε = max(ε, -n.reduced(int32(v), arc))
			}
		}
	}
	if conserved && ε <= 1 {
		return 0
	}
	return max(ε, 1)
}
